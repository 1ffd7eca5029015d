package next

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
	"tandem/model/local"
	"tandem/workspace"
	"tandem/workspace/cut"
)

// knows is a built-in engine that knows some places.
type knows struct {
	core.Local
	places []local.NextEdit
}

func (k *knows) NextEdits(context.Context, local.Corpus, []workspace.RecentEdit, string, int) iter.Seq[local.NextEdit] {
	return slices.Values(k.places)
}

// TestPlacesOnLinesOfErrors: the first place on a line with an error that was not refused is taken; one
// that may mean another definition means the renamed one there, and none where no error is.
func TestPlacesOnLinesOfErrors(t *testing.T) {
	b := newBench(t, lanes{}, assisttest.Source, nil)
	n, snap := b.engine.NextEdits, b.Session.Snapshot()
	o, _ := snap.Overlay(b.URI)
	d := n.Open.Of(o)
	text := edits.NewText(assisttest.Source)
	list := []causedError{{uri: b.URI, error: workspace.Diagnostic{Span: edits.Span{Start: text.LineStart(2), End: text.LineStart(3) + 2}}}, {uri: b.URI, error: workspace.Diagnostic{Span: edits.Span{End: 9999}}}, {uri: "untitled:closed"}}
	at := b.At("return 1")
	one := edits.Edit{Span: edits.Span{Start: at - 1, End: at}, New: "7"}
	here := edits.Edit{Span: edits.Span{Start: at - 1, End: at - 1}}
	n.Local = &knows{places: []local.NextEdit{
		{Path: "main.go", Edit: edits.Edit{New: "// x\n"}, Title: "where no error is"},
		{Path: "main.go", Edit: here, Jump: "look", Title: "to look at"},
		{Path: "main.go", Edit: here, Jump: "look", Meant: &one, Title: "first"},
		{Path: "main.go", Edit: edits.Edit{Span: one.Span, New: "8"}, Title: "second"},
	}}
	for _, want := range []string{"first 7 3", "second 8 3", "none"} {
		places, done := once(n.places(t.Context(), snap, Request{Place: core.Place{URI: b.URI}}))
		got := "none"
		if next, ok := n.repeatedAt(snap, list, places); ok {
			got = fmt.Sprint(next.Title, " ", next.Edit.New, " ", next.Line)
			if next.Jump != "" {
				t.Errorf("%s is a place to go to", got)
			}
			n.Open.Ignored(n.offer(snap, d, next).ID)
		}
		if done(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestAllPlacesAsOne: the title and the reason of a proposal of all places, and how many there
// must be.
func TestAllPlacesAsOne(t *testing.T) {
	place := func(path, change, reason string, unread int) local.NextEdit {
		return local.NextEdit{Path: path, Edit: edits.Edit{New: "// x\n"}, Title: "Rename a: 9 uses", Change: change, Reason: reason, Left: cut.Left(unread, "file is not searched", "files are not searched")}
	}
	look := local.NextEdit{Path: "b.go", Edit: assisttest.Insert(13, ""), Jump: "look", Change: "a"}
	at := func(at int, text string) local.NextEdit {
		return local.NextEdit{Path: "main.go", Edit: assisttest.Insert(at, text), Title: "Rename a", Change: "a"}
	}
	for _, c := range []struct {
		places []local.NextEdit
		least  int
		want   string
	}{
		{[]local.NextEdit{place("main.go", "a", "first", 0)}, 1, "Rename a: 1 place|first|1"},
		{[]local.NextEdit{place("main.go", "a", "first", 0)}, 2, "none"},
		{[]local.NextEdit{place("main.go", "a", "first", 2), place("b.go", "a", "second", 2), look}, 2, "Rename a: 2 places, 1 left to you; 2 files are not searched|first|2"},
		{[]local.NextEdit{place("main.go", "a", "first", 0), place("b.go", "b", "second", 0)}, 1, "Rename a: 1 place|first|1"},
		{[]local.NextEdit{place("none.go", "a", "first", 0)}, 1, "none"},
		{[]local.NextEdit{look}, 0, "none"},
		{[]local.NextEdit{at(9, "b"), at(0, "a")}, 1, "Rename a: 2 places||1"},
	} {
		b := newBench(t, lanes{}, assisttest.Source, map[string]string{"b.go": "package main\n"})
		b.engine.NextEdits.Local = &knows{places: c.places}
		got := "none"
		if p, err := b.engine.NextEdits.NextEverywhere(t.Context(), b.Session.Snapshot(), core.Place{URI: b.URI}, c.least); err == nil {
			got = fmt.Sprintf("%s|%s|%d", p.Title, p.From.Reason, len(p.Files))
			if v := p.Judged(); strings.Contains(c.want, "searched") && (v.Passed() || !strings.Contains(v.Reason(), "2 files are not searched")) {
				t.Errorf("with files left: %s, %s", v.State(), v.Reason())
			}
		}
		if got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	b := newBench(t, lanes{}, assisttest.Source, nil)
	b.engine.NextEdits.Local = nil
	if _, err := b.engine.NextEdits.NextEverywhere(t.Context(), b.Session.Snapshot(), core.Place{URI: b.URI}, 1); err == nil {
		t.Error("without an engine there are places")
	}
}
