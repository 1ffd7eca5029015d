// Package platformtest skips tests, or parts of them, for what a platform does not have.
//
// Invariant: each skip has a reason that a reader of the test's output understands.
package platformtest

import (
	"os"
	"runtime"
	"testing"
)

// Reasons why a test says nothing about Windows.
const (
	Modes    = "Windows has no modes of files: other users are kept out by the folder of the profile"
	Devices  = "Windows has no devices in folders"
	Names    = "Windows does not allow such a name of a file"
	Scripts  = "Windows runs no shell script"
	Programs = "the program that it runs is none for Windows"
	Sockets  = "sockets for agents are not offered on Windows, which tandem says"
	Signals  = "Windows has no signals"
)

// Unix skips a test on Windows.
func Unix(t testing.TB, reason string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip(reason)
	}
}

// Symlink makes a symbolic link, or skips the test where none can be made.
func Symlink(t testing.TB, target, link string) {
	t.Helper()
	err := os.Symlink(target, link)
	if _, missing := os.Lstat(link); runtime.GOOS == "windows" && (err != nil || missing != nil) { // Wine makes none and reports success
		t.Skip("no symbolic link can be made here: it needs a right on Windows")
	}
	if err != nil {
		t.Fatal(err)
	}
}
