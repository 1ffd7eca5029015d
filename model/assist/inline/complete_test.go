package inline

import (
	"context"
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

const program = "package main\n\nfunc main() {\n\tx := \n}\n"

func TestCompleteAnswersFromTheModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, lanes{model.Fast: replies("comp", "ute(1)\n")}, program, nil)
		got := b.complete(b.At("x := "), plain)
		if !slices.Equal(texts(got), []string{"compute(1)"}) {
			t.Errorf("got %q because %q", texts(got), got.Reason)
		}
	})
}

// TestBlocksOfATinyModel: the first line of what a tiny model writes is shown while the user
// types, and all of it to one who asks.
func TestBlocksOfATinyModel(t *testing.T) {
	for _, c := range []struct {
		model   string
		invoked bool
		want    string
	}{
		{"qwen2.5-coder-0.5b", false, "1"}, {"qwen2.5-coder-0.5b", true, "1\n\ty := 2"}, {"qwen2.5-coder-7b", false, "1\n\ty := 2"}, {"unsized", false, "1\n\ty := 2"},
	} {
		synctest.Test(t, func(t *testing.T) {
			lane := replies("1\n\ty := 2\n}\n")
			lane.Model = c.model
			b := newBench(t, lanes{model.Fast: lane}, program, nil)
			got, err := b.engine.Completer.Complete(t.Context(), b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: b.At("x := ")}, Invoked: c.invoked})
			synctest.Wait()
			if err == nil && !c.invoked { // the block may follow its first line
				got = b.complete(b.At("x := "), plain)
			}
			if err != nil || !slices.Equal(texts(got), []string{c.want}) {
				t.Errorf("%s, asked by hand %v: %q because %q, %v", c.model, c.invoked, texts(got), got.Reason, err)
			}
		})
	}
}

// TestCompleteOutsideEveryFolder: a file that was opened by itself, or was never saved, is
// the user's as any other.
func TestCompleteOutsideEveryFolder(t *testing.T) {
	for _, uri := range []string{"file:///elsewhere/main.go", "untitled:Untitled-1", "file:///elsewhere/AGENTS.md"} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, lanes{model.Fast: replies("compute(1)\n")}, program, nil)
			b.URI = uri
			b.Open(program)
			if got := b.complete(b.At("x := "), plain); !slices.Equal(texts(got), []string{"compute(1)"}) {
				t.Errorf("%s: got %q because %q", uri, texts(got), got.Reason)
			}
		})
	}
}

// TestSlowModelIsNotWaitedFor: after the wait there is an answer without the model.
// When the model's answer arrives the editor is notified, and asking again sends no
// second request.
func TestSlowModelIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := replies("compute(1)")
		slow.First = 2 * time.Second
		b := newBench(t, lanes{model.Fast: slow}, program, nil)
		start := time.Now()
		got := b.complete(b.At("x := "), follows)
		if took := time.Since(start); took != firstLineWait || len(got.Items) != 0 || !got.Pending {
			t.Errorf("after %v: %q, pending %v", took, texts(got), got.Pending)
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if b.ready() != 1 {
			t.Errorf("%d notifications that a suggestion is ready, want once", b.ready())
		}
		if got := b.complete(b.At("x := "), follows); !slices.Equal(texts(got), []string{"compute(1)"}) {
			t.Errorf("asked again: %q", texts(got))
		}
		if n := len(slow.Requests()); n != 1 {
			t.Errorf("%d requests, want 1", n)
		}
	})
}

// TestTypingThrough: what the user types of a suggestion is answered from the
// cache, and never by another request.
func TestTypingThrough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := replies("compute(1)")
		b := newBench(t, lanes{model.Fast: fast}, program, nil)
		at := b.At("x := ")
		b.complete(at, plain)
		for i, key := range "compute(" {
			b.Edit(at+i, at+i, string(key))
			time.Sleep(50 * time.Millisecond)
			want := "compute(1)"[i+1:]
			if got := b.complete(at+i+1, follows); !slices.Equal(texts(got), []string{want}) {
				t.Fatalf("after %q: %q, want %q", "compute("[:i+1], texts(got), want)
			}
		}
		if n := len(fast.Requests()); n != 1 {
			t.Errorf("%d requests, want 1", n)
		}
	})
}

