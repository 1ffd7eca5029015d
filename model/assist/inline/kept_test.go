package inline

import (
	"slices"
	"testing"
	"testing/synctest"

	"tandem/model"
	"tandem/model/assist/core"
	"tandem/workspace"
)

// TestDocumentsThatAreBusy: a request in flight of either kind makes a document busy.
func TestDocumentsThatAreBusy(t *testing.T) {
	for _, c := range []struct{ inline, older, menu, want bool }{{false, false, false, false}, {true, false, false, true}, {false, true, false, true}, {false, false, true, true}} {
		b := newBench(t, lanes{}, program, nil)
		d := b.engine.Completer.open.At(workspace.Key(b.URI))
		for _, one := range []struct {
			is bool
			at **inflight
		}{{c.inline, &d.inline.inflight}, {c.older, &d.inline.older}, {c.menu, &d.menu.inflight}} {
			if one.is {
				*one.at = newInflight(0, 1, func() {})
			}
		}
		if got := b.engine.Completer.Busy(); got != c.want {
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
			b.engine.Completer.Wanted.Preferences = func(string) core.Preferences {
				return core.Preferences{Enabled: true, Automatic: true, TokensPerKey: 100}
			}
			b.engine.Completer.timing.allowance.typed(0, 100)
			full := b.engine.Completer.timing.allowance.left
			if _, err := b.engine.Completer.Complete(t.Context(), b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: b.At("x := ")}, Invoked: invoked}); err != nil {
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
