package names

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tandem/edits"
	"tandem/workspace/deps"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/rel"
)

// An opened is a folder in which one document is open.
type opened struct {
	Workspace
	abs      string
	analysis *language.Analysis
	version  int64
}

func (o *opened) Overlay(abs string) (string, int64, bool) {
	if abs != o.abs {
		return "", 0, false
	}
	return o.analysis.Text(), o.version, true
}

func (o *opened) Analysis(abs string) *language.Analysis {
	if abs != o.abs {
		return nil
	}
	return o.analysis
}

// A writing is what the documents of one language are made of.
type writing struct {
	file, lang string
	others     map[string]string
	head       string
	heads      []string // statements of the top
	function   string   // %d is its number, %s its body
	bodies     []string
}

var writings = []writing{
	{file: "a.py", lang: "python", others: map[string]string{"own.py": "class Box:\n    def __init__(self, size):\n        self.size = size\n\n    def open(self, key): pass\n\n\ndef pack(a, b=1): pass\n", "all.py": "def starred(): pass\n"},
		head: "import os\nfrom own import Box, pack\n",
		heads: []string{"", "", "limit = 3\n", "limit = missing\n", "from all import *\n", "from own import absent\n", "import gone\n", "try:\n    import gone\nexcept ImportError:\n    gone = None\n", "if limit:\n    # A comment.\n    def inner():\n        pass\n", "x = [\n", "x = (1,\n    2)\n", "later = 1 + \\\n    2\n",
			"s = '''\n", "@decorated\n", "class Side(Box):\n    wide = 1\n\n    def open(self, key):\n        return self.size\n", "else:\n    y = 1\n", "def __getattr__(name):\n    pass\n", "globals()['z'] = 1\n", "global far\n", "(\n", "}\n", "async def later():\n    pass\n"},
		function: "def f%[1]d(alpha, beta=%[1]d):\n    \"\"\"One of many functions, which is long enough to be read by itself beside the others.\"\"\"\n    total%[1]d = alpha\n    %[2]s\n    return total%[1]d\n\n\n",
		bodies: []string{"pass", "missing()", "f1(1)", "f2(1, 2, 3)", "f3(gamma=1)", "pack()", "pack(1, 2)", "limit.far()", "x = Box(1)\n    x.open()", "x = Box(1)\n    x.sise", "x = Side()\n    x.open(1)\n    x.wide\n    x.narrow()", "os.missing", "total2", "total", "starred()", "later()", "inner()", "def alpha(): pass", "for gone in alpha:\n        gone.unknown_method()",
			"lambda later: later", "later = (1,", "import own\n    own.absent()\n    own.pack(1, 2, 3)", "(far := 1)", "self.size", "x.stored = 1", "x.stored()", "globals()"}},
	{file: "a.ts", lang: "typescript", others: map[string]string{"own.ts": "export class Box {\n  size = 1\n  open(key: string) {}\n}\nexport function pack(a: number, b: number) {}\n", "all.ts": "export function starred() {}\n"},
		head: "import { Box, pack } from './own'\nimport * as own from './own'\n",
		heads: []string{"", "", "const limit = 3\n", "export const limit = 3, most = 4;\n", "export * from './all'\n", "import { absent } from './own'\n", "import gone from './gone'\n", "import open\n", "export { f1 } from './own'\n", "export default\n", "if (limit) {\n  function inner() {}\n}\n", "const x = [\n", "const y = `\n", "const z = a < b\n", "/* open\n",
			"class Side extends Box {\n  wide = 1\n  shut() { return this.size }\n}\n", "}\n", "export type Key = string\n", "let later = (key) => key\n", "(function () {})()\n", "const w = 1 +\n", "x.y.\n", "module.exports = {}\n", "new\n", "export interface Key { a: string }\n", "const t = f1<\n", "@decorated\n", "function later(f2: number) {}\n", "let near: string, far: string\n", "for (const far of limit)\n", "declare function far(near: string): typeof\n"},
		function: "// f%[1]d is one of many functions, which is long enough to be read by itself beside the others.\nexport function f%[1]d(alpha: number, beta = %[1]d): number {\n  const total%[1]d = alpha\n  %[2]s\n  return total%[1]d\n}\n\n",
		bodies: []string{"", "missing()", "f1(1)", "f2(1, 2, 3)", "pack()", "pack(1, 2)", "own.absent()", "own.pack(1)", "const x = new Box(1)\n  x.open()", "x.sise()", "new Side().shut(1)", "this.size()", "total2()", "limit()", "starred()", "later(1, 2)", "inner()", "const f2 = 1", "((f1) => f1(2))(1)", "let limit = 2", "alpha.unknownMethod()", "alpha.far", "far()", "`${", "if (a < b) { f3(1, 2, 3, 4) }", "import own", "// far()", "const { far } = alpha", "for (const far of [alpha]) { f1(far) }", "const near = `${far} of ${alpha}`",
			"((box: Box) => box.missing)(alpha)", "f1(alpha === far ? beta : near)"}},
}

// text is the document of some bodies, with what stands above each.
func (w writing) text(heads, bodies []string) string {
	var out strings.Builder
	out.WriteString(w.head)
	for i, body := range bodies {
		fmt.Fprintf(&out, heads[i]+w.function, i, body)
	}
	return out.String()
}

