package next

import (
	"strings"
	"testing"

	"tandem/edits"
)

// TestTrimmedKeepsCharactersWhole: what an edit and the text it replaces have in common is
// left out of it, but never a part of a character.
func TestTrimmedKeepsCharactersWhole(t *testing.T) {
	for _, c := range []struct{ old, new, wantOld, want string }{
		{"abc", "axc", "b", "x"},
		{"abc", "abc", "", ""},
		{"ab", "aab", "", "a"},
		{"abc", "\xa9bc", "a", "\xa9"},               // no character at all
		{"\u00e9", "\u00e8", "\u00e9", "\u00e8"},     // the same first byte
		{"\u00e9", "\u0129", "\u00e9", "\u0129"},     // the same last byte
		{"a\u00e9b", "a\u00e8b", "\u00e9", "\u00e8"}, // and whole characters around
		{"a\u00e9b", "a\u0129b", "\u00e9", "\u0129"},
	} {
		e, old := trimmed(edits.Edit{Span: edits.Span{Start: 10, End: 10 + len(c.old)}, New: c.new}, c.old)
		if old != c.wantOld || e.New != c.want || e.Len() != len(c.wantOld) || e.Start != 10+strings.Index(c.old, c.wantOld) && c.wantOld != "" {
			t.Errorf("%q for %q is trimmed to %q for %q at %v", c.new, c.old, e.New, old, e.Span)
		}
	}
}
