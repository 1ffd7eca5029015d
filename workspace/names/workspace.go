package names

import (
	"encoding/binary"
	"path/filepath"
	"strings"

	"tandem/workspace"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// Of is a snapshot as a Checker sees it.
func Of(snap *workspace.Snapshot) Workspace { return snapshot{snap} }

type snapshot struct{ *workspace.Snapshot }

func (s snapshot) Abs(path string) string {
	at := s.Resolve(path)
	if abs, ok := workspace.PathOf(at); ok {
		return abs
	}
	return at
}

func (s snapshot) Overlay(abs string) (string, int64, bool) {
	o, ok := s.Snapshot.Overlay(abs)
	if !ok {
		return "", 0, false
	}
	hash := o.Hash() // supposed texts have no version of their own
	return o.Content(), int64(binary.BigEndian.Uint64(hash[:]) >> 2), true
}

func (s snapshot) Analysis(abs string) *language.Analysis {
	if o, ok := s.Snapshot.Overlay(abs); ok {
		return o.Analysis()
	}
	return nil
}

func (s snapshot) Overlays() []string {
	var out []string
	for _, o := range s.Snapshot.Overlays() {
		if abs, ok := workspace.PathOf(o.URI); ok {
			out = append(out, abs)
		}
	}
	return out
}

func (s snapshot) Index(abs string) (*index.Index, string, string) {
	v := s.View(abs)
	if v == nil {
		return nil, "", ""
	}
	rel, _ := v.Rel(abs)
	return v.Index(), v.Root, rel
}

// Folder is a folder on disk as a Checker sees it, without a session: for tools
// that check only one tree.
func Folder(root string, ix *index.Index) Workspace { return folder{root, ix} }

type folder struct {
	root string
	ix   *index.Index
}

func (f folder) Abs(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(f.root, filepath.FromSlash(path))
}

func (f folder) Name(abs string) string {
	if rel, err := filepath.Rel(f.root, abs); err == nil && !strings.HasPrefix(rel, "..") {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(abs)
}

func (f folder) Overlay(string) (string, int64, bool) { return "", 0, false }
func (f folder) Analysis(string) *language.Analysis   { return nil }
func (f folder) Overlays() []string                   { return nil }
func (f folder) Index(abs string) (*index.Index, string, string) {
	return f.ix, f.root, f.Name(abs)
}
