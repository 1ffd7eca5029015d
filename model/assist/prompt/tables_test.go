package prompt

import (
	"testing"

	"tandem/edits"
)

// TestTouchedLines: the lines whose text an edit changes; added lines touch none.
func TestTouchedLines(t *testing.T) {
	text := edits.NewText("one\ntwo\nthree\n")
	for _, c := range []struct {
		start, end  int
		new         string
		first, last int
	}{
		{4, 4, "x\n", 1, 0}, {7, 7, "\nx", 1, 0}, {4, 4, "x", 1, 1}, {7, 7, "x", 1, 1}, {5, 5, "\n", 1, 1}, {4, 7, "x", 1, 1}, {4, 8, "", 1, 1}, {3, 7, "", 1, 1}, {3, 8, "\n", 1, 1}, {5, 9, "x", 1, 2}, {0, 14, "", 0, 2}, {0, 4, "x\n", 0, 0}, {3, 4, "", 1, 0},
	} {
		first, last := touchedLines(text, edits.Edit{Span: edits.Span{Start: c.start, End: c.end}, New: c.new})
		if none := c.last < c.first; none != (last < first) || !none && (first != c.first || last != c.last) {
			t.Errorf("%d to %d by %q touches %d to %d, want %d to %d", c.start, c.end, c.new, first, last, c.first, c.last)
		}
	}
	var nothing *Seen
	some := &Seen{Lines: map[int]bool{2: true}, Texts: map[string]bool{"part": true}}
	if !nothing.line(1, " ") || nothing.line(1, "x") || !some.line(2, "x") || some.line(1, "x") || !some.line(1, "\tpart ") || some.line(3, "parts") {
		t.Error("a line is taken for shown that was not, or the other way round")
	}
}
