package names

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tandem/edits"
	"tandem/workspace/index"
)

// goStatements are right and wrong, many of them about the same names.
var goStatements = []string{
	"_ = b.Size", "_ = b.Sise", "_ = b.Sice", "missing()", "_ = missing", "take(b)", "take(b, 1)", "take()", "_ = strings.ToUpper(\"x\")", "_ = strings.Upper(\"x\")",
	"_ = other.Upper()", "x := own.Box{}\n\t_ = x.Size", "x := own.Box{Wide: 1}\n\t_ = x", "own.Open()", "own.Close()", "_ = func() { missing() }", "n, err := pair()\n\t_, _ = n, err", "n := pair()\n\t_ = n", "later()", "_ = limit", "_ = most",
}

// goDeclarations are outside of bodies.
var goDeclarations = []string{"", "", "type Side struct{ Size int }", "func later() {}", "var limit = missing()", "var most Absent", "func (b Box) Open(x Absent) {}", "const limit = 3"}

// TestFindingsAsOfTheWholeText checks each edit of a session of many against checks that
// read every text whole: what is found in the text after the edit,
// at the edit, and is nowhere in the text before it.
func TestFindingsAsOfTheWholeText(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	own := filepath.Join(dir, "own", "own.go")
	if err := os.MkdirAll(filepath.Dir(own), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": "module work\n\ngo 1.24\n", "b.go": "package work\n\ntype Box struct{ Size int }\n\nfunc take(Box) {}\n\nfunc pair() (int, error) { return 0, nil }\n", "own/own.go": "package own\n\ntype Box struct{ Size int }\n\nfunc Open() {}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ix, _, err := index.Build(t.Context(), index.Options{Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	check, reference := New(Options{}).For(Folder(dir, ix)), New(Options{}).For(Folder(dir, ix))
	checked := map[string][]edits.Finding{} // of the whole text, by text
	whole := func(text string) []edits.Finding {
		found, ok := checked[text]
		if !ok {
			found, _ = reference.Check([]edits.FileChange{{Path: "a.go", After: text}})
			checked[text] = found
		}
		return found
	}
	rapid.Check(t, func(t *rapid.T) {
		few := rapid.SliceOfN(rapid.SampledFrom(goStatements), 3, 5).Draw(t, "statements") // often the same one again
		statement, declaration := rapid.SampledFrom(few), rapid.SampledFrom(goDeclarations)
		bodies := rapid.SliceOfN(statement, 2, 6).Draw(t, "bodies")
		declared := declaration.Draw(t, "declared")
		write := func() string {
			var out strings.Builder
			out.WriteString("package work\n\nimport (\n\t\"strings\"\n\t\"work/other\"\n\t\"work/own\"\n)\n\nvar _ = strings.ToLower\n\nvar _ = own.Open\n\n" + declared + "\n")
			for i, body := range bodies {
				fmt.Fprintf(&out, "\nfunc f%d(b Box) {\n\t%s\n}\n", i, body)
			}
			return out.String()
		}
		for range rapid.IntRange(2, 8).Draw(t, "edits") {
			before, kept, outside := write(), slices.Clone(bodies), declared
			switch i := rapid.IntRange(0, len(bodies)-1).Draw(t, "where"); rapid.IntRange(0, 9).Draw(t, "what") {
			case 0:
				declared = declaration.Draw(t, "declared")
			case 1:
				bodies = slices.Insert(bodies, i, statement.Draw(t, "inserted"))
			case 2:
				bodies[i], bodies[0] = statement.Draw(t, "one"), statement.Draw(t, "other")
			case 3, 4, 5:
				bodies[i] = statement.Draw(t, "instead")
			default:
				bodies[i] = statement.Draw(t, "written") + "\n\t" + bodies[i]
			}
			after := write()
			if before == after {
				continue
			}
			f := edits.FileChange{Path: "a.go", Before: before, After: after, Edits: edits.Diff(before, after)}
			got, _ := check.Check([]edits.FileChange{f})
			old, added := findingsOf(whole(before)), introduced(&f)
			want := slices.DeleteFunc(slices.Clone(whole(after)), func(n edits.Finding) bool { return old[keyOf(n)] || !isNew(added, n.Span) })
			if listed(got) != listed(want) {
				t.Fatalf("found %s, of the whole text %s\n%s\n--- became\n%s", listed(got), listed(want), before, after)
			}
			if rapid.Bool().Draw(t, "dismissed") { // the next edit is one of the same text
				bodies, declared = kept, outside
			}
		}
	})
}

// TestFindingsThatAreGone checks that what a check kept of a text is not taken for what the
// text has after edits of its functions.
func TestFindingsThatAreGone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module work\n\ngo 1.24\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ix, _, err := index.Build(t.Context(), index.Options{Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	check := New(Options{}).For(Folder(dir, ix))
	text := func(f, g string) string {
		return "package work\n\nfunc f() {\n\t" + f + "\n}\n\nfunc g() {\n\t" + g + "\n}\n"
	}
	for i, c := range []struct {
		before, after string
		want          int
	}{
		{text("missing()", ""), text("missing()", "missing()"), 0},
		{text("missing()", ""), text("_ = 1", ""), 0},
		{text("_ = 1", ""), text("_ = 1", "missing()"), 1},
		{text("_ = 1", "missing()"), text("_ = 1\n\tmissing()", "missing()"), 0},
		{text("_ = 1", ""), text("missing()", ""), 1},
	} {
		if found, _ := check.Check([]edits.FileChange{{Path: "a.go", Before: c.before, After: c.after}}); len(found) != c.want {
			t.Errorf("edit %d: found %s, want %d", i, listed(found), c.want)
		}
	}
}

func listed(list []edits.Finding) string {
	var out []string
	for _, f := range list {
		out = append(out, fmt.Sprint(f.Span, " ", keyOf(f)))
	}
	return strings.Join(out, "; ")
}
