package inline

import (
	"context"
	"fmt"
	"iter"
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

// guesses is a built-in engine that knows what follows, and how certain it is.
type guesses struct {
	text  string
	as    local.Certainty
	asked int
}

func (g *guesses) Suggest(_ context.Context, _ local.Corpus, _ *model.Fill, _ int, least local.Certainty) []string {
	g.asked++
	if g.as < least {
		return nil
	}
	return []string{g.text}
}

func (g *guesses) Answer(context.Context, local.Corpus, string) (string, bool) { return "", false }

func (g *guesses) NextEdits(context.Context, local.Corpus, []workspace.RecentEdit, string, int) iter.Seq[local.NextEdit] {
	return slices.Values([]local.NextEdit(nil))
}

// TestPauseCountsFromTheKey: a client that waits by itself does not wait twice, and the
// wait for the answer begins after the pause.
func TestPauseCountsFromTheKey(t *testing.T) {
	for _, c := range []struct{ gap, first, own, want time.Duration }{
		{60, 0, 0, 75}, {60, 100, 0, 175}, {126, 0, 0, 108}, {126, 400, 0, 508}, {200, 0, 0, 145}, {200, 800, 0, 945},
		{400, 0, 0, 150}, {60, 0, 50, 75}, {60, 0, 200, 200},
	} {
		synctest.Test(t, func(t *testing.T) {
			fast := replies("compute(1)")
			fast.First = c.first * time.Millisecond
			b := newBench(t, lanes{model.Fast: fast}, program, nil)
			at := b.At("x := ")
			for i := range 15 {
				time.Sleep(c.gap * time.Millisecond)
				b.Edit(at+i, at+i, "q")
			}
			key := time.Now()
			time.Sleep(c.own * time.Millisecond)
			got := b.complete(at+15, plain)
			if took := time.Since(key); took != c.want*time.Millisecond || !slices.Equal(texts(got), []string{"compute(1)"}) {
				t.Errorf("%d ms a key, first token after %d, own wait %d: %v after %v, want %d ms", c.gap, c.first, c.own, texts(got), took, c.want)
			}
		})
	}
}

// TestDebounceHasAnUpperBound: the user's, else 150 ms.
func TestDebounceHasAnUpperBound(t *testing.T) {
	var p pace
	now := time.Now()
	for range 40 {
		now = now.Add(400 * time.Millisecond)
		p.key(now)
	}
	if got := p.pause(0, 1); got != longestPause {
		t.Errorf("a slow typist waits %v, want %v", got, longestPause)
	}
	if got := p.pause(50*time.Millisecond, 1); got != 50*time.Millisecond {
		t.Errorf("with a bound of 50 ms a slow typist waits %v", got)
	}
	if got := p.pause(0, 2); got != 2*longestPause {
		t.Errorf("with a quota nearly used up: %v", got)
	}
}

// TestUsedUpAllowanceMeansALongerPause: with nothing left the pause is the longest, and typing
// shortens it again.
func TestUsedUpAllowanceMeansALongerPause(t *testing.T) {
	var a allowance
	a.typed(1, 100)
	if got := a.pause(longestPause, 100); got != longestPause {
		t.Errorf("at first: %v", got)
	}
	a.take(savedCharacters*100, 100)
	if got := a.pause(longestPause, 100); got != scarcePause {
		t.Errorf("with nothing left: %v", got)
	}
	a.typed(savedCharacters/4, 100)
	if got, want := a.pause(longestPause, 100), (longestPause+scarcePause)/2; got != want {
		t.Errorf("with a quarter: %v, want %v", got, want)
	}
	a.typed(savedCharacters/4, 100)
	if got := a.pause(longestPause, 100); got != longestPause {
		t.Errorf("with a half: %v", got)
	}
	if got := a.pause(longestPause, 0); got != longestPause {
		t.Errorf("without a bound: %v", got)
	}
	var least allowance // of one token a key
	least.take(savedCharacters, 1)
	if got := least.pause(longestPause, 1); got != scarcePause {
		t.Errorf("with nothing left of the least allowance: %v", got)
	}
}

// TestFirstLineIsTheAnswer: it is shown while further lines stream, and a client that
// follows is notified of the rest.
func TestFirstLineIsTheAnswer(t *testing.T) {
	for _, c := range []client{plain, follows} {
		synctest.Test(t, func(t *testing.T) {
			fast := replies("compute(1)\n", "\ty := 2\n", "\tz := 3\n")
			fast.Gap = 100 * time.Millisecond
			b := newBench(t, lanes{model.Fast: fast}, program, nil)
			start := time.Now()
			got := b.complete(b.At("x := "), c)
			if took := time.Since(start); took != 0 || !slices.Equal(texts(got), []string{"compute(1)"}) || !got.Pending {
				t.Errorf("%q after %v, pending %v", texts(got), took, got.Pending)
			}
			time.Sleep(time.Second)
			synctest.Wait()
			if b.ready() != 1 {
				t.Errorf("%d notifications of the rest", b.ready())
			}
			if got := b.complete(b.At("x := "), c); !slices.Equal(texts(got), []string{"compute(1)\n\ty := 2\n\tz := 3"}) {
				t.Errorf("then %q", texts(got))
			}
			if n := len(fast.Requests()); n != 1 {
				t.Errorf("%d requests", n)
			}
		})
	}
}

// TestPlainClientWaits: for the first line, at most as long as its user says.
func TestPlainClientWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := replies("compute(1)")
		slow.First = 2 * time.Second
		b := newBench(t, lanes{model.Fast: slow}, program, nil)
		start := time.Now()
		if got := b.complete(b.At("x := "), plain); time.Since(start) != 2*time.Second || len(got.Items) != 1 || b.ready() != 0 {
			t.Errorf("after %v: %q, %d notifications", time.Since(start), texts(got), b.ready())
		}
	})
	synctest.Test(t, func(t *testing.T) {
		slow := replies("compute(1)")
		slow.First = time.Hour
		b := newBench(t, lanes{model.Fast: slow}, program, nil)
		b.engine.Completer.Wanted.Preferences = func(string) core.Preferences {
			return core.Preferences{Enabled: true, Automatic: true, Timeout: 700 * time.Millisecond}
		}
		start := time.Now()
		if got := b.complete(b.At("x := "), plain); time.Since(start) != 700*time.Millisecond || len(got.Items) != 0 {
			t.Errorf("after %v: %q", time.Since(start), texts(got))
		}
	})
}