// TestSteadyTypingAsksNothing: requests are sent at pauses, at every pace of typing.
func TestSteadyTypingAsksNothing(t *testing.T) {
	for _, gap := range []time.Duration{10, 50, 80} {
		synctest.Test(t, func(t *testing.T) {
			fast := replies("zzz")
			b := newBench(t, lanes{model.Fast: fast}, program, nil)
			at := b.At("x := ")
			// The first keys set the pace; after them steady typing sends no request.
			for i := range 40 {
				b.Edit(at+i, at+i, "q")
				offset := at + i + 1
				b.engine.Completer.Docs.Group.Go("key", func(context.Context) { b.complete(offset, follows) })
				time.Sleep(gap * time.Millisecond)
				if i == 5 {
					fast.Mu.Lock()
					fast.Asked = nil
					fast.Mu.Unlock()
				}
			}
			if n := len(fast.Requests()); n != 0 {
				t.Errorf("%d ms a key: %d requests while typing, want none", gap, n)
			}
			time.Sleep(time.Second)
			synctest.Wait()
			if n := len(fast.Requests()); n != 1 {
				t.Errorf("%d ms a key: %d requests at the pause, want 1", gap, n)
			}
		})
	}
}

// TestNewerRequestSupersedes: the older one is answered with nothing.
func TestNewerRequestSupersedes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := replies("value(1)")
		slow.First = time.Second
		b := newBench(t, lanes{model.Fast: slow}, program, nil)
		at := b.At("x := ")
		older := make(chan Completions, 1)
		b.engine.Completer.Docs.Group.Go("older", func(context.Context) { older <- b.complete(at, plain) })
		time.Sleep(500 * time.Millisecond)
		b.Edit(at, at, "c")
		newer := b.complete(at+1, plain)
		if got := <-older; len(got.Items) != 0 || got.Pending {
			t.Errorf("the older request got %q, pending %v", texts(got), got.Pending)
		}
		if len(newer.Items) == 0 {
			t.Errorf("the newer request got nothing: %s", newer.Reason)
		}
	})
}

// TestInflightRequestFollowsMatchingTyping: typing the text that the model streams
// keeps the request; the rest is offered at the new place.
func TestInflightRequestFollowsMatchingTyping(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := replies("com", "pute", "(1)")
		fast.Gap = 300 * time.Millisecond
		b := newBench(t, lanes{model.Fast: fast}, program, nil)
		at := b.At("x := ")
		b.engine.Completer.Docs.Group.Go("first", func(context.Context) { b.complete(at, follows) })
		time.Sleep(200 * time.Millisecond) // "com" is there
		b.Edit(at, at, "co")
		got := b.complete(at+2, plain)
		if !slices.Equal(texts(got), []string{"mpute(1)"}) || len(fast.Requests()) != 1 {
			t.Errorf("got %q after %d requests", texts(got), len(fast.Requests()))
		}
	})
}

func TestRejectedIsNotOfferedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, lanes{model.Fast: replies("compute(1)")}, program, nil)
		got := b.complete(b.At("x := "), plain)
		b.engine.Completer.Rejected(got.Items[0].ID)
		again := b.complete(b.At("x := "), plain)
		if len(again.Items) != 0 || !strings.Contains(again.Reason, "rejected") {
			t.Errorf("offered %q again, because %q", texts(again), again.Reason)
		}
	})
}

func TestSuggestionDoesNotUndoTheLastEdit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, lanes{model.Fast: replies("compute(1)")}, program, nil)
		at := b.At("x := ")
		b.Edit(at, at, "compute(1)")
		b.Edit(at, at+len("compute(1)"), "")
		got := b.complete(at, plain)
		if len(got.Items) != 0 || !strings.Contains(got.Reason, "not wanted here") {
			t.Errorf("offered %q, because %q", texts(got), got.Reason)
		}
	})
}

