package similar

import (
	stdcmp "cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// shop is a workspace in which two handlers are what a third will be.
var shop = []index.Change{
	{Path: "go.mod", Text: "module example.com/shop\n"},
	{Path: "web/orders.go", Text: handler("Orders", "orders")},
	{Path: "web/carts.go", Text: handler("Carts", "carts")},
	{Path: "store/store.go", Text: "package store\n\ntype Store struct {\n\tName string\n}\n\nfunc Open(path string) (*Store, error) {\n\treturn nil, nil\n}\n"},
	{Path: "other/numbers.go", Text: "package other\n\nfunc Mean(values []float64) float64 {\n\tsum := 0.0\n\tfor _, v := range values {\n\t\tsum += v\n\t}\n\treturn sum / float64(len(values))\n}\n"},
	{Path: "README.md", Text: "# Shop\n\nstore.Open opens a store; users are handled.\n"},
}

func handler(name, path string) string {
	return "package web\n\nimport \"example.com/shop/store\"\n\n// " + name + " answers.\nfunc " + name + "(w Writer) {\n\ts, err := store.Open(\"" + path +
		"\")\n\tif err != nil {\n\t\tFail(w, err)\n\t\treturn\n\t}\n\tRender(w, s)\n\tAuditLog(w, s)\n}\n"
}

const users = "package web\n\nimport \"example.com/shop/store\"\n\n// Users answers.\nfunc Users(w Writer) {\n\ts, err := store.Open(\"users\")\n\n}\n"

func usersQuery() Query {
	return Query{Path: "web/users.go", Text: users, At: strings.Index(users, "\n\n}") + 1}
}

func shopWith(changes ...index.Change) *index.Index {
	return index.New(append(slices.Clone(shop), changes...)...)
}

// paths are the files of chunks, in order.
func paths(ix *index.Index, chunks []Chunk) (out []string) {
	for _, c := range chunks {
		out = append(out, ix.Path(c.File))
	}
	return out
}

func TestCodeLikeThePlaceComesFirst(t *testing.T) {
	ix := shopWith(index.Change{Path: "web/users.go", Text: users})
	got := paths(ix, NewCorpus(t.Context(), ix, "").Rank(ix, usersQuery()))
	want := []string{"web/carts.go", "web/orders.go", "store/store.go"}
	if len(got) < 3 || !slices.Equal(slices.Sorted(slices.Values(got[:2])), want[:2]) || got[2] != want[2] {
		t.Errorf("the code is of %v, want %v first", got, want)
	}
	for _, path := range []string{"web/users.go", "README.md", "go.mod", "other/numbers.go"} {
		if slices.Contains(got, path) {
			t.Errorf("there is a chunk of %s", path)
		}
	}
}

func TestTheWordsOfTheUserChooseCode(t *testing.T) {
	ix := shopWith()
	got := paths(ix, NewCorpus(t.Context(), ix, "").Rank(ix, Query{Words: "how is the Mean of values computed?"}))
	if len(got) == 0 || got[0] != "other/numbers.go" {
		t.Errorf("the code is of %v", got)
	}
}

// TestChangesCount changes files after the corpus was built.
func TestChangesCount(t *testing.T) {
	ix := shopWith()
	c := NewCorpus(t.Context(), ix, "")
	next := ix.With(
		index.Change{Path: "web/users.go", Text: users},
		index.Change{Path: "other/numbers.go", Text: "package other\n\nfunc Median() {\n\tRecordVisit()\n}\n"},
		index.Change{Path: "web/carts.go", Removed: true},
		index.Change{Path: "web/added.go", Text: handler("Added", "added")},
	)
	for range 2 {
		if got := slices.Sorted(slices.Values(paths(next, c.Rank(next, usersQuery())))); !slices.Equal(got, []string{"store/store.go", "web/added.go", "web/orders.go"}) {
			t.Errorf("the code is of %v", got)
		}
		if got := paths(next, c.Rank(next, Query{Words: "RecordVisit"})); len(got) != 1 {
			t.Errorf("a name that came later is in %v", got)
		}
	}
	if got := paths(ix, c.Rank(ix, Query{Words: "Mean"})); !slices.Equal(got, []string{"other/numbers.go"}) {
		t.Errorf("an older index is answered with newer files: %v", got)
	}
}

func TestOrderIsRepeatable(t *testing.T) {
	ix := shopWith(index.Change{Path: "web/users.go", Text: users})
	first := NewCorpus(t.Context(), ix, "").Rank(ix, usersQuery())
	c := NewCorpus(t.Context(), ix, "")
	for range 3 {
		if diff := cmp.Diff(first, c.Rank(ix, usersQuery())); diff != "" {
			t.Fatal(diff)
		}
	}
}

// TestChangedFilesComeInOneOrder ranks changed files that are all alike.
func TestChangedFilesComeInOneOrder(t *testing.T) {
	var changes []index.Change
	for i := range 30 {
		changes = append(changes, index.Change{Path: "web/more" + strings.Repeat("x", i) + ".go", Text: handler("More", "more")})
	}
	ix := shopWith()
	c := NewCorpus(t.Context(), ix, "")
	next := ix.With(changes...)
	first := c.Rank(next, usersQuery())
	for range 5 {
		if diff := cmp.Diff(first, c.Rank(next, usersQuery())); diff != "" {
			t.Fatal(diff)
		}
	}
}

// TestRankIsBM25OfAllPieces compares with the score of every piece, where no file is left
// out for its size.
func TestRankIsBM25OfAllPieces(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var changes []index.Change
	for i := range 40 {
		var text strings.Builder
		text.WriteString("package p\n")
		for k := range 1 + random.IntN(5) {
			fmt.Fprintf(&text, "\nfunc F%dOf%d() {\n", k, i)
			for range 20 {
				fmt.Fprintf(&text, "\tcall%d(name%d, name%d)\n", random.IntN(30), random.IntN(200), random.IntN(200))
			}
			text.WriteString("}\n")
		}
		changes = append(changes, index.Change{Path: fmt.Sprintf("p/f%d.go", i), Text: text.String()})
	}
	ix := index.New(changes...)
	c := NewCorpus(t.Context(), ix, "")
	got := c.Rank(ix, Query{Words: "call1 call2 name7 name8 name9 F1Of3"})
	want := everyScore(c, []string{"call1", "call2", "name7", "name8", "name9", "F1Of3"})
	if len(got) != min(len(want), mostChunks) || len(got) < 20 {
		t.Fatalf("%d pieces of %d", len(got), len(want))
	}
	for i, x := range got {
		if math.Abs(float64(x.Score)-want[i]) > 1e-3 {
			t.Fatalf("piece %d has %v, want %v", i, x.Score, want[i])
		}
	}
}

// everyScore is the score of each piece that has one of the words, the greatest first, by the
// formula.
func everyScore(c *Corpus, words []string) (out []float64) {
	var pieces [][]string
	length := 0
	for _, f := range c.files {
		for _, p := range f.pieces {
			var has []string
			eachWord(f.words[p.at:p.end], func(w word) { has = append(has, c.scanner.Names().Name(w)) })
			pieces, length = append(pieces, has), length+len(has)
		}
	}
	for _, has := range pieces {
		score := 0.0
		for _, w := range words {
			df, tf := 0.0, 0.0
			for _, other := range pieces {
				if slices.Contains(other, w) {
					df++
				}
			}
			for _, x := range has {
				if x == w {
					tf++
				}
			}
			idf := math.Log(1 + (float64(len(pieces))-df+0.5)/(df+0.5))
			score += saidWeight * idf * tf * (1.2 + 1) / (tf + 1.2*(1-0.75+0.75*float64(len(has))*float64(len(pieces))/float64(length)))
		}
		if score > 0 {
			out = append(out, score)
		}
	}
	slices.SortFunc(out, func(a, b float64) int { return stdcmp.Compare(b, a) })
	return out
}

// TestPieces cuts random texts: no line is in two pieces, none with text is left
// out, and none is longer than two.
func TestPieces(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	lines := []string{"", "\t", "func f() {", "}", "\tcall(a, b)", "// note", "type T struct {", "\tx int", "x := `", "é中"}
	var c cutter
	for range 400 {
		var text strings.Builder
		for range random.IntN(120) {
			text.WriteString(lines[random.IntN(len(lines))] + "\n")
		}
		src := strings.TrimSuffix(text.String(), "\n")
		checkPieces(t, src, c.cut(src, language.NewScanner().Scan("go", "a.go", src).Defs))
	}
}

func checkPieces(t *testing.T, text string, pieces []piece) {
	t.Helper()
	lines := strings.Split(text, "\n")
	in := make([]int, len(lines)+1)
	last := uint32(0)
	for _, p := range pieces {
		if p.first <= last || p.last < p.first || int(p.last) > len(lines) || p.last-p.first >= 2*pieceLines {
			t.Fatalf("pieces %v of %q", pieces, text)
		}
		last = p.last
		for n := p.first; n <= p.last; n++ {
			in[n]++
		}
		if got := len(strings.Join(lines[p.first-1:p.last], "\n")); int(p.bytes) != got && int(p.bytes) != got+1 {
			t.Fatalf("lines %d to %d have %d bytes, not %d", p.first, p.last, got, p.bytes)
		}
	}
	for n, line := range lines {
		if strings.TrimSpace(line) != "" && in[n+1] != 1 {
			t.Fatalf("line %d of %q is in %d pieces", n+1, text, in[n+1])
		}
	}
}

// TestWordsOfPieces reads the words of a file back.
func TestWordsOfPieces(t *testing.T) {
	ix := shopWith()
	c := NewCorpus(t.Context(), ix, "")
	id, _ := ix.FileID("web/orders.go")
	var got []string
	f := c.files[id]
	for _, p := range f.pieces {
		eachWord(f.words[p.at:p.end], func(w word) { got = append(got, c.scanner.Names().Name(w)) })
	}
	want := "web Orders w Writer s err store Open err nil Fail w err Render w s AuditLog w s"
	if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
		t.Error(diff)
	}
}