// slowGuesses is a built-in engine whose first suggestion takes a while.
type slowGuesses struct{ guesses }

func (g *slowGuesses) Suggest(ctx context.Context, _ local.Corpus, _ *model.Fill, _ int, _ local.Certainty) []string {
	if g.asked++; g.asked == 1 {
		time.Sleep(time.Second)
	}
	return nil
}

// TestLateRequestStopsNoNewerOne: a request that a newer one has replaced, and that is
// still busy with a guess, does not take the newer one's place.
func TestLateRequestStopsNoNewerOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := replies("compute(1)")
		fast.First = 2 * time.Second
		b := newBench(t, lanes{model.Fast: fast}, program, nil)
		b.engine.Completer.Local = &slowGuesses{}
		at, before := b.At("x := "), b.Session.Snapshot()
		replaced, replace := context.WithCancel(t.Context())
		go b.engine.Completer.Complete(replaced, before, Request{Place: core.Place{URI: b.URI, Offset: at}})
		synctest.Wait()
		b.Edit(at, at, "q")
		replace()
		if got := b.complete(at+1, plain); !slices.Equal(texts(got), []string{"compute(1)"}) || len(fast.Requests()) != 1 {
			t.Errorf("%q after %d requests", texts(got), len(fast.Requests()))
		}
	})
}

