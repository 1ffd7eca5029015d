package workspace

import (
	"context"
	"io/fs"

	"tandem/workspace/rel"
	"tandem/workspace/watch"
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

// Place is where a path lies that the system names.
func (s watched) Place(abs string) (watch.Place, bool) {
	v := s.Snapshot().View(abs)
	if v == nil {
		return watch.Place{}, false
	}
	at, ok := v.Rel(abs)
	return watch.Place{Root: v.Root, At: at}, ok
}

// Hidden reports whether the ignore rules hide a directory.
func (s watched) Hidden(dir watch.Place) bool {
	v := s.Snapshot().rooted(dir.Root)
	if v == nil {
		return true
	}
	hidden, _ := v.rules.Ignored(dir.At, true)
	return hidden
}

// EachDir lists a folder's directories.
func (s watched) EachDir(dir watch.Place, visit func(dir rel.Path, entries []fs.DirEntry) error) bool {
	v := s.Snapshot().rooted(dir.Root)
	return v != nil && eachDir(s.life, v, dir.At, visit) == nil
}

// Changed checks places by their content.
func (s watched) Changed(places ...watch.Place) {
	paths := make([]string, len(places))
	for i, p := range places {
		paths[i] = p.Abs()
	}
	s.changedOnDisk(paths...)
}

// Covered counts anew what is not noticed in a folder.
func (s watched) Covered(root string) {
	if v := s.Snapshot().rooted(root); v != nil {
		s.countUnnoticed(v)
	}
}

// countUnnoticed counts the indexed directories of a folder in which changes are not noticed.
func (s *Session) countUnnoticed(v *View) {
	if s.watcher == nil || !v.Ready() {
		return
	}
	n := 0
	for dir := range v.Index().Dirs() {
		if at, ok := rel.Of(dir); ok && !s.watcher.Notices(watch.Place{Root: v.Root, At: at}) {
			n++
		}
	}
	v.folder.unnoticed.Store(int64(n))
}

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
