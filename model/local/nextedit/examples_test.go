package nextedit

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tandem/model/local/complete"
	"tandem/model/local/localtest"
)

// TestDerivableRejectsNothing: examples that generalise with some context are derivable.
func TestDerivableRejectsNothing(t *testing.T) {
	word := rapid.SampledFrom([]string{"a", "ab", "abc", "xab", "f", "(", ")", "\"s\"", "1", ",", "\n", "if", "$", "$x", "x$"})
	words := rapid.SliceOfN(word, 1, 4)
	name := rapid.SampledFrom([]string{"a", "ab", "abc", "xab", "f"})
	rapid.Check(t, func(t *rapid.T) {
		line := func(what string) string { return strings.Join(words.Draw(t, what), " ") }
		head, was, is, tail := line("head"), line("was"), line("is"), line("tail")
		example := func(what string) []*change {
			here := strings.NewReplacer("$", name.Draw(t, what))
			return changesOf(here.Replace(head+" "+was+" "+tail+"\n"), here.Replace(head+" "+is+" "+tail+"\n"), false)
		}
		for _, a := range example("a") {
			for _, b := range example("b") {
				for far := contextTokens; far <= maxContext; far += insertionTokens {
					if _, ok := unifyWithin(a, b, contextTokens, far); ok {
						if !derivable(a, b) {
							t.Fatalf("%q to %q and %q to %q generalise", joinTokens(a.old), joinTokens(a.new), joinTokens(b.old), joinTokens(b.new))
						}
						break
					}
				}
			}
		}
	})
}

// TestDerivedFromOtherEdits: what was derived for one question does not reach the next
// one, whose edits are others, however many came between.
func TestDerivedFromOtherEdits(t *testing.T) {
	e := New(complete.New(nil))
	for i := range 2 * maxDerived {
		from, to := "old"+strings.Repeat("x", i%7), "new"+strings.Repeat("y", i%5)
		m := localtest.New(map[string]string{"a.go": "use(" + from + ")\nmore(" + from + ")\nlast(" + from + ")\n"})
		m.ReplaceLine("a.go", "use("+from+")", "use("+to+")")
		m.ReplaceLine("a.go", "more("+from+")", "more("+to+")")
		if got, want := next(m, e, "a.go"), "a.go: last("+to+")"; got != want {
			t.Fatalf("question %d: offered %q, want %q", i, got, want)
		}
	}
	if h := e.history(localtest.New(nil)); len(h.derived.changes) > maxDerived || len(h.derived.unified) > maxUnified {
		t.Errorf("%d changes and %d pairs are kept", len(h.derived.changes), len(h.derived.unified))
	}
}
