package next

import (
	"path/filepath"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/workspace"
)

// TestRejectionEndsTheChange: who rejects one place of a change is offered no other one, in whichever
// document, and no place to go to; who lets one be is.
func TestRejectionEndsTheChange(t *testing.T) {
	b := newBench(t, lanes{}, "package m\n\nvar a = 1\n", nil)
	n, snap := b.engine.NextEdits, b.Session.Snapshot()
	d := n.Open.At(workspace.Key(b.URI))
	place := func(at int, jump string) Offer {
		return Offer{URI: b.URI, Edit: edits.Edit{Span: edits.Span{Start: at, End: at}, New: "x"}, Change: "c", Jump: jump}
	}
	one := place(b.At("a = "), "")
	n.Open.Ignored(n.offer(snap, d, one).ID)
	if !n.refused(snap, one) || n.refused(snap, place(0, "")) {
		t.Error("what was let be is offered again, or the others are not")
	}
	n.Open.Rejected(n.offer(snap, d, place(0, "")).ID)
	if !n.refused(snap, place(5, "")) || !n.refused(snap, place(5, "go there")) {
		t.Error("the change goes on after a rejection")
	}
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

// TestOffersEndWithTheirDocument: what was offered while a document was shown is forgotten when it is
// closed, also where it is about another document; what was rejected ends with the document it is in.
func TestOffersEndWithTheirDocument(t *testing.T) {
	b := newBench(t, lanes{}, "one old two\n", map[string]string{"lib.go": "one old two\n"})
	n, open := b.engine.NextEdits, b.engine.NextEdits.Open
	lib := workspace.URIOf(filepath.Join(b.Root, "lib.go"))
	b.Follow.Opened(b.Session.Update(workspace.Opened{URI: lib, Language: "go", Version: 1, Text: edits.NewText("one old two\n")}), lib)
	rename := Offer{URI: lib, Edit: edits.Edit{Span: edits.Span{Start: 4, End: 7}, New: "fresh"}, Change: "a change"}
	other := Offer{URI: lib, Edit: edits.Edit{Span: edits.Span{Start: 8, End: 11}, New: "three"}}
	d := open.At(workspace.Key(b.URI))
	n.offer(b.Session.Snapshot(), d, rename)
	open.Rejected(n.offer(b.Session.Snapshot(), d, other).ID)
	o, _ := b.Session.Snapshot().Overlay(lib)
	if !open.Offered(o, rename.Edit) || !n.refused(b.Session.Snapshot(), other) {
		t.Error("what was offered, or rejected, is not remembered")
	}
	b.Close()
	if open.Offered(o, rename.Edit) || !n.refused(b.Session.Snapshot(), other) {
		t.Error("the offers do not end with their document, or the rejection does")
	}
	b.Follow.Closed(lib)
	if n.refused(b.Session.Snapshot(), other) {
		t.Error("the rejection outlives its document")
	}
}
