package assist

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"tandem/edits"
	"tandem/model"
	"tandem/model/accept"
	"tandem/model/local"
	"tandem/workspace"
	"tandem/workspace/state"
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
		out = append(out, t.ID)
	}
	return out
}

// document is an open document with a text.
func documentOf(text string) *workspace.Overlay {
	return &workspace.Overlay{URI: "untitled:a", Language: "go", Version: 1, Text: edits.NewText(text)}
}

// inlineOf is the state of a document with a text.
func inlineOf(text string) *inlineDoc {
	d := newInlineDoc()
	d.begin(documentOf(text))
	return d
}

// TestSharedRequests: who may join a request that runs, and whether its answer and what was
// typed agree.
func TestSharedRequests(t *testing.T) {
	for _, c := range []struct {
		name        string
		text, typed string
		sent        bool
		stopped     bool
		cursor, n   int
		atOnce      bool
		want        string // joinable, undecided, begun
	}{
		{"it waits for a pause", "", "", false, false, 10, 1, false, "j"},
		{"and nobody waits for that who asks", "", "", false, false, 10, 1, true, ""},
		{"it was sent", "", "", true, false, 10, 1, true, "j"},
		{"for as many as are wanted", "", "", true, false, 10, 2, true, "j"},
		{"for fewer", "", "", true, false, 10, 3, false, ""},
		{"elsewhere", "", "", true, false, 11, 1, false, ""},
		{"stopped", "", "", true, true, 10, 1, false, ""},
		{"its answer is what was typed", "ab", "ab", true, false, 10, 1, false, "j"},
		{"its answer goes on", "abc", "ab", true, false, 10, 1, false, "jb"},
		{"it goes on elsewhere", "abc", "ab", true, false, 11, 1, false, ""},
		{"it went on, and was stopped", "abc", "ab", true, true, 10, 1, false, ""},
		{"more was typed than it has", "a", "ab", true, false, 10, 1, false, "u"},
		{"more, elsewhere", "a", "ab", true, false, 11, 1, false, ""},
		{"more, but it was stopped", "a", "ab", true, true, 10, 1, false, ""},
		{"more, but it was not sent", "a", "ab", false, false, 10, 1, false, ""},
	} {
		f := newInflight(10, 2, func() {})
		f.text, f.typed, f.sent, f.stopped = c.text, c.typed, c.sent, c.stopped
		got := ""
		for mark, yes := range map[string]bool{"j": f.joinable(c.cursor, c.n, c.atOnce)} {
			if yes {
				got += mark
			}
		}
		if f.undecided(c.cursor) {
			got += "u"
		}
		if f.begun(c.cursor) {
			got += "b"
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	for _, c := range []struct {
		text       string
		start, end int
		new        string
		want       string // typed|cursor, or over
	}{
		{"abc", 10, 10, "a", "a|11"}, {"", 10, 10, "a", "a|11"}, {"abc", 10, 10, "x", "over"}, {"abc", 9, 9, "a", "over"}, {"abc", 10, 11, "a", "over"}, {"abc", 10, 10, "abcd", "abcd|14"},
		{"(x)", 10, 10, "()", "(|11"}, {"()x", 10, 10, "()", "()|12"}, {"[x", 10, 10, "()", "over"},
	} {
		f := newInflight(10, 1, func() {})
		if f.follow(edits.Edit{Span: edits.Span{Start: c.start, End: c.end}, New: c.new}) {
			t.Errorf("%+v: one that was not sent goes on", c)
		}
		f.markSent()
		f.text = c.text
		got := "over"
		if f.follow(edits.Edit{Span: edits.Span{Start: c.start, End: c.end}, New: c.new}) {
			got = fmt.Sprintf("%s|%d", f.typed, f.cursor)
		}
		if got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
	f := newInflight(10, 1, func() {})
	f.markSent()
	if items, reason, pending := f.result(); items != nil || reason != "" || !pending || !f.isLate() {
		t.Errorf("before an answer: %v %q %v", items, reason, pending)
	}
	f.firstLine(Completion{Text: "abc", Replace: edits.Span{Start: 10, End: 10}})
	f.firstLine(Completion{Text: "other"})
	if !f.follow(edits.Edit{Span: edits.Span{Start: 10, End: 10}, New: "a"}) {
		t.Error("typing along ends it")
	}
	if items, _, pending := f.result(); len(items) != 1 || items[0].rest() != "bc" || items[0].cursor != 11 || !pending {
		t.Errorf("its first line: %v, pending %v", items, pending)
	}
	f.end([]Completion{{Text: "abc\nd", Replace: edits.Span{Start: 10, End: 10}}, {Text: "x"}, {Text: "a", Replace: edits.Span{Start: 10, End: 10}}}, "why")
	if items, reason, pending := f.result(); len(items) != 1 || items[0].rest() != "bc\nd" || reason != "why" || pending {
		t.Errorf("whole: %v %q %v", items, reason, pending)
	}
}

// TestSuggestionsOfADocument: which suggestions a document keeps, offers and drops.
func TestSuggestionsOfADocument(t *testing.T) {
	d := inlineOf("0123456789")
	var many []*suggestion
	for i := range maxLive + 2 {
		many = append(many, suggested(fmt.Sprint("s", i), fmt.Sprint("text", i), 5, "fast"))
	}
	d.keep(many, false, false)
	if got, want := strings.Join(idsOf(d), " "), "s7 s6 s5 s4 s3 s2 s1 s0"; got != want {
		t.Errorf("kept %s, want %s", got, want)
	}
	d.know(inlineQuestion{version: 1, cursor: 5}, 0, "why")
	if reason, ok := d.known(inlineQuestion{version: 1, cursor: 5}, 0); !ok || reason != "why" {
		t.Errorf("known: %q, %v", reason, ok)
	}
	if _, ok := d.known(inlineQuestion{version: 1, cursor: 5}, 2); ok || d.made(inlineQuestion{version: 1, cursor: 5}) != 1 || d.made(inlineQuestion{version: 1, cursor: 6}) != 0 {
		t.Error("one answer is known for two")
	}
	d.drop()
	if _, ok := d.known(inlineQuestion{version: 1, cursor: 5}, 0); ok || len(d.live) != 0 || d.busy() {
		t.Error("something is left after all was dropped")
	}

	for _, c := range []struct {
		name         string
		on           []*suggestion
		shown        bool
		more         *suggestion
		replace      bool
		begun        bool
		better       bool
		want, ending string
	}{
		{"the first", nil, false, suggested("m", "x", 5, "fast"), false, false, true, "m", ""},
		{"the same again", []*suggestion{suggested("g", "x", 5, BuiltIn)}, true, suggested("m", "x", 5, "fast"), true, false, false, "g", ""},
		{"a longer one", []*suggestion{suggested("g", "x", 5, BuiltIn)}, true, suggested("m", "xy", 5, "fast"), false, false, true, "g m", ""},
		{"another one", []*suggestion{suggested("g", "x", 5, BuiltIn)}, true, suggested("m", "y", 5, "fast"), false, false, false, "g m", ""},
		{"another one in place of a guess", []*suggestion{suggested("g", "x", 5, BuiltIn)}, true, suggested("m", "y", 5, "fast"), true, false, true, "m", "g replaced"},
		{"a guess in place of a guess", []*suggestion{suggested("g", "x", 5, BuiltIn)}, true, suggested("m", "y", 5, BuiltIn), true, false, false, "g m", ""},
		{"in place of a guess that was begun", []*suggestion{suggested("g", "x", 5, BuiltIn)}, true, suggested("m", "y", 5, "fast"), true, true, false, "g m", ""},
		{"in place of a model's", []*suggestion{suggested("g", "x", 5, "fast")}, true, suggested("m", "y", 5, "fast"), true, false, false, "g m", ""},
		{"beside one that is not on screen", []*suggestion{suggested("g", "x", 5, BuiltIn)}, false, suggested("m", "y", 5, "fast"), false, false, true, "g m", ""},
		{"one that was rejected", nil, false, suggested("m", "no", 5, "fast"), false, false, false, "", ""},
		{"elsewhere", []*suggestion{suggested("g", "x", 5, BuiltIn)}, true, suggested("m", "y", 6, "fast"), false, false, true, "g m", ""},
	} {
		d := inlineOf("0123456789")
		d.refused["no"] = true
		d.keep(c.on, c.shown, false)
		for _, s := range c.on {
			s.begun = c.begun
		}
		if got := d.keep([]*suggestion{c.more}, false, c.replace); got != c.better || strings.Join(idsOf(d), " ") != c.want {
			t.Errorf("%s: better %v, %v", c.name, got, idsOf(d))
		}
		ending := ""
		for _, e := range d.over {
			ending += e.of.ID + " " + e.how
		}
		if ending != c.ending || d.replaced != (c.ending != "") {
			t.Errorf("%s: ended %q", c.name, ending)
		}
	}
	d = inlineOf("0123456789")
	d.keep([]*suggestion{suggested("g", "guess", 5, BuiltIn), suggested("m", "model", 5, "fast"), suggested("l", "guess(1)", 5, BuiltIn)}, false, false)
	offered := func(n int, invoked bool) string { // as if nothing was on screen
		for _, s := range d.live {
			s.shown = false
		}
		var out []string
		for _, c := range d.cached(5, n, invoked) {
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
	if d.cached(6, 9, false) != nil {
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
	if why := d.unwanted(5, "guess"); why != "it was just rejected" || strings.Join(idsOf(d), " ") != "l" || d.over[0].how != endDismissed {
		t.Errorf("after a rejection: %q, %v", why, idsOf(d))
	}
	for i := range maxRefused {
		d.live = []*suggestion{suggested("r", fmt.Sprint("r", i), 5, "fast")}
		if i == maxRefused-1 && d.unwanted(5, "guess") == "" {
			t.Error("a rejection is forgotten too early")
		}
		d.refuse("r")
	}
	if d.unwanted(5, "guess") != "" || d.unwanted(5, "r0") == "" || len(d.refused) != maxRefused {
		t.Errorf("%d rejections are remembered", len(d.refused))
	}
	for _, c := range []struct {
		removed string
		at      int
		text    string
		want    bool
	}{{"ab", 5, "abc", true}, {"ab", 5, "ab", true}, {"ab", 6, "abc", false}, {"a", 5, "abc", false}, {"\ta\n", 5, "\ta\n", false}, {"ab", 5, "xab", false}} {
		d.removed, d.removeAt = c.removed, c.at
		if got := d.unwanted(5, c.text) != ""; got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	d = inlineOf("0123456789")
	edit := func(start, end int, text string) edits.Edit {
		return edits.Edit{Span: edits.Span{Start: start, End: end}, New: text}
	}
	for _, c := range []struct {
		list []edits.Edit
		want string
		at   int
	}{{[]edits.Edit{edit(2, 5, "x")}, "234", 3}, {[]edits.Edit{edit(2, 2, "x")}, "", 3}, {[]edits.Edit{edit(2, 5, ""), edit(2, 5, "")}, "", 3}, {[]edits.Edit{edit(2, 99, "")}, "", 3}, {[]edits.Edit{edit(2, 3, "")}, "2", 2}} {
		if d.noteRemoved(c.list); d.removed != c.want || d.removeAt != c.at {
			t.Errorf("%v removes %q at %d", c.list, d.removed, d.removeAt)
		}
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
			if got := d.mayReplace(suggested("g", "x", 0, BuiltIn)); got != c.want {
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
		menu.keep([]*suggestion{suggested("m", "x", 3, "fast")}, false, false)
		o := documentOf(c.text)
		o.Version = c.version
		if menu.suppose(o); (len(menu.live) == 1) != c.kept || menu.version != c.version || menu.text.String() != c.text {
			t.Errorf("%s: %v", c.name, idsOf(menu))
		}
	}
	for text, want := range map[string]bool{"abc": true, "abd": false, "abcd": false} {
		menu, d := inlineOf("abc"), inlineOf("ab")
		menu.keep([]*suggestion{suggested("m", "x", 3, "fast")}, false, false)
		o := documentOf(text)
		o.Version = 7
		d.adopt(menu, o)
		if (len(d.live) == 1) != want || want && d.live[0].Version != 7 || len(menu.live) != 0 {
			t.Errorf("%s: %v, left %v", text, idsOf(d), idsOf(menu))
		}
	}
}

// TestOlderRequest: the request before ends when a newer one settles, unless its answer
// continues what was typed.
func TestOlderRequest(t *testing.T) {
	for _, c := range []struct {
		name, text string
		live       *suggestion
		want       bool
	}{
		{"its answer goes on", "abc", nil, true},
		{"it has no more than what was typed", "ab", nil, false},
		{"a guess is no answer", "", suggested("g", "x", 10, BuiltIn), false},
		{"a model's is", "", suggested("m", "x", 10, "fast"), true},
	} {
		d := inlineOf("0123456789")
		if c.live != nil {
			d.live = []*suggestion{c.live}
		}
		stopped := false
		f := newInflight(10, 1, func() { stopped = true })
		f.text, f.typed, f.sent = c.text, "ab", true
		f.firstLine(Completion{Text: "abc", Replace: edits.Span{Start: 8, End: 8}})
		f.start, f.edits = 8, []edits.Edit{{Span: edits.Span{Start: 8, End: 8}, New: "ab"}}
		d.older = f
		if got := d.settle(t.Context(), 10); got != c.want || stopped == c.want || (d.older == nil) == c.want {
			t.Errorf("%s: needless %v, stopped %v", c.name, got, stopped)
		}
	}
	d := inlineOf("0123456789")
	if d.settle(t.Context(), 10) {
		t.Error("a request is needless without another")
	}
	launched := 0
	launch := func(context.Context, *inflight) { launched++ }
	first := d.join(t.Context(), t.Context(), 10, 1, false, launch)
	if d.join(t.Context(), t.Context(), 10, 1, false, launch) != first || launched != 1 {
		t.Error("the same is asked twice")
	}
	first.markSent()
	first.typed = "more"
	second := d.join(t.Context(), t.Context(), 10, 1, false, launch)
	if second == first || d.older != first || first.superseded() || launched != 2 {
		t.Error("a request that may still be right was ended")
	}
	second.markSent()
	second.typed = "more"
	if third := d.join(t.Context(), t.Context(), 10, 1, false, launch); third == second || d.older != second || !first.superseded() || second.superseded() {
		t.Error("two older requests are kept")
	}
	third := d.inflight
	if fourth := d.join(t.Context(), t.Context(), 9, 1, false, launch); fourth == third || !third.superseded() || d.older != second {
		t.Error("a request for another place goes on")
	}
	over, stop := context.WithCancel(t.Context())
	stop()
	if d.join(over, t.Context(), 3, 1, false, launch) != nil || launched != 4 {
		t.Error("a caller that has ended asks")
	}
	if d.detach(first) || !d.detach(second) || d.older != nil || !d.busy() || !d.detach(d.inflight) || d.busy() {
		t.Error("a finished request is taken for a current one, or the other way round")
	}
	d.drop()
}

// TestAllowanceOfTokens: the tokens that typing allows, that requests take, and the pause that
// follows from what is left.
func TestAllowanceOfTokens(t *testing.T) {
	const ms = time.Millisecond
	var a allowance
	if got := a.pause(75*ms, 10); got != 75*ms {
		t.Errorf("before anything was typed the pause is %v", got)
	}
	for _, c := range []struct {
		typed, taken int
		left         float64
		want         time.Duration
	}{
		{0, 0, 2000, 75 * ms}, {10, 0, 2000, 75 * ms}, {0, 1000, 1000, 75 * ms}, {0, 500, 500, 337500 * time.Microsecond}, {0, 500, 0, 600 * ms}, {0, 500, -500, 600 * ms},
		{0, 9000, -2000, 600 * ms}, {10, 0, -1900, 600 * ms}, {240, 0, 500, 337500 * time.Microsecond}, {9000, 0, 2000, 75 * ms},
	} {
		if c.typed > 0 || c.taken == 0 {
			a.typed(c.typed, 10)
		} else {
			a.take(c.taken, 10)
		}
		if got := a.pause(75*ms, 10); a.left != c.left || got != c.want {
			t.Errorf("%+v: %v left, pause %v", c, a.left, got)
		}
	}
	a.take(4000, 10)
	if a.left >= 0 {
		t.Errorf("%v left", a.left)
	}
	if a.pause(75*ms, 0) != 75*ms || a.pause(scarcePause, 10) != scarcePause || a.pause(scarcePause+1, 10) != scarcePause+1 {
		t.Error("a pause without a bound, or one that is long already, gets longer")
	}
	var taken allowance
	if taken.take(500, 10); taken.left != 1500 {
		t.Errorf("%v left after the first request", taken.left)
	}
}

// TestClassesOfText: the class of a character and of a line, and what else is counted of a
// place; a model that was trained reads them by number.
func TestClassesOfText(t *testing.T) {
	for r, want := range map[rune]int{'a': 0, '_': 0, '7': 0, 'é': 0, ' ': 1, '\t': 1, '.': 2, '(': 3, '[': 3, '{': 4, ')': 5, ']': 5, '}': 5, ',': 6, ';': 6, '=': 7, ':': 8, '"': 9, '\'': 9, '`': 9, '+': 10, utf8.RuneError: 10} {
		if got := classOf(r); got != want {
			t.Errorf("%q is of class %d, want %d", r, got, want)
		}
	}
	for typed, want := range map[string]int{"": 11, "a(": 3, "(a": 0, "é": 0} {
		if got := classOfLast(typed); got != want {
			t.Errorf("%q ends with class %d, want %d", typed, got, want)
		}
	}
	for line, want := range map[string]int{"// x {": 1, "x {": 2, "x:": 2, "f(": 2, "a,": 3, "x": 0, "": 0, "{ x": 0} {
		if got := classOfLine(line); got != want {
			t.Errorf("%q is of class %d, want %d", line, got, want)
		}
	}
	for line, want := range map[string]bool{"// x": true, "# x": true, "* x": true, "/* x": true, "-- x": true, "; x": true, "<!-- x": true, `"""x`: true, "x // y": true, "x # y": true, "x//y": false, "x#y": false, `"x"`: false, "": false} {
		if got := commented(line); got != want {
			t.Errorf("%q is a comment: %v", line, got)
		}
	}
	for line, want := range map[string]float64{"": 0, "a": 1, "a b": 0.5, "a, a.c": 2.0 / 3, "x y": 0} {
		if got := knownShare(line, "a"); got != want {
			t.Errorf("%v of %q is known, want %v", got, line, want)
		}
	}
	if got := around(edits.NewText("0123456789"), 3, 5); got != "012\x0056789" {
		t.Errorf("around it is %q", got)
	}
	if !judged([]edits.Check{{Kind: edits.CheckSyntax}, {Kind: edits.CheckNames}}) || judged([]edits.Check{{Kind: edits.CheckSyntax}}) {
		t.Error("which check looked at names")
	}
	numbers := func(text string) map[int]float64 { // | is the cursor
		before, after, _ := strings.Cut(text, "|")
		out := map[int]float64{}
		for _, n := range placeNumbers(documentOf(before+after), len(before)) {
			out[n.Index] += n.Value
		}
		return out
	}
	for _, c := range []struct {
		text  string
		index int
		want  float64
	}{
		{`x := "ab|`, numberString, 1}, {`x := "ab"|`, numberString, 0}, {"x := `ab|", numberString, 1}, {"x := `ab`|", numberString, 0}, {"a\nb|", numberDocument, math.Log1p(2) / 8},
		{"x(|", numberLast + 3, 1}, {"|", numberLast + 11, 1}, {"f() {\n|", numberAbove + 2, 1}, {"f() {\nx|", numberAbove + 2, 1}, {"f() {\n|", numberRun + 2, 1}, {"f() {\nx|", numberRun + 2, 0}, {"a,\nx|", numberAbove + 3, 1},
		{"func f|", numberLead + bucket("func", 64), 1}, {"for x\ny|", numberLeadUp + bucket("for", 32), 1}, {"|", numberLanguage + bucket("go", 16), 1},
		{"/* x\ny|", numberInside, 1}, {"/* x */\ny|", numberInside, 0}, {"\"\"\"x\ny|", numberInside, 1}, {"\"\"\"x\"\"\"\ny|", numberInside, 0},
		{"total\nx total|", numberKnownUp, 0.5}, {"func f(|", numberPair + bucket("func"+string(rune('a'+3)), 64), 1},
		{"ab()\nab(|", numberSeenLine, 0}, {"abc()\nabc(|", numberSeenLine, 0}, {"x\nabc()\nabc(|", numberSeenLine, 1}, {"x\nab()\nab(|", numberSeenLine, 0},
		{"x|", numberWord, math.Log1p(1) / 3}, {"x |", numberWord, 0}, {"    |x", numberIndent, 0.125}, {"x|)", numberRest + 1, 1},
	} {
		if got := numbers(c.text)[c.index]; math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%q: number %d is %v, want %v", c.text, c.index, got, c.want)
		}
	}
	answered := func(text, suggestion string, change func(*Completion)) map[int]float64 {
		c := Completion{Text: suggestion, Replace: edits.Span{Start: len(text), End: len(text)}}
		change(&c)
		out := map[int]float64{}
		for _, n := range answerNumbers(documentOf(text), c) {
			out[n.Index] += n.Value
		}
		return out
	}
	none := func(*Completion) {}
	for _, c := range []struct {
		text, suggestion string
		change           func(*Completion)
		index            int
		want             float64
	}{
		{"abcd\n", "abcd", none, numberRepeats, 1}, {"abc\n", "abc", none, numberRepeats, 0}, {"x\n", "abcd", none, numberRepeats, 0},
		{"a\n", "a", func(c *Completion) { c.Checks = []edits.Check{{Kind: edits.CheckNames}} }, numberUnchecked, 0}, {"a\n", "a", func(c *Completion) { c.Imports = true }, numberImports, 1},
		{"", "f(", none, numberOpens, 1}, {"", "f {\r\nx", none, numberOpens, 1}, {"", "x:", none, numberOpens, 1}, {"", "x", none, numberOpens, 0}, {"", "(x", none, numberFirst + 3, 1},
		{"", "one two three four five", none, numberProse, 1}, {"", "one two three four", none, numberProse, 0}, {"", "one, two, three, four, five, six", none, numberProse, 0}, {"", "one, two, three four five", none, numberProse, 1},
	} {
		if got := answered(c.text, c.suggestion, c.change)[c.index]; math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%q in %q: number %d is %v, want %v", c.suggestion, c.text, c.index, got, c.want)
		}
	}
	list := []accept.Number{{Index: 3, Value: 0.12345}, {Index: 5, Value: 1}}
	if got := flat(list); !slices.Equal(got, []float64{3, 0.123, 5, 1}) {
		t.Errorf("kept as %v", got)
	}
	if got := numbersOf([]float64{3, 0.5, -1, 1, 4096, 1, 4095, 1, 0, 2, 7}); !slices.Equal(got, []accept.Number{{Index: 3, Value: 0.5}, {Index: 4095, Value: 1}, {Index: 0, Value: 2}}) {
		t.Errorf("read as %v", got)
	}
}

// TestLineEndsOfASuggestion: a suggestion has the line ends of its document.
func TestLineEndsOfASuggestion(t *testing.T) {
	c := &Completer{core: newCore(Deps{})}
	for _, x := range []struct {
		text, answer, want string
		end                int
	}{
		{"f |", "{\n\tx", "{\n\tx", 2}, {"f |\r\n", "{\n\tx", "{\r\n\tx", 2}, {"a\r\nf |", "{\n\tx", "{\r\n\tx", 5}, {"a\nf |", "{\n\tx", "{\n\tx", 4}, {"a\nf |\r\n", "{\n\tx", "{\r\n\tx", 4},
		{"f(|)", "x)", "x", 2}, {"f(|", "x)", "x)", 2},
	} {
		before, after, _ := strings.Cut(x.text, "|")
		got := c.completion(documentOf(before+after), len(before), x.answer)
		if got.Text != x.want || got.Replace != (edits.Span{Start: len(before), End: x.end}) || got.Version != 1 || got.URI != "untitled:a" {
			t.Errorf("%q: %q at %v", x.text, got.Text, got.Replace)
		}
	}
}

// A misspelling check knows one wrong name.
type misspelling struct{ nearest string }

func (m misspelling) Imports(edits.FileChange) []edits.Edit { return nil }
func (m misspelling) Check(list []edits.FileChange) (found []edits.Finding, unknown []string) {
	if at := strings.Index(list[0].After, "wrng"); at >= 0 {
		found = append(found, edits.Finding{Span: edits.Span{Start: at, End: at + 4}, Severity: "error", Name: "wrng", Nearest: m.nearest, Message: "There is no wrng."})
	}
	return found, nil
}

// TestVetting: a suggestion with a wrong name is repaired and checked again, or held back.
func TestVetting(t *testing.T) {
	b := newBench(t, lanes{}, program, nil)
	at := b.at("x := ")
	o, _ := b.session.Snapshot().Overlay(b.uri)
	for _, c := range []struct{ nearest, text, want, reason string }{
		{"wrong", "wrng(1)", "wrong(1)", ""}, {"", "wrng(1)", "", "The suggestion was held back: There is no wrng."}, {"wrng2", "wrng(1)", "", "The suggestion was held back: There is no wrng."},
		{"", "right(1)", "right(1)", ""}, {"", " \n", "", "The model had nothing to add here."},
	} {
		b.engine.Names = func(*workspace.Snapshot) edits.Names { return misspelling{c.nearest} }
		got := b.engine.Completer.vet(b.session.Snapshot(), o, Completion{Text: c.text, Replace: edits.Span{Start: at, End: at}})
		if got.ok != (c.want != "") || got.ok && got.completion.Text != c.want || got.reason != c.reason {
			t.Errorf("%q with %q: %v %q %q", c.text, c.nearest, got.ok, got.completion.Text, got.reason)
		}
	}
	found := []candidate{{reason: "one"}, {ok: true, completion: Completion{ID: "a", Text: "a"}}, {ok: true, completion: Completion{ID: "b", Text: "a"}}, {ok: true, completion: Completion{ID: "c", Text: "no"}}, {ok: true, completion: Completion{ID: "d", Text: "d"}}, {reason: "two"}}
	d := inlineOf("x")
	d.refused["no"] = true
	items, reason := choose(found, d, CompleteRequest{})
	if len(items) != 2 || items[0].ID != "a" || items[1].ID != "d" || reason != "" {
		t.Errorf("chosen %v, %q", items, reason)
	}
	if items, reason := choose(found[3:4], d, CompleteRequest{}); items != nil || reason != "The suggestion was held back: it was just rejected." {
		t.Errorf("chosen %v, %q", items, reason)
	}
	if items, reason := choose(found[:1], d, CompleteRequest{}); items != nil || reason != "one" {
		t.Errorf("chosen %v, %q", items, reason)
	}
}

// TestFailedRequestIsAskedAgain: what a model did not answer is asked again at the same place,
// and what it answered is not.
func TestFailedRequestIsAskedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failed := errors.New("no quota")
		fast := &script{answer: func(*model.Request) ([]string, error) { return nil, failed }}
		b := newBench(t, lanes{model.Fast: fast}, program, nil)
		at := b.at("x := ")
		for n := 1; n <= 2; n++ {
			if got := b.complete(at, plain); len(got.Items) != 0 || got.Reason != "no quota" || len(fast.requests()) != n {
				t.Errorf("time %d: %+v, %d requests", n, got, len(fast.requests()))
			}
			synctest.Wait()
		}
		failed = nil
		for range 2 {
			if got := b.complete(at, plain); len(got.Items) != 0 || got.Reason != "The model had nothing to add here." || len(fast.requests()) != 3 {
				t.Errorf("an empty answer: %+v, %d requests", got, len(fast.requests()))
			}
			synctest.Wait()
		}
	})
}

// TestTwoCandidatesAreBothAwaited: who asks for two gets the slower one too, and one who needs
// one gets the first.
func TestTwoCandidatesAreBothAwaited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for n, want := range map[int][]string{2: {"one()", "two()"}, 3: {"one()", "two()", "three()"}} {
			fast := &script{}
			fast.answer = func(req *model.Request) ([]string, error) {
				switch warm := req.Temperature; {
				case warm == nil || *warm < 0.5:
					return []string{"one()"}, nil
				case *warm < 0.7:
					time.Sleep(100 * time.Millisecond)
					return []string{"two()"}, nil
				}
				time.Sleep(200 * time.Millisecond)
				return []string{"three()"}, nil
			}
			b := newBench(t, lanes{model.Fast: fast}, program, nil)
			got, err := b.engine.Completer.Complete(t.Context(), b.session.Snapshot(), CompleteRequest{Place: Place{URI: b.uri, Offset: b.at("x := ")}, Invoked: true, N: n})
			if err != nil || !slices.Equal(texts(got), want) {
				t.Errorf("of %d: %q, %v", n, texts(got), err)
			}
		}
	})
}

