package main

import (
	"os"

	"golang.org/x/sys/windows"
)

// stillActive is the exit code that Windows reports for a process that runs.
const stillActive = 259

// processAlive reports whether a process exists.
func processAlive(pid int) bool {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return false
	}
	defer windows.CloseHandle(h)
	var code uint32
	return windows.GetExitCodeProcess(h, &code) == nil && code == stillActive
}

// claimStdout returns the connection to the editor and redirects everything
// that prints to stderr: a stray byte would break the protocol.
func claimStdout() (*os.File, error) {
	out := os.Stdout
	os.Stdout = os.Stderr
	return out, windows.SetStdHandle(windows.STD_OUTPUT_HANDLE, windows.Handle(os.Stderr.Fd()))
}
