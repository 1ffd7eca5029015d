package disk

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tandem/workspace/platformtest"
	"tandem/workspace/rel"
)

// tree writes files to a new folder, whose real path it returns.
func tree(t *testing.T, files ...string) string {
	t.Helper()
	root := Real(t.TempDir())
	for _, name := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// TestRead reads what may stand in a file's place.
func TestRead(t *testing.T) {
	dir := tree(t, "root/plain", "root/sub/deep", "other/file", "private/file")
	root := filepath.Join(dir, "root")
	links := map[string]string{"inner": "sub/deep", "absolute": filepath.Join(root, "plain"), "allowed": filepath.Join(dir, "other", "file"),
		"outside": filepath.Join(dir, "private", "file"), "climb": "../private/file", "folder": filepath.Join(dir, "private"), "loop": "loop", "dangling": "none"}
	canLink := platformtest.Symlinks(t)
	if canLink {
		for link, target := range links {
			platformtest.Symlink(t, target, filepath.Join(root, link))
		}
	}
	if err := os.WriteFile(filepath.Join(root, "sparse"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(root, "sparse"), 2<<30); err != nil {
		t.Fatal(err)
	}
	r := NewReader(root, filepath.Join(dir, "other"))
	for name, want := range map[string]error{
		"plain": nil, "sub/deep": nil, "inner": nil, "absolute": nil, "allowed": nil, "outside": ErrOutside, "climb": ErrOutside, "folder/file": ErrOutside,
		"../private/file": ErrOutside, "sub": ErrNotRegular, "sparse": ErrTooLarge, "none": fs.ErrNotExist, "dangling": fs.ErrNotExist,
	} {
		if first, _, _ := strings.Cut(name, "/"); links[first] != "" && !canLink {
			continue
		}
		text, err := r.ReadFile(t.Context(), filepath.Join(root, name), 1<<20)
		if !errors.Is(err, want) || want == nil && len(text) == 0 {
			t.Errorf("%s: %q, %v; want %v", name, text, err, want)
		}
	}
	if _, err := r.ReadFile(t.Context(), filepath.Join(root, "loop"), 1<<20); err == nil {
		t.Error("a link to itself was read")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.ReadFile(ended, filepath.Join(root, "plain"), 1<<20); !errors.Is(err, context.Canceled) {
		t.Errorf("a read that was cancelled: %v", err)
	}
}

func TestListings(t *testing.T) {
	dir := tree(t, "root/a.go", "root/b/c.go", "root/b[x]/d.go", "private/e.go")
	root := filepath.Join(dir, "root")
	r := NewReader(root)
	files := []string{"a.go", "b/c.go", "b[x]/d.go"}
	if platformtest.Symlinks(t) {
		files = append(files, "linked")
		platformtest.Symlink(t, filepath.Join(dir, "private"), filepath.Join(root, "linked"))
		if entries, err := r.ReadDir(t.Context(), filepath.Join(root, "linked")); !errors.Is(err, ErrOutside) || len(entries) > 0 {
			t.Errorf("a folder outside was listed: %v, %v", entries, err)
		}
	}
	var walked []string
	err := r.Walk(t.Context(), root, func(path string, d fs.DirEntry) error {
		if rel, ok := Below(root, path); ok && !d.IsDir() {
			walked = append(walked, filepath.ToSlash(rel))
		}
		return nil
	})
	if err != nil || !slices.Equal(walked, files) {
		t.Errorf("walked %v, %v; want %v", walked, err, files)
	}
	for pattern, want := range map[string]string{"*.go": "a.go", "*/c.go": "b/c.go", "b/*.go": "b/c.go", "none/*": "", "*/*.go": "b/c.go b[x]/d.go"} {
		var got []string
		for _, path := range r.Glob(t.Context(), root, pattern) {
			rel, _ := Below(root, path)
			got = append(got, filepath.ToSlash(rel))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", pattern, got, want)
		}
	}
}

// TestRootStaysWhereItIs swaps a folder for a link after it was opened.
func TestRootStaysWhereItIs(t *testing.T) {
	dir := tree(t, "root/sub/file", "private/file")
	root, err := OpenRoot(filepath.Join(dir, "root"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	sub := filepath.Join(dir, "root", "sub")
	if err := os.Rename(sub, sub+"2"); err != nil {
		t.Fatal(err)
	}
	platformtest.Symlink(t, filepath.Join(dir, "private"), sub)
	if text, err := root.ReadFile(t.Context(), rel.Path{}.Join("sub").Join("file"), 1<<20); !errors.Is(err, ErrOutside) {
		t.Errorf("%q, %v", text, err)
	}
}

// TestFilesWithoutSize: a file of /proc says that it has no bytes, and is read whole.
func TestFilesWithoutSize(t *testing.T) {
	const path = "/proc/sys/kernel/pid_max"
	want, err := os.ReadFile(path)
	if err != nil {
		t.Skip(err)
	}
	if got, err := ReadFile(path, 1<<10); err != nil || string(got) != string(want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

// TestReal: what does not exist is below what exists by its real path, whatever links lead there;
// a link that leads nowhere stays.
func TestReal(t *testing.T) {
	root := Real(t.TempDir())
	platformtest.Symlink(t, filepath.Join(root, "nowhere"), filepath.Join(root, "dangling"))
	if err := os.Mkdir(filepath.Join(root, "a"), 0o755); err != nil {
		t.Fatal(err)
	}
	platformtest.Symlink(t, filepath.Join(root, "a"), filepath.Join(root, "link"))
	deep := strings.Repeat("x"+string(filepath.Separator), 4000) + "x"
	for spelled, want := range map[string]string{
		"": "", "a": "a", "link": "a", "link/b/c": "a/b/c", "a/b": "a/b", "dangling": "dangling", "dangling/b": "dangling/b", "link/" + deep: "a/" + deep,
	} {
		if got, want := Real(filepath.Join(root, spelled)), filepath.Join(root, want); got != want {
			t.Errorf("Real(%.60q) = %.120q, want %.120q", spelled, got, want)
		}
	}
}
