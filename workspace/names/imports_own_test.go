package names

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/deps"
	"tandem/workspace/index"
	"tandem/workspace/run"
)

// goModule writes a module that requires one that is not on the disk, and returns its folder.
func goModule(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module m\n\ngo 1.24\n\nrequire example.com/absent/go-thing.v3 v1.0.0\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestImportHoldsForItsFile: a package that is not on the disk may provide names before a dot
// in the file that imports it; it provides no bare name, and nothing in other files.
func TestImportHoldsForItsFile(t *testing.T) {
	t.Parallel()
	const imports = "package m\n\nimport \"example.com/absent/go-thing.v3\"\n\nfunc a() int {\n\treturn LINE\n}\n"
	const adjacent = "package m\n\nfunc b() int {\n\treturn LINE\n}\n"
	dir := goModule(t, map[string]string{"a.go": imports, "b.go": adjacent})
	ix, _, err := index.Build(t.Context(), index.Options{Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file, text, line string
		found, unknown   bool
	}{
		{"a.go", imports, "thing.Count()", false, true},
		{"a.go", imports, "inventedName()", true, true},
		{"b.go", adjacent, "inventedName()", true, false},
		{"b.go", adjacent, "thing.Count()", true, false},
		{"b.go", adjacent, "len(\"\")", false, false},
	} {
		after := strings.Replace(c.text, "LINE", c.line, 1)
		found, unknown := New(Options{}).For(Folder(dir, ix)).Check([]edits.FileChange{{Path: c.file, Before: strings.Replace(c.text, "LINE", "1", 1), After: after}})
		if (len(found) > 0) != c.found || (len(unknown) > 0) != c.unknown {
			t.Errorf("%s in %s: %v, unknown %v", c.line, c.file, found, unknown)
		}
	}
}

// TestSupposedTextsDiffer: texts of one length that requests and steps only suppose are
// different texts, one after another and back again.
func TestSupposedTextsDiffer(t *testing.T) {
	t.Parallel()
	dir := goModule(t, map[string]string{"a.go": "package m\n\nfunc Old() {}\n", "b.go": "package m\n"})
	group := run.NewGroup(t.Context(), nil)
	session, err := workspace.Open(t.Context(), workspace.Options{Folders: []string{dir}, Group: group})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		group.Close()
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	}()
	checker := New(Options{Deps: deps.New(deps.Options{})})
	for _, name := range []string{"One", "Two", "One", "Old"} {
		for _, called := range []string{"One", "Two", "Old"} {
			snap := session.Snapshot().Supposing(map[string]edits.Text{"a.go": edits.NewText("package m\n\nfunc " + name + "() {}\n")})
			found, _ := checker.For(Of(snap)).Check([]edits.FileChange{{Path: "b.go", Before: "package m\n", After: "package m\n\nfunc b() { " + called + "() }\n"}})
			if (len(found) == 0) != (name == called) {
				t.Errorf("%s is declared, %s called: %v", name, called, found)
			}
		}
	}
}
