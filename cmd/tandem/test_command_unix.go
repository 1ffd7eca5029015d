//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// endWithChildren ends with a command what it has started.
func endWithChildren(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if cmd.Cancel != nil { // only a command with a context may have one
		cmd.Cancel = func() error { return killWithChildren(cmd) }
	}
}

// killWithChildren ends a command that endWithChildren was called for, and what it has started.
func killWithChildren(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
