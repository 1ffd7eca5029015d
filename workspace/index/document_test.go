package index

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tandem/workspace/language"
	"tandem/workspace/rel"
)

// written is what the documents of each language consist of: @ is a number.
var written = map[string]struct{ ending, block string }{
	"c": {"c", "/* f@ adds. */\nint f@(int a, int b) {\n    use(a);\n    return a + b;\n}\n\n"}, "cpp": {"cpp", "class C@ : public Base {\n  int f@(int a) { return use(a); }\n};\n\n"},
	"csharp": {"cs", "public class C@ : Base\n{\n    public int F@(int a) { return Use(a); }\n}\n\n"}, "go": {"go", "// F@ adds.\nfunc F@(a, b int) int {\n\tuse(a)\n\treturn a + b\n}\n\ntype T@ struct{ a int }\n\n"},
	"java": {"java", "/** Adds. */\nclass C@ extends Base {\n  int f@(int a) { return use(a); }\n}\n\n"}, "javascript": {"js", "// Adds.\nexport function f@(a, b) {\n  return use(a) + b;\n}\n\nconst v@ = 1;\n\n"},
	"markdown": {"md", "# Part @\n\nText.\n\n"}, "python": {"py", "def f@(a, b):\n    \"\"\"Adds.\"\"\"\n    v@ = use(a)\n    return v@ + b\n\n\nv@ = 1\n\n\nclass C@:\n    v = 1\n\n\n"},
	"ruby": {"rb", "def f@(a, b)\n  use(a) + b\nend\n\n"}, "rust": {"rs", "/// Adds.\npub fn f@(a: i32, b: i32) -> i32 {\n    use_it(a);\n    a + b\n}\n\n"},
	"typescript": {"ts", "// Adds.\nexport function f@(a: number, b: number): number {\n  return use(a) + b;\n}\n\nexport interface I@ {\n  a: number;\n}\n\n"},
}

// everything is all that an index says, names that only an old text has left out.
func everything(ix, names *Index) string {
	out := []string{describe(ix)}
	for name := range Names(names) {
		out = append(out, fmt.Sprint(name, ": ", uses(ix, name), ix.DocFreq(name), places(ix, ix.Lookup(name)), places(ix, ix.Members(name))))
		var defs []string
		for _, id := range ix.LookupIDs(name) {
			defs = append(defs, fmt.Sprint(ix.Path(id.File()), ix.Def(id).Name, ix.Brief(id), ix.SigText(id)))
		}
		slices.Sort(defs) // the numbers of files differ
		out = append(out, defs...)
	}
	for _, id := range ix.Files() {
		f, _ := ix.File(id)
		for line := 1; line < f.Lines; line += 1 + f.Lines/40 {
			for _, brief := range ix.Around(id, line) {
				out = append(out, fmt.Sprint("around ", line, brief))
			}
			out = append(out, places(ix, ix.Between(id, line, line+3))...)
		}
		text, _ := ix.Text(id)
		out = append(out, fmt.Sprint(f.Size, f.Hash, len(ix.Package(f.Package)), len(text)))
	}
	return strings.Join(out, "\n")
}

// TestEditedDocumentsAreAsScanned edits two open documents at random places, between changes of
// other files, and compares the index with one that has scanned their texts.
func TestEditedDocumentsAreAsScanned(t *testing.T) {
	for lang, of := range written {
		ending := of.ending
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile("../language/testdata/" + lang + ".txt")
			if err != nil {
				t.Fatal(err)
			}
			blocks := strings.SplitAfter(string(data)+"\n\n", "\n\n")
			marks := append([]string{"x", "x", "1", "a", "\n", "\n", "y = 1\n", "{", "}", "\"", "call(a)", "# h\n", strings.ReplaceAll(of.block, "@", "7"), "", ""}, blocks...)
			kept := 0
			checked := 0
			rapid.Check(t, func(t *rapid.T) {
				if checked++; checked > 15 { // each compares two large texts
					return
				}
				files := map[string]string{"other." + ending: blocks[0]}
				ix := New(changesOf(files)...)
				earlier := map[string][]string{}
				open := map[string]*language.Analysis{}
				for _, path := range []string{"a." + ending, "b." + ending} {
					var text strings.Builder
					r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "text"), 0))
					for text.Len() < 14<<10 {
						text.WriteString(strings.ReplaceAll(of.block, "@", fmt.Sprint(r.IntN(200))))
					}
					files[path] = text.String()
					open[path] = language.Analyze("", path, files[path])
				}
				for i := range rapid.IntRange(1, 16).Draw(t, "edits") {
					path := rapid.SampledFrom([]string{"a." + ending, "a." + ending, "b." + ending, fmt.Sprint("other", i, ".", ending)}).Draw(t, "file")
					text := files[path]
					start := rapid.IntRange(0, len(text)).Draw(t, "start")
					end := min(len(text), start+rapid.SampledFrom([]int{0, 0, 0, 0, 1, 10, 300, 6000}).Draw(t, "length"))
					earlier[path] = append(earlier[path], text)
					files[path] = text[:start] + rapid.SampledFrom(marks).Draw(t, "with") + text[end:]
					if back := earlier[path]; open[path] != nil && rapid.IntRange(0, 2).Draw(t, "undo") == 0 {
						files[path] = back[max(0, len(back)-2)]
					}
					change := Change{Path: rel.Must(path), Text: files[path]}
					if open[path] != nil {
						open[path] = open[path].Next(files[path])
						change.Parts = open[path].Shares()
					}
					ix = ix.With(change)
					if len(change.Parts) > 1 {
						kept++
					}
				}
				var cold []Change
				for _, c := range changesOf(files) {
					if _, known := ix.FileID(c.Path.String()); known {
						c.Parts = []language.Part{{Text: c.Text, Scan: language.Scan("", c.Path.String(), c.Text)}}
						cold = append(cold, c)
					}
				}
				fresh := New(cold...)
				if got, want := everything(ix, fresh), everything(fresh, fresh); got != want {
					t.Fatal(firstDifference(got, want))
				}
			})
			if lang != "markdown" && kept < 10 {
				t.Errorf("%d documents were recorded part by part", kept)
			}
		})
	}
}
