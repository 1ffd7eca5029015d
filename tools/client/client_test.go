package client

import "testing"

func TestOffsetCountsUTF16(t *testing.T) {
	const text = "ab\né😀x\n"
	for _, c := range []struct{ line, character, want int }{
		{0, 0, 0}, {0, 1, 1}, {0, 9, 2}, {1, 1, 5}, {1, 3, 9}, {1, 4, 10}, {2, 0, 11}, {9, 0, 11},
	} {
		if got := Offset(text, Position{c.line, c.character}); got != c.want {
			t.Errorf("%d:%d is byte %d, want %d", c.line, c.character, got, c.want)
		}
	}
}

func TestPositionAtIsWhereOffsetIs(t *testing.T) {
	const text = "ab\né😀x\n"
	for at := range text { // the beginnings of characters
		if got := Offset(text, PositionAt(text, at)); got != at {
			t.Errorf("byte %d is at %v, which is byte %d", at, PositionAt(text, at), got)
		}
	}
}

func TestEditsAreAboutTheTextAsItWas(t *testing.T) {
	place := func(line, from, to int) Range { return Range{Position{line, from}, Position{line, to}} }
	got := edited("one\ntwo\n", []textEdit{{place(0, 0, 3), "1\n1"}, {place(1, 0, 3), "2"}})
	if got != "1\n1\n2\n" {
		t.Errorf("%q", got)
	}
}

func TestSuggestionsOfBothForms(t *testing.T) {
	e := &Editor{texts: map[string]string{"f": "ab"}}
	for reply, want := range map[string]string{"": "", "null": "", "[]": "", `[{"insertText":"a"}]`: "a", `{"items":[{"insertText":"a"},{"insertText":"b"}]}`: "a"} {
		s, err := e.Suggested("f", []byte(reply))
		if err != nil || (s != nil) != (want != "") || s != nil && s.Text != want {
			t.Errorf("%q: %v, %v", reply, s, err)
		}
	}
}
