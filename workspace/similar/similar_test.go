package similar

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tandem/workspace/index"
	"tandem/workspace/rel"
	"tandem/workspace/terms"
)

// shop is a workspace in which two handlers are what a third will be.
var shop = []index.Change{
	{Path: rel.Must("go.mod"), Text: "module example.com/shop\n"},
	{Path: rel.Must("web/orders.go"), Text: handler("Orders", "orders")},
	{Path: rel.Must("web/carts.go"), Text: handler("Carts", "carts")},
	{Path: rel.Must("store/store.go"), Text: "package store\n\ntype Store struct {\n\tName string\n}\n\nfunc Open(path string) (*Store, error) {\n\treturn nil, nil\n}\n"},
	{Path: rel.Must("other/numbers.go"), Text: "package other\n\nfunc Mean(values []float64) float64 {\n\tsum := 0.0\n\tfor _, v := range values {\n\t\tsum += v\n\t}\n\treturn sum / float64(len(values))\n}\n"},
	{Path: rel.Must("README.md"), Text: "# Shop\n\nstore.Open opens a store; users are handled.\n"},
}

func handler(name, path string) string {
	return "package web\n\nimport \"example.com/shop/store\"\n\n// " + name + " answers.\nfunc " + name + "(w Writer) {\n\ts, err := store.Open(\"" + path +
		"\")\n\tif err != nil {\n\t\tFail(w, err)\n\t\treturn\n\t}\n\tRender(w, s)\n\tAuditLog(w, s)\n}\n"
}

const users = "package web\n\nimport \"example.com/shop/store\"\n\n// Users answers.\nfunc Users(w Writer) {\n\ts, err := store.Open(\"users\")\n\n}\n"

func shopWith(changes ...index.Change) *index.Index {
	return index.New(append(slices.Clone(shop), changes...)...)
}

// ranked are the pieces for some words, in files other than one.
func ranked(ix *index.Index, words, without string) []Piece {
	var q Query
	q.Add(words, 1)
	return Rank(ix, &q, 96, func(id index.FileID) string {
		text, err := ix.Text(id)
		if err != nil || ix.Path(id) == without {
			return ""
		}
		return text
	})
}

// paths are the files of pieces, in order.
func paths(ix *index.Index, pieces []Piece) (out []string) {
	for _, p := range pieces {
		out = append(out, ix.Path(p.File))
	}
	return out
}

func TestCodeLikeThePlaceComesFirst(t *testing.T) {
	ix := shopWith(index.Change{Path: rel.Must("web/users.go"), Text: users})
	pieces := ranked(ix, users, "web/users.go")
	got := paths(ix, pieces)
	if want := []string{"web/carts.go", "web/orders.go", "store/store.go"}; !slices.Equal(got, want) {
		t.Errorf("the code is of %v, want %v", got, want)
	}
	if p := pieces[0]; p.First != 1 || p.Last != 14 || len(p.Words) != 3 || p.Part < 0.4 || p.Part < 5*pieces[2].Part {
		t.Errorf("the best piece is %+v, the last %+v", p, pieces[2])
	}
}

func TestTheWordsOfTheUserChooseCode(t *testing.T) {
	ix := shopWith()
	if got := paths(ix, ranked(ix, "how is the Mean of values computed?", "")); len(got) == 0 || got[0] != "other/numbers.go" {
		t.Errorf("the code is of %v", got)
	}
}

// TestALivedIndexRanksAsANewOne changes, adds and removes half of many files, and compares
// the order and the scores with those of an index of the files as they are then.
func TestALivedIndexRanksAsANewOne(t *testing.T) {
	var built, changes, now []index.Change
	for i := range 400 {
		before := index.Change{Path: rel.Must(fmt.Sprintf("web/f%03d.go", i)), Text: handler(fmt.Sprint("Before", i), "orders")}
		after := index.Change{Path: before.Path, Text: handler(fmt.Sprint("After", i%7), "users") + strings.Repeat(fmt.Sprintf("\nfunc More%d() { Render(nil, nil) }\n", i), i%50)}
		switch i % 4 {
		case 0:
			built, now = append(built, before), append(now, before)
		case 1:
			built, changes, now = append(built, before), append(changes, after), append(now, after)
		case 2:
			built, changes = append(built, before), append(changes, index.Change{Path: before.Path, Removed: true})
		case 3:
			changes, now = append(changes, after), append(now, after)
		}
	}
	lived, cold := index.New(built...).With(changes...), index.New(now...)
	query := terms.NewQuery("which of the handlers render more after users?", map[string]bool{"which": true, "of": true, "the": true})
	say := func(ix *index.Index) (out []string) {
		for _, p := range ranked(ix, users+" After3 More77", "") {
			out = append(out, fmt.Sprintf("%s:%d %.5f %v", ix.Path(p.File), p.First, p.Score, p.Words))
		}
		for _, h := range Files(ix, query, 30) {
			out = append(out, fmt.Sprintf("%s %.5f", ix.Path(h.File), h.Score))
		}
		return out
	}
	if diff := cmp.Diff(say(cold), say(lived)); diff != "" || len(say(cold)) < 60 {
		t.Error(diff)
	}
}

