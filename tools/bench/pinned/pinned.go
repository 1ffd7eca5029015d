// Package pinned is the list of trees that learned weights are fitted to and of those
// that are only measured, each with its version and its hash (trees.txt).
//
// **Invariant:** a fit reads the pinned trees of its list, all of them and no others, or
// nothing is fitted.
package pinned

import (
	_ "embed"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/dirhash"
)

//go:embed trees.txt
var list string

// A Tree is a row of the list.
type Tree struct {
	Name string
	From string   // where it comes from, with its version
	Hash string   // of a folder's files, or a commit
	Uses []string // the fits that read it; held-out: none may
}

// Trees returns the list.
func Trees() (out []Tree) {
	for line := range strings.Lines(list) {
		if f := strings.Fields(line); len(f) == 4 && f[0] != "#" {
			out = append(out, Tree{Name: f[0], From: f[1], Hash: f[2], Uses: strings.Split(f[3], ",")})
		}
	}
	return out
}

// ForFit returns an error unless the folders are the trees that a fit reads.
func ForFit(fit string, dirs []string) error {
	want := slices.DeleteFunc(Trees(), func(t Tree) bool { return !slices.Contains(t.Uses, fit) })
	for _, dir := range dirs {
		hash, err := Hash(dir)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(want, func(t Tree) bool { return t.Hash == hash })
		if i < 0 {
			return fmt.Errorf("%s (%s) is none of the trees that %s is fitted to: see tools/bench/pinned/trees.txt", dir, hash, fit)
		}
		want = slices.Delete(want, i, i+1)
	}
	if len(want) > 0 {
		return fmt.Errorf("%s is fitted to %s (%s) too: name its folder", fit, want[0].Name, want[0].From)
	}
	return nil
}

// Hash identifies the content of a folder: the commit that a bare clone is at, or the
// hash of a folder's regular files. A folder that holds one folder and nothing else
// stands for that folder.
func Hash(dir string) (string, error) {
	if out, err := exec.Command("git", "--git-dir", dir, "rev-parse", "HEAD").Output(); err == nil {
		return strings.TrimSpace(string(out)), nil
	}
	for {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return "", err
		}
		if len(entries) != 1 || !entries[0].IsDir() {
			break
		}
		dir = filepath.Join(dir, entries[0].Name())
	}
	var files []string
	err := filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			rel, _ := filepath.Rel(dir, at)
			files = append(files, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		return "", err
	}
	return dirhash.Hash1(files, func(name string) (io.ReadCloser, error) { return os.Open(filepath.Join(dir, name)) })
}
