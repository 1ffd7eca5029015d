package deps

import (
	"path/filepath"
	"strings"

	"tandem/workspace/disk"
)

// A Gate tells what of the workspace's folders a model may be shown. Paths are
// absolute and without symbolic links.
type Gate interface {
	// FolderOf is the workspace folder that holds a path, "" where none does, and
	// the top of the repository around that folder, which may be the folder itself.
	FolderOf(real string) (folder, top string)
	// Folders are the workspace folders with the tops of their repositories.
	Folders() [][2]string
	// Denies reports whether the administrator's policy denies a path, wherever it is.
	Denies(real string) bool
	// ShowsOwn reports whether a file of a folder may be shown.
	ShowsOwn(real string) bool
	// ShowsInstalled reports the same for one that a package manager put there,
	// which .gitignore and the built-in rules hide as a matter of course.
	ShowsInstalled(real string) bool
}

// noFolders is the gate of a machine without workspace.
type noFolders struct{}

func (noFolders) FolderOf(string) (string, string) { return "", "" }
func (noFolders) Folders() [][2]string             { return nil }
func (noFolders) Denies(string) bool               { return false }
func (noFolders) ShowsOwn(string) bool             { return false }
func (noFolders) ShowsInstalled(string) bool       { return false }

func (r *reader) gate() Gate {
	if r.options.Gate == nil {
		return noFolders{}
	}
	return r.options.Gate()
}

// Shown reports whether a model may be shown the text of a file, or names that
// only it tells: one of the workspace that is not hidden, or one in a place that
// a package manager owns. Everything else serves checks alone.
func (r *reader) Shown(file string) bool {
	return r.shown.get(file, func() bool { return r.judge(disk.Real(file)) })
}

// Hides reports whether the workspace would hide a file of its own, which need not be there.
func (r *reader) Hides(file string) bool {
	real := filepath.Join(disk.Real(filepath.Dir(file)), filepath.Base(file))
	folder, _ := r.gate().FolderOf(real)
	return folder != "" && !r.gate().ShowsOwn(real)
}

func (r *reader) judge(real string) bool {
	gate := r.gate()
	if gate.Denies(real) {
		return false
	}
	folder, _ := gate.FolderOf(real)
	if folder == "" {
		return r.owned.Holds(real) || aboveFolders(gate, real)
	}
	if gate.ShowsOwn(real) {
		return true
	}
	rel, _ := disk.Below(folder, real)
	installed := strings.Contains(string(filepath.Separator)+rel, modulesFolder) || r.inside.Holds(real) || r.owned.Holds(real)
	return installed && gate.ShowsInstalled(real)
}

// aboveFolders reports whether a path lies in the node_modules of a folder that
// holds a workspace folder, up to the top of the repository.
func aboveFolders(gate Gate, real string) bool {
	holder, _, ok := strings.Cut(real, modulesFolder)
	if !ok {
		return false
	}
	for _, f := range gate.Folders() {
		_, above := disk.Below(holder, f[0])
		_, inside := disk.Below(f[1], holder)
		if above && inside {
			return true
		}
	}
	return false
}
