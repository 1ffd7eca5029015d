package workspace

import (
	"context"
	"io/fs"
)

// watched is a session as its watcher knows it.
type watched struct{ *Session }

// Roots are the session's folders.
func (s watched) Roots() []string {
	var out []string
	for _, v := range s.Snapshot().views {
		out = append(out, v.Root)
	}
	return out
}

// RootOf is the innermost folder around a path.
func (s watched) RootOf(path string) string {
	if v := s.Snapshot().View(path); v != nil {
		return v.Root
	}
	return ""
}

// Hidden reports whether the ignore rules hide a directory.
func (s watched) Hidden(dir string) bool {
	v := s.Snapshot().View(dir)
	if v == nil {
		return true
	}
	rel, ok := v.Rel(dir)
	hidden, _ := v.rules.Ignored(rel, true)
	return !ok || hidden
}

// EachDir lists a folder's directories.
func (s watched) EachDir(root, dir string, visit func(dir string, entries []fs.DirEntry) error) bool {
	v := s.Snapshot().rooted(root)
	if v == nil {
		return false
	}
	rel, _ := v.Rel(dir)
	return eachDir(s.life, v, rel, func(dir string, entries []fs.DirEntry) error { return visit(v.Abs(dir), entries) }) == nil
}

// Changed checks paths by their content.
func (s watched) Changed(paths ...string) { s.changedOnDisk(paths...) }

// Rescan reads a folder again.
func (s watched) Rescan(root string) {
	if v := s.Snapshot().rooted(root); v != nil {
		s.startIndexing(v.folder)
	}
}

// Problem notifies the session's owner.
func (s watched) Problem(sentence string) { s.notify(Event{Problem: sentence}) }

// Spawn starts work that the session waits for.
func (s watched) Spawn(work string, f func(context.Context)) bool { return s.spawn(work, f) }

// Background starts work that ends with the session.
func (s watched) Background(work string, f func(context.Context)) { s.background(work, f) }

// Life ends with the session.
func (s watched) Life() context.Context { return s.life }

// rooted is the view of the folder at root, or nil.
func (s *Snapshot) rooted(root string) *View {
	for _, v := range s.views {
		if v.Root == root {
			return v
		}
	}
	return nil
}
