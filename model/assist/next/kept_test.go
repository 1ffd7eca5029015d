package next

import (
	"context"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/model/assist/assisttest"
	"tandem/model/format"
	"tandem/workspace"
	"tandem/workspace/names"
	"tandem/workspace/redact"
	"tandem/workspace/window"
)

// likely knows the fixes that it is given for a name that is unknown.
func likely(fixes []names.Fix) assisttest.Names {
	return assisttest.Names{
		Wrong: func(_, inserted string) []edits.Finding {
			switch {
			case strings.Contains(inserted, "wrong"):
				return []edits.Finding{{Severity: "error", Message: "there is no wrong"}}
			case strings.Contains(inserted, "fmtt"):
				return []edits.Finding{{Name: "fmtt", Message: "there is no fmtt"}}
			}
			return nil
		},
		Fixed: func(edits.Finding) []names.Fix { return fixes },
	}
}

// TestTheOneFix: an error is fixed where one likely fix of one edit is about it.
func TestTheOneFix(t *testing.T) {
	b := newBench(t, lanes{}, "package main\n\nvar x = fmtt.Sprint()\n", nil)
	n, snap := b.engine.NextEdits, b.Session.Snapshot()
	at := b.Selection("fmtt")
	good := names.Fix{Title: "fmt", Likely: true, Edits: []edits.Edit{{Span: at, New: "fmt"}}}
	unlikely, two := good, good
	unlikely.Likely = false
	wrong := good
	wrong.Edits = []edits.Edit{{Span: at, New: "wrong"}}
	two.Edits = []edits.Edit{assisttest.Insert(0, "x"), good.Edits[0]}
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
		{"good", t.Context(), b.URI, at, "fmtt is odd", []names.Fix{good}, true},
		{"cancelled", over, b.URI, at, "fmtt is odd", []names.Fix{good}, false},
		{"closed", t.Context(), b.URI + "x", at, "fmtt is odd", []names.Fix{good}, false},
		{"outside", t.Context(), b.URI, edits.Span{Start: 1, End: 999}, "fmtt is odd", []names.Fix{good}, false},
		{"of another name", t.Context(), b.URI, at, "x is odd", []names.Fix{good}, false},
		{"unlikely", t.Context(), b.URI, at, "fmtt is odd", []names.Fix{unlikely}, false},
		{"one likely", t.Context(), b.URI, at, "fmtt is odd", []names.Fix{unlikely, good}, true},
		{"two", t.Context(), b.URI, at, "fmtt is odd", []names.Fix{good, good}, false},
		{"of two edits", t.Context(), b.URI, at, "fmtt is odd", []names.Fix{two}, false},
		{"none", t.Context(), b.URI, at, "fmtt is odd", nil, false},
		{"one that fails", t.Context(), b.URI, at, "fmtt is odd", []names.Fix{wrong}, false},
	} {
		n.editor.Judge = assisttest.Judging(likely(c.fixes))
		next, ok := n.fixOf(c.ctx, snap, causedError{uri: c.uri, error: workspace.Diagnostic{Span: c.span, Message: c.message}})
		if ok != c.want || ok && (next.Line != 2 || next.Edit != good.Edits[0] || next.Title != "fmt" || next.URI != b.URI || next.Version != 1 || next.From.Reason != "your last edit caused: fmtt is odd") {
			t.Errorf("%s: %+v, %v", c.name, next, ok)
		}
	}
}

// TestRegionBeforeTheLastChange: what a model for next edits is shown as the region before it.
func TestRegionBeforeTheLastChange(t *testing.T) {
	b := newBench(t, lanes{}, assisttest.Source, nil)
	at := b.Selection("return 1")
	b.Edit(at.Start, at.End, "return 100")
	text := b.Text()
	for _, c := range []struct {
		start, end int
		want       string
	}{
		{0, len(text), assisttest.Source}, {at.Start - 1, at.Start + len("return 100\n"), "\treturn 1\n"}, {at.Start + len("return 10"), len(text), ""}, {0, at.Start + 2, ""},
	} {
		r := &nextRegion{in: format.Input{}, span: edits.Span{Start: c.start, End: c.end}, text: text, window: &window.Window{Secrets: &redact.Redactor{}}}
		if got := r.previous(b.Session.Snapshot(), b.URI); got.String() != c.want {
			t.Errorf("%d to %d: %q, want %q", c.start, c.end, got, c.want)
		}
		if got := r.previous(b.Session.Snapshot(), b.URI+"x"); got.String() != "" {
			t.Errorf("of another document: %q", got)
		}
	}
}
