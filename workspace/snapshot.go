package workspace

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"tandem/edits"
	"tandem/workspace/disk"
	"tandem/workspace/ignore"
	"tandem/workspace/language"
)

// A Snapshot is every file at one instant: the open documents over the disk.
// It is immutable and may be kept for as long as it is useful; the garbage
// collector frees it. A file read once through a snapshot stays as it was read.
type Snapshot struct {
	id          uint64
	trusted     bool
	overlays    overlays
	views       []*View // longest root first
	history     history
	deny        ignore.Globs            // also outside the folders
	lives       uint64                  // documents opened so far
	diagnostics map[string][]Diagnostic // by key; replaced, never changed
	named       *Snapshot               // whose names it has, if not its own: a supposed file takes no name from another

	read *reads
}

// reads remembers what was read from disk through one snapshot.
type reads struct {
	cache *diskCache
	mu    sync.Mutex
	files map[string]*diskFile // by absolute path
	allow map[string]verdict   // by absolute path
	there map[string]bool      // by absolute path: whether there is a file
}

func newReads(cache *diskCache) *reads {
	return &reads{cache: cache, files: map[string]*diskFile{}, allow: map[string]verdict{}, there: map[string]bool{}}
}

// exists reports whether a folder has a file at a path, as it was the first time.
func (r *reads) exists(v *View, path string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	there, known := r.there[path]
	if !known {
		at, below := v.Rel(path)
		there = below && v.folder.exists(at)
		r.there[path] = there
	}
	return there
}

// ID numbers the snapshots of a session in the order they were made, from 1.
func (s *Snapshot) ID() uint64 { return s.id }

// Trusted reports whether the user trusts the workspace: without it there are
// no deep tasks and no rules files.
func (s *Snapshot) Trusted() bool { return s.trusted }

// Overlay returns the open document that uri (or an absolute path) names.
func (s *Snapshot) Overlay(uri string) (*Overlay, bool) {
	o, ok := s.overlays[Key(uri)]
	return o, ok
}

// Overlays returns the open documents in the order of their URIs.
func (s *Snapshot) Overlays() []*Overlay {
	out := make([]*Overlay, 0, len(s.overlays))
	for _, o := range s.overlays {
		out = append(out, o)
	}
	slices.SortFunc(out, func(a, b *Overlay) int { return strings.Compare(a.URI, b.URI) })
	return out
}

// Views returns the workspace folders in the order of their roots.
func (s *Snapshot) Views() []*View {
	out := slices.Clone(s.views)
	slices.SortFunc(out, func(a, b *View) int { return strings.Compare(a.Root, b.Root) })
	return out
}

// View returns the innermost folder that holds what uri (or an absolute path)
// names, or nil: untitled documents and files outside every folder have none.
func (s *Snapshot) View(uri string) *View {
	path, ok := PathOf(uri)
	if !ok {
		return nil
	}
	for _, v := range s.views {
		if _, ok := v.Rel(path); ok {
			return v
		}
	}
	return nil
}

// Name is the name of a document in a window or a diff, of which Resolve makes the document again:
// its path below the folder that holds it, with slashes, after the folder's own name where another
// folder has a file there; else the URI or path as it is.
func (s *Snapshot) Name(uri string) string {
	path, ok := PathOf(uri)
	if !ok {
		return uri
	}
	v := s.View(path)
	if v == nil {
		return filepath.ToSlash(path)
	}
	at, _ := v.Rel(path)
	switch short, long := at.String(), v.Name()+"/"+at.String(); {
	case at.IsRoot():
	case len(s.views) == 1 || s.Resolve(short) == Key(path):
		return short
	case s.Resolve(long) == Key(path):
		return long
	}
	return filepath.ToSlash(path)
}

// Resolve returns the key under which this snapshot knows name: an absolute path, a URI, or a path
// below one of the folders: the first one that has an open document or a file there, else the one
// with whose own name it begins, else the first one.
func (s *Snapshot) Resolve(name string) string {
	if _, ok := PathOf(name); ok || hasScheme(name) || len(s.views) == 0 {
		return Key(name)
	}
	if s.named != nil {
		return s.named.Resolve(name)
	}
	views := s.Views()
	for _, v := range views {
		abs := v.Abs(name)
		if _, open := s.overlays[abs]; open || len(views) == 1 || s.read.exists(v, abs) {
			return abs
		}
	}
	for _, v := range views {
		if below, ok := strings.CutPrefix(name, v.Name()+"/"); ok {
			return v.Abs(below)
		}
	}
	return views[0].Abs(name)
}

// Document is the URI by which a document is known that an editor names: a file of a folder by
// its real path, whatever links lead to it; one that is no file yet by a name that says its
// language; else the editor's.
func (s *Session) Document(uri, lang string) string {
	path, ok := PathOf(uri)
	if !ok {
		return language.Named(uri, lang)
	}
	real := disk.Real(path)
	for _, v := range s.Snapshot().views {
		if at, ok := v.folder.realRel(real); ok {
			if own := at.Abs(v.Root); own != path {
				return URIOf(own)
			}
			return uri
		}
	}
	return uri
}

// FileOf returns the path of the file that name means. An open document that is none yet is taken
// for one of the folder that its URI tells, else for one beside the files of the first folder.
func (s *Snapshot) FileOf(name string) (abs string, ok bool) {
	key := s.Resolve(name)
	if abs, ok = PathOf(key); ok || s.overlays[key] == nil || len(s.views) == 0 {
		return abs, ok
	}
	if abs = otherPath(key); s.View(abs) != nil {
		return abs, true
	}
	return s.Views()[0].Abs(path.Base(key)), true
}

// hasScheme reports whether name starts like a URI of any scheme. One letter
// is a Windows drive.
func hasScheme(name string) bool {
	colon := strings.IndexByte(name, ':')
	if colon < 2 {
		return false
	}
	for i, c := range []byte(name[:colon]) {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (i == 0 || !(c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.')) {
			return false
		}
	}
	return true
}

// RecentEdits returns what was typed lately, oldest first, as far as a model that works
// on the document at uri ("" for none) may be shown it.
func (s *Snapshot) RecentEdits(uri string) []RecentEdit {
	var out []RecentEdit
	for _, e := range s.history.edits() {
		if s.AllowedFor(e.URI, uri) {
			e.Path = s.Name(e.URI)
			if o, open := s.Overlay(e.URI); open && e.Placed {
				e.Line = o.Text.LineOf(e.Place.Start) + 1
			}
			out = append(out, e)
		}
	}
	return out
}

// SecretsNear are the secrets of a document around a span, now and before its last edits:
// what is said about the document may quote them.
func (s *Snapshot) SecretsNear(uri string, span edits.Span) []string {
	f, err := s.File(uri)
	if err != nil || f.Binary() || f.Large() {
		return nil
	}
	out := f.Source().Secrets(span)
	for _, e := range s.history.edits() {
		if Key(e.URI) == Key(uri) {
			out = append(out, e.Secrets...)
		}
	}
	return out
}

// Diagnostics returns what was last reported about a document that may be shown
// to a model. The result must not be changed.
func (s *Snapshot) Diagnostics(uri string) []Diagnostic {
	list := s.diagnostics[Key(uri)]
	if len(list) == 0 {
		return nil
	}
	if ok, _ := s.Allowed(uri); !ok {
		return nil
	}
	return list
}
