//go:build !unix

package main

import "os/exec"

// endWithChildren is for systems with process groups; elsewhere the command alone is ended.
func endWithChildren(*exec.Cmd) {}

// killWithChildren ends a command; what it has started ends by itself.
func killWithChildren(cmd *exec.Cmd) error { return cmd.Process.Kill() }