// TestSureGuessForWhoDoesNotFollow: a client that does not ask again gets a nearly sure guess,
// and no model is asked in vain.
func TestSureGuessForWhoDoesNotFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := replies("compute(1)")
		b := newBench(t, lanes{model.Fast: fast}, program, nil)
		b.engine.Local = &guesses{text: "guess(2)", as: local.Sure}
		got := b.complete(b.at("x := "), plain)
		time.Sleep(time.Second)
		synctest.Wait()
		if !slices.Equal(texts(got), []string{"guess(2)"}) || got.Pending || len(fast.requests()) != 0 {
			t.Errorf("%q, pending %v, %d requests", texts(got), got.Pending, len(fast.requests()))
		}
	})
}

// TestEarlierOutcomesAreRead: an engine that keeps outcomes learns from those of earlier
// sessions, and says where it cannot.
func TestEarlierOutcomesAreRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &readOutcomes{}
		b := newBench(t, lanes{}, program, nil)
		e := New(Deps{Models: b.lanes, Group: b.engine.Group, Notify: b.recordEvent, Outcomes: store})
		synctest.Wait()
		if store.reads != 1 {
			t.Errorf("read %d times", store.reads)
		}
		store.err = errors.New("no disk")
		e.core.outcomes.remember()
		b.mu.Lock()
		defer b.mu.Unlock()
		if last := b.events[len(b.events)-1].Notice; last != "How suggestions ended cannot be read, so nothing is learned from it: no disk." {
			t.Errorf("the notice is %q", last)
		}
	})
}

