package workspace

import (
	"fmt"
	"path/filepath"
	"sync/atomic"
	"time"

	"tandem/workspace/cut"
	"tandem/workspace/disk"
	"tandem/workspace/ignore"
	"tandem/workspace/index"
	"tandem/workspace/rel"
	"tandem/workspace/run"
)

// A View is one workspace folder in one snapshot. It is immutable.
type View struct {
	// Root is the folder's absolute path.
	Root string

	folder  *folder
	rules   *ignore.Matcher
	indexed *indexed
}

// Index is what the folder defines and uses, open documents included. It is
// empty until the folder was indexed once (Ready).
func (v *View) Index() *index.Index { return v.indexed.get(v) }

// IndexBut is Index, in which one file may be as it was earlier: for what needs the other
// files while that one is typed in.
func (v *View) IndexBut(at rel.Path) *index.Index { return v.indexed.but(v, at) }

// NumFiles is how many files the index held when it was last brought up to date, which
// this does not wait for: for display.
func (v *View) NumFiles() int { return v.indexed.numFiles() }

// Unnoticed is how many directories of the index are neither watched nor polled, so that changes
// made outside the editor are not noticed there. It is 0 if the editor watches.
func (v *View) Unnoticed() int { return int(v.folder.unnoticed.Load()) }

// Ready reports whether the folder was indexed. What bounds left out of it is part of Cut.
func (v *View) Ready() bool { return v.indexed.reading == read }

// Reading is how many files were read of those that are known to be in the folder, while it is
// indexed for the first time.
func (v *View) Reading() (read, of int) {
	return int(v.folder.done.Load()), int(v.folder.listed.Load())
}

// Cut is what the index does not have now of the folder's code, in the languages of a family or
// in all ("").
func (v *View) Cut(family string) cut.Cut {
	if v.indexed.reading != unread {
		return v.indexed.gap.Cut(family)
	}
	if read, of := v.Reading(); of > 0 {
		return cut.Because(fmt.Sprintf("%s of %s files are read", cut.Number(read), cut.Number(of)))
	}
	return cut.Because("the files are not read yet")
}

// Ignored reports whether a file or a folder is hidden, and by which rule, as text.
func (v *View) Ignored(at rel.Path, isDir bool) (bool, string) { return v.rules.Ignored(at, isDir) }

// with returns the view with another index.
func (v *View) with(ix *indexed) *View {
	return &View{Root: v.Root, folder: v.folder, rules: v.rules, indexed: ix}
}

// openView opens the view of a folder.
func openView(root string, deny ignore.Globs) (*View, error) {
	if path, ok := PathOf(root); ok {
		root = path
	}
	f, err := openFolder(root)
	if err != nil {
		return nil, err
	}
	return &View{Root: f.root, folder: f, rules: ignore.New(f.root, deny...), indexed: &indexed{}}, nil
}

// FileID is the indexed file that a URI or an absolute path names.
func (v *View) FileID(uri string) (id index.FileID, indexed bool) {
	path, isFile := PathOf(uri)
	if at, below := v.Rel(path); isFile && below {
		return v.Index().FileID(at.String())
	}
	return id, false
}

// URI is the folder's file: URI.
func (v *View) URI() string { return URIOf(v.Root) }

// Name is the folder's last path element.
func (v *View) Name() string { return filepath.Base(v.Root) }

// Rel returns the path below the root of an absolute path; it is false for everything outside
// the root.
func (v *View) Rel(path string) (rel.Path, bool) { return rel.Below(v.Root, path) }

// Abs returns the absolute path of a slash-separated path below the root.
func (v *View) Abs(rel string) string { return filepath.Join(v.Root, filepath.FromSlash(rel)) }

// A folder is the state of one workspace folder that outlives its snapshots: the
// directory handle that keeps every read below its root.
type folder struct {
	root string // absolute, as the user spelled it
	dir  *disk.Root

	builds  run.Job             // of its index
	unsaved string              // why the last build's index could not be saved; used by builds alone
	changed gathering[rel.Path] // what events named since a build began, until it is published
	rules   contentSeen         // the content of its ignore files at the last event

	unnoticed    atomic.Int64 // View.Unnoticed, as it was counted last
	done, listed atomic.Int64 // View.Reading
}

// openFolder opens a workspace folder for reading.
func openFolder(root string) (*folder, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("workspace folder %s has no absolute path: %w", root, err)
	}
	dir, err := disk.OpenRoot(abs)
	if err != nil {
		return nil, fmt.Errorf("workspace folder %s cannot be opened, check that it exists and is readable: %w", abs, err)
	}
	return &folder{root: abs, dir: dir}, nil
}

// realRel is Rel of a path without symbolic links.
func (f *folder) realRel(real string) (rel.Path, bool) { return rel.Below(f.dir.Real(), real) }

// exists reports whether there is something at a path below the root.
func (f *folder) exists(at rel.Path) bool {
	_, err := f.dir.Lstat(at)
	return err == nil
}

// isDir reports whether there is a folder at a path below the root, and no link to one.
func (f *folder) isDir(at rel.Path) bool {
	info, err := f.dir.Lstat(at)
	return err == nil && info.IsDir()
}

// Executable reports whether a file of the workspace can be run, as it is on disk.
func (s *Snapshot) Executable(name string) bool {
	v, at, ok := s.place(name)
	return ok && v.folder.dir.Executable(at)
}

// Spelled reports whether a file on disk has the very name, and not one that its file system takes for
// the same. An open document has the name that its editor gives it.
func (s *Snapshot) Spelled(name string) bool {
	if _, open := s.Overlay(name); open {
		return true
	}
	v, at, ok := s.place(name)
	return !ok || v.folder.dir.Spelled(at)
}

func (s *Snapshot) place(name string) (v *View, at rel.Path, ok bool) {
	path := s.Resolve(name)
	if v = s.View(path); v != nil {
		at, ok = v.Rel(path)
	}
	return v, at, ok
}

// read returns the regular file at a path below the root, from cache if the
// file's stamp is still the same. Nothing outside the root is read, whatever
// symbolic links point to.
func (f *folder) read(at rel.Path, cache *diskCache) (*diskFile, error) {
	open, info, err := f.dir.Open(at)
	if err != nil {
		return nil, err
	}
	defer open.Close()
	path := at.Abs(f.root)
	if kept, ok := cache.get(path, stampOf(info)); ok {
		return kept, nil
	}
	file, err := readFrom(open, info)
	if err != nil {
		return nil, err
	}
	if file.info.reliable(time.Now()) {
		cache.put(path, file)
	}
	return file, nil
}
