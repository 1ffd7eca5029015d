package prompt

import (
	"strings"
	"testing"

	"tandem/edits"
	"tandem/workspace/redact"
)

// TestRewrittenLinesWereShown: a selection is rewritten only where each of its lines was shown.
func TestRewrittenLinesWereShown(t *testing.T) {
	b := newBench(t, lanes{}, "one\n\nthree\nfour\n", nil)
	snap := b.Session.Snapshot()
	for _, c := range []struct {
		start, end int
		shown      []int
		want       string // the line that was not
	}{
		{0, 0, []int{1, 3, 4}, ""}, {0, 0, []int{1, 3}, "line 4"}, {0, 0, []int{3, 4}, "line 1"}, {0, 4, []int{1}, ""}, {0, 5, []int{1}, ""}, {0, 6, []int{1}, "line 3"}, {5, 11, []int{3}, ""}, {5, 12, []int{3}, "line 4"}, {5, 11, nil, "line 3"},
		{6, 8, []int{3}, ""},
	} {
		lines := map[int]bool{}
		for _, n := range c.shown {
			lines[n] = true
		}
		ask := &Request{Secrets: &redact.Redactor{}, Seen: map[string]*Seen{"main.go": {Lines: lines}}}
		got := ""
		if err := ask.refuseCut(snap, Question{URI: b.URI, Span: edits.Span{Start: c.start, End: c.end}}); err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%d to %d of what shows %v: %q", c.start, c.end, c.shown, got)
		}
	}
}