// TestShownTextOnlyGrows: only a text that begins with the text on screen replaces it.
func TestShownTextOnlyGrows(t *testing.T) {
	d := &inlineDoc{refusals: &core.Refusals{}}
	first := newSuggestion(Completion{ID: "a", Text: "compute(1)"}, 0)
	d.store([]*suggestion{first}, true, true)
	other := newSuggestion(Completion{ID: "b", Text: "different()"}, 0)
	if d.store([]*suggestion{other}, false, true) {
		t.Error("another text was called better than what is on screen")
	}
	longer := newSuggestion(Completion{ID: "c", Text: "compute(1)\nmore()"}, 0)
	if !d.store([]*suggestion{longer}, false, true) {
		t.Error("a text that goes on from what is on screen was not called better")
	}
	if got := d.cached(0, 1, false, false); got[0].ID != "c" {
		t.Errorf("offers %q first", got[0].Text)
	}
}

// TestAcceptedAsksAhead: what follows an accepted suggestion is requested before the
// user's next key.
func TestAcceptedAsksAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := &script{Answer: func(req *model.Request) ([]string, error) {
			if strings.HasSuffix(req.Fill.Prefix.String(), "compute(1)") {
				return []string{"\n\ty := 2"}, nil
			}
			return []string{"compute(1)"}, nil
		}}
		b := newBench(t, lanes{model.Fast: fast}, program, nil)
		at := b.At("x := ")
		item := b.complete(at, plain).Items[0]
		b.Edit(at, at, item.Text)
		b.engine.Completer.Accepted(b.Session.Snapshot(), item.ID)
		synctest.Wait()
		if n := len(fast.Requests()); n != 2 {
			t.Fatalf("%d requests after accepting, want 2", n)
		}
		if got := b.complete(b.At("compute(1)"), follows); !slices.Equal(texts(got), []string{"\n\ty := 2"}) || len(fast.Requests()) != 2 {
			t.Errorf("next: %q after %d requests", texts(got), len(fast.Requests()))
		}
	})
}

func TestSeveralCandidatesWithoutDuplicates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := &script{}
		fast.Answer = func(req *model.Request) ([]string, error) {
			if req.Temperature == nil || *req.Temperature < 0.7 {
				return []string{"one()"}, nil
			}
			return []string{"two()"}, nil
		}
		b := newBench(t, lanes{model.Fast: fast}, program, nil)
		got, err := b.engine.Completer.Complete(context.Background(), b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: b.At("x := ")}, Invoked: true, N: 3})
		if err != nil || !slices.Equal(texts(got), []string{"one()", "two()"}) {
			t.Errorf("got %q, %v", texts(got), err)
		}
	})
}

// TestSuggestionContinuesSelectedMenuItem: a suggestion continues the selected item and
// replaces what the item replaces.
func TestSuggestionContinuesSelectedMenuItem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := &script{Answer: func(req *model.Request) ([]string, error) {
			if strings.HasSuffix(req.Fill.Prefix.String(), "x := compute") {
				return []string{"(1)"}, nil
			}
			return []string{"wrong"}, nil
		}}
		b := newBench(t, lanes{model.Fast: fast}, strings.Replace(program, ":= ", ":= com", 1), nil)
		at := b.At("x := com")
		req := Request{Place: core.Place{URI: b.URI, Offset: at}, Selected: &Selected{Text: "compute"}}
		req.Selected.Span.Start, req.Selected.Span.End = at-3, at
		got, err := b.engine.Completer.Complete(context.Background(), b.Session.Snapshot(), req)
		if err != nil || !slices.Equal(texts(got), []string{"compute(1)"}) || got.Items[0].Replace != req.Selected.Span {
			t.Errorf("got %+v, %v", got.Items, err)
		}
	})
}

func TestNoSuggestionHasAReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, lanes{model.Fast: replies("x")}, program, map[string]string{".gitignore": "main.go\n"})
		if got := b.complete(b.At("x := "), follows); len(got.Items) != 0 || got.Reason == "" {
			t.Errorf("an ignored file: %q, %q", texts(got), got.Reason)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, lanes{model.Fast: replies("x")}, program, nil)
		b.engine.Completer.Snooze(time.Now().Add(time.Hour))
		if got := b.complete(b.At("x := "), follows); len(got.Items) != 0 || !strings.Contains(got.Reason, "snoozed") {
			t.Errorf("snoozed: %q, %q", texts(got), got.Reason)
		}
	})
}

// TestFirstGoodCandidateIsEnough: of several asked for at once the first that
// passes is shown, and the others are stopped.
func TestFirstGoodCandidateIsEnough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := &script{Answer: func(req *model.Request) ([]string, error) {
			if req.Temperature == nil {
				return []string{"", "", "slow()"}, nil
			}
			return []string{"quick()"}, nil
		}, Gap: time.Hour}
		b := newBench(t, lanes{model.Fast: fast}, program, nil)
		b.engine.ask(racing{b.Lanes})
		if got := b.complete(b.At("x := "), plain); !slices.Equal(texts(got), []string{"quick()"}) {
			t.Errorf("got %q because %q", texts(got), got.Reason)
		}
	})
}

// racing is lanes whose models are asked for three candidates at once.
type racing struct{ lanes }

func (r racing) ConfigFor(model.Purpose) (model.ModelConfig, bool) { return r.Config(model.Fast) }

func (r racing) Config(lane model.Lane) (model.ModelConfig, bool) {
	cfg, ok := r.lanes.Config(lane)
	cfg.Candidates = 3
	return cfg, ok
}

const importLine = "import \"strings\"\n\n"

// importing knows one rule: strings is imported before it is used.
var importing = assisttest.Names{
	Wrong: func(text, _ string) []edits.Finding {
		if strings.Contains(text, "strings.Invented") {
			return []edits.Finding{{Severity: "error", Message: "strings has no Invented."}}
		}
		if strings.Contains(text, "strings.") && !strings.Contains(text, importLine) {
			return []edits.Finding{{Severity: "error", Message: "strings is not imported."}}
		}
		return nil
	},
	Lacks: func(text string) []edits.Edit {
		at := strings.Index(text, "func main")
		return []edits.Edit{{Span: edits.Span{Start: at, End: at}, New: importLine}}
	},
}

// TestAcceptedBringsItsImport: a suggestion that lacks an import is offered, and
// accepting it adds the import.
func TestAcceptedBringsItsImport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, lanes{model.Fast: replies("strings.ToUpper(s)")}, program, nil)
		b.engine.Completer.Judge = assisttest.Judging(importing)
		at := b.At("x := ")
		got := b.complete(at, plain)
		if len(got.Items) != 1 {
			t.Fatalf("offered nothing: %s", got.Reason)
		}
		item := got.Items[0]
		b.Edit(at, at, item.Text)
		change := b.engine.Completer.Accepted(b.Session.Snapshot(), item.ID)
		if change == nil || change.Version != b.Version || len(change.Edits) != 1 || change.Edits[0].New != importLine {
			t.Fatalf("taking it brings %+v", change)
		}
		if again := b.engine.Completer.Accepted(b.Session.Snapshot(), item.ID); again != nil {
			t.Errorf("taken twice it brings %+v", again)
		}
	})
}

// TestSuggestionThatFailsWithItsImportToo is not shown.
func TestSuggestionThatFailsWithItsImportToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, lanes{model.Fast: replies("strings.Invented(s)")}, program, nil)
		b.engine.Completer.Judge = assisttest.Judging(importing)
		if got := b.complete(b.At("x := "), plain); len(got.Items) != 0 || !strings.Contains(got.Reason, "strings has no Invented") {
			t.Errorf("offered %q because %q", texts(got), got.Reason)
		}
	})
}
