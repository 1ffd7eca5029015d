package edit

import (
	"testing"

	"tandem/edits"
)

// TestLinesAsIfTyped: a change that types the lines around a span.
func TestLinesAsIfTyped(t *testing.T) {
	const text = "one\ntwo\nthree\n"
	for _, c := range []struct {
		start, end int
		line       string
		at         int
	}{{0, 0, "one", 0}, {5, 5, "two", 4}, {4, 7, "two", 4}, {2, 5, "one\ntwo", 0}, {8, 13, "three", 8}, {14, 14, "", 14}} {
		got := AsIfTyped("a.go", edits.NewText(text), edits.Span{Start: c.start, End: c.end})
		if got.After != text || got.Before != text[:c.at]+text[c.at+len(c.line):] || len(got.Edits) != 1 || got.Edits[0] != (edits.Edit{Span: edits.Span{Start: c.at, End: c.at}, New: c.line}) || got.Path != "a.go" {
			t.Errorf("%d to %d: %+v", c.start, c.end, got)
		}
	}
	b := newBench(t, lanes{}, text, nil)
	e := b.engine
	for _, span := range []edits.Span{{Start: -1, End: 2}, {Start: 0, End: 99}, {Start: 3, End: 2}} {
		if e.Editor.QuickFixes(b.Session.Snapshot(), b.URI, span) != nil {
			t.Errorf("%v has a fix", span)
		}
	}
}
