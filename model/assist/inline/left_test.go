package inline

import (
	"slices"
	"testing"
	"testing/synctest"

	"tandem/model/assist/core"
	"tandem/model/local"
)

// TestLeftGuesses: a guess that the user types over is not followed by another one on its line,
// and does not come back at the next while nothing of it is typed; by key it does.
func TestLeftGuesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, nil, program, nil)
		b.engine.Completer.Local = &guesses{text: "compute(2)", as: local.Likely}
		at := b.At("x := ")
		ask := func(want ...string) {
			t.Helper()
			if got := texts(b.complete(at, plain)); !slices.Equal(got, want) {
				t.Errorf("at %d: %q, want %q", at, got, want)
			}
		}
		typed := func(text string) {
			b.Edit(at, at, text)
			at += len(text)
		}
		ask("compute(2)")
		typed("f")
		ask()
		typed("()\n\t")
		ask("compute(2)") // with what was before it, it was another line
		typed("g()\n\t")
		ask()
		out, err := b.engine.Completer.Complete(t.Context(), b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: at}, Invoked: true})
		if err != nil || !slices.Equal(texts(out), []string{"compute(2)"}) {
			t.Errorf("by key: %q, %v", texts(out), err)
		}
	})
}

// TestSubtle: while typing there is a mark; who asks to see it gets the text, until they type
// something else.
func TestSubtle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, nil, program, nil)
		b.engine.Completer.Local = &guesses{text: "compute(2)", as: local.Likely}
		b.engine.Completer.Wanted.Preferences = func(string) core.Preferences {
			return core.Preferences{Enabled: true, Automatic: true, Subtle: true}
		}
		at := b.At("x := ")
		if got := b.complete(at, follows); !got.Marked || len(got.Items) != 0 {
			t.Errorf("while typing: %+v", got)
		}
		o, _ := b.Session.Snapshot().Overlay(b.URI)
		b.engine.Completer.Reveal(o)
		if got := b.complete(at, follows); b.ready() != 1 || got.Marked || !slices.Equal(texts(got), []string{"compute(2)"}) {
			t.Errorf("after the key: %+v, %d notifications", got, b.ready())
		}
		b.Edit(at, at, "co")
		if got := b.complete(at+2, follows); !slices.Equal(texts(got), []string{"mpute(2)"}) {
			t.Errorf("begun: %q", texts(got))
		}
		b.Edit(at+2, at+2, "\n\t")
		if got := b.complete(at+4, follows); len(got.Items) != 0 {
			t.Errorf("at the next line: %q", texts(got))
		}
	})
}
