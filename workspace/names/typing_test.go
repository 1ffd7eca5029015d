package names

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/workspace/index"
)

// TestBrokenLineBeforeTheCursor checks suggestions after an incomplete line,
// which does not parse, so that they cannot be compared with the text before
// them.
func TestBrokenLineBeforeTheCursor(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module work\n\ngo 1.24\n", "b.go": "package work\n\ntype Box struct{ Size int }\n\nfunc (Box) Open() {}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ix, _, err := index.Build(t.Context(), index.Options{Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	const head, tail = "package work\n\nfunc f(b Box) {\n\tx := ", "\n}\n\nfunc g(b Box) {\n\ty := b.Size\n\t_ = y\n\treturn\n}\n"
	check := New(Options{}).For(Folder(dir, ix))
	found := func(before, after string, at int, text string) string {
		e := edits.Edit{Span: edits.Span{Start: at, End: at}, New: text}
		list := check.at(Typed, []edits.FileChange{{Path: "a.go", Before: before, After: after, Edits: []edits.Edit{e}}}).Findings
		var names []string
		for _, f := range list {
			names = append(names, f.Name)
		}
		return strings.Join(names, " ")
	}
	for _, c := range []struct{ text, want string }{
		{"b.Size\n\t_ = x", ""}, {"b.Sise\n\t_ = x", "Sise"},
		{"b.Sise\n\t_ = x", "Sise"}, // the same invalid name again: an earlier check does not make it valid
		{"b.Size\n\tb.Close()\n\t_ = x", "Close"}, {"b.Size\n\tb.Open()\n\t_ = x", ""},
	} {
		if got := found(head+tail, head+c.text+tail, len(head), c.text); got != c.want {
			t.Errorf("%q: found %q, want %q", c.text, got, c.want)
		}
	}
}
