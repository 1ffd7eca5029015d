package inline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/model/local"
	"tandem/workspace"
)

// TestTypingEarnsRequests: what is typed is counted in keys; what is pasted is one.
func TestTypingEarnsRequests(t *testing.T) {
	var now timing
	now.allowance.take(2000, 10)
	for _, c := range []struct {
		list []edits.Edit
		want float64
	}{{nil, 0}, {[]edits.Edit{{New: "a"}}, 10}, {[]edits.Edit{{New: "pasted"}, {New: "é"}}, 30}, {[]edits.Edit{{Span: edits.Span{End: 3}}}, 30}} {
		now.typed(c.list, 10)
		if got := now.allowance.left; got != c.want {
			t.Errorf("after %v: %v tokens, want %v", c.list, got, c.want)
		}
	}
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
	if got := f.result(); got.items != nil || got.reason != "" || !got.pending || !f.isLate() {
		t.Errorf("before an answer: %+v", got)
	}
	f.firstLine(Completion{Text: "abc", Replace: edits.Span{Start: 10, End: 10}})
	f.firstLine(Completion{Text: "other"})
	if !f.follow(edits.Edit{Span: edits.Span{Start: 10, End: 10}, New: "a"}) {
		t.Error("typing along ends it")
	}
	if got := f.result(); len(got.items) != 1 || got.items[0].rest() != "bc" || got.items[0].cursor != 11 || !got.pending {
		t.Errorf("its first line: %+v", got)
	}
	f.end([]Completion{{Text: "abc\nd", Replace: edits.Span{Start: 10, End: 10}}, {Text: "x"}, {Text: "a", Replace: edits.Span{Start: 10, End: 10}}}, "why")
	if got := f.result(); len(got.items) != 1 || got.items[0].rest() != "bc\nd" || got.reason != "why" || got.pending {
		t.Errorf("whole: %+v", got)
	}
}

// TestAnEditAsARequestEnds: what a request has made when an edit comes is kept where the edit
// types along, and not where the text is another one now, also if nobody has taken it yet.
func TestAnEditAsARequestEnds(t *testing.T) {
	for typed, want := range map[string]string{"a": "bc", "z": "", "": "abc"} {
		d := inlineOf("x := y")
		d.inflight = newInflight(5, 1, func() {})
		f := d.inflight
		f.markSent()
		f.add("abc")
		f.firstLine(Completion{Text: "abc", Replace: edits.Span{Start: 5, End: 5}})
		if typed != "" {
			e := edits.Edit{Span: edits.Span{Start: 5, End: 5}, New: typed}
			d.follow(&workspace.Overlay{Version: 2, Text: d.text.Replace(e.Span, e.New)}, []edits.Edit{e})
		}
		kept := func() string {
			return strings.Join(texts(Completions{Items: d.cached(5+len(typed), 1, false, false)}), " ")
		}
		d.finish(f, []Completion{{Text: "abc", Replace: edits.Span{Start: 5, End: 5}}}, "", false)
		if got := kept(); got != want {
			t.Errorf("typed %q: %q is kept, want %q", typed, got, want)
		}
		if d.storeResult(f, true, true); kept() != want {
			t.Errorf("typed %q: a caller that wakes later keeps %q", typed, kept())
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
		{"a guess is no answer", "", suggested("g", "x", 10, core.BuiltIn), false},
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
		if got := d.settle(t.Context(), 10, false); got != c.want || stopped == c.want || (d.older == nil) == c.want {
			t.Errorf("%s: needless %v, stopped %v", c.name, got, stopped)
		}
	}
	d := inlineOf("0123456789")
	if d.settle(t.Context(), 10, false) {
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
	current := func(f *inflight) bool { _, is := d.finish(f, nil, "", false); return is }
	if current(first) || !current(second) || d.older != nil || !d.busy() || !current(d.inflight) || d.busy() {
		t.Error("a finished request is taken for a current one, or the other way round")
	}
	d.reset()
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

// TestFailedRequestIsAskedAgain: what a model did not answer is asked again at the same place,
// and what it answered is not.
func TestFailedRequestIsAskedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failed := errors.New("no quota")
		fast := &script{Answer: func(*model.Request) ([]string, error) { return nil, failed }}
		b := newBench(t, lanes{model.Fast: fast}, program, nil)
		at := b.At("x := ")
		for n := 1; n <= 2; n++ {
			if got := b.complete(at, plain); len(got.Items) != 0 || got.Reason != "no quota" || len(fast.Requests()) != n {
				t.Errorf("time %d: %+v, %d requests", n, got, len(fast.Requests()))
			}
			synctest.Wait()
		}
		failed = nil
		for range 2 {
			if got := b.complete(at, plain); len(got.Items) != 0 || got.Reason != "The model had nothing to add here." || len(fast.Requests()) != 3 {
				t.Errorf("an empty answer: %+v, %d requests", got, len(fast.Requests()))
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
			fast.Answer = func(req *model.Request) ([]string, error) {
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
			got, err := b.engine.Completer.Complete(t.Context(), b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: b.At("x := ")}, Invoked: true, N: n})
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
		b.engine.Completer.Local = &guesses{text: "guess(2)", as: local.Sure}
		got := b.complete(b.At("x := "), plain)
		time.Sleep(time.Second)
		synctest.Wait()
		if !slices.Equal(texts(got), []string{"guess(2)"}) || got.Pending || len(fast.Requests()) != 0 {
			t.Errorf("%q, pending %v, %d requests", texts(got), got.Pending, len(fast.Requests()))
		}
	})
}
