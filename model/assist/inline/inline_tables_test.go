package inline

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
)

// suggested is a suggestion at a cursor.
func suggested(id, text string, at int, lane string) *suggestion {
	c := Completion{ID: id, Text: text, Replace: edits.Span{Start: at, End: at}}
	c.From.Lane = lane
	return newSuggestion(c, at)
}

// idsOf are the ids of live suggestions, oldest first.
func idsOf(d *inlineDoc) (out []string) {
	for _, t := range d.live {
		out = append(out, t.completion.ID)
	}
	return out
}

// inlineOf is the state of a document with a text.
func inlineOf(text string) *inlineDoc {
	d := &inlineDoc{refusals: &core.Refusals{}}
	d.begin(assisttest.DocumentOf(text))
	return d
}

// TestSuggestionsOfADocument: which suggestions a document keeps, offers and drops.
func TestSuggestionsOfADocument(t *testing.T) {
	d := inlineOf("0123456789")
	var many []*suggestion
	for i := range maxLive + 2 {
		many = append(many, suggested(fmt.Sprint("s", i), fmt.Sprint("text", i), 5, "fast"))
	}
	d.store(many, false, false)
	if got, want := strings.Join(idsOf(d), " "), "s7 s6 s5 s4 s3 s2 s1 s0"; got != want {
		t.Errorf("kept %s, want %s", got, want)
	}
	d.recordAnswered(inlineQuestion{version: 1, cursor: 5}, 0, "why")
	if reason, ok := d.answeredBefore(inlineQuestion{version: 1, cursor: 5}, 0); !ok || reason != "why" {
		t.Errorf("known: %q, %v", reason, ok)
	}
	if _, ok := d.answeredBefore(inlineQuestion{version: 1, cursor: 5}, 2); ok || d.candidates(inlineQuestion{version: 1, cursor: 5}) != 1 || d.candidates(inlineQuestion{version: 1, cursor: 6}) != 0 {
		t.Error("one answer is known for two")
	}
	d.reset()
	if _, ok := d.answeredBefore(inlineQuestion{version: 1, cursor: 5}, 0); ok || len(d.live) != 0 || d.busy() {
		t.Error("something is left after all was dropped")
	}

	for _, c := range []struct {
		name    string
		on      []*suggestion
		shown   bool
		more    *suggestion
		replace bool
		begun   bool
		better  bool
		want    string
	}{
		{"the first", nil, false, suggested("m", "x", 5, "fast"), false, false, true, "m"},
		{"the same again", []*suggestion{suggested("g", "x", 5, core.BuiltIn)}, true, suggested("m", "x", 5, "fast"), true, false, false, "g"},
		{"a longer one", []*suggestion{suggested("g", "x", 5, core.BuiltIn)}, true, suggested("m", "xy", 5, "fast"), false, false, true, "g m"},
		{"another one", []*suggestion{suggested("g", "x", 5, core.BuiltIn)}, true, suggested("m", "y", 5, "fast"), false, false, false, "g m"},
		{"another one in place of a guess", []*suggestion{suggested("g", "x", 5, core.BuiltIn)}, true, suggested("m", "y", 5, "fast"), true, false, true, "m"},
		{"a guess in place of a guess", []*suggestion{suggested("g", "x", 5, core.BuiltIn)}, true, suggested("m", "y", 5, core.BuiltIn), true, false, false, "g m"},
		{"in place of a guess that was begun", []*suggestion{suggested("g", "x", 5, core.BuiltIn)}, true, suggested("m", "y", 5, "fast"), true, true, false, "g m"},
		{"in place of a model's", []*suggestion{suggested("g", "x", 5, "fast")}, true, suggested("m", "y", 5, "fast"), true, false, false, "g m"},
		{"beside one that is not on screen", []*suggestion{suggested("g", "x", 5, core.BuiltIn)}, false, suggested("m", "y", 5, "fast"), false, false, true, "g m"},
		{"one that was rejected", nil, false, suggested("m", "no", 5, "fast"), false, false, false, ""},
		{"elsewhere", []*suggestion{suggested("g", "x", 5, core.BuiltIn)}, true, suggested("m", "y", 6, "fast"), false, false, true, "g m"},
	} {
		d := inlineOf("0123456789")
		d.refusals.Refuse(d.uri, 0, "01234no56789")
		d.store(c.on, c.shown, false)
		for _, s := range c.on {
			s.begun = c.begun
		}
		if got := d.store([]*suggestion{c.more}, false, c.replace); got != c.better || strings.Join(idsOf(d), " ") != c.want {
			t.Errorf("%s: better %v, %v", c.name, got, idsOf(d))
		}
		if gone := len(c.on) > 0 && !slices.Contains(idsOf(d), c.on[0].completion.ID); d.replaced != gone {
			t.Errorf("%s: replaced %v", c.name, d.replaced)
		}
	}
	d = inlineOf("0123456789")
	d.store([]*suggestion{suggested("g", "guess", 5, core.BuiltIn), suggested("m", "model", 5, "fast"), suggested("l", "guess(1)", 5, core.BuiltIn)}, false, false)
	offered := func(n int, invoked bool) string { // as if nothing was on screen
		for _, s := range d.live {
			s.shown = false
		}
		var out []string
		for _, c := range d.cached(5, n, invoked, false) {
			out = append(out, c.ID)
		}
		return strings.Join(out, " ")
	}
	for _, c := range []struct {
		n       int
		invoked bool
		want    string
	}{{1, false, "l"}, {2, false, "l g"}, {3, false, "l g m"}, {9, false, "l g m"}, {1, true, "m"}, {3, true, "m g l"}} {
		if got := offered(c.n, c.invoked); got != c.want {
			t.Errorf("%d offered, asked for %v: %s, want %s", c.n, c.invoked, got, c.want)
		}
	}
	if d.cached(6, 9, false, false) != nil {
		t.Error("something is offered at another place")
	}
	if len(d.live) != 3 {
		t.Fatalf("%v", idsOf(d))
	}
	if d.show("m"); !d.live[slices.Index(idsOf(d), "m")].shown {
		t.Error("what the editor shows is not on screen")
	}
	if taken, ok := d.accept("m"); !ok || taken.ID != "m" || d.accepted.at != 5 || d.accepted.text != "model" || strings.Join(idsOf(d), " ") != "l g" {
		t.Errorf("accepted: %v, left %v", ok, idsOf(d))
	}
	if _, ok := d.accept("m"); ok {
		t.Error("it is accepted twice")
	}
	for _, c := range []struct {
		text   string
		cursor int
		ok     bool
	}{{"01234model56789", 10, true}, {"01234mode", 0, false}, {"0123model456789", 0, false}, {"01234model", 10, true}} {
		d.accepted = &accepted{5, "model"}
		if cursor, ok := d.acceptedEnd(edits.NewText(c.text)); ok != c.ok || cursor != c.cursor || (d.accepted == nil) != ok {
			t.Errorf("%s: ends at %d, %v", c.text, cursor, ok)
		}
	}
	d.refuse("g")
	if why := d.unwanted(5, "guess"); why != "it was not wanted here" || strings.Join(idsOf(d), " ") != "l" {
		t.Errorf("after a rejection: %q, %v", why, idsOf(d))
	}
	if d.unwanted(5, "guesses") != "" || d.unwanted(4, "guess") != "" {
		t.Error("something else is unwanted")
	}
}

