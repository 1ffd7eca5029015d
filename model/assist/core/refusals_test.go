package core

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tandem/edits"
	"tandem/workspace"
)

// TestRefusals: what a user took away, undid, deleted key by key or rejected is not offered there
// again, and something else is.
func TestRefusals(t *testing.T) {
	edit := func(start, end int, text string) edits.Edit {
		return edits.Edit{Span: edits.Span{Start: start, End: end}, New: text}
	}
	const text = "one old two\n"
	rename, again := edit(4, 7, "fresh"), edit(4, 9, "old")
	keys := []edits.Edit{edit(10, 11, ""), edit(9, 10, ""), edit(8, 9, "")}
	for name, c := range map[string]struct {
		accepted int // of the list, the first ones
		list     []edits.Edit
		offer    edits.Edit
		want     bool
	}{
		"nothing was done":                  {0, nil, rename, false},
		"accepted and taken back":           {1, []edits.Edit{rename, again}, rename, true},
		"and moved":                         {1, []edits.Edit{rename, again, edit(0, 0, "a line\n")}, edit(11, 14, "fresh"), true},
		"elsewhere":                         {1, []edits.Edit{rename, again, edit(0, 0, "one old two\n")}, rename, false},
		"another text there":                {1, []edits.Edit{rename, again}, edit(4, 7, "new"), false},
		"in two steps":                      {1, []edits.Edit{rename, edit(4, 9, ""), edit(4, 4, "old")}, rename, true},
		"with its line":                     {1, []edits.Edit{rename, edit(0, 14, "one old two\n")}, rename, true},
		"accepted the other way round":      {2, []edits.Edit{rename, again}, rename, false},
		"changed otherwise":                 {1, []edits.Edit{rename, again, edit(4, 7, "other")}, edit(4, 9, "another"), false},
		"written by hand and taken back":    {0, []edits.Edit{rename, again}, rename, true},
		"an insertion":                      {1, []edits.Edit{edit(4, 4, "very "), edit(4, 9, "")}, edit(4, 4, "very "), true},
		"a letter":                          {1, []edits.Edit{edit(7, 7, "s"), edit(7, 8, "")}, edit(7, 7, "s"), true},
		"key by key":                        {0, keys, edit(8, 8, "two"), true},
		"key by key, with more":             {0, keys, edit(8, 8, "two(1)"), true},
		"key by key, and another word":      {0, keys, edit(8, 8, "twofold"), false},
		"key by key, a part":                {0, keys, edit(8, 8, "tw"), false},
		"key by key, while it is typed":     {0, append(keys, edit(8, 8, "t")), edit(9, 9, "wo"), true},
		"key by key, and something else":    {0, append(keys, edit(8, 8, "x")), edit(9, 9, "two"), false},
		"a line":                            {0, []edits.Edit{edit(0, 12, "")}, edit(0, 0, "one old two\n"), true},
		"blanks":                            {0, []edits.Edit{edit(3, 4, "")}, edit(3, 3, "_"), false},
		"more than is kept":                 {0, []edits.Edit{edit(4, 4, strings.Repeat("x", maxRefusedText)), edit(4, 4+maxRefusedText, "")}, edit(4, 4, strings.Repeat("x", maxRefusedText)), false},
		"a place that the text has no more": {0, []edits.Edit{edit(0, 12, "")}, edit(90, 91, "x"), false},
	} {
		var r Refusals
		now, steps := edits.NewText(text), []workspace.Step(nil)
		for i, e := range c.list {
			steps = append(steps, workspace.Step{Edit: e, After: now.Replace(e.Span, e.New), Accepted: i < c.accepted})
			now = steps[i].After
		}
		r.follow("file:///a", edits.NewText(text), steps)
		if got := r.Refused("file:///a", now, c.offer); got != c.want {
			t.Errorf("%s: refused %v in %q", name, got, now.String())
		}
		if r.Refused("file:///b", now, c.offer) {
			t.Errorf("%s: in another document", name)
		}
		r.closed("file:///a")
		if r.Refused("file:///a", now, c.offer) {
			t.Errorf("%s: after the document was closed", name)
		}
	}
}

// TestRefusalsAreFew: the oldest are forgotten.
func TestRefusalsAreFew(t *testing.T) {
	var r Refusals
	now := edits.NewText("a\n")
	for i := range maxRefusals + 1 {
		r.Refuse("file:///a", 0, "a"+strings.Repeat("b", i))
		r.End(strings.Repeat("c", i+1))
	}
	at := func(n int) bool {
		return r.Refused("file:///a", now, edits.Edit{Span: edits.Span{Start: 1, End: 1}, New: strings.Repeat("b", n)})
	}
	if at(0) || !at(1) || r.Ended("c") || !r.Ended("cc") || r.Ended("") {
		t.Error("not the oldest alone is forgotten")
	}
	r.Refuse("file:///a", 0, "go there")
	if !r.Said("file:///a", now, 0, "go there") || r.Said("file:///a", now, 2, "go there") {
		t.Error("what is said of a place is refused elsewhere")
	}
}

// TestMakesOfAnyPlace: any edit of any text has an answer, also one that lies inside the end of a line or
// outside the text, which a document that changed meanwhile may have made so.
func TestMakesOfAnyPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := edits.NewText(rapid.StringMatching(`([ab ]|\r\n|\n|\r|é){0,12}`).Draw(t, "text"))
		e := edits.Edit{Span: edits.Span{Start: rapid.IntRange(-1, 14).Draw(t, "start"), End: rapid.IntRange(-1, 14).Draw(t, "end")}, New: "x"}
		var r Refusals
		r.Refuse("file:///a", e.Start, "y")
		if got := Makes(text, e); e.Valid(text.Len()) != (got != "") {
			t.Fatalf("%q", got)
		}
		if r.Refused("file:///a", text, e) || r.Left("file:///a", text, e) {
			t.Fatal("something else was refused")
		}
	})
}
