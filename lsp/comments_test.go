package lsp

import (
	"strings"
	"testing"

	"tandem/edits"
)

// TestCommentsAtAPlace: what a comment at the cursor asks for, or asks.
func TestCommentsAtAPlace(t *testing.T) {
	many := func(n int) string { return strings.Repeat("// word\n", n) }
	for _, c := range []struct{ text, want string }{ // | is the cursor
		{"// rename x| to y\ncode", "rename x to y"},
		{"# rename x\nco|de", "rename x"},
		{"# rename x\n\nco|de", ""},
		{"// one\n// t|wo\n// three\ncode", "one two three"},
		{"// one\n// two\nco|de\n", "one two"},
		{"co|de // not this one", ""},
		{"// sin|gle", ""},
		{"// ?? why th|is", ""},
		{"/* do it n|ow */", "do it now"},
		{"<!-- do it n|ow -->", "do it now"},
		{"/// do i|t", "do it"}, {"//! do i|t", "do it"}, {"-- do i|t", "do it"}, {";; do i|t", "do it"}, {"; do i|t", "do it"}, {"% do i|t", "do it"}, {" * do i|t", "do it"}, {"/** do i|t */", "do it"},
		{many(10) + "// la|st one", strings.Repeat("word ", 10) + "last one"},
		{many(11) + "// la|st one", strings.Repeat("word ", 10) + "last one"},
		{"// fir|st one\n" + many(30), "first one" + strings.Repeat(" word", 19)},
		{"|", ""},
	} {
		before, after, _ := strings.Cut(c.text, "|")
		text := edits.NewText(before + after)
		if got := instructionAt(text, edits.Span{Start: len(before), End: len(before)}); got != c.want {
			t.Errorf("%q asks for %q, want %q", c.text, got, c.want)
		}
	}
	for _, c := range []struct {
		text, question, span string
		ok                   bool
	}{
		{"// ?? why| so\ncode\n", "why so", "// ?? why so", true},
		{"a()\n// ?? why\n// so| slow\n// here\ncode", "why so slow here", "// ?? why\n// so slow\n// here", true},
		{"x = 1 // ?? wh|y one\n", "why one", "x = 1 // ?? why one", true},
		{"x = 1 #?? wh|y one\n", "why one", "x = 1 #?? why one", true},
		{"x = 1 # plain| comment\n", "", "", false},
		{"// ?? first\n// ?? sec|ond", "second", "// ?? second", true},
		{"// ?? fir|st\n// ?? second", "first", "// ?? first", true},
		{"// ??|", "", "// ??", false},
		{"// ?? why\ncode|", "", "", false},
		{"code|", "", "", false},
		{"// not|hing", "", "", false},
		{"// ?? why\n" + many(9) + "// |too far\n", "", "", false},
		{"// ?? why\n" + many(8) + "// |near\n", "why" + strings.Repeat(" word", 8) + " near", "// ?? why\n" + many(8) + "// near", true},
		{"// ?? w|hy\n" + many(20), "why" + strings.Repeat(" word", 9), "// ?? why\n" + strings.TrimSuffix(many(9), "\n"), true},
	} {
		before, after, _ := strings.Cut(c.text, "|")
		text := edits.NewText(before + after)
		question, span, ok := questionAt(text, text.LineOf(len(before)))
		if ok != c.ok || ok && (question != c.question || text.Slice(span) != c.span) {
			t.Errorf("%q asks %q at %q, %v; want %q at %q, %v", c.text, question, text.Slice(span), ok, c.question, c.span, c.ok)
		}
	}
}
