package assist

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tandem/edits"
)

func insert(at int, s string) edits.Edit {
	return edits.Edit{Span: edits.Span{Start: at, End: at}, New: s}
}

func remove(start, end int) edits.Edit {
	return edits.Edit{Span: edits.Span{Start: start, End: end}}
}

func TestSuggestionFollowsTyping(t *testing.T) {
	cases := []struct {
		name  string
		edits []edits.Edit
		rest  string // "" means ended
		tail  int
	}{
		{"agreeing", []edits.Edit{insert(10, "f"), insert(11, "oo")}, "(a, b)", 0},
		{"and back", []edits.Edit{insert(10, "foo"), remove(12, 13)}, "o(a, b)", 0},
		{"disagreeing", []edits.Edit{insert(10, "x")}, "", 0},
		{"elsewhere", []edits.Edit{insert(3, "f")}, "", 0},
		{"back beyond its start", []edits.Edit{insert(10, "f"), remove(9, 11)}, "", 0},
		{"auto-closed bracket", []edits.Edit{insert(10, "foo"), insert(13, "()")}, "a, b)", 1},
		{"bracket alone", []edits.Edit{insert(10, "foo"), insert(13, "(")}, "a, b)", 0},
	}
	for _, c := range cases {
		s := newSuggestion(Completion{Text: "foo(a, b)", Replace: edits.Span{Start: 10, End: 10}}, 10)
		for _, e := range c.edits {
			s.follow(e)
		}
		if s.ended != (c.rest == "") {
			t.Errorf("%s: dead = %v", c.name, s.ended)
			continue
		}
		if got := s.offer(); !s.ended && (got.Text != c.rest || got.Replace != edits.Span{Start: s.cursor, End: s.cursor + c.tail}) {
			t.Errorf("%s: offers %q over %v, want %q and tail %d", c.name, got.Text, got.Replace, c.rest, c.tail)
		}
	}
}

// TestSuggestionEndsAtTheCursor: a cursor moved over the closing bracket that a suggestion
// ends with has reached its end; one moved beyond, or over other text, has left it.
func TestSuggestionEndsAtTheCursor(t *testing.T) {
	for _, c := range []struct {
		text   string
		cursor int
		want   bool
	}{{"f(a)", 4, true}, {"f(a)", 3, true}, {"f(a) ", 5, false}, {"f(a]", 4, false}, {"f(a", 4, false}} {
		s := newSuggestion(Completion{Text: "a)", Replace: edits.Span{Start: 2, End: 3}}, 2)
		s.follow(insert(2, "a"))
		if got := s.reach(edits.NewText(c.text), c.cursor); got != c.want {
			t.Errorf("%q at %d: %v, want %v", c.text, c.cursor, got, c.want)
		}
	}
}

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

// TestSuggestionRestCompletesTheText: however much of a suggestion is typed, accepting
// the rest makes the same text as accepting all of it at once.
func TestSuggestionRestCompletesTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := rapid.StringN(0, 8, -1).Draw(t, "before")
		after := rapid.StringN(0, 8, -1).Draw(t, "after")
		text := rapid.StringN(1, 12, -1).Draw(t, "text")
		doc, at := before+after, len(before)
		s := newSuggestion(Completion{Text: text, Replace: edits.Span{Start: at, End: at}}, at)
		for range rapid.IntRange(0, 10).Draw(t, "keys") {
			e := insert(s.cursor, s.rest()[:min(1, len(s.rest()))])
			if rapid.Bool().Draw(t, "back") && s.done > 0 {
				e = remove(s.cursor-1, s.cursor)
			}
			doc = doc[:e.Start] + e.New + doc[e.End:]
			s.follow(e)
		}
		offer := s.offer()
		if got := doc[:offer.Replace.Start] + offer.Text + doc[offer.Replace.End:]; s.ended || got != before+text+after {
			t.Fatalf("dead %v, made %q, want %q", s.ended, got, before+text+after)
		}
	})
}

// TestRepair replaces invented names, at the ends of a suggestion too, and refuses
// where a finding is not what the suggestion says.
func TestRepair(t *testing.T) {
	at := func(start, end int, name, near string) edits.Finding {
		return edits.Finding{Span: edits.Span{Start: 10 + start, End: 10 + end}, Name: name, Nearest: near}
	}
	for _, c := range []struct {
		text  string
		found []edits.Finding
		want  string // "" where it cannot be repaired
	}{
		{"a.Lst(b)", []edits.Finding{at(2, 5, "Lst", "List")}, "a.List(b)"},
		{"a.Lst", []edits.Finding{at(2, 5, "Lst", "List")}, "a.List"},
		{"Lst", []edits.Finding{at(0, 3, "Lst", "List")}, "List"},
		{"Lst(Gt)", []edits.Finding{at(0, 3, "Lst", "List"), at(4, 6, "Gt", "Get")}, "List(Get)"},
		{"a.Lst", []edits.Finding{at(2, 5, "Lst", "")}, ""},
		{"a.Lst", []edits.Finding{at(3, 6, "Lst", "List")}, ""},
		{"a.Lst", []edits.Finding{at(-1, 2, "Lst", "List")}, ""},
		{"a.Lst", []edits.Finding{at(2, 5, "Other", "List")}, ""},
	} {
		got, ok := repair(Completion{Text: c.text, Replace: edits.Span{Start: 10, End: 10}}, c.found)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%q with %+v: %q, %v, want %q", c.text, c.found, got, ok, c.want)
		}
	}
}