func TestManyChangedFilesAreBounded(t *testing.T) {
	ix := shopWith()
	c := NewCorpus(t.Context(), ix, "")
	var changes []index.Change
	for i := range 3 * mostChanged {
		changes = append(changes, index.Change{Path: "web/more" + strings.Repeat("x", i) + ".go", Text: handler("More", "more")})
	}
	next := ix.With(changes...)
	for range 3 {
		c.Rank(next, usersQuery())
	}
	if len(c.changed) > mostChanged {
		t.Errorf("%d changed files are kept", len(c.changed))
	}
}

// TestSearchFindsFilesByStems asks in other forms of the words than the code has.
func TestSearchFindsFilesByStems(t *testing.T) {
	ix := shopWith(index.Change{Path: "billing/invoice_writer.go", Text: "package billing\n\n// Render writes.\nfunc Render() {\n\tprint(1)\n}\n"})
	c := NewCorpus(t.Context(), ix, "")
	next := ix.With(index.Change{Path: "web/audits.go", Text: "package web\n\nfunc ListAudits(audits []Audit) {\n\tprint(audits)\n}\n"})
	for words, want := range map[string]string{
		"how are invoices written?":          "billing/invoice_writer.go", // by its name
		"the handling of stores opened":      "store/store.go",
		"list the auditing":                  "web/audits.go", // added after the corpus was built
		"computing means of some values":     "other/numbers.go",
		"words that stand in no code: xyzzy": "",
	} {
		hits := c.Search(next, terms.NewQuery(words, map[string]bool{"the": true, "of": true, "some": true, "are": true, "that": true, "in": true, "no": true}), 5)
		got := ""
		if len(hits) > 0 {
			got = next.Path(hits[0].File)
		}
		if got != want {
			t.Errorf("%q finds %q of %v, want %q", words, got, hits, want)
		}
	}
}

// TestFilesWithoutCodeChangeToo ranks where files without code have the last numbers.
func TestFilesWithoutCodeChangeToo(t *testing.T) {
	ix := index.New(index.Change{Path: "a/a.go", Text: "package a\n\nfunc Alpha() {}\n"}, index.Change{Path: "a/b.go", Text: "package a\n\nfunc Beta() { Alpha() }\n"})
	c := NewCorpus(t.Context(), ix, "")
	next := ix.With(index.Change{Path: "docs/1.md", Text: "# Alpha\n"}, index.Change{Path: "docs/2.md", Text: "# Alpha\n"})
	if got := c.Rank(next, Query{Words: "Alpha"}); len(got) != 2 {
		t.Errorf("%v resemble the words", got)
	}
}
