package inline

import (
	"testing"

	"pgregory.net/rapid"

	"tandem/edits"
	"tandem/model/assist/assisttest"
)

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
		{"agreeing", []edits.Edit{assisttest.Insert(10, "f"), assisttest.Insert(11, "oo")}, "(a, b)", 0},
		{"and back", []edits.Edit{assisttest.Insert(10, "foo"), remove(12, 13)}, "o(a, b)", 0},
		{"disagreeing", []edits.Edit{assisttest.Insert(10, "x")}, "", 0},
		{"elsewhere", []edits.Edit{assisttest.Insert(3, "f")}, "", 0},
		{"back beyond its start", []edits.Edit{assisttest.Insert(10, "f"), remove(9, 11)}, "", 0},
		{"auto-closed bracket", []edits.Edit{assisttest.Insert(10, "foo"), assisttest.Insert(13, "()")}, "a, b)", 1},
		{"bracket alone", []edits.Edit{assisttest.Insert(10, "foo"), assisttest.Insert(13, "(")}, "a, b)", 0},
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
		s.follow(assisttest.Insert(2, "a"))
		if got := s.reach(edits.NewText(c.text), c.cursor); got != c.want {
			t.Errorf("%q at %d: %v, want %v", c.text, c.cursor, got, c.want)
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
			e := assisttest.Insert(s.cursor, s.rest()[:min(1, len(s.rest()))])
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