// TestRankIsBM25 compares with the formula, worked out by hand. Of two pieces one has alpha,
// and both have beta, with 7 and 5 words.
func TestRankIsBM25(t *testing.T) {
	ix := index.New(index.Change{Path: rel.Must("a.go"), Text: "package p\n\nvar x = alpha(alpha, beta)\n"}, index.Change{Path: rel.Must("b.go"), Text: "package p\n\nvar y = beta\n"}, index.Change{Path: rel.Must("c.go"), Text: "package p\n\nvar z = 1\n"})
	var got []string
	for _, p := range ranked(ix, "alpha beta gamma", "") {
		got = append(got, fmt.Sprintf("%s %.3f %.3f", ix.Path(p.File), p.Score, p.Part))
	}
	alpha, beta := 0.6931, 0.1823 // ln(1+1.5/1.5), ln(1+0.5/2.5)
	want := []string{fmt.Sprintf("a.go %.3f 1.000", alpha*2*2.2/(2+1.35)+beta*2.2/(1+1.35)), fmt.Sprintf("b.go %.3f %.3f", beta*2.2/(1+1.05), beta/(alpha+beta))}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestPiecesHaveAllLines: no line is in two pieces, and none is left out.
func TestPiecesHaveAllLines(t *testing.T) {
	for lines := range 100 {
		text := strings.Repeat("alpha := beta\n", lines) + "alpha()"
		ix := index.New(index.Change{Path: rel.Must("a.go"), Text: text})
		next := 1
		pieces := ranked(ix, "alpha", "")
		slices.SortFunc(pieces, func(x, y Piece) int { return x.First - y.First })
		for _, p := range pieces {
			if p.First != next || p.Last < p.First || p.Last >= p.First+pieceLines {
				t.Fatalf("%d lines: %+v", lines, pieces)
			}
			next = p.Last + 1
		}
		if next != lines+2 {
			t.Errorf("%d lines: %+v", lines, pieces)
		}
	}
}

func TestNewWords(t *testing.T) {
	if got := NewWords("a := Load(key)", "a := Fetch(key, is, limit)"); !slices.Equal(got, []string{"Fetch", "limit"}) {
		t.Errorf("new are %q", got)
	}
}

// TestFilesAreFoundByStems asks in other forms of the words than the code has.
func TestFilesAreFoundByStems(t *testing.T) {
	ix := shopWith(index.Change{Path: rel.Must("billing/invoice_writer.go"), Text: "package billing\n\n// Render writes.\nfunc Render() {\n\tprint(1)\n}\n"})
	next := ix.With(index.Change{Path: rel.Must("web/audits.go"), Text: "package web\n\nfunc ListAudits(audits []Audit) {\n\tprint(audits)\n}\n"})
	for words, want := range map[string]string{
		"how are invoices written?":          "billing/invoice_writer.go", // by its name
		"the handling of stores opened":      "store/store.go",
		"list the auditing":                  "web/audits.go", // added after the index was built
		"computing means of some values":     "other/numbers.go",
		"words that stand in no code: xyzzy": "",
	} {
		hits := Files(next, terms.NewQuery(words, map[string]bool{"the": true, "of": true, "some": true, "are": true, "that": true, "in": true, "no": true}), 5)
		got := ""
		if len(hits) > 0 {
			got = next.Path(hits[0].File)
		}
		if got != want {
			t.Errorf("%q finds %q of %v, want %q", words, got, hits, want)
		}
	}
}
