package names

import (
	"iter"
	"maps"
	"path/filepath"
	"strings"

	"tandem/workspace/cut"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// Folder is a folder on disk as a Checker sees it, without a session.
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

func (f folder) Indexes() iter.Seq2[string, *index.Index] {
	return maps.All(map[string]*index.Index{f.root: f.ix})
}
func (f folder) Unread() cut.Cut    { return cut.Cut{} }
func (f folder) Cut(string) cut.Cut { return cut.Cut{} }
