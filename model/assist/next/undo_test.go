package next

import (
	"strings"
	"testing"

	"tandem/edits"
	"tandem/workspace"
)

// TestTakenBackEdits holds when an offered edit that the text had counts as rejected.
func TestTakenBackEdits(t *testing.T) {
	const text = "one old two\n"
	edit := func(start, end int, text string) edits.Edit {
		return edits.Edit{Span: edits.Span{Start: start, End: end}, New: text}
	}
	rename := edit(4, 7, "fresh") // of old
	above := func(n int) edits.Edit { return edit(0, 0, strings.Repeat("x", n)) }
	again := edit(4, 9, "old")
	for name, c := range map[string]struct {
		offer edits.Edit
		list  []edits.Edit
		want  int // where it is refused; -1: nowhere
	}{
		"accepted":                    {rename, []edits.Edit{rename}, -1},
		"taken back":                  {rename, []edits.Edit{rename, again}, 4},
		"and moved":                   {rename, []edits.Edit{rename, again, edit(0, 0, "// ")}, 7},
		"moved, then taken back":      {rename, []edits.Edit{rename, edit(0, 0, "// "), edit(7, 12, "old")}, 7},
		"in two steps":                {rename, []edits.Edit{rename, edit(4, 9, ""), edit(4, 4, "old")}, 4},
		"with more than it":           {rename, []edits.Edit{rename, edit(0, 14, "ONE old TWO")}, -1},
		"with its line":               {rename, []edits.Edit{rename, edit(0, 14, "one old two\n")}, 4},
		"half":                        {rename, []edits.Edit{rename, edit(4, 6, "")}, -1},
		"done again":                  {rename, []edits.Edit{rename, again, rename}, -1},
		"and taken back again":        {rename, []edits.Edit{rename, again, rename, again}, 4},
		"after more was typed":        {rename, []edits.Edit{rename, edit(9, 9, "er"), edit(9, 11, ""), again}, 4},
		"and changed otherwise":       {rename, []edits.Edit{rename, again, edit(4, 7, "other")}, -1},
		"which was taken back too":    {rename, []edits.Edit{rename, again, edit(4, 7, "other"), again}, 4},
		"an insertion":                {edit(4, 4, "very "), []edits.Edit{edit(4, 4, "very "), edit(4, 9, "")}, 4},
		"an insertion done again":     {edit(4, 4, "very "), []edits.Edit{edit(4, 4, "very "), edit(4, 9, ""), edit(4, 4, "very ")}, -1},
		"a deletion":                  {edit(4, 8, ""), []edits.Edit{edit(4, 8, ""), edit(4, 4, "old ")}, 4},
		"a letter":                    {edit(7, 7, "s"), []edits.Edit{edit(7, 7, "s"), edit(7, 8, "")}, 7},
		"an insertion, by equal text": {edit(8, 8, "old "), []edits.Edit{edit(8, 8, "old "), edit(4, 8, "")}, 8},
		"what was never in the text":  {rename, []edits.Edit{edit(4, 7, "other"), again}, -1},
		"with what is above it":       {rename, []edits.Edit{rename, above(3), edit(0, 12, "z"), edit(0, 1, "xxxone old")}, 7},
		"with too much above it":      {rename, []edits.Edit{rename, above(maxAppliedBytes), edit(0, maxAppliedBytes+9, "z"), edit(0, 1, strings.Repeat("x", maxAppliedBytes)+"one old")}, -1},
	} {
		for _, reported := range []bool{false, true} {
			b := newBench(t, lanes{}, text, nil)
			n := &b.engine.NextEdits.Open.At(workspace.Key(b.URI)).next
			n.offer(Offer{ID: "n1", URI: b.URI, Edit: c.offer, Change: "a change"})
			for _, e := range c.list {
				b.Edit(e.Start, e.End, e.New)
				if reported {
					b.engine.NextEdits.Open.Accepted("n1")
				}
			}
			got := -1
			for at := range len(b.Text()) {
				if n.refusedEdit(Offer{URI: b.URI, Edit: edit(at, at, c.offer.New)}) {
					got = at
				}
			}
			if got != c.want {
				t.Errorf("%s, reported %v: refused at %d of %q, want %d", name, reported, got, b.Text(), c.want)
			}
			if n.refusedEdit(Offer{URI: b.URI, Edit: edit(90, 90, "x"), Change: "a change"}) {
				t.Errorf("%s, reported %v: other places of the change are refused", name, reported)
			}
		}
	}
}

// TestAcceptedReverseIsNoRejection: who accepts the edit that writes the earlier name again
// may want the other one once more.
func TestAcceptedReverseIsNoRejection(t *testing.T) {
	b := newBench(t, lanes{}, "one old two\n", nil)
	n := &b.engine.NextEdits.Open.At(workspace.Key(b.URI)).next
	offer := func(id string, end int, text string) {
		n.offer(Offer{ID: id, URI: b.URI, Edit: edits.Edit{Span: edits.Span{Start: 4, End: end}, New: text}})
		b.Edit(4, end, text)
	}
	offer("n1", 7, "fresh")
	offer("n2", 9, "old")
	if n.refusedEdit(Offer{URI: b.URI, Edit: edits.Edit{Span: edits.Span{Start: 4, End: 7}, New: "fresh"}}) {
		t.Error("the first edit is refused")
	}
}

// TestTakenBackAfterManyOthers: the edits that were accepted last count as rejected when they are
// taken back, and those of long ago do not.
func TestTakenBackAfterManyOthers(t *testing.T) {
	const lines = maxRefusedEdits + 1
	for line, want := range map[int]bool{0: true, lines - 2: true, lines - 1: false} {
		b := newBench(t, lanes{}, strings.Repeat("old\n", lines), nil)
		n := &b.engine.NextEdits.Open.At(workspace.Key(b.URI)).next
		for i := lines - 1; i >= 0; i-- { // upwards, so that the places above stay
			n.offer(Offer{ID: "n" + itoa(i), URI: b.URI, Edit: edits.Edit{Span: edits.Span{Start: 4 * i, End: 4*i + 3}, New: "fresh"}})
			b.Edit(4*i, 4*i+3, "fresh")
		}
		at := len("fresh\n") * line
		b.Edit(at, at+len("fresh"), "old")
		if got := n.refusedEdit(Offer{URI: b.URI, Edit: edits.Edit{Span: edits.Span{Start: at, End: at + 3}, New: "fresh"}}); got != want {
			t.Errorf("line %d: refused %v, want %v", line, got, want)
		}
	}
}