// TestModelBeforeTheGuess: while the model's answer is due only a nearly sure guess is
// shown; the model's text replaces it once, unless the user has begun to take it, wants it kept, or
// the model is tiny.
func TestModelBeforeTheGuess(t *testing.T) {
	keep, called := false, ""
	begin := func(t *testing.T, as local.Certainty, c client) (*bench, Completions) {
		slow := replies("compute(1)")
		slow.First, slow.Model = 300*time.Millisecond, called
		b := newBench(t, lanes{model.Fast: slow}, program, nil)
		b.engine.Completer.Local = &guesses{text: "guess(2)", as: as}
		b.engine.Completer.Wanted.Preferences = func(string) core.Preferences {
			return core.Preferences{Enabled: true, Automatic: true, KeepGuesses: keep}
		}
		return b, b.complete(b.At("x := "), c)
	}
	rest := func(b *bench) []string {
		time.Sleep(time.Second)
		synctest.Wait()
		return texts(b.complete(b.At("x := "), follows))
	}
	synctest.Test(t, func(t *testing.T) {
		b, got := begin(t, local.Likely, follows)
		if len(got.Items) != 0 || !got.Pending {
			t.Errorf("while the model is due: %q", texts(got))
		}
		if now := rest(b); !slices.Equal(now, []string{"compute(1)"}) {
			t.Errorf("then %q", now)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		b, got := begin(t, local.Sure, follows)
		if !slices.Equal(texts(got), []string{"guess(2)"}) {
			t.Errorf("a nearly sure guess: %q", texts(got))
		}
		if now := rest(b); !slices.Equal(now, []string{"compute(1)"}) || b.ready() != 1 {
			t.Errorf("then %q, %d notifications", now, b.ready())
		}
	})
	synctest.Test(t, func(t *testing.T) {
		b, _ := begin(t, local.Sure, follows)
		at := b.At("x := ")
		time.Sleep(time.Millisecond)
		b.Edit(at, at, "guess")
		time.Sleep(time.Second)
		synctest.Wait()
		if now := b.complete(at+5, follows); !slices.Equal(texts(now), []string{"(2)"}) || b.ready() != 0 {
			t.Errorf("begun, but then %q", texts(now))
		}
	})
	synctest.Test(t, func(t *testing.T) {
		b, got := begin(t, local.Sure, plain)
		if !slices.Equal(texts(got), []string{"guess(2)"}) || len(b.Lanes[model.Fast].Requests()) != 0 {
			t.Errorf("a client that cannot be told: %q, %d requests", texts(got), len(b.Lanes[model.Fast].Requests()))
		}
	})
	for _, of := range []struct {
		keep   bool
		called string
	}{{true, "a-7b"}, {false, "a-0.5b"}} {
		synctest.Test(t, func(t *testing.T) {
			keep, called = of.keep, of.called
			b, _ := begin(t, local.Sure, follows)
			if now := rest(b); !slices.Equal(now, []string{"guess(2)"}) || b.ready() != 0 {
				t.Errorf("%+v: %q", of, now)
			}
		})
	}
}

// TestInvokedShowsTheModelFirst: also where a guess is on screen.
func TestInvokedShowsTheModelFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := replies("compute(1)")
		b := newBench(t, lanes{model.Fast: fast}, program, nil)
		b.engine.Completer.Local = &guesses{text: "guess(2)", as: local.Sure}
		at := b.At("x := ")
		b.complete(at, plain)
		ask := func() Completions {
			got, err := b.engine.Completer.Complete(context.Background(), b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: at}, Invoked: true, N: 3})
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		if got := texts(ask()); !slices.Equal(got, []string{"compute(1)", "guess(2)"}) {
			t.Errorf("invoked: %q", got)
		}
		n := len(fast.Requests())
		if got := texts(ask()); !slices.Equal(got, []string{"compute(1)", "guess(2)"}) || len(fast.Requests()) != n {
			t.Errorf("invoked again: %q after %d more requests", got, len(fast.Requests())-n)
		}
	})
}

