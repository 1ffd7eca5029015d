package assist

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"tandem/edits"
	"tandem/model"
	"tandem/model/format"
	"tandem/workspace"
	"tandem/workspace/names"
	"tandem/workspace/redact"
	"tandem/workspace/run"
)

// TestDocumentsThatAreBusy: a request in flight of either kind makes a document busy.
func TestDocumentsThatAreBusy(t *testing.T) {
	for _, c := range []struct{ inline, older, menu, want bool }{{false, false, false, false}, {true, false, false, true}, {false, true, false, true}, {false, false, true, true}} {
		b := newBench(t, lanes{}, program, nil)
		d := b.engine.Completer.open.at(workspace.Key(b.uri))
		for _, one := range []struct {
			is bool
			at **inflight
		}{{c.inline, &d.inline.inflight}, {c.older, &d.inline.older}, {c.menu, &d.menu.inflight}} {
			if one.is {
				*one.at = newInflight(0, 1, func() {})
			}
		}
		if got := b.engine.core.status(b.session.Snapshot()).Busy; got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestTypingPaysForPrompts: a prompt that typing sent is taken from the allowance, one that the
// user asked for is not.
func TestTypingPaysForPrompts(t *testing.T) {
	for _, invoked := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, lanes{model.Fast: replies("compute(1)")}, program, nil)
			b.engine.core.Preferences = func(string) Preferences { return Preferences{Enabled: true, Automatic: true, TokensPerKey: 100} }
			b.engine.Completer.timing.allowance.typed(0, 100)
			full := b.engine.Completer.timing.allowance.left
			if _, err := b.engine.Completer.Complete(t.Context(), b.session.Snapshot(), CompleteRequest{Place: Place{URI: b.uri, Offset: b.at("x := ")}, Invoked: invoked}); err != nil {
				t.Fatal(err)
			}
			if left := b.engine.Completer.timing.allowance.left; full != savedCharacters*100 || (left == full) != invoked {
				t.Errorf("invoked %v: %v of %v is left", invoked, left, full)
			}
		})
	}
}

// TestSuggestionOnScreen: a report is about one suggestion, and those on screen come first.
func TestSuggestionOnScreen(t *testing.T) {
	d := inlineOf("x")
	one, other := suggested("one", "a", 1, "fast"), suggested("other", "b", 1, "fast")
	d.live = []*suggestion{one, other}
	d.show("one")
	d.show("neither")
	if !one.shown || other.shown {
		t.Errorf("%v, %v", one.shown, other.shown)
	}
	if got := idsOf(&inlineDoc{live: toFront([]*suggestion{other, one, other, one}, func(s *suggestion) bool { return s.shown })}); !slices.Equal(got, []string{"one", "one", "other", "other"}) {
		t.Errorf("%q", got)
	}
}

// TestOldProposalsAreForgotten: the oldest that can no longer be accepted, and no more than there
// are too many.
func TestOldProposalsAreForgotten(t *testing.T) {
	s := newProposals("", func(*Proposal) {})
	live := s.open(Proposal{State: Ready}).ID
	var ended []string
	for range maxProposals + 1 {
		ended = append(ended, s.open(Proposal{State: Rejected}).ID)
	}
	if len(s.order) != maxProposals || len(s.byID) != maxProposals || s.order[0] != live {
		t.Errorf("%d and %d are kept, first %s", len(s.order), len(s.byID), s.order[0])
	}
	for i, id := range ended {
		if _, err := s.get(id); (err != nil) != (i < 2) {
			t.Errorf("%d: %v", i, err)
		}
	}
	s.revive(ended[0])
	if len(s.byID) != maxProposals {
		t.Error("a forgotten proposal takes an answer")
	}
}

