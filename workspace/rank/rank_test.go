package rank

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tandem/workspace/index"
)

// shop is a workspace in which the three handlers are alike.
var shop = []index.Change{
	{Path: "go.mod", Text: "module example.com/shop\n"},
	{Path: "store/store.go", Text: "package store\n\ntype Store struct {\n\tName string\n}\n\nfunc Open(path string) *Store { return nil }\n\nfunc (s *Store) Flush() error { return nil }\n\nfunc internal() {}\n"},
	{Path: "web/orders.go", Text: "package web\n\nimport \"example.com/shop/store\"\n\nfunc Orders() {\n\ts := store.Open(\"orders\")\n\ts.Flush()\n\tRender(s)\n\tAudit(s)\n}\n"},
	{Path: "web/carts.go", Text: "package web\n\nimport \"example.com/shop/store\"\n\nfunc Carts() {\n\ts := store.Open(\"carts\")\n\ts.Flush()\n\tRender(s)\n\tAudit(s)\n}\n"},
	{Path: "web/render.go", Text: "package web\n\nfunc Render(v any) {}\n\nfunc Audit(v any) {}\n\nfunc Seldom() {}\n"},
	{Path: "tools/store.py", Text: "def Open(path):\n    pass\n"},
	{Path: "other/other.go", Text: "package other\n\nfunc internal() {}\n\nfunc Unrelated() {}\n"},
}

const users = "package web\n\nimport \"example.com/shop/store\"\n\nfunc Users() {\n\ts := store.Open(\"users\")\n\tRender(s)\n\n}\n"

// ranked are the names of definitions with their files, the most likely first.
func ranked(m *Model, q Query) []string {
	candidates := m.Rank(q, nil)
	slices.SortStableFunc(candidates, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Def, b.Def))
	})
	var out []string
	for _, c := range candidates {
		out = append(out, m.ix.Def(c.Def).Name+" "+m.ix.Path(c.Def.File()))
	}
	return out
}

func usersQuery() Query {
	return Query{Path: "web/users.go", Language: "go", Text: users, Line: 7}
}

func modelWithUsers(text string) *Model {
	ix := index.New(append(slices.Clone(shop), index.Change{Path: "web/users.go", Text: users})...)
	return NewBase(ix).Of(ix.With(index.Change{Path: "web/users.go", Text: text}))
}

func before(t *testing.T, order []string, first, second string) {
	t.Helper()
	i, j := slices.Index(order, first), slices.Index(order, second)
	if i < 0 || j >= 0 && i > j {
		t.Errorf("%q is at %d, %q at %d of\n%s", first, i, second, j, strings.Join(order, "\n"))
	}
}

func TestRank(t *testing.T) {
	order := ranked(modelWithUsers(users), usersQuery())
	before(t, order, "Open store/store.go", "Open tools/store.py")       // imported, same language
	before(t, order, "Render web/render.go", "Audit web/render.go")      // used beats not used
	before(t, order, "Audit web/render.go", "Seldom web/render.go")      // files alike use it
	before(t, order, "Flush store/store.go", "Unrelated other/other.go") // imported
	if slices.Contains(order, "Users web/users.go") {
		t.Error("the file's own definition is offered")
	}
}

func TestRankReportsWhereTheTextUsesAName(t *testing.T) {
	m := modelWithUsers(users)
	for _, c := range m.Rank(usersQuery(), nil) {
		want := int32(-1)
		switch d := m.ix.Def(c.Def); {
		case d.Name == "Open" || d.Name == "Store": // Store: a name of its own only in other letters
			want = 5
		case d.Name == "Render":
			want = 6
		}
		if d := m.ix.Def(c.Def); d.Name != "Store" && d.Name != "Name" && c.Line != want {
			t.Errorf("%s is used on line %d, want %d", d.Name, c.Line, want)
		}
	}
}

// TestOfTakesChangesIn changes a file after the base was made.
func TestOfTakesChangesIn(t *testing.T) {
	ix := index.New(shop...)
	base := NewBase(ix)
	next := ix.With(
		index.Change{Path: "web/render.go", Text: "package web\n\nfunc Paint(v any) {}\n\nfunc Render(v any) {}\n"},
		index.Change{Path: "web/carts.go", Removed: true},
		index.Change{Path: "web/users.go", Text: users + "var _ = Paint\n"},
	)
	q := usersQuery()
	q.Text += "var _ = Paint\n"
	order := ranked(base.Of(next), q)
	if !slices.Contains(order, "Paint web/render.go") || !slices.Contains(order, "Render web/render.go") {
		t.Errorf("the new definitions are missing from\n%s", strings.Join(order, "\n"))
	}
	for _, gone := range []string{"Audit web/render.go", "Seldom web/render.go", "Carts web/carts.go"} {
		if slices.Contains(order, gone) {
			t.Errorf("%s is offered, but is gone", gone)
		}
	}
}

// TestTheOwnFileGivesNothingAway ranks for a text from which a call was removed,
// with a base that still has the call: no feature may depend on it.
func TestTheOwnFileGivesNothingAway(t *testing.T) {
	with := strings.Replace(users, "\n\n}", "\n\tSeldom()\n}", 1)
	without := index.New(append(slices.Clone(shop), index.Change{Path: "web/users.go", Text: users})...)
	known := index.New(append(slices.Clone(shop), index.Change{Path: "web/users.go", Text: with})...)
	now := known.With(index.Change{Path: "web/users.go", Text: users})
	clean, leaky := judgedBy(NewBase(without).Of(without), "Seldom"), judgedBy(NewBase(known).Of(now), "Seldom")
	for _, f := range []int{fUsers, fIdf, fAdjacent, fDefs} {
		if clean[f] != leaky[f] {
			t.Errorf("%s is %v without and %v with the call in the base", FeatureNames[f], clean[f], leaky[f])
		}
	}
}

// judgedBy is what a name was judged by.
func judgedBy(m *Model, name string) []float32 {
	q := usersQuery()
	var judged []float32
	q.Trace = func(d index.DefID, x []float32, used bool) {
		if m.ix.Def(d).Name == name {
			judged = slices.Clone(x)
		}
	}
	m.Rank(q, nil)
	return judged
}

// BenchmarkRank ranks in a workspace of many alike files.
func BenchmarkRank(b *testing.B) {
	var changes []index.Change
	for f := range 2000 {
		var text strings.Builder
		fmt.Fprintf(&text, "package p%d\n", f/20)
		for d := range 20 {
			fmt.Fprintf(&text, "func Make%dThing%d(a int) { Make%dThing%d(a) }\n", f, d, (f*7+d)%2000, d)
		}
		changes = append(changes, index.Change{Path: fmt.Sprintf("p%d/f%d.go", f/20, f), Text: text.String()})
	}
	ix := index.New(changes...)
	m := NewBase(ix).Of(ix)
	q := Query{Path: changes[100].Path, Language: "go", Text: changes[100].Text, Line: 5}
	var out []Candidate
	b.ReportAllocs()
	for b.Loop() {
		out = m.Rank(q, out[:0])
	}
}
