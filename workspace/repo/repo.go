// Package repo finds the git repository around a folder: where its data is, and
// what its configuration says.
//
// Invariant: a repository is what the folder's own .git says it is. A .git that
// leads elsewhere counts only where the place it names points back, so that no
// folder can claim another one's repository. Nothing is run, and a
// configuration is bounded in files, depth and bytes. There is deliberately no
// reading of objects here.
package repo

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"tandem/workspace/disk"
)

// A Repository is where a git repository keeps its data.
type Repository struct {
	Top       string // the work tree's folder
	GitDir    string // of this work tree
	CommonDir string // shared by all its work trees; GitDir where there is one
}

// Around returns the repository that holds a path.
func Around(path string) (Repository, bool) {
	for at := path; ; {
		if r, ok := At(at); ok {
			return r, true
		}
		parent := filepath.Dir(at)
		if parent == at {
			return Repository{}, false
		}
		at = parent
	}
}

// At returns the repository whose top is dir: one with a .git folder, or with a
// .git file (a linked work tree, a submodule) whose target points back.
func At(dir string) (Repository, bool) {
	dot := filepath.Join(dir, ".git")
	info, err := os.Stat(dot)
	if err != nil {
		return Repository{}, false
	}
	r := Repository{Top: dir, GitDir: dot, CommonDir: dot}
	switch top := disk.Real(dir); {
	case info.IsDir():
		if _, inside := disk.Below(top, disk.Real(dot)); !inside {
			return Repository{}, false
		}
	case info.Mode().IsRegular():
		target, ok := pointer(disk.NewReader(dir), dot, "gitdir:")
		if !ok || !r.leadsBack(top, target) {
			return Repository{}, false
		}
	default:
		return Repository{}, false
	}
	_, err = os.Lstat(filepath.Join(r.GitDir, "HEAD"))
	return r, err == nil
}

// leadsBack sets the folders of a repository whose .git names target, if target
// says that it is for the work tree at top, a real path.
func (r *Repository) leadsBack(top, target string) bool {
	files := disk.NewReader(target)
	if back, ok := pointer(files, filepath.Join(target, "gitdir"), ""); ok {
		at := disk.Real(target)
		common, named := pointer(files, filepath.Join(target, "commondir"), "")
		trees := filepath.Dir(at)
		if !named || filepath.Base(trees) != "worktrees" || disk.Real(common) != filepath.Dir(trees) || filepath.Base(back) != ".git" || disk.Real(filepath.Dir(back)) != top {
			return false
		}
		r.GitDir, r.CommonDir = at, filepath.Dir(trees)
		return true
	}
	alone := configReader{files: files, left: 1, bytes: maxConfig}
	tree := alone.read(filepath.Join(target, "config"), 0).Value("core", "worktree")
	if tree == "" {
		return false
	}
	if !filepath.IsAbs(tree) {
		tree = filepath.Join(disk.Real(target), filepath.FromSlash(tree))
	}
	r.GitDir, r.CommonDir = target, target
	return disk.Real(tree) == top
}

// pointer reads a small file that holds a path after prefix, relative to the
// file's own folder.
func pointer(files *disk.Reader, file, prefix string) (string, bool) {
	const longest = 8 << 10
	content, err := files.ReadFile(context.Background(), file, longest)
	if err != nil {
		return "", false
	}
	path, ok := strings.CutPrefix(string(content), prefix)
	path = strings.TrimSpace(path)
	if !ok || path == "" || strings.ContainsRune(path, 0) {
		return "", false
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(file), filepath.FromSlash(path))
	}
	return filepath.Clean(path), true
}