// folder is a folder with the other files of a writing, and its index.
func (w writing) folder(t *testing.T) (string, *index.Index) {
	dir := t.TempDir()
	w.others["go.mod"] = "module work\n"
	for name, text := range w.others {
		write(t, filepath.Join(dir, name), []byte(text))
	}
	ix, _, err := index.Build(t.Context(), index.Options{Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	return dir, ix
}

// TestEachPairOfBodies checks each body as the new one of a text whose other piece has
// each other body, so that no pair is left to chance.
func TestEachPairOfBodies(t *testing.T) {
	t.Parallel()
	for _, w := range writings {
		dir, others := w.folder(t)
		file := filepath.Join(dir, w.file)
		installed := deps.New(deps.Options{})
		check, reference := New(Options{Deps: installed}), New(Options{Deps: installed})
		heads, bodies := make([]string, 33), slices.Repeat([]string{"pack(1, 2)"}, 33)
		for n, other := range w.bodies {
			heads[5], bodies[5], bodies[25] = w.heads[n%len(w.heads)], other, w.bodies[0]
			before := w.text(heads, bodies)
			ix := others.With(index.Change{Path: rel.Must(w.file), Text: before})
			ws := &opened{Workspace: Folder(dir, ix), abs: file, analysis: language.Analyze(w.lang, w.file, before)}
			for _, bodies[25] = range w.bodies[1:] {
				after := w.text(heads, bodies)
				f := edits.FileChange{Path: w.file, Before: before, After: after, Edits: edits.Diff(before, after)}
				found, unknown := check.For(ws).Check([]edits.FileChange{f})
				want, whole := reference.For(Folder(dir, ix)).Check([]edits.FileChange{f})
				if listed(found) != listed(want) || !slices.Equal(unknown, whole) {
					t.Errorf("%q beside %q and %q: found %s %v, of the whole text %s %v", bodies[25], heads[5], other, listed(found), unknown, listed(want), whole)
				}
			}
		}
	}
}

// TestPiecesAsTheWholeText checks the edits of a session in an open document, of which only
// the pieces that an edit touches are read, against checks that read the text whole.
func TestPiecesAsTheWholeText(t *testing.T) {
	t.Parallel()
	for _, w := range writings {
		t.Run(w.lang, func(t *testing.T) {
			dir, others := w.folder(t)
			file := filepath.Join(dir, w.file)
			installed := deps.New(deps.Options{}) // what the language brings with it is read once
			alone, tried, reference := 0, 0, New(Options{Deps: installed})
			rapid.Check(t, func(t *rapid.T) {
				bodies := rapid.SliceOfN(rapid.SampledFrom(w.bodies), 30, 36).Draw(t, "bodies")
				heads := make([]string, len(bodies))
				heads[rapid.IntRange(0, len(bodies)-1).Draw(t, "place")] = rapid.SampledFrom(w.heads).Draw(t, "head")
				before := w.text(heads, bodies)
				ix := others.With(index.Change{Path: rel.Must(w.file), Text: before})
				ws := &opened{Workspace: Folder(dir, ix), abs: file, analysis: language.Analyze(w.lang, w.file, before)}
				check := New(Options{Deps: installed})
				for range rapid.IntRange(1, 3).Draw(t, "edits") {
					was, had := slices.Clone(bodies), slices.Clone(heads)
					i := rapid.IntRange(0, len(bodies)-1).Draw(t, "where")
					switch rapid.IntRange(0, 5).Draw(t, "what") {
					case 0:
						heads[i] = rapid.SampledFrom(w.heads).Draw(t, "head")
					case 1:
						j := rapid.IntRange(0, len(bodies)-1).Draw(t, "where else")
						bodies[j] = rapid.SampledFrom(w.bodies).Draw(t, "other")
						fallthrough
					default:
						bodies[i] = rapid.SampledFrom(w.bodies).Draw(t, "body")
					}
					after := w.text(heads, bodies)
					if after == before {
						continue
					}
					f := edits.FileChange{Path: w.file, Before: before, After: after, Edits: edits.Diff(before, after)}
					found, unknown := check.For(ws).Check([]edits.FileChange{f})
					want, whole := reference.For(Folder(dir, ix)).Check([]edits.FileChange{f})
					if listed(found) != listed(want) || !slices.Equal(unknown, whole) {
						t.Fatalf("found %s %v, of the whole text %s %v\n%s\n--- became\n%s", listed(found), unknown, listed(want), whole, before, after)
					}
					if tried++; len(ws.analysis.Next(after).Parts()) > 1 {
						alone++
					}
					if rapid.Bool().Draw(t, "dismissed") { // the next edit is one of the same text
						bodies, heads = was, had
						continue
					}
					before = after
					ws.analysis, ws.version = ws.analysis.Next(after), ws.version+1
				}
			})
			if alone == 0 {
				t.Errorf("only %d of %d texts had parts", alone, tried)
			}
		})
	}
}

// TestNameOfTwoStars: which of two modules gives a name is not known, so its arguments are not
// judged.
func TestNameOfTwoStars(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	before := "from one import *\nfrom two import *\n\n\ndef f():\n    pass\n"
	for name, text := range map[string]string{"one.py": "class Box:\n    def __init__(self, a): pass\n", "two.py": "class Box:\n    def __init__(self, a, b): pass\n", "a.py": before} {
		write(t, filepath.Join(dir, name), []byte(text))
	}
	ix, _, err := index.Build(t.Context(), index.Options{Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	after := strings.Replace(before, "    pass\n", "    Box(1, 2)\n", 1)
	found, _ := New(Options{}).For(Folder(dir, ix)).Check([]edits.FileChange{{Path: "a.py", Before: before, After: after, Edits: edits.Diff(before, after)}})
	for _, one := range found {
		t.Errorf("%s: %s", one.Name, one.Message)
	}
}