// TestEditInTheBackground: an edit that is begun or steered streams to its watcher, at the model's
// own temperature, and names the text of its document.
func TestEditInTheBackground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := replies(makes22[:9], makes22[9:])
		b := newBench(t, lanes{model.Fast: fast}, source, nil)
		var got []string
		watch := func(p Progress) {
			got = append(got, fmt.Sprint(p.State, " ", p.Append, " ", p.Done, " ", p.Lane))
			if p.URI != b.uri || p.Reason == "" || p.ID == "" {
				t.Errorf("%+v", p)
			}
		}
		p, err := b.engine.Editor.Begin(b.session.Snapshot(), EditRequest{URI: b.uri, Span: b.selection("return 2"), Instruction: "return 22", Watch: watch})
		if err != nil { // the answer may be there already
			t.Fatal(err)
		}
		synctest.Wait()
		want := []string{"streaming " + makes22[:9] + " false fast", "streaming " + makes22[9:] + " false fast", "checking  true fast"}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		if p, err := b.engine.Editor.Get(p.ID); err != nil || p.State != Ready || p.Files[0].Version != 1 || p.Documents[0] != b.uri || len(b.engine.Editor.Live(b.uri)) != 1 {
			t.Errorf("%+v, %v", p, err)
		}
		got = nil
		if err := b.engine.Editor.Steer(b.session.Snapshot(), p.ID, "again", watch); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if !slices.Equal(got, want) {
			t.Errorf("steered: %q, want %q", got, want)
		}
		for i, req := range fast.requests() {
			if req.Temperature != nil {
				t.Errorf("request %d has the temperature %v", i, *req.Temperature)
			}
		}
		if err := b.engine.Editor.Steer(b.session.Snapshot(), "p9", "again", watch); err == nil {
			t.Error("a proposal that there is not is steered")
		}
	})
}

// likely knows the fixes that it is given for a name that is unknown.
type likely struct{ fixes []names.Fix }

func (likely) Imports(edits.FileChange) []edits.Edit { return nil }
func (likely) Check(files []edits.FileChange) ([]edits.Finding, []string) {
	for _, f := range files {
		if len(f.Edits) == 1 && strings.Contains(f.Edits[0].New, "fmtt") {
			return []edits.Finding{{Name: "fmtt", Message: "there is no fmtt"}}, nil
		}
	}
	return nil, nil
}
func (l likely) Fixes(edits.FileChange, edits.Finding) []names.Fix { return l.fixes }

// TestTheOneFix: an error is fixed where one likely fix of one edit is about it.
func TestTheOneFix(t *testing.T) {
	b := newBench(t, lanes{}, "package main\n\nvar x = fmtt.Sprint()\n", nil)
	n, snap := b.engine.NextEdits, b.session.Snapshot()
	at := b.selection("fmtt")
	good := names.Fix{Title: "fmt", Likely: true, Edits: []edits.Edit{{Span: at, New: "fmt"}}}
	unlikely, two := good, good
	unlikely.Likely = false
	two.Edits = []edits.Edit{insert(0, "x"), good.Edits[0]}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name    string
		ctx     context.Context
		uri     string
		span    edits.Span
		message string
		fixes   []names.Fix
		want    bool
	}{
		{"good", t.Context(), b.uri, at, "fmtt is odd", []names.Fix{good}, true},
		{"cancelled", over, b.uri, at, "fmtt is odd", []names.Fix{good}, false},
		{"closed", t.Context(), b.uri + "x", at, "fmtt is odd", []names.Fix{good}, false},
		{"outside", t.Context(), b.uri, edits.Span{Start: 1, End: 999}, "fmtt is odd", []names.Fix{good}, false},
		{"of another name", t.Context(), b.uri, at, "x is odd", []names.Fix{good}, false},
		{"unlikely", t.Context(), b.uri, at, "fmtt is odd", []names.Fix{unlikely}, false},
		{"one likely", t.Context(), b.uri, at, "fmtt is odd", []names.Fix{unlikely, good}, true},
		{"two", t.Context(), b.uri, at, "fmtt is odd", []names.Fix{good, good}, false},
		{"of two edits", t.Context(), b.uri, at, "fmtt is odd", []names.Fix{two}, false},
		{"none", t.Context(), b.uri, at, "fmtt is odd", nil, false},
	} {
		n.Names = func(*workspace.Snapshot) edits.Names { return likely{c.fixes} }
		next, ok := n.fixOf(c.ctx, snap, causedError{c.uri, workspace.Diagnostic{Span: c.span, Message: c.message}})
		if ok != c.want || ok && (next.Line != 2 || next.Edit != good.Edits[0] || next.Title != "fmt" || next.URI != b.uri || next.Version != 1 || next.From.Reason != "your last edit caused: fmtt is odd") {
			t.Errorf("%s: %+v, %v", c.name, next, ok)
		}
	}
}

