package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"tandem/edits"
	"tandem/workspace/git/gittest"
)

// TestMayWrite: who asked for what, and which of it may be written.
func TestMayWrite(t *testing.T) {
	root := t.TempDir()
	files := map[string]string{"go.mod": "module w\n", "a.go": "package w\n", "lib/b.go": "package lib\n", "lib/notes.md": "n\n", "web/package.json": "{}\n", "web/src/a.ts": "export {}\n", "data/de.json": "{}\n", ".gitignore": "made/\n"}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	gittest.New(t, root).Stage(files)
	if err := os.WriteFile(filepath.Join(root, "lib/mine.py"), []byte("x = 1\n"), 0o644); err != nil { // nobody tracks it
		t.Fatal(err)
	}
	snap := openSession(t, Options{Folders: []string{root}}).Snapshot()
	alone := Asked{Files: []string{"a.go"}, Words: "do it"}
	agent := Asked{By: Agent, Files: []string{"a.go", "go.mod"}, Words: "change a.go and lib/b.go"}
	for _, c := range []struct {
		name    string
		asked   Asked
		path    string
		refused edits.Code
	}{
		{"what the request is about", alone, "a.go", ""},
		{"another file", alone, "lib/b.go", edits.CodeProtected},
		{"one that is broken by it", Asked{Files: []string{"a.go"}, Also: []string{"lib/b.go"}}, "lib/b.go", ""},
		{"a manifest that is broken by it", Asked{Files: []string{"a.go"}, Also: []string{"go.mod"}}, "go.mod", edits.CodeProtected},
		{"one that the words name", Asked{Words: "see `lib/b.go`."}, "lib/b.go", ""},
		{"another of its name", Asked{Words: "see b.go"}, "lib/b.go", edits.CodeProtected},
		{"its name beside what the request is about", Asked{Files: []string{"lib/notes.md"}, Words: "see b.go"}, "lib/b.go", ""},
		{"a new file beside its like", alone, "lib/c.go", ""},
		{"a new file of a language that the folder does not keep", alone, "lib/c.ts", edits.CodeProtected},
		{"beside a file that nobody tracks", alone, "lib/c.py", edits.CodeProtected},
		{"a new folder", alone, "other/c.go", edits.CodeProtected},
		{"new prose", alone, "lib/more.md", edits.CodeProtected},
		{"a file that a tool runs", alone, "lib/magefile.go", edits.CodeProtected},
		{"a folder with a dot", Asked{Shown: true}, "lib/.x/c.go", edits.CodeProtected},
		{"another file, shown", Asked{Shown: true}, "lib/b.go", ""},
		{"a new folder, shown", Asked{Shown: true}, "other/c.go", ""},
		{"new prose, shown", Asked{Shown: true}, "lib/more.md", ""},
		{"data, shown", Asked{Shown: true}, "data/fr.json", ""},
		{"settings at the top, shown", Asked{Shown: true}, "any.yaml", edits.CodeProtected},
		{"settings beside a manifest, shown", Asked{Shown: true}, "web/any.yaml", edits.CodeProtected},
		{"a manifest, shown", Asked{Shown: true}, "go.mod", edits.CodeProtected},
		{"ignore rules, shown", Asked{Shown: true}, ".gitignore", edits.CodeProtected},
		{"a manifest in the user's words", Asked{Shown: true, Words: "add it to go.mod, please"}, "go.mod", ""},
		{"a build file in the user's words", Asked{Words: "write a Makefile"}, "Makefile", ""},
		{"the same elsewhere", Asked{Words: "write a Makefile"}, "lib/Makefile", edits.CodeProtected},
		{"what an agent names", agent, "lib/b.go", ""},
		{"a manifest that an agent names", agent, "go.mod", edits.CodeProtected},
		{"outside", Asked{Shown: true}, "../a.go", edits.CodeOutside},
		{"outside for an agent", Asked{By: Agent, Files: []string{"../a.go"}}, "../a.go", edits.CodeOutside},
		{"a document without a file", Asked{Files: []string{"untitled:a"}}, "untitled:a", ""},
	} {
		if code, why := snap.MayWrite(c.path, c.asked); code != c.refused || (why == "") != (code == "") {
			t.Errorf("%s: %s is refused as %q (%s), want %q", c.name, c.path, code, why, c.refused)
		}
	}
}
