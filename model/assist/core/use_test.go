package core_test

import (
	"testing"
	"testing/synctest"
	"time"

	"tandem/edits"
	"tandem/model/assist/core"
	"tandem/workspace"
)

// TestUseAfterTenMinutes: an accepted text counts as kept by what its document has ten minutes
// later, or when the document or the session ends before.
func TestUseAfterTenMinutes(t *testing.T) {
	const accepted = "return x + 1"
	at := len("func F() {\n\t")
	with := edits.Edit{Span: edits.Span{Start: at, End: at}, New: accepted}
	remove := edits.Edit{Span: edits.Span{Start: at, End: at + len(accepted)}}
	inside := edits.Edit{Span: edits.Span{Start: at + 7, End: at + 8}, New: "y"}
	for name, c := range map[string]struct {
		before, after []edits.Edit // it is accepted, or ten minutes later
		closed, ended bool
		kept          int
	}{
		"left alone":           {kept: 1},
		"removed":              {before: []edits.Edit{remove}},
		"removed later":        {after: []edits.Edit{remove}, kept: 1},
		"changed":              {before: []edits.Edit{inside}},
		"changed and back":     {before: []edits.Edit{inside, {Span: inside.Span, New: "x"}}, kept: 1},
		"behind a new line":    {before: []edits.Edit{{New: "// F\n"}}, kept: 1},
		"continued":            {before: []edits.Edit{{Span: edits.Span{Start: at + len(accepted), End: at + len(accepted)}, New: "23"}}, kept: 1},
		"its document closed":  {closed: true, kept: 1},
		"removed, then closed": {before: []edits.Edit{remove}, closed: true},
		"the session ended":    {ended: true, kept: 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				u := core.Uses{Count: func() bool { return true }}
				text := edits.NewText("func F() {\n\t\n}\n")
				follow := func(list ...edits.Edit) {
					steps, err := workspace.Steps(text, list...)
					if err != nil {
						t.Fatal(err)
					}
					text = steps[len(steps)-1].After
					u.Changed(nil, &workspace.Overlay{URI: "file:///a.go", Text: text}, steps)
				}
				u.Shown("1", "file:///a.go", "fast", core.UseCompletion)
				u.Accepted("1", "file:///a.go", "fast", core.UseCompletion, core.At(text, with))
				follow(with)
				for _, e := range c.before {
					time.Sleep(time.Minute)
					follow(e)
				}
				kind := core.UseKind{Day: "2000-01-01", Language: "go", Lane: "fast", Feature: core.UseCompletion}
				if got := u.Take(false)[kind]; got != (core.UseCount{Shown: 1, Accepted: 1}) {
					t.Errorf("before ten minutes: %+v", got)
				}
				switch {
				case c.closed:
					u.Closed("file:///a.go")
				case !c.ended:
					time.Sleep(10 * time.Minute)
				}
				if len(c.after) > 0 {
					follow(c.after...)
				}
				if got := u.Take(c.ended)[kind]; got != (core.UseCount{Kept: c.kept}) {
					t.Errorf("kept %d, want %d", got.Kept, c.kept)
				}
			})
		})
	}
}
