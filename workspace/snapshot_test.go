package workspace

import (
	"path/filepath"
	"testing"

	"tandem/edits"
)

// TestANameIsOfOneDocument: folders, one in another and one of the same name elsewhere, have files
// of the same paths; each document has a name of its own, which leads back to it, and a file that
// is only supposed takes no name from another.
func TestANameIsOfOneDocument(t *testing.T) {
	top := t.TempDir()
	folders := []string{"one", "two", "one/in", "else/one"}
	for _, name := range []string{"one/a.go", "two/a.go", "one/in/a.go", "else/one/a.go", "two/only.go", "one/two/a.go", "one/two/only.go", "outside.go"} {
		writeFile(t, filepath.Join(top, filepath.FromSlash(name)), "package a\n")
	}
	roots := make([]string, len(folders))
	for i, name := range folders {
		roots[i] = filepath.Join(top, filepath.FromSlash(name))
	}
	s := openSession(t, Options{Folders: roots})
	snap := s.Update(Opened{URI: URIOf(filepath.Join(roots[1], "open.go")), Text: edits.NewText("package a\n")})
	documents := []string{"untitled:a.go", filepath.Join(top, "outside.go"), filepath.Join(roots[0], "two", "a.go"), filepath.Join(roots[0], "two", "only.go")}
	for _, root := range roots {
		for _, name := range []string{"a.go", "only.go", "open.go", "none.go"} {
			documents = append(documents, filepath.Join(root, name))
		}
	}
	named := map[string]string{}
	for _, d := range documents {
		name := snap.Name(d)
		if other, taken := named[name]; taken {
			t.Errorf("%s and %s are both %s", d, other, name)
		}
		named[name] = d
		if got := snap.Resolve(name); got != Key(d) {
			t.Errorf("%s is %s, which is %s", d, name, got)
		}
	}
	supposed := snap.Supposing(map[string]edits.Text{filepath.Join(roots[0], "only.go"): edits.NewText("package b\n")})
	only := filepath.Join(roots[1], "only.go")
	if got := supposed.Resolve(snap.Name(only)); got != only {
		t.Errorf("with a supposed file %s is %s", snap.Name(only), got)
	}
	if v, at := snap.View(only), snap.Name(only); v == nil || v.Root != roots[1] || at != "only.go" {
		t.Errorf("%s is %s", only, at)
	}
}
