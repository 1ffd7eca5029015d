package assist

import (
	"strings"
	"testing"

	"tandem/edits"
	"tandem/workspace"
)

// TestRejectedInARow: two places of a change have to be rejected, whichever ids they had, with
// none accepted between, in whichever document.
func TestRejectedInARow(t *testing.T) {
	b := newBench(t, lanes{}, "package m\n", nil)
	uri := strings.Replace(b.uri, "main.go", "two.go", 1)
	b.engine.Opened(b.session.Update(workspace.CauseEditor, workspace.Opened{URI: uri, Language: "go", Version: 1, Text: edits.NewText("package m\n")}), uri)
	one, two := &b.engine.NextEdits.open.at(workspace.Key(b.uri)).next, &b.engine.NextEdits.open.at(workspace.Key(uri)).next
	place := func(id string, at int) NextEdit {
		return NextEdit{ID: id, URI: b.uri, Edit: edits.Edit{Span: edits.Span{Start: at, End: at}, New: "x"}, Change: "c"}
	}
	reject := func(id string, at int) {
		one.offer(place(id, at))
		b.engine.Rejected(id)
	}
	refused := func(want bool, when string) {
		t.Helper()
		if got := b.engine.NextEdits.refused(place("", 9)); got != want {
			t.Errorf("%s: what else follows is refused: %v", when, got)
		}
	}
	reject("n1", 1)
	reject("n2", 1)
	refused(false, "one place under two ids")
	two.offer(place("n3", 3))
	b.engine.Accepted(b.session.Snapshot(), "n3")
	reject("n4", 5)
	refused(false, "one accepted between")
	reject("n5", 7)
	refused(true, "two in a row")
}

// TestPredictionForElsewhereFollowsItsText: what was predicted for another document ends with
// the text that it was predicted from.
func TestPredictionForElsewhereFollowsItsText(t *testing.T) {
	b := newBench(t, lanes{}, "package m\n\nvar a = old\n", nil)
	uri := strings.Replace(b.uri, "main.go", "two.go", 1)
	snap := b.session.Update(workspace.CauseEditor, workspace.Opened{URI: uri, Language: "go", Version: 1, Text: edits.NewText("package m\n\nvar b = old\n")})
	b.engine.Opened(snap, uri)
	there, _ := snap.Overlay(uri)
	end := b.at("a = old")
	b.edit(end-3, end, "fresh")
	here, _ := b.session.Snapshot().Overlay(b.uri)
	next := &b.engine.NextEdits.open.at(workspace.Key(b.uri)).next
	next.keep(prediction{revision: here.Revision, line: 2, old: "old", made: true,
		next: &NextEdit{ID: "n1", URI: uri, Base: there.Hash(), Edit: edits.Edit{Span: edits.Span{Start: 19, End: 22}, New: "fresh"}}})
	if _, ok := b.engine.NextEdits.fromElsewhere(there, b.engine.NextEdits.open.of(there)); !ok {
		t.Error("it is not offered where it is for")
	}
	b.edit(end-3, end+2, "old")
	if _, ok := b.engine.NextEdits.fromElsewhere(there, b.engine.NextEdits.open.of(there)); ok {
		t.Error("it is offered although its cause was undone")
	}
}