// TestFurtherCandidatesWhenAskedAgain: the first request is one prompt; the others come
// when the user asks again for the same place, and then nothing more is asked.
func TestFurtherCandidatesWhenAskedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := &script{Answer: func(req *model.Request) ([]string, error) {
			if req.Temperature == nil {
				return []string{"one()"}, nil
			}
			return []string{"two()"}, nil
		}}
		b := newBench(t, lanes{model.Fast: fast}, program, nil)
		for i, c := range []struct {
			want     []string
			requests int
		}{{[]string{"one()"}, 1}, {[]string{"one()", "two()"}, 3}, {[]string{"one()", "two()"}, 3}} {
			got, err := b.engine.Completer.Complete(t.Context(), b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: b.At("x := ")}, Invoked: true, N: 3, Gradually: true})
			if err != nil || !slices.Equal(texts(got), c.want) || len(fast.Requests()) != c.requests {
				t.Errorf("time %d: %q after %d requests, %v", i+1, texts(got), len(fast.Requests()), err)
			}
		}
	})
}

// TestSeveralCandidatesOfOnePrompt: a model that gives several answers to one prompt is
// asked once for all; one that turns out to give a single one is asked as others are, the
// next time from the beginning.
func TestSeveralCandidatesOfOnePrompt(t *testing.T) {
	for _, c := range []struct {
		name     string
		gives    int
		requests []int // so far, after each time that the user asks
	}{{"three", 3, []int{1, 1, 1}}, {"one", 1, []int{1, 3, 3}}} {
		synctest.Test(t, func(t *testing.T) {
			fast := &script{Several: c.gives, Answer: func(req *model.Request) ([]string, error) {
				if req.N > 1 || req.Temperature == nil {
					return []string{"one()", "two()", "three()"}[:min(c.gives, max(req.N, 1))], nil
				}
				return []string{fmt.Sprintf("warm%.0f()", 10**req.Temperature)}, nil
			}}
			b := newBench(t, lanes{model.Fast: fast}, program, nil)
			for i, want := range c.requests {
				got, err := b.engine.Completer.Complete(t.Context(), b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: b.At("x := ")}, Invoked: true, N: 3, Gradually: true})
				if err != nil || len(fast.Requests()) != want || got.Items[0].Text != "one()" || (c.gives == 3 || i > 0) != (len(got.Items) == 3) {
					t.Errorf("%s, time %d: %q after %d requests, %v", c.name, i+1, texts(got), len(fast.Requests()), err)
				}
			}
			b.Edit(b.At("x := "), b.At("x := "), "y")
			before := len(fast.Requests())
			if _, err := b.engine.Completer.Complete(t.Context(), b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: b.At("x := y")}, Invoked: true, N: 3, Gradually: true}); err != nil {
				t.Fatal(err)
			}
			if list := fast.Requests()[before:]; len(list) != 1 || (list[0].N > 1) != (c.gives == 3) {
				t.Errorf("%s: %d requests for the next place", c.name, len(list))
			}
		})
	}
}

// TestReplacedOnceAndNotAtAnAcceptKey: what is on screen changes once, and not within
// 150 ms of a key that accepts.
func TestReplacedOnceAndNotAtAnAcceptKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		guess := func(text string) *suggestion {
			return newSuggestion(Completion{ID: text, Text: text, From: edits.Provenance{Lane: core.BuiltIn}}, 0)
		}
		said := func(text string) []*suggestion {
			return []*suggestion{newSuggestion(Completion{ID: text, Text: text}, 0)}
		}
		d := &inlineDoc{refusals: &core.Refusals{}}
		d.store([]*suggestion{guess("guess(2)")}, true, true)
		d.taking("guess(2)")
		if d.store(said("one()"), false, true) {
			t.Error("replaced at a key that accepts")
		}
		d = &inlineDoc{refusals: &core.Refusals{}}
		d.store([]*suggestion{guess("guess(2)")}, true, true)
		time.Sleep(acceptQuiet)
		if !d.store(said("one()"), false, true) || d.cached(0, 1, false, false)[0].Text != "one()" {
			t.Error("not replaced")
		}
		if d.store(said("two()"), false, true) || d.cached(0, 1, false, false)[0].Text != "one()" {
			t.Error("what the model said was replaced by something else")
		}
	})
}

