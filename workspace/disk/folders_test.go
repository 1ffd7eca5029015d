//go:build unix

package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestFoldersReadAsTheirRoot compares reads through folders that stay open with those of
// their root, through links and where a folder was made anew.
func TestFoldersReadAsTheirRoot(t *testing.T) {
	dir := tree(t, "root/plain", "root/sub/deep", "root/sub/lower/file", "private/file")
	root := filepath.Join(dir, "root")
	for link, target := range map[string]string{"sub/up": "../plain", "sub/outside": "../../private/file", "sub/loop": "loop", "linked": "sub", "away": "../private"} {
		if err := os.Symlink(target, filepath.Join(root, filepath.FromSlash(link))); err != nil {
			t.Fatal(err)
		}
	}
	r, err := OpenRoot(root)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	folders := r.Folders()
	defer folders.Close()
	read := func(open func(string) (*os.File, fs.FileInfo, error), name string) (string, error) {
		f, _, err := open(name)
		if err != nil {
			return "", err
		}
		defer f.Close()
		text, err := io.ReadAll(f)
		return string(text), err
	}
	same := func(name, want string) {
		t.Helper()
		text, err := read(folders.Open, name)
		plain, failed := read(r.Open, name)
		if text != want || plain != want || (err == nil) != (failed == nil) || errors.Is(err, ErrOutside) != errors.Is(failed, ErrOutside) {
			t.Errorf("%s: %q, %v; from the root %q, %v", name, text, err, plain, failed)
		}
	}
	for range 2 {
		for name, want := range map[string]string{"plain": "root/plain", "sub/deep": "root/sub/deep", "sub/lower/file": "root/sub/lower/file", "sub/up": "root/plain",
			"linked/deep": "root/sub/deep", "sub/outside": "", "away/file": "", "sub/loop": "", "none/file": "", "sub": "", "sub/none": ""} {
			same(name, want)
		}
	}
	if err := errors.Join(os.RemoveAll(filepath.Join(root, "sub", "lower")), os.Mkdir(filepath.Join(root, "sub", "lower"), 0o755),
		os.WriteFile(filepath.Join(root, "sub", "lower", "file"), []byte("anew"), 0o644)); err != nil {
		t.Fatal(err)
	}
	same("sub/lower/file", "anew")
}

// TestRealIn compares the real path of what is in a folder with that of the whole path.
func TestRealIn(t *testing.T) {
	dir := tree(t, "root/sub/deep", "other/file")
	for link, target := range map[string]string{"root/in": "sub/deep", "root/out": "../other/file", "root/dangling": "none", "root/folder": "../other"} {
		if err := os.Symlink(target, filepath.Join(dir, filepath.FromSlash(link))); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"sub/deep", "in", "out", "dangling", "folder", "folder/file", "none", "none/none"} {
		path := filepath.Join(dir, "root", filepath.FromSlash(name))
		if got, want := RealIn(Real(filepath.Dir(path)), filepath.Base(path)), Real(path); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}
