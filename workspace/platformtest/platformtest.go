// Package platformtest skips tests, or parts of them, for what a platform does not have.
//
// Invariant: each skip has a reason that a reader of the test's output understands.
package platformtest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// Reasons why a test says nothing about Windows.
const (
	Modes   = "Windows has no modes of files: other users are kept out by the folder of the profile"
	Names   = "Windows does not allow such a name of a file"
	Words   = "Windows has other words for some faults and other paths, and the file of sentences has Unix's"
	Sockets = "on Windows a socket does not tell who connects, so there is none"
)

// NotThere is what the system says of a file that does not exist.
var NotThere = syscall.ENOENT.Error()

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
	if why := symlink(target, link); why != nil && runtime.GOOS == "windows" {
		t.Skip(why)
	} else if why != nil {
		t.Fatal(why)
	}
}

// Symlinks reports whether symbolic links can be made, for a test of which only parts need them.
func Symlinks(t testing.TB) bool {
	t.Helper()
	why := symlink("target", filepath.Join(t.TempDir(), "link"))
	if why != nil {
		t.Log("without links: ", why)
	}
	return why == nil || runtime.GOOS != "windows"
}

func symlink(target, link string) error {
	if err := os.Symlink(target, link); err != nil && runtime.GOOS == "windows" {
		return fmt.Errorf("no symbolic link: Windows lets only some users make one: %w", err)
	} else if err != nil {
		return err
	}
	if _, err := os.Lstat(link); err != nil {
		return errors.New("no symbolic link: Wine makes none, and reports that it did")
	}
	return nil
}

// Abs is an absolute path of this system for one that is written with slashes.
func Abs(slashed string) string {
	if runtime.GOOS == "windows" && strings.HasPrefix(slashed, "/") {
		slashed = "C:" + slashed
	}
	return filepath.FromSlash(slashed)
}
