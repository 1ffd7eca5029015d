package next

import (
	"path/filepath"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/workspace"
)

// TestRejectedInARow: two places of a change have to be rejected, whichever ids they had, with
// none accepted between, in whichever document.
func TestRejectedInARow(t *testing.T) {
	b := newBench(t, lanes{}, "package m\n", nil)
	uri := strings.Replace(b.URI, "main.go", "two.go", 1)
	b.Follow.Opened(b.Session.Update(workspace.Opened{URI: uri, Language: "go", Version: 1, Text: edits.NewText("package m\n")}), uri)
	one, two := &b.engine.NextEdits.Open.At(workspace.Key(b.URI)).next, &b.engine.NextEdits.Open.At(workspace.Key(uri)).next
	place := func(id string, at int) Offer {
		return Offer{ID: id, URI: b.URI, Edit: edits.Edit{Span: edits.Span{Start: at, End: at}, New: "x"}, Change: "c"}
	}
	reject := func(id string, at int) {
		one.offer(place(id, at))
		b.engine.NextEdits.Open.Rejected(id)
	}
	refused := func(want bool, when string) {
		t.Helper()
		if got := b.engine.NextEdits.Open.refused(place("", 9)); got != want {
			t.Errorf("%s: what else follows is refused: %v", when, got)
		}
	}
	reject("n1", 1)
	reject("n2", 1)
	refused(false, "one place under two ids")
	two.offer(place("n3", 3))
	b.engine.NextEdits.Open.Accepted("n3")
	reject("n4", 5)
	refused(false, "one accepted between")
	reject("n5", 7)
	refused(true, "two in a row")
}

// TestPredictionForElsewhereFollowsItsText: what was predicted for another document ends with
// the text that it was predicted from.
func TestPredictionForElsewhereFollowsItsText(t *testing.T) {
	b := newBench(t, lanes{}, "package m\n\nvar a = old\n", nil)
	uri := strings.Replace(b.URI, "main.go", "two.go", 1)
	snap := b.Session.Update(workspace.Opened{URI: uri, Language: "go", Version: 1, Text: edits.NewText("package m\n\nvar b = old\n")})
	b.Follow.Opened(snap, uri)
	there, _ := snap.Overlay(uri)
	end := b.At("a = old")
	b.Edit(end-3, end, "fresh")
	here, _ := b.Session.Snapshot().Overlay(b.URI)
	next := &b.engine.NextEdits.Open.At(workspace.Key(b.URI)).next
	next.store(prediction{revision: here.Revision, line: 2, old: "old", valid: true,
		next: &Offer{ID: "n1", URI: uri, Base: there.Hash(), Edit: edits.Edit{Span: edits.Span{Start: 19, End: 22}, New: "fresh"}}})
	if _, ok := b.engine.NextEdits.Open.fromElsewhere(there, b.engine.NextEdits.Open.Of(there)); !ok {
		t.Error("it is not offered where it is for")
	}
	b.Edit(end-3, end+2, "old")
	if _, ok := b.engine.NextEdits.Open.fromElsewhere(there, b.engine.NextEdits.Open.Of(there)); ok {
		t.Error("it is offered although its cause was undone")
	}
}

// TestOffersEndWithTheirDocument: what was offered while a document was shown, and rejected
// there, is forgotten when it is closed, also where it is about another document.
func TestOffersEndWithTheirDocument(t *testing.T) {
	b := newBench(t, lanes{}, "one old two\n", map[string]string{"lib.go": "one old two\n"})
	open := b.engine.NextEdits.Open
	shown := b.URI
	lib := workspace.URIOf(filepath.Join(b.Root, "lib.go"))
	b.Follow.Opened(b.Session.Update(workspace.Opened{URI: lib, Language: "go", Version: 1, Text: edits.NewText("one old two\n")}), lib)
	rename := edits.Edit{Span: edits.Span{Start: 4, End: 7}, New: "fresh"}
	other := edits.Edit{Span: edits.Span{Start: 8, End: 11}, New: "three"}
	n := &open.At(workspace.Key(shown)).next
	n.offer(Offer{ID: "n1", URI: lib, Edit: rename, Change: "a change"})
	n.offer(Offer{ID: "n2", URI: lib, Edit: other, Change: "another"})
	open.Rejected("n2")
	o, _ := b.Session.Snapshot().Overlay(lib)
	for _, closed := range []bool{false, true} {
		if closed {
			b.Close()
		}
		if got := open.Offered(o, rename); got == closed {
			t.Errorf("closed %v: offered %v", closed, got)
		}
		if got := open.refused(Offer{URI: lib, Edit: other}); got == closed {
			t.Errorf("closed %v: refused %v", closed, got)
		}
	}
}
