//go:build unix

package disk

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestReadOfDevices: a device or a pipe in a file's place is not read.
func TestReadOfDevices(t *testing.T) {
	root := tree(t, "plain")
	if err := errors.Join(os.Symlink("/dev/zero", filepath.Join(root, "zero")), syscall.Mkfifo(filepath.Join(root, "fifo"), 0o644)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]error{"zero": ErrOutside, "fifo": ErrNotRegular} {
		if text, err := NewReader(root).ReadFile(t.Context(), filepath.Join(root, name), 1<<20); !errors.Is(err, want) {
			t.Errorf("%s: %q, %v; want %v", name, text, err, want)
		}
	}
	if _, err := NewReader(filepath.Join(root, "fifo")).ReadFile(t.Context(), filepath.Join(root, "fifo", "file"), 1<<20); !errors.Is(err, ErrNotRegular) {
		t.Errorf("below a FIFO: %v", err)
	}
	if _, err := OpenRoot(filepath.Join(root, "fifo")); err == nil {
		t.Error("a FIFO was opened as a folder")
	}
	if _, err := NewReader("/dev").ReadFile(t.Context(), "/dev/zero", 1<<20); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a device below a root: %v", err)
	}
}