// A readOutcomes counts how often it is read.
type readOutcomes struct {
	reads int
	err   error
}

func (r *readOutcomes) Add(state.Outcome) error { return nil }
func (r *readOutcomes) Read() ([]state.Outcome, error) {
	r.reads++
	return nil, r.err
}

// TestHowSuggestionsEnd: which edit ends a suggestion in which way.
func TestHowSuggestionsEnd(t *testing.T) {
	edit := func(start, end int, text string) edits.Edit {
		return edits.Edit{Span: edits.Span{Start: start, End: end}, New: text}
	}
	for _, c := range []struct {
		done int
		part bool
		e    edits.Edit
		want string
	}{
		{3, false, edit(13, 13, "x"), endTyped}, {3, true, edit(13, 13, "x"), endTyped}, {0, true, edit(10, 10, "x"), endPartly}, {0, false, edit(10, 10, "x"), endAgainst},
		{0, false, edit(10, 11, "x"), endLeft}, {0, false, edit(9, 9, "x"), endLeft},
	} {
		s := suggested("s", "abc", 10, "fast")
		s.move(c.done)
		s.part = c.part
		if got := s.howEnded(c.e); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
	for end, want := range map[string]bool{endAccepted: true, endTyped: true, endPartly: true, endDismissed: false, endAgainst: false, endLeft: false, endReplaced: false, endUnseen: false, endNothing: false} {
		if usedAs(end) != want {
			t.Errorf("%s counts as used: %v", end, !want)
		}
	}
}
