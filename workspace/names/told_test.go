package names

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"tandem/edits"
)

// TestTold: what findings of files as they stand say, on which words of a line, and what is near.
// Each tree is checked whole but for its library.
func TestTold(t *testing.T) {
	t.Parallel()
	const python = "-- venv/lib/python3.11/os.py --\n"
	for _, c := range []struct{ name, tree, want string }{
		{"an argument of another name", "-- p/__init__.py --\n-- p/utils.py --\ndef echo(message, err=False, color=None): pass\n-- p/a.py --\nfrom .utils import echo\necho('x', colour=True)\necho('x', err=True, color=None)\n",
			"p/a.py:2 colour: echo has no parameter colour: it takes message, err, color (nearest: color in p/utils.py:1)"},
		{"an argument that none is like", "-- a.py --\ndef one(): pass\none(depth=1)\n", "a.py:2 depth: one has no parameter depth: it takes none"},
		{"an argument of a method", "-- a.py --\nclass Box:\n    def put(self, item, *, where): pass\ndef f():\n    box = Box()\n    box.put(1, wher=2)\n    box.put(1, where=2)\n",
			"a.py:5 wher: put has no parameter wher: it takes item, where (nearest: where in a.py:2)"},
		{"too many arguments", "-- a.py --\ndef one(a): pass\none(1, 2)\n", "a.py:2 one: one takes 1 argument, this call has 2"},
		{"no module is near", "-- p/__init__.py --\n-- p/examples.py --\n-- p/a.py --\nfrom .rich_tables import one\n", "p/a.py:1 .rich_tables: there is no module .rich_tables"},
		{"a module that is near", "-- p/__init__.py --\n-- p/rich_table.py --\n-- p/a.py --\nfrom .rich_tables import one\n", "p/a.py:1 .rich_tables: there is no module .rich_tables (nearest: .rich_table in )"},
		{"a member is near a member alone", "-- b.py --\ntrimmed = 1\n-- a.py --\n'x'.lower().trimmmed()\n", "a.py:1 trimmmed: nothing in the workspace or its libraries has a method trimmmed"},
		{"a member is near a member", "-- b.py --\nclass Text:\n    def trimmed(self): pass\n-- a.py --\n'x'.lower().trimmmed()\n", "a.py:1 trimmmed: nothing in the workspace or its libraries has a method trimmmed (nearest: trimmed in b.py:2)"},
		{"a name is near no member", "-- b.py --\nclass Text:\n    def trimmed(self): pass\n-- a.py --\ntrimmmed()\n", "a.py:1 trimmmed: trimmmed is bound nowhere in the file"},
		{"a name is near one of another file", "-- b.py --\ndef trimmed(): pass\n-- a.py --\ntrimmmed()\n", "a.py:1 trimmmed: trimmmed is bound nowhere in the file (nearest: trimmed in b.py:1)"},
		{"a comment vouches for nothing", "-- b.py --\nclass Box:\n    def put(self): pass\n-- q.py --\n# frobnicate it\n-- a.py --\nfrom b import Box\ndef f():\n    box = Box()\n    box.frobnicate(1)\n", "a.py:4 frobnicate: Box has no attribute frobnicate"},
		{"a docstring vouches for nothing", "-- b.py --\nclass Box:\n    def put(self): pass\n-- q.py --\n'''frobnicate it.'''\n-- a.py --\nfrom b import Box\ndef f():\n    box = Box()\n    box.frobnicate(1)\n", "a.py:4 frobnicate: Box has no attribute frobnicate"},
		{"nor prose in an argument", "-- b.py --\nclass Box:\n    def put(self): pass\n-- q.py --\nprint('we frobnicate it')\n-- a.py --\nfrom b import Box\ndef f():\n    box = Box()\n    box.frobnicate(1)\n", "a.py:4 frobnicate: Box has no attribute frobnicate"},
		{"an attribute that is assigned", "-- b.py --\nclass Box:\n    def put(self): pass\n-- q.py --\ndef g(x):\n    x.frobnicate = 1\n-- a.py --\nfrom b import Box\ndef f():\n    box = Box()\n    box.frobnicate(1)\n", ""},
		{"an attribute that is set by its name", "-- b.py --\nclass Box:\n    def put(self): pass\n-- q.py --\nsetattr(object, 'frobnicate', 1)\n-- a.py --\nfrom b import Box\ndef f():\n    box = Box()\n    box.frobnicate(1)\n", ""},
		{"a comment of the file itself vouches for nothing", "-- b.py --\nclass Box:\n    def put(self): pass\n-- a.py --\n# box.frobnicate = 1\nfrom b import Box\ndef f():\n    box = Box()\n    box.frobnicate(1)\n", "a.py:5 frobnicate: Box has no attribute frobnicate"},
		{"nor prose of it", "-- b.py --\nclass Box:\n    def put(self): pass\n-- a.py --\nprint('we frobnicate it')\nfrom b import Box\ndef f():\n    box = Box()\n    box.frobnicate(1)\n", "a.py:5 frobnicate: Box has no attribute frobnicate"},
		{"an attribute that the file assigns", "-- b.py --\nclass Box:\n    def put(self): pass\n-- a.py --\ndef g(x):\n    x.frobnicate = 1\nfrom b import Box\ndef f():\n    box = Box()\n    box.frobnicate(1)\n", ""},
		{"a module that compares what it is asked for", "-- p/__init__.py --\ndef __getattr__(name):\n    if name == \"Old\":\n        return 1\n    raise AttributeError(name)\n-- a.py --\nfrom p import Old\nfrom p import newest_thing\n", "a.py:2 newest_thing: module p has no newest_thing, and its __getattr__ names none"},
		{"a module that makes what it is asked for", "-- p/__init__.py --\ndef __getattr__(name):\n    return make(name)\ndef make(name): pass\n-- a.py --\nfrom p import newest_thing\n", "names of p: not all of them can be read"},
		{"a definition elsewhere", "-- b.py --\nclass Box:\n    def put(self): pass\n-- q.py --\nclass C:\n    def frobnicate(self): pass\n-- a.py --\nfrom b import Box\ndef f():\n    box = Box()\n    box.frobnicate(1)\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := txtar.Parse([]byte(python + c.tree))
			x := writeFixture(t, a)
			var files []File
			for _, f := range a.Files[1:] {
				files = append(files, File{Path: f.Name, Text: string(f.Data), Look: Whole(string(f.Data))})
			}
			v := x.names.Find(Standing, files)
			if got := strings.Join(append(told(files, v.Findings), v.Unknown...), "\n"); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func told(files []File, found []edits.Finding) (out []string) {
	for _, f := range found {
		for _, file := range files {
			if file.Path != f.Path {
				continue
			}
			line := fmt.Sprintf("%s:%d %s: %s", f.Path, 1+strings.Count(file.Text[:f.Span.Start], "\n"), file.Text[f.Span.Start:f.Span.End], f.Message)
			if f.Nearest != "" {
				line += " (nearest: " + f.Nearest + " in " + f.Where + ")"
			}
			out = append(out, line)
		}
	}
	return out
}
