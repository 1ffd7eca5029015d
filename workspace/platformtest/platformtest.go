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
	Modes = "Windows has no modes of files: other users are kept out by the folder of the profile"
	Names = "Windows does not allow such a name of a file"
)

// Unix skips a test on Windows.
func Unix(t testing.TB, reason string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip(reason)
	}
}

// Symlink makes a symbolic link, or skips the test on a Windows that makes none.
func Symlink(t testing.TB, target, link string) {
	t.Helper()
	err := os.Symlink(target, link)
	_, missing := os.Lstat(link)
	switch {
	case runtime.GOOS == "windows" && err != nil:
		t.Skip("Windows makes a symbolic link only for who has the right to: ", err)
	case runtime.GOOS == "windows" && missing != nil:
		t.Skip("Wine makes no symbolic link, and reports that it did")
	case err != nil:
		t.Fatal(err)
	}
}
