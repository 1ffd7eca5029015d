package assist

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/model"
	"tandem/model/local"
	"tandem/workspace"
)

// knows is a built-in engine that knows what it is given, and keeps what it was asked.
type knows struct {
	Local
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
	b := newBench(t, lanes{}, source, nil)
	n, snap := b.engine.NextEdits, b.session.Snapshot()
	o, _ := snap.Overlay(b.uri)
	d := n.open.of(o)
	text := edits.NewText(source)
	start, end := text.LineStart(2), text.LineStart(3)+2
	list := []causedError{{b.uri, workspace.Diagnostic{Span: edits.Span{Start: start, End: end}}}, {b.uri, workspace.Diagnostic{Span: edits.Span{End: 9999}}}, {"untitled:closed", workspace.Diagnostic{}}}
	at := b.at("return 1")
	engine := &knows{broken: []local.NextEdit{{Path: "main.go", Edit: edits.Edit{Span: edits.Span{Start: at - 1, End: at}, New: "7"}, Title: "first"}, {Path: "main.go", Edit: edits.Edit{Span: edits.Span{Start: at - 1, End: at}, New: "8"}, Title: "second"}}}
	n.Local = engine
	next, ok := n.inLine(t.Context(), snap, NextEditRequest{Place: Place{URI: b.uri}}, d, list)
	if !ok || next.Title != "first" || next.Line != 3 || fmt.Sprint(engine.lines) != fmt.Sprint([]local.Lines{{Path: "main.go", First: 3, Last: 4}}) {
		t.Errorf("%+v, %v, asked about %v", next, ok, engine.lines)
	}
	next.ID = "n1"
	d.next.offer(next)
	d.next.reject("n1")
	if next, ok := n.inLine(t.Context(), snap, NextEditRequest{Place: Place{URI: b.uri}}, d, list); !ok || next.Title != "second" {
		t.Errorf("after a rejection: %+v, %v", next, ok)
	}
	n.Local = nil
	if next, ok := n.inLine(t.Context(), snap, NextEditRequest{Place: Place{URI: b.uri}}, d, list); ok {
		t.Errorf("without an engine: %+v", next)
	}
}

// TestAllPlacesAsOne: the title and the reason of a proposal of all places, and how many there
// must be.
func TestAllPlacesAsOne(t *testing.T) {
	b := newBench(t, lanes{}, source, map[string]string{"b.go": "package main\n"})
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
		{local.AllNextEdits{Title: "Rename a", Left: 1, Edits: []local.NextEdit{{Path: "main.go", Edit: insert(9, "b")}, {Path: "main.go", Edit: insert(0, "a")}}}, 1, "Rename a: 2 places, 1 left to you||1"},
	} {
		b.engine.Editor.Local = &knows{all: c.all}
		got := "none"
		if p, err := b.engine.NextEdits.NextEverywhere(t.Context(), b.session.Snapshot(), Place{URI: b.uri}, c.least); err == nil {
			got = fmt.Sprintf("%s|%s|%d", p.Title, p.From.Reason, len(p.Files))
		}
		if got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	b.engine.Editor.Local = nil
	if _, err := b.engine.NextEdits.NextEverywhere(t.Context(), b.session.Snapshot(), Place{URI: b.uri}, 1); err == nil {
		t.Error("without an engine there are places")
	}
}

// says is a built-in engine with one answer, or none.
type says struct {
	Local
	answer string
}

func (s says) Answer(context.Context, local.Corpus, string) (string, bool) {
	return s.answer, s.answer != ""
}

// TestWhoAnswersAQuestion: the model, with its figures; without one the index, or an error that
// one is needed.
func TestWhoAnswersAQuestion(t *testing.T) {
	for _, c := range []struct {
		models lanes
		local  Local
		want   string
	}{
		{lanes{model.Fast: replies("see ", "main.go:1")}, says{answer: "index"}, "see main.go:1|fake|fast|main.go 1|see ;main.go:1"}, {lanes{}, says{answer: "in main.go:3"}, "in main.go:3|built-in|local|main.go 3|in main.go:3"},
		{lanes{}, says{}, "needs_model"}, {lanes{}, nil, "needs_model"},
	} {
		b := newBench(t, c.models, source, nil)
		b.engine.Asker.Local = c.local
		var pieces []string
		got := ""
		answer, err := b.engine.Asker.Ask(t.Context(), b.session.Snapshot(), AskRequest{Place: Place{URI: b.uri}, Question: "where?", Lane: model.Fast, Piece: func(p string) { pieces = append(pieces, p) }})
		if err != nil {
			got = codeOf(err)
		} else {
			got = fmt.Sprintf("%s|%s|%s|%s %d|%s", answer.Text, answer.From.Model, answer.From.Lane, answer.Citations[0].Path, answer.Citations[0].Line, strings.Join(pieces, ";"))
		}
		if got != c.want || answer.Interrupted || (err == nil) != (answer.From.Reason != "") {
			t.Errorf("%s, want %s: %+v", got, c.want, answer)
		}
	}
}

// suggests is a built-in engine with texts for every place.
type suggests struct {
	Local
	texts []string
}

func (s suggests) Suggest(context.Context, local.Corpus, *model.Fill, int, local.Certainty) []string {
	return s.texts
}

// TestReasonOfTheBuiltInEngine: where it has nothing to suggest, the answer and the status say why.
func TestReasonOfTheBuiltInEngine(t *testing.T) {
	for _, c := range []struct {
		engine Local
		reason string
		want   string
	}{
		{suggests{}, "", "0 The built-in engine has seen nothing like this line often enough. The built-in engine has seen nothing like this line often enough."}, {suggests{}, "offline", "0 offline offline"}, {suggests{texts: []string{"compute(1)"}}, "offline", "1 offline "}, {nil, "offline", "0 offline "},
	} {
		b := newBench(t, lanes{}, program, nil)
		b.engine.Completer.Local = c.engine
		snap := b.session.Snapshot()
		o, _ := snap.Overlay(b.uri)
		got := b.engine.Completer.fallback(t.Context(), snap, o, CompleteRequest{Place: Place{URI: b.uri, Offset: b.at("x := ")}}, b.engine.Completer.open.of(o).inline, c.reason)
		if text := fmt.Sprintf("%d %s %s", len(got.Items), got.Reason, b.engine.Status(snap).Reason); text != c.want {
			t.Errorf("%q, want %q", text, c.want)
		}
	}
}