// TestTextOnScreenStays: a guess on screen is replaced once, and not just after a key that
// accepts.
func TestTextOnScreenStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			since    time.Duration
			replaced bool
			want     bool
		}{{acceptQuiet, false, true}, {acceptQuiet - 1, false, false}, {acceptQuiet, true, false}} {
			d := inlineOf("x")
			d.accepts, d.replaced = time.Now(), c.replaced
			time.Sleep(c.since)
			if got := d.mayReplace(suggested("g", "x", 0, core.BuiltIn)); got != c.want {
				t.Errorf("%+v: %v", c, got)
			}
		}
	})
}

// TestOfAMenu: what continues an item of a menu is kept for its text alone, and goes to the
// document when the item is accepted.
func TestOfAMenu(t *testing.T) {
	for _, c := range []struct {
		name, text string
		version    int32
		kept       bool
	}{{"the same", "abc", 1, true}, {"another version", "abc", 2, false}, {"another text of its length", "abd", 1, false}, {"a longer one", "abcd", 1, false}} {
		menu := inlineOf("abc")
		menu.store([]*suggestion{suggested("m", "x", 3, "fast")}, false, false)
		o := assisttest.DocumentOf(c.text)
		o.Version = c.version
		if menu.suppose(o); (len(menu.live) == 1) != c.kept || menu.version != c.version || menu.text.String() != c.text {
			t.Errorf("%s: %v", c.name, idsOf(menu))
		}
	}
	for text, want := range map[string]bool{"abc": true, "abd": false, "abcd": false} {
		menu, d := inlineOf("abc"), inlineOf("ab")
		menu.store([]*suggestion{suggested("m", "x", 3, "fast")}, false, false)
		o := assisttest.DocumentOf(text)
		o.Version = 7
		d.adopt(menu, o)
		if (len(d.live) == 1) != want || want && d.live[0].completion.Version != 7 || len(menu.live) != 0 {
			t.Errorf("%s: %v, left %v", text, idsOf(d), idsOf(menu))
		}
	}
}

