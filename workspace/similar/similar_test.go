package similar

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/run"
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
	return Query{Path: "web/users.go", Language: "go", Text: users, At: strings.Index(users, "\n\n}") + 1, Pairs: 0.5}
}

func shopWith(changes ...index.Change) *index.Index {
	return index.New(append(slices.Clone(shop), changes...)...)
}

// chunkOf is the best chunk of a file, or -1.
func chunkOf(ix *index.Index, e *Estimate, path string) int {
	return slices.IndexFunc(e.Chunks, func(c Chunk) bool { return ix.Path(c.File) == path })
}

// Chance is the chance that the place needs a name that it lacks; 0 where nothing is known
// of it.
func (e *Estimate) Chance(name string) float32 {
	if slot, ok := e.slots[name]; ok {
		return e.left[slot]
	}
	return 0
}

func TestCodeLikeThePlaceComesFirst(t *testing.T) {
	ix := shopWith(index.Change{Path: "web/users.go", Text: users})
	e := NewCorpus(t.Context(), ix, Options{Texts: indexText}).Estimate(ix, usersQuery())
	for _, path := range []string{"web/orders.go", "web/carts.go"} {
		at, other := chunkOf(ix, e, path), chunkOf(ix, e, "other/numbers.go")
		if at < 0 || other >= 0 && e.Worth(other) >= e.Worth(at) {
			t.Errorf("%s is at %d of %v, numbers.go at %d", path, at, e.Chunks, other)
		}
	}
	for _, path := range []string{"web/users.go", "README.md", "go.mod"} {
		if chunkOf(ix, e, path) >= 0 {
			t.Errorf("there is a chunk of %s", path)
		}
	}
	if e.Chance("AuditLog") <= e.Chance("Mean") {
		t.Errorf("AuditLog is needed with a chance of %v, Mean of %v", e.Chance("AuditLog"), e.Chance("Mean"))
	}
	if e.Chance("store") != 0 {
		t.Error("a name that the place has is needed")
	}
}

func TestWhatIsShownIsWorthLess(t *testing.T) {
	ix := shopWith(index.Change{Path: "web/users.go", Text: users})
	c := NewCorpus(t.Context(), ix, Options{Texts: indexText})
	e := c.Estimate(ix, usersQuery())
	orders, carts := chunkOf(ix, e, "web/orders.go"), chunkOf(ix, e, "web/carts.go")
	before := e.Worth(carts)
	e.Show(orders)
	if after := e.Worth(carts); after > before/2 {
		t.Errorf("carts.go is worth %v, and still %v after its like is shown", before, after)
	}
	again := c.Estimate(ix, usersQuery())
	if got := again.Worth(chunkOf(ix, again, "web/carts.go")); got != before {
		t.Errorf("what one estimate showed counts in the next: %v, was %v", got, before)
	}
	again.ShowText("AuditLog(w, s)")
	if got := again.Worth(chunkOf(ix, again, "web/carts.go")); got >= before {
		t.Errorf("a text that is shown changes nothing: %v, was %v", got, before)
	}
}

func TestTheWordsOfTheUserChooseCode(t *testing.T) {
	ix := shopWith()
	e := NewCorpus(t.Context(), ix, Options{Texts: indexText}).Estimate(ix, Query{Words: "how is the Mean of values computed?"})
	if at := chunkOf(ix, e, "other/numbers.go"); at < 0 || e.Chunks[at].Alike < e.Chunks[max(0, chunkOf(ix, e, "web/carts.go"))].Alike {
		t.Errorf("numbers.go is at %d of %v", at, e.Chunks)
	}
}

// TestChangesCount changes files after the corpus was built.
func TestChangesCount(t *testing.T) {
	ix := shopWith()
	c := NewCorpus(t.Context(), ix, Options{Texts: indexText})
	next := ix.With(
		index.Change{Path: "web/users.go", Text: users},
		index.Change{Path: "web/orders.go", Text: strings.ReplaceAll(handler("Orders", "orders"), "AuditLog", "RecordVisit")},
		index.Change{Path: "web/carts.go", Removed: true},
		index.Change{Path: "web/added.go", Text: handler("Added", "added")},
	)
	for range 2 {
		e := c.Estimate(next, usersQuery())
		if e.Chance("RecordVisit") == 0 || e.Chance("AuditLog") == 0 {
			t.Error("a changed or added file is not read")
		}
		if chunkOf(next, e, "web/users.go") >= 0 || chunkOf(next, e, "web/orders.go") < 0 || chunkOf(next, e, "web/added.go") < 0 {
			t.Errorf("the chunks are %v", e.Chunks)
		}
		for _, chunk := range e.Chunks {
			if next.Path(chunk.File) == "" {
				t.Error("there is a chunk of a file that is gone")
			}
		}
	}
	if e := c.Estimate(ix, usersQuery()); e.Chance("RecordVisit") != 0 || chunkOf(ix, e, "web/carts.go") < 0 {
		t.Error("an older index is answered with newer files")
	}
}

func TestEstimatesAreRepeatable(t *testing.T) {
	ix := shopWith(index.Change{Path: "web/users.go", Text: users})
	first := NewCorpus(t.Context(), ix, Options{Texts: indexText}).Estimate(ix, usersQuery())
	c := NewCorpus(t.Context(), ix, Options{Texts: indexText})
	for range 3 {
		again := c.Estimate(ix, usersQuery())
		if diff := cmp.Diff(first.Chunks, again.Chunks); diff != "" {
			t.Fatal(diff)
		}
		for i := range first.Chunks {
			if first.Worth(i) != again.Worth(i) {
				t.Fatalf("chunk %d is worth %v and %v", i, first.Worth(i), again.Worth(i))
			}
		}
	}
}

