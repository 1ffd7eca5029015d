//go:build !windows

package config

// programData is a folder of Windows alone.
func programData() string { return "" }