// TestRegionBeforeTheLastChange: what a model for next edits is shown as the region before it.
func TestRegionBeforeTheLastChange(t *testing.T) {
	b := newBench(t, lanes{}, source, nil)
	at := b.selection("return 1")
	b.edit(at.Start, at.End, "return 100")
	text := b.text()
	for _, c := range []struct {
		start, end int
		want       string
	}{
		{0, len(text), source}, {at.Start - 1, at.Start + len("return 100\n"), "\treturn 1\n"}, {at.Start + len("return 10"), len(text), ""}, {0, at.Start + 2, ""},
	} {
		r := &nextRegion{in: format.Input{}, span: edits.Span{Start: c.start, End: c.end}, text: text, window: &workspace.Window{Secrets: &redact.Redactor{}}}
		if got := r.previous(b.session.Snapshot(), b.uri); got != c.want {
			t.Errorf("%d to %d: %q, want %q", c.start, c.end, got, c.want)
		}
		if got := r.previous(b.session.Snapshot(), b.uri+"x"); got != "" {
			t.Errorf("of another document: %q", got)
		}
	}
}

// TestWhereNothingCanBeCommitted: which repository a commit message is about.
func TestWhereNothingCanBeCommitted(t *testing.T) {
	b := newBench(t, lanes{}, source, nil)
	group := run.NewGroup(t.Context(), func(*run.Panic) {})
	t.Cleanup(group.Close)
	empty, err := workspace.Open(t.Context(), workspace.Options{Trusted: true, ClientWatches: true, Group: group})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = empty.Close() })
	for _, c := range []struct {
		snap *workspace.Snapshot
		uri  string
		want string
	}{
		{b.session.Snapshot(), b.uri, b.root + " is in no git repository; nothing can be committed there."}, {b.session.Snapshot(), "untitled:x", b.root + " is in no git repository; nothing can be committed there."},
		{empty.Snapshot(), b.uri, "No folder is open, so there is no repository; open one and ask again."},
	} {
		if _, err := stagedAround(t.Context(), c.snap, c.uri); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %q", c.uri, err, c.want)
		}
	}
}

// TestWhichEditsSpread: an accepted next edit of the built-in engine counts for its change.
func TestWhichEditsSpread(t *testing.T) {
	b := newBench(t, lanes{}, source, nil)
	d := b.engine.NextEdits.open.at(workspace.Key(b.uri))
	for i, c := range []struct {
		next   NextEdit
		spread []bool
	}{
		{NextEdit{From: edits.Provenance{Lane: BuiltIn}, Change: "a"}, []bool{false, true, false}}, {NextEdit{From: edits.Provenance{Lane: "fast"}, Change: "b"}, []bool{false, false}},
		{NextEdit{From: edits.Provenance{Lane: BuiltIn}}, []bool{false, false}}, {NextEdit{From: edits.Provenance{Lane: BuiltIn}, Change: "c", Jump: "there"}, []bool{false, false}},
	} {
		c.next.ID, c.next.URI, c.next.Edit = fmt.Sprint("n", i), b.uri, insert(i, "x")
		d.next.offer(c.next)
		counts := c.spread[len(c.spread)-1] != c.spread[1]
		for n, want := range c.spread {
			if at, got := b.engine.NextEdits.Spreads(c.next.ID); got != want || counts && (at != Place{URI: b.uri, Offset: i}) {
				t.Errorf("%+v, time %d: %v, %+v", c.next, n, got, at)
			}
		}
	}
	if _, got := b.engine.NextEdits.Spreads("n9"); got {
		t.Error("an edit that was not offered spreads")
	}
}

// TestWhyAPhaseEnds: the end of a task goes before a message to it.
func TestWhyAPhaseEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	phase, end := context.WithCancelCause(ctx)
	end(errSteered)
	if err := causeOf(ctx, phase); !errors.Is(err, errSteered) {
		t.Errorf("by a message: %v", err)
	}
	cancel()
	if err := causeOf(ctx, phase); !errors.Is(err, context.Canceled) {
		t.Errorf("by its end: %v", err)
	}
}