// TestAnsweredQuestionIsNotAskedAgain: nor when the answer had nothing to show.
func TestAnsweredQuestionIsNotAskedAgain(t *testing.T) {
	for _, answer := range []string{"compute(1)", "", "]]]"} {
		synctest.Test(t, func(t *testing.T) {
			fast := replies(answer)
			b := newBench(t, lanes{model.Fast: fast}, program, nil)
			for range 3 {
				b.complete(b.At("x := "), plain)
			}
			if n := len(fast.Requests()); n != 1 {
				t.Errorf("%q: %d requests", answer, n)
			}
			b.Edit(0, 0, "// x\n")
			b.complete(b.At("x := "), plain)
			if n := len(fast.Requests()); n != 2 {
				t.Errorf("%q: %d requests after a change", answer, n)
			}
		})
	}
}

// TestEmptyAnswerIsAnAnswer: providers report one as an error, and the question is not asked
// again by key, while typing or for several suggestions.
func TestEmptyAnswerIsAnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := &script{Several: 3, Answer: func(*model.Request) ([]string, error) {
			return nil, &model.Error{Code: model.CodeEmpty, Message: "Nothing."}
		}}
		b := newBench(t, lanes{model.Fast: fast}, program, nil)
		for range 2 {
			for _, invoked := range []bool{true, false} {
				got, err := b.engine.Completer.Complete(t.Context(), b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: b.At("x := ")}, Invoked: invoked, N: 3})
				if err != nil || len(got.Items) > 0 {
					t.Errorf("%q, %v", texts(got), err)
				}
				synctest.Wait()
			}
		}
		if got := fast.Requests(); len(got) != 1 || got[0].N != 3 {
			t.Errorf("%d requests", len(got))
		}
		fast.Answer = replies("one()", "two()", "three()").Answer
		b.Edit(0, 0, "// x\n")
		if got, _ := b.engine.Completer.Complete(t.Context(), b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: b.At("x := ")}, Invoked: true, N: 3}); len(got.Items) != 3 {
			t.Errorf("after an empty answer three are asked for as before: %q", texts(got))
		}
	})
}

// TestUndecidedRequestGoesOn: what the user types before the first token does not stop
// a request that is right: at the next pause its answer is there.
func TestUndecidedRequestGoesOn(t *testing.T) {
	for _, c := range []struct {
		typed    string
		requests int
	}{{"com", 1}, {"zzz", 2}} {
		synctest.Test(t, func(t *testing.T) {
			fast := &script{First: 200 * time.Millisecond}
			fast.Answer = func(req *model.Request) ([]string, error) {
				rest, _ := strings.CutPrefix("compute(1)", strings.TrimSpace(req.Fill.Prefix.String()[strings.LastIndex(req.Fill.Prefix.String(), "=")+1:]))
				return []string{rest}, nil
			}
			b := newBench(t, lanes{model.Fast: fast}, program, nil)
			at := b.At("x := ")
			b.engine.Completer.Docs.Group.Go("first", func(context.Context) { b.complete(at, plain) })
			time.Sleep(150 * time.Millisecond) // before the first token
			b.Edit(at, at, c.typed)
			got := b.complete(at+3, plain)
			if len(got.Items) != 1 || len(fast.Requests()) != c.requests {
				t.Errorf("typed %q: %q after %d requests", c.typed, texts(got), len(fast.Requests()))
			}
		})
	}
}

