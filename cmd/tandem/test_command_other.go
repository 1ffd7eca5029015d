//go:build !unix

package main

import "os/exec"

// endWithChildren is for systems with process groups; elsewhere the command alone is ended.
func endWithChildren(*exec.Cmd) {}