// TestLineEndsOfASuggestion: a suggestion has the line ends of its document.
func TestLineEndsOfASuggestion(t *testing.T) {
	for _, x := range []struct {
		text, answer, want string
		end                int
	}{
		{"f |", "{\n\tx", "{\n\tx", 2}, {"f |\r\n", "{\n\tx", "{\r\n\tx", 2}, {"a\r\nf |", "{\n\tx", "{\r\n\tx", 5}, {"a\nf |", "{\n\tx", "{\n\tx", 4}, {"a\nf |\r\n", "{\n\tx", "{\r\n\tx", 4},
		{"f(|)", "x)", "x", 2}, {"f(|", "x)", "x)", 2},
	} {
		before, after, _ := strings.Cut(x.text, "|")
		got, err := shape(edits.NewText(before+after), len(before), x.answer, model.MostLines, edits.Style{}, nil)
		if want := (edits.Edit{Span: edits.Span{Start: len(before), End: x.end}, New: x.want}); err != nil || got != want {
			t.Errorf("%q: %v (%v), want %v", x.text, got, err, want)
		}
	}
}

// TestFirstLineBecomesTheWhole: a suggestion on screen that a longer one begins with is one with
// it; two that differ are not.
func TestFirstLineBecomesTheWhole(t *testing.T) {
	d := inlineOf("0123456789")
	short, long, other := suggested("s", "ab", 5, "fast"), suggested("l", "abc\nd", 5, "fast"), suggested("o", "xyz", 5, "fast")
	d.live = []*suggestion{other, short}
	if got := d.cached(5, 1, false, false); len(got) != 1 || got[0].Text != "ab" || !short.shown || other.shown {
		t.Fatalf("%+v", got)
	}
	short.begun = true
	d.live = append(d.live, long)
	got := d.cached(5, 3, false, false)
	if len(got) != 3 || got[0].Text != "abc\nd" || !long.shown || !long.begun || other.begun {
		t.Errorf("%+v: %+v, %+v", got, short, long)
	}
}

// TestAGuessKeepsItsPlace: what a tiny model wrote and nobody saw does not take the place of a guess
// that it begins with; a larger one's does.
func TestAGuessKeepsItsPlace(t *testing.T) {
	for holds, want := range map[bool]string{true: "ab", false: "abc"} {
		d := inlineOf("0123456789")
		guess := suggested("g", "ab", 5, core.BuiltIn)
		guess.shown = true
		d.live = []*suggestion{guess, suggested("m", "abc", 5, "fast")}
		if got := d.cached(5, 1, false, holds); len(got) != 1 || got[0].Text != want {
			t.Errorf("holds %t: %+v", holds, got)
		}
	}
}

// TestPartOfAMenuSuggestion: a part taken of what continues a menu's item counts as of any other.
func TestPartOfAMenuSuggestion(t *testing.T) {
	b := newBench(t, lanes{}, assisttest.Source, nil)
	o, _ := b.Session.Snapshot().Overlay(b.URI)
	d := b.engine.Completer.open.Of(o)
	here, menu := suggested("i", "abc", 5, "fast"), suggested("m", "abc", 5, "fast")
	d.inline.live, d.menu.live = []*suggestion{here}, []*suggestion{menu}
	b.engine.Completer.PartlyAccepted("m")
	if !menu.begun || here.begun {
		t.Errorf("%+v, %+v", menu, here)
	}
	b.engine.Completer.PartlyAccepted("i")
	if !here.begun {
		t.Errorf("%+v", here)
	}
}