// TestChangedFilesComeInOneOrder estimates with changed files that are all alike.
func TestChangedFilesComeInOneOrder(t *testing.T) {
	var changes []index.Change
	for i := range 30 {
		changes = append(changes, index.Change{Path: "web/more" + strings.Repeat("x", i) + ".go", Text: handler("More", "more")})
	}
	ix := shopWith()
	c := NewCorpus(t.Context(), ix, Options{Texts: indexText})
	next := ix.With(changes...)
	first := c.Estimate(next, usersQuery())
	for range 5 {
		if diff := cmp.Diff(first.Chunks, c.Estimate(next, usersQuery()).Chunks); diff != "" {
			t.Fatal(diff)
		}
	}
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
	c := NewCorpus(t.Context(), ix, Options{Texts: indexText})
	id, _ := ix.FileID("web/orders.go")
	var got []string
	f := c.files[id]
	for _, p := range f.pieces {
		eachWord(f.words[p.at:p.end], func(w word, first, short bool) {
			text := c.scanner.Names().Name(w)
			if first {
				text = "/" + text
			}
			if short {
				text += "?"
			}
			got = append(got, text)
		})
	}
	want := "/web? /Orders w Writer /s err store Open /err nil /Fail w err /Render w s /AuditLog w s"
	if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
		t.Error(diff)
	}
}

func TestManyChangedFilesAreBounded(t *testing.T) {
	ix := shopWith()
	c := NewCorpus(t.Context(), ix, Options{Texts: indexText})
	var changes []index.Change
	for i := range 3 * mostChanged {
		changes = append(changes, index.Change{Path: "web/more" + strings.Repeat("x", i) + ".go", Text: handler("More", "more")})
	}
	next := ix.With(changes...)
	for range 3 {
		c.Estimate(next, usersQuery())
	}
	if len(c.changed) > mostChanged {
		t.Errorf("%d changed files are kept", len(c.changed))
	}
}

// TestSearchFindsFilesByStems asks in other forms of the words than the code has.
func TestSearchFindsFilesByStems(t *testing.T) {
	ix := shopWith(index.Change{Path: "billing/invoice_writer.go", Text: "package billing\n\n// Render writes.\nfunc Render() {\n\tprint(1)\n}\n"})
	c := NewCorpus(t.Context(), ix, Options{Texts: indexText})
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

// TestFilesWithoutCodeChangeToo estimates where files without code have the last numbers,
// are in the history and are open.
func TestFilesWithoutCodeChangeToo(t *testing.T) {
	changes := []index.Change{{Path: "a/a.go", Text: "package a\n\nfunc Alpha() {}\n"}, {Path: "a/b.go", Text: "package a\n\nfunc Beta() { Alpha() }\n"}}
	docs := []string{"docs/1.md", "docs/2.md", "docs/3.md", "docs/4.md"}
	for _, doc := range docs {
		changes = append(changes, index.Change{Path: doc, Text: "# Alpha\n"})
	}
	ix := index.New(changes...)
	for name, steps := range map[string][]Step{"history": {{Files: docs}, {Files: []string{"a/a.go", docs[3]}}}, "no history": nil} {
		c := NewCorpus(t.Context(), ix, Options{Texts: indexText, Steps: steps})
		for _, q := range []Query{{Words: "Alpha"}, {Path: "a/a.go", Language: "go", Text: changes[0].Text, Open: docs}} {
			if e := c.Estimate(ix, q); len(e.Chunks) == 0 {
				t.Errorf("%s: nothing is estimated for %+v", name, q)
			}
		}
	}
}

// TestAHelperChangesNoEstimate compares estimates that two workers make with those of one.
func TestAHelperChangesNoEstimate(t *testing.T) {
	changes := slices.Clone(shop)
	for i := range 60 { // more than one part of everything that is shared
		var text strings.Builder
		fmt.Fprintf(&text, "package web\n\nimport \"example.com/shop/store\"\n")
		for k := range 12 {
			fmt.Fprintf(&text, "\nfunc Handle%dOf%d(w Writer) {\n\ts%d, err := store.Open(Path%d)\n\tRender%d(w, s%d, Limit%d)\n}\n", k, i, i*k, i+k, k%5, i*k, i*7+k)
		}
		changes = append(changes, index.Change{Path: fmt.Sprintf("web/h%d.go", i), Text: text.String()})
	}
	ix := index.New(changes...)
	c := NewCorpus(t.Context(), ix, Options{Texts: indexText})
	group := run.NewGroup(t.Context(), nil)
	defer group.Close()
	place := "package web\n\nfunc Users(w Writer) {\n\ts, err := store.Open(Path1)\n\t\n}\n"
	q := Query{Path: "web/users.go", Language: "go", Text: place, At: strings.LastIndex(place, "}") - 1, Pairs: 0.5}
	want := c.Estimate(ix, q)
	if len(want.left) < 2*partSize {
		t.Fatalf("%d names and pairs are too few to be shared", len(want.left))
	}
	q.Group = group
	for range 20 {
		got := c.Estimate(ix, q)
		if !slices.Equal(got.Chunks, want.Chunks) || !slices.Equal(got.left, want.left) || !slices.Equal(got.words, want.words) || !slices.EqualFunc(got.needs, want.needs, slices.Equal) {
			t.Fatal("with a helper the estimate is another")
		}
	}
}
