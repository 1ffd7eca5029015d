package next

import (
	"context"
	"path/filepath"
	"testing"
	"testing/synctest"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
	"tandem/workspace"
)

// TestNextEditAsksOnce: clients ask on every event; the model is asked once
// for a place of a text, and again when either changes or its answer was refused.
func TestNextEditAsksOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := replies("<<<<<<< SEARCH\n\treturn 2\n=======\n\treturn 22\n>>>>>>> REPLACE\n")
		b := newBench(t, lanes{model.Fast: fast}, assisttest.Source, nil)
		at := b.At("return 1")
		b.Edit(at, at, "1")
		ask := func(offset int) *Offer {
			next, _, err := b.engine.NextEdits.NextEdit(context.Background(), b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: offset}, Version: b.Version})
			if err != nil {
				t.Fatal(err)
			}
			return next
		}
		first := ask(at)
		for range 5 {
			if again := ask(at); again == nil || again.ID != first.ID {
				t.Fatalf("asked again: %+v, first %+v", again, first)
			}
		}
		if n := len(fast.Requests()); n != 1 {
			t.Errorf("%d requests for one place of one text", n)
		}
		b.Edit(at, at, "1")
		if ask(at); len(fast.Requests()) != 2 {
			t.Errorf("%d requests after the text changed, want 2", len(fast.Requests()))
		}
		b.engine.NextEdits.Open.Rejected(ask(at).ID)
		if next := ask(at); next != nil {
			t.Errorf("offered %+v after it was rejected", next)
		}
	})
}

// TestNextEditOfAnotherFileOutlivesOpeningIt: a prediction about a closed file is the answer
// there once the user has opened it, until its text changes or it is rejected.
func TestNextEditOfAnotherFileOutlivesOpeningIt(t *testing.T) {
	for _, c := range []struct {
		name     string
		do       func(b *bench, id string)
		want     string
		requests int
	}{
		{"opened", func(*bench, string) {}, "three", 0},
		{"changed", func(b *bench, _ string) { b.Edit(0, 0, "// x\n") }, "", 1},
		{"rejected", func(b *bench, id string) { b.engine.NextEdits.Open.Rejected(id) }, "", 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			fast := replies("none")
			b := newBench(t, lanes{model.Fast: fast}, assisttest.Source, map[string]string{"lib.go": "package main\n\nvar two = 2\n"})
			b.Edit(b.At("return 1"), b.At("return 1"), "1")
			o, _ := b.Session.Snapshot().Overlay(b.URI)
			lib := workspace.URIOf(filepath.Join(b.Root, "lib.go"))
			f, err := b.Session.Snapshot().File(lib)
			if err != nil {
				t.Fatal(err)
			}
			next := Offer{ID: "n", URI: lib, Base: f.Hash(), Edit: edits.Edit{Span: edits.Span{Start: 18, End: 21}, New: "three"}}
			next.makes = core.Makes(f.Raw(), next.Edit)
			d := b.engine.NextEdits.Open.Of(o)
			d.next.store(prediction{revision: o.Revision, line: 0, next: d.offered(next), valid: true})

			b.URI, b.Version = lib, 1
			b.Open("package main\n\nvar two = 2\n")
			c.do(b, "n")
			got, reason, err := b.engine.NextEdits.NextEdit(t.Context(), b.Session.Snapshot(), Request{Place: core.Place{URI: lib, Offset: 18}, Version: b.Version})
			if err != nil {
				t.Fatal(err)
			}
			text := ""
			if got != nil {
				text = got.Edit.New
			}
			if text != c.want || got != nil && (got.Version != b.Version || got.URI != lib) || len(fast.Requests()) != c.requests {
				t.Errorf("%s: %+v (%s) after %d requests", c.name, got, reason, len(fast.Requests()))
			}
		})
	}
}

// offered records a next edit as one that the document's user was shown.
func (d *nextDoc) offered(next Offer) *Offer {
	d.next.offer(next)
	return &next
}
