package next

import (
	"context"
	"fmt"
	"testing"

	"tandem/edits"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
	"tandem/model/local"
	"tandem/workspace"
)

// knows is a built-in engine that knows what it is given, and keeps what it was asked.
type knows struct {
	core.Local
	all    local.AllNextEdits
	broken []local.NextEdit
	lines  []local.Lines
}

func (k *knows) AllNextEdits(context.Context, local.Corpus, []workspace.RecentEdit, string, int) (local.AllNextEdits, bool) {
	return k.all, true
}

func (k *knows) Broken(_ context.Context, _ local.Corpus, _ []workspace.RecentEdit, lines []local.Lines) []local.NextEdit {
	k.lines = lines
	return k.broken
}

// TestLinesOfErrors: the built-in engine is asked about the lines of the errors, and the first of
// its edits that was not refused is taken.
func TestLinesOfErrors(t *testing.T) {
	b := newBench(t, lanes{}, assisttest.Source, nil)
	n, snap := b.engine.NextEdits, b.Session.Snapshot()
	o, _ := snap.Overlay(b.URI)
	d := n.Open.Of(o)
	text := edits.NewText(assisttest.Source)
	start, end := text.LineStart(2), text.LineStart(3)+2
	list := []causedError{{uri: b.URI, error: workspace.Diagnostic{Span: edits.Span{Start: start, End: end}}}, {uri: b.URI, error: workspace.Diagnostic{Span: edits.Span{End: 9999}}}, {uri: "untitled:closed"}}
	at := b.At("return 1")
	engine := &knows{broken: []local.NextEdit{{Path: "main.go", Edit: edits.Edit{Span: edits.Span{Start: at - 1, End: at}, New: "7"}, Title: "first"}, {Path: "main.go", Edit: edits.Edit{Span: edits.Span{Start: at - 1, End: at}, New: "8"}, Title: "second"}}}
	n.Core.Local = engine
	next, ok := n.inLine(t.Context(), snap, Request{Place: core.Place{URI: b.URI}}, list)
	if !ok || next.Title != "first" || next.Line != 3 || fmt.Sprint(engine.lines) != fmt.Sprint([]local.Lines{{Path: "main.go", First: 3, Last: 4}}) {
		t.Errorf("%+v, %v, asked about %v", next, ok, engine.lines)
	}
	n.Open.Ignored(n.offer(snap, d, next).ID)
	if next, ok := n.inLine(t.Context(), snap, Request{Place: core.Place{URI: b.URI}}, list); !ok || next.Title != "second" {
		t.Errorf("after a rejection: %+v, %v", next, ok)
	}
	n.Core.Local = nil
	if next, ok := n.inLine(t.Context(), snap, Request{Place: core.Place{URI: b.URI}}, list); ok {
		t.Errorf("without an engine: %+v", next)
	}
}

// TestAllPlacesAsOne: the title and the reason of a proposal of all places, and how many there
// must be.
func TestAllPlacesAsOne(t *testing.T) {
	b := newBench(t, lanes{}, assisttest.Source, map[string]string{"b.go": "package main\n"})
	place := func(path string, reason string) local.NextEdit {
		return local.NextEdit{Path: path, Edit: edits.Edit{New: "// x\n"}, Reason: reason}
	}
	for _, c := range []struct {
		all   local.AllNextEdits
		least int
		want  string
	}{
		{local.AllNextEdits{Title: "Rename a", Edits: []local.NextEdit{place("main.go", "first")}}, 1, "Rename a: 1 place|first|1"},
		{local.AllNextEdits{Title: "Rename a", Edits: []local.NextEdit{place("main.go", "first")}}, 2, "none"},
		{local.AllNextEdits{Title: "Rename a", Left: 3, Edits: []local.NextEdit{place("main.go", "first"), place("b.go", "second")}}, 2, "Rename a: 2 places, 3 left to you|first|2"},
		{local.AllNextEdits{Title: "Rename a", Edits: []local.NextEdit{place("none.go", "first")}}, 1, "none"},
		{local.AllNextEdits{Title: "Rename a", Left: 1, Edits: []local.NextEdit{{Path: "main.go", Edit: assisttest.Insert(9, "b")}, {Path: "main.go", Edit: assisttest.Insert(0, "a")}}}, 1, "Rename a: 2 places, 1 left to you||1"},
	} {
		b.engine.Editor.Core.Local = &knows{all: c.all}
		got := "none"
		if p, err := b.engine.NextEdits.NextEverywhere(t.Context(), b.Session.Snapshot(), core.Place{URI: b.URI}, c.least); err == nil {
			got = fmt.Sprintf("%s|%s|%d", p.Title, p.From.Reason, len(p.Files))
		}
		if got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	b.engine.Editor.Core.Local = nil
	if _, err := b.engine.NextEdits.NextEverywhere(t.Context(), b.Session.Snapshot(), core.Place{URI: b.URI}, 1); err == nil {
		t.Error("without an engine there are places")
	}
}