// TestMenuAtAnAutoClosedBracket: what continues the selected item of a completion menu
// replaces the bracket behind it that it closes itself.
func TestMenuAtAnAutoClosedBracket(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, lanes{model.Fast: replies(") == 0 {\n")}, "package main\n\nfunc main() {\n\tif len(li)\n}\n", nil)
		at := b.At("len(li")
		got, err := b.engine.Completer.Complete(t.Context(), b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: at}, Invoked: true,
			Selected: &Selected{Span: edits.Span{Start: at - 2, End: at}, Text: "list"}})
		if err != nil || len(got.Items) != 1 {
			t.Fatalf("%q because %q, %v", texts(got), got.Reason, err)
		}
		b.Edit(got.Items[0].Replace.Start, got.Items[0].Replace.End, got.Items[0].Text)
		if want := "package main\n\nfunc main() {\n\tif len(list) == 0 {\n}\n"; b.Text() != want {
			t.Errorf("made %q", b.Text())
		}
	})
}

// TestLateAnswerWithAMenu: a client that follows is notified of it for the version that
// it has, and gets it then.
func TestLateAnswerWithAMenu(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := replies("pute(1)\n")
		fast.First = time.Second
		b := newBench(t, lanes{model.Fast: fast}, program, nil)
		at := b.At("x := ")
		b.Edit(at, at, "c")
		ask := func() Completions {
			got, err := b.engine.Completer.Complete(t.Context(), b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: at + 1}, Follows: true,
				Selected: &Selected{Span: edits.Span{Start: at, End: at + 1}, Text: "com"}})
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		if got := ask(); len(got.Items) != 0 || !got.Pending {
			t.Fatalf("at once: %q, pending %v", texts(got), got.Pending)
		}
		time.Sleep(2 * time.Second)
		ready := false
		b.Mu.Lock()
		for _, e := range b.Events {
			now, ok := e.(Ready)
			ready = ready || ok && now.Version == b.Version
		}
		b.Mu.Unlock()
		if got := texts(ask()); !ready || !slices.Equal(got, []string{"compute(1)"}) {
			t.Errorf("notified for version %d: %v; then %q", b.Version, ready, got)
		}
	})
}

// TestMenuItemAccepted: what continued the selected item goes on when that item is
// accepted, also behind the bracket that stands there, and nothing is asked again.
func TestMenuItemAccepted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := replies(") == 0 {\n")
		b := newBench(t, lanes{model.Fast: fast}, "package main\n\nfunc main() {\n\tif len(li)\n}\n", nil)
		at := b.At("len(li")
		ask := func(at int, selected *Selected) Completions {
			got, err := b.engine.Completer.Complete(t.Context(), b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: at}, Selected: selected})
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		if got := ask(at, &Selected{Span: edits.Span{Start: at - 2, End: at}, Text: "list"}); len(got.Items) != 1 {
			t.Fatalf("%q because %q", texts(got), got.Reason)
		}
		asked := len(fast.Requests())
		b.Edit(at, at, "st")
		for _, at := range []int{b.At("len(list"), b.At("len(list)")} {
			got := ask(at, nil)
			if len(got.Items) != 1 || len(fast.Requests()) != asked {
				t.Fatalf("at %d: %q because %q, %d requests more", at, texts(got), got.Reason, len(fast.Requests())-asked)
			}
			after := b.Text()[:got.Items[0].Replace.Start] + got.Items[0].Text + b.Text()[got.Items[0].Replace.End:]
			if want := "package main\n\nfunc main() {\n\tif len(list) == 0 {\n}\n"; after != want {
				t.Errorf("at %d: would make %q", at, after)
			}
		}
	})
}

