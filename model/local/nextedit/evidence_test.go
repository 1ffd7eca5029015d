package nextedit

import (
	"context"
	"slices"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/model/local/complete"
	"tandem/model/local/localtest"
)

// TestCopiesOfChangedText: the copies of a text that was changed once are considered, those
// below first: whole lines, or else the part with the tokens next to it; in another file
// of no code only where the file itself has none; none where there are many.
func TestCopiesOfChangedText(t *testing.T) {
	const line = "total += price(item) * 2\n"
	for _, c := range []struct {
		name, from, to string
		files          map[string]string
		want           []string
	}{
		{"lines", "total += price(item) * 2", "total += price(item) * 3", map[string]string{"a.go": line + "x := 1\n\t" + line + "y(" + line}, []string{"a.go: total += price(item) * 3"}},
		{"another file of code", "total += price(item) * 2", "total += price(item) * 3", map[string]string{"a.go": line, "b.go": "\t" + line}, nil},
		{"another file", `"version": "1.2",`, `"version": "1.3",`, map[string]string{"a.json": "{\n\t\"version\": \"1.2\",\n}\n", "b/a.json": "{\n  \"version\": \"1.2\",\n}\n"}, []string{`b/a.json: "version": "1.3",`}},
		{"own copies first", "total += price(item) * 2", "total += price(item) * 3", map[string]string{"a.go": line + line, "b.go": line}, []string{"a.go: total += price(item) * 3"}},
		{"part", "use(old.name, 1)", "use(new.name, 1)", map[string]string{"a.go": "use(old.name, 1)\nmore()\nuse(old.name, 2)\n"}, []string{"a.go: use(new.name, 2)"}},
		{"part of a word", "use(old.name, 1)", "use(new.name, 1)", map[string]string{"a.go": "use(old.name, 1)\nreuse(old.name, 2)\n"}, nil},
		{"a phrase of the language", "total += price(item) * 2", "total += price(item) * 3", map[string]string{"a.go": strings.Repeat(line, maxSame+3)}, nil},
		{"the change itself", "use(old.name, 1)", "use(old.names, 1)", map[string]string{"a.go": "use(old.name, 1)\n"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := localtest.New(c.files)
			path := "a.go"
			if _, ok := c.files[path]; !ok {
				path = "a.json"
			}
			m.ReplaceLine(path, c.from, c.to)
			var got []string
			for _, n := range New(complete.New(nil)).Candidates(context.Background(), m, m.Recent, path, 0) {
				text := m.Texts[n.Path]
				now := text[:n.Edit.Start] + n.Edit.New + text[n.Edit.End:]
				got = append(got, n.Path+": "+lineAround(now, []flat{{start: n.Edit.Start}}, 0))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("considered %q, want %q", got, c.want)
			}
		})
	}
}

// TestPassed: who goes through the places from the top down has passed those above the
// last one; who goes about in another order has passed none.
func TestPassed(t *testing.T) {
	here := func(path string, at int) NextEdit {
		return NextEdit{Path: path, Edit: edits.Edit{Span: edits.Span{Start: at, End: at}}}
	}
	down := []example{{path: "b.go", at: 30}, {path: "b.go", at: 10, edit: 1}}
	up := []example{{path: "b.go", at: 10}, {path: "b.go", at: 30, edit: 1}}
	files := []example{{path: "c.go", at: 10}, {path: "b.go", at: 30, edit: 1}}
	for _, c := range []struct {
		place NextEdit
		made  []example
		want  bool
	}{
		{here("b.go", 20), down, true}, {here("b.go", 5), down, true}, {here("b.go", 40), down, false}, {here("a.go", 1), down, false},
		{here("b.go", 20), up, false}, {here("b.go", 5), up, false},
		{here("a.go", 1), files, true}, {here("d.go", 1), files, false},
		{here("b.go", 5), down[:1], false},
		{here("b.go", 5), []example{{path: "b.go", at: -1}, {path: "b.go", at: 10, edit: 1}}, false},
	} {
		if got := passed(c.place, c.made); got != c.want {
			t.Errorf("%s:%d after %v: %v, want %v", c.place.Path, c.place.Edit.Start, c.made, got, c.want)
		}
	}
}

// TestEnough: the users of what was changed a moment ago are certain; a change that was made
// once has a bound of its own.
func TestEnough(t *testing.T) {
	for _, c := range []struct {
		kind, age int
		odds      float64 // logarithm
		want      bool
	}{
		{renamed, 0, -9, true}, {renamed, maxFresh, -9, true}, {renamed, maxFresh + 1, 0, false}, {renamed, maxFresh + 1, 1, true},
		{sameLines, 0, 1, false}, {samePart, 0, 2, true}, {oneName, 0, 1, true}, {oneName, 0, 0, false},
	} {
		var e Evidence
		var d Decisions
		e[c.kind], e[since] = 1, log2(1+c.age)
		d[Code] = Decision{Repeated: 0.6, Once: 0.8}
		d[Code].Weights[c.kind] = c.odds
		if got := e.Enough(e.Chance(d), d); got != c.want {
			t.Errorf("kind %d, %d edits ago, odds of %v: %v", c.kind, c.age, c.odds, got)
		}
	}
}