// TestPartsAtAnAutoClosedBracket: a suggestion that goes on behind a bracket that the
// editor has closed replaces that bracket, and can be taken in parts to its end.
func TestPartsAtAnAutoClosedBracket(t *testing.T) {
	const text = "package main\n\nfunc main() {\n\tif len(li)\n}\n"
	const want = "package main\n\nfunc main() {\n\tif len(list) == 0 {\n}\n"
	open := func(t *testing.T) (*bench, int) {
		b := newBench(t, lanes{model.Fast: replies("st) == 0 {\n")}, text, nil)
		return b, b.At("len(li")
	}
	offered := func(b *bench, at int, want string) Completion {
		b.T.Helper()
		got := b.complete(at, plain)
		if len(got.Items) != 1 || got.Items[0].Text != want {
			b.T.Fatalf("at %d: %q because %q, want %q", at, texts(got), got.Reason, want)
		}
		return got.Items[0]
	}
	end := func(b *bench, item Completion) {
		b.T.Helper()
		b.Edit(item.Replace.Start, item.Replace.End, item.Text)
		if b.Text() != want {
			b.T.Errorf("made %q", b.Text())
		}
	}
	for name, parts := range map[string]func(b *bench, at int) Completion{
		"whole": func(b *bench, at int) Completion { return offered(b, at, "st) == 0 {") },
		"a word, then the rest": func(b *bench, at int) Completion {
			offered(b, at, "st) == 0 {")
			b.Edit(at, at, "st")
			return offered(b, at+2, ") == 0 {")
		},
		"a part over the bracket": func(b *bench, at int) Completion {
			offered(b, at, "st) == 0 {")
			b.Edit(at, at, "st")
			offered(b, at+2, ") == 0 {")
			b.Edit(at+2, at+3, ") ==")
			return offered(b, at+6, " 0 {")
		},
		"the bracket typed over by moving": func(b *bench, at int) Completion {
			offered(b, at, "st) == 0 {")
			b.Edit(at, at, "st")
			return offered(b, at+3, " == 0 {")
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, at := open(t)
				end(b, parts(b, at))
				if n := len(b.Lanes[model.Fast].Requests()); n != 1 {
					t.Errorf("%d requests", n)
				}
			})
		})
	}
}

// TestMomentsOfARequest: each moment that callers wait for comes once, and all are over with the
// request, however far it came.
func TestMomentsOfARequest(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(f *inflight)
		want string // before the end
	}{
		"nothing came":     {func(*inflight) {}, ""},
		"it waits":         {func(f *inflight) { f.markPaused(); f.markPaused() }, "paused"},
		"it was sent":      {func(f *inflight) { f.markPaused(); f.markSent(); f.markSent() }, "paused"},
		"an empty piece":   {func(f *inflight) { f.markSent(); f.add("") }, "paused"},
		"it answers":       {func(f *inflight) { f.markSent(); f.add("a"); f.add("b") }, "paused begins"},
		"it has a line":    {func(f *inflight) { f.markSent(); f.add("a\n"); f.firstLine(Completion{Text: "a"}) }, "paused begins line"},
		"the line is once": {func(f *inflight) { f.add("a\n"); f.firstLine(Completion{Text: "a"}); f.firstLine(Completion{}) }, "begins line"},
	} {
		f := newInflight(0, 1, func() {})
		over := func() string {
			var out []string
			for _, m := range []struct {
				name string
				on   chan struct{}
			}{{"paused", f.on.paused}, {"begins", f.on.begins}, {"line", f.on.line}, {"done", f.on.done}} {
				select {
				case <-m.on:
					out = append(out, m.name)
				default:
				}
			}
			return strings.Join(out, " ")
		}
		c.do(f)
		if got := over(); got != c.want {
			t.Errorf("%s: over are %q, want %q", name, got, c.want)
		}
		f.end([]Completion{{Text: "whole"}}, "why")
		if got := over(); got != "paused begins line done" {
			t.Errorf("%s: at the end, over are %q", name, got)
		}
		if got := f.result(); got.pending || got.reason != "why" || len(got.items) != 1 || got.items[0].rest() != "whole" {
			t.Errorf("%s: the result is %+v", name, got)
		}
	}
}
