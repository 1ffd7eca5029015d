package edit

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/assisttest"
)

const block = "<<<<<<< SEARCH\nfunc beta() int {\n\treturn 2\n}\n=======\nfunc beta() int {\n\treturn 22\n}\n>>>>>>> REPLACE\n"

func TestEditIsProposedAndAccepted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, lanes{model.Fast: replies(block[:20], block[20:])}, assisttest.Source, nil)
		p, err := b.engine.Editor.Edit(context.Background(), b.Session.Snapshot(), Request{URI: b.URI, Span: b.Selection("return 2"), Instruction: "return 22"})
		if err != nil {
			t.Fatal(err)
		}
		if p.State != Ready || len(p.Files) != 1 || len(p.Files[0].Edits) != 1 || p.Files[0].Edits[0].New != "2" {
			t.Fatalf("%s: %+v", p.State, p.Files)
		}
		b.take(p.ID, -1)
		if want := strings.Replace(assisttest.Source, "return 2", "return 22", 1); b.Text() != want {
			t.Errorf("text is\n%s", b.Text())
		}
		if p, _ := b.engine.Editor.Get(p.ID); p.State != Accepted {
			t.Errorf("after its edits came back, the proposal is %s", p.State)
		}
	})
}

// TestEditOfWhatTheUserNames: a file outside every folder or a protected one is changed where
// the user's own request is about it.
func TestEditOfWhatTheUserNames(t *testing.T) {
	for _, uri := range []string{"file:///elsewhere/main.go", "untitled:Untitled-1", "AGENTS.md", ".github/workflows/ci.yml"} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, lanes{model.Fast: replies(block)}, assisttest.Source, nil)
			if !strings.Contains(uri, ":") {
				uri = strings.TrimSuffix(b.URI, "main.go") + uri
			}
			b.URI = uri
			b.Open(assisttest.Source)
			p, err := b.engine.Editor.Edit(context.Background(), b.Session.Snapshot(), Request{URI: b.URI, Span: b.Selection("return 2"), Instruction: "return 22"})
			if err != nil {
				t.Fatalf("%s: %v", uri, err)
			}
			b.take(p.ID, -1)
			if want := strings.Replace(assisttest.Source, "return 2", "return 22", 1); b.Text() != want {
				t.Errorf("%s: %s\n%s", uri, p.State, b.Text())
			}
		})
	}
}

// TestPartOfACursor: a model that writes parts whole is asked for the function around the
// cursor or the problem, and for a short file where there is no function.
func TestPartOfACursor(t *testing.T) {
	function := "func beta() int {\n\treturn 22\n}\n"
	whole := strings.Replace(assisttest.Source, "return 2", "return 22", 1)
	for _, c := range []struct {
		name, uri string
		kind      model.Kind
		chosen    string
		answer    string
	}{
		{"a cursor", "", model.KindEdit, "", function},
		{"a problem", "", model.KindFix, "2", function},
		{"a file of no folder", "untitled:Untitled-1", model.KindEdit, "", whole},
	} {
		synctest.Test(t, func(t *testing.T) {
			fast := replies("```go\n" + c.answer + "```\n")
			fast.Format = "rewrite"
			b := newBench(t, lanes{model.Fast: fast}, assisttest.Source, nil)
			if c.uri != "" {
				b.URI = c.uri
				b.Open(assisttest.Source)
			}
			span := b.Selection("return 2")
			span.Start = span.End - len(c.chosen)
			p, err := b.engine.Editor.Edit(context.Background(), b.Session.Snapshot(), Request{URI: b.URI, Span: span, Kind: c.kind, Instruction: "return 22"})
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			b.take(p.ID, -1)
			if b.Text() != whole {
				t.Errorf("%s: %s\n%s", c.name, p.State, b.Text())
			}
			before := strings.TrimSuffix(strings.Replace(c.answer, "return 22", "return 2", 1), "\n")
			if prompt := assisttest.LastOf(fast.Requests()[0]); !strings.Contains(prompt, "```\n"+before+"\n```") {
				t.Errorf("%s: asked with\n%s", c.name, prompt)
			}
		})
	}
}

// TestProposalLivesThroughTyping: typing elsewhere moves it, typing the proposed text
// shortens it, typing something else there ends it, also while it is being written.
func TestProposalLivesThroughTyping(t *testing.T) {
	for _, c := range []struct {
		name       string
		mark, text string // typed after mark
		state      State
	}{
		{"elsewhere", "return 1", "111", Ready},
		{"a line above", "package main\n", "\n// note\n", Ready},
		{"the proposed text", "return 2", "2", Accepted},
		{"something else", "return 2", "7", Stale},
	} {
		for _, late := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				fast := replies(block)
				if late {
					fast.First = time.Second
				}
				b := newBench(t, lanes{model.Fast: fast}, assisttest.Source, nil)
				opened, err := b.engine.Editor.Begin(b.Session.Snapshot(), Request{URI: b.URI, Span: b.Selection("return 2"), Instruction: "x"})
				if err != nil {
					t.Fatal(err)
				}
				if !late {
					synctest.Wait()
				}
				at := b.At(c.mark)
				b.Edit(at, at, c.text)
				typed := b.Text()
				time.Sleep(2 * time.Second)
				synctest.Wait()
				p, _ := b.engine.Editor.Get(opened.ID)
				if p.State != c.state && !(late && c.state == Stale && p.State == Failed && errors.Is(p.Err, edits.ErrStale)) {
					t.Fatalf("%s, late %v: %s (%v), want %s", c.name, late, p.State, p.Err, c.state)
				}
				if p.State == Ready {
					b.take(p.ID, -1)
					if want := strings.Replace(typed, "return 2\n", "return 22\n", 1); b.Text() != want {
						t.Errorf("%s, late %v: text is\n%s", c.name, late, b.Text())
					}
				}
			})
		}
	}
}

func TestRejectChangesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, lanes{model.Fast: replies(block)}, assisttest.Source, nil)
		p, err := b.engine.Editor.Edit(context.Background(), b.Session.Snapshot(), Request{URI: b.URI, Span: b.Selection("return 2"), Instruction: "x"})
		if err != nil {
			t.Fatal(err)
		}
		if err := b.engine.Editor.Reject(p.ID); err != nil {
			t.Fatal(err)
		}
		if _, err := b.engine.Editor.Accept(t.Context(), b.Session.Snapshot(), p.ID, -1, false); err == nil {
			t.Error("a rejected proposal could be accepted")
		}
		if b.Text() != assisttest.Source {
			t.Error("rejecting changed the text")
		}
	})
}

// TestUnusableAnswers: each changes nothing and returns a sentence with the reason.
func TestUnusableAnswers(t *testing.T) {
	cases := []struct{ name, answer, want string }{
		{"cut short", block[:60], "cut"},
		{"not there", strings.Replace(block, "return 2\n", "return 3\n", 1), "nothing was changed"},
		{"twice there", "<<<<<<< SEARCH\n}\n=======\n} // end\n>>>>>>> REPLACE\n", "nothing was changed"},
		{"a protected file", "```\n.git/config\n<<<<<<< SEARCH\n=======\n[core]\n>>>>>>> REPLACE\n```\n", "nothing was changed"},
		{"outside", "```\n../other.go\n<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE\n```\n", "nothing was changed"},
		{"nothing", "  \n", "nothing"},
	}
	for _, c := range cases {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, lanes{model.Fast: replies(c.answer)}, assisttest.Source, nil)
			p, err := b.engine.Editor.Edit(context.Background(), b.Session.Snapshot(), Request{URI: b.URI, Span: b.Selection("return 2"), Instruction: "x"})
			if err == nil {
				t.Fatalf("%s: %s with %+v", c.name, p.State, p.Files)
			}
			if p.State != Failed || b.Text() != assisttest.Source {
				t.Errorf("%s: the proposal is %s", c.name, p.State)
			}
			if s := err.Error(); !strings.Contains(s, c.want) && c.name != "cut short" || strings.Contains(s, "\n\n") {
				t.Errorf("%s: message %q", c.name, s)
			}
		})
	}
}

// TestSecretsComeBack: the model sees a placeholder, the file keeps its bytes.
func TestSecretsComeBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const key = "sk-proj-Zx8Qw3Rt7Yu1Io5Pa9Sd2Fg6Hj4Kl0Zx8Cv3Bn7Mq1We5Rt9Yu2Io6P"
		text := strings.Replace(assisttest.Source, "return 1", "return len(\""+key+"\")", 1)
		fast := &script{Answer: func(req *model.Request) ([]string, error) {
			shown := req.Input[len(req.Input)-1].Text
			if strings.Contains(shown.String(), key) {
				return nil, errors.New("the key left the machine")
			}
			from := strings.Index(shown.String(), "\treturn len(")
			line := shown.String()[from : from+strings.IndexByte(shown.String()[from:], '\n')]
			return []string{"<<<<<<< SEARCH\n" + line + "\n=======\n" + strings.Replace(line, "return ", "return 1 + ", 1) + "\n>>>>>>> REPLACE\n"}, nil
		}}
		b := newBench(t, lanes{model.Fast: fast}, text, nil)
		p, err := b.engine.Editor.Edit(context.Background(), b.Session.Snapshot(), Request{URI: b.URI, Span: b.Selection("package main"), Instruction: "add one"})
		if err != nil {
			t.Fatal(err)
		}
		b.take(p.ID, -1)
		if want := strings.Replace(text, "return len", "return 1 + len", 1); b.Text() != want {
			t.Errorf("text is\n%s", b.Text())
		}
	})
}

func TestAlternativesAreDistinct(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := &script{Answer: func(req *model.Request) ([]string, error) {
			if strings.Contains(assisttest.LastOf(req), "helper of its own") {
				return []string{strings.Replace(block, "22", "222", 1)}, nil
			}
			return []string{block}, nil
		}}
		b := newBench(t, lanes{model.Fast: fast}, assisttest.Source, nil)
		p, err := b.engine.Editor.Edit(context.Background(), b.Session.Snapshot(), Request{URI: b.URI, Span: b.Selection("return 2"), Instruction: "x", Alternatives: 2})
		if err != nil || len(p.Alternatives) != 1 {
			t.Fatalf("alternatives %v, %v", p.Alternatives, err)
		}
		other, err := b.engine.Editor.Get(p.Alternatives[0])
		if err != nil || other.State != Ready || sameResult(p, other) {
			t.Errorf("the other candidate is %+v, %v", other, err)
		}
	})
}

// TestSteeredWhereItIsNow: an edit that is steered is asked about the lines that it was asked about,
// whatever was written above and in them since.
func TestSteeredWhereItIsNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := &script{}
		fast.Answer = func(*model.Request) ([]string, error) { return []string{block}, nil }
		b := newBench(t, lanes{model.Fast: fast}, assisttest.Source, nil)
		p, err := b.engine.Editor.Edit(t.Context(), b.Session.Snapshot(), Request{URI: b.URI, Span: b.Selection("return 2"), Instruction: "x"})
		if err != nil {
			t.Fatal(err)
		}
		b.Edit(0, 0, "// typed above\n")
		for _, want := range []string{"return 2", "return (2", "return (2)"} {
			if err := b.engine.Editor.Steer(b.Session.Snapshot(), p.ID, "again", false, nil); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			steered, err := b.engine.Editor.Get(p.ID)
			if err != nil {
				t.Fatal(err)
			}
			if at := steered.Request.Span; b.Text()[at.Start:at.End] != want {
				t.Errorf("asked about %q, want %q", b.Text()[at.Start:at.End], want)
			}
			if at := b.Selection("2"); want == "return 2" {
				b.Edit(at.Start, at.Start, "(")
			} else if want == "return (2" {
				b.Edit(at.Start, at.Start+1, "2)")
			}
		}
	})
}

func TestSteerAndCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := &script{First: time.Second}
		fast.Answer = func(req *model.Request) ([]string, error) {
			for _, m := range req.Input {
				if strings.Contains(m.Text.String(), "make it 222") {
					return []string{strings.Replace(block, "22", "222", 1)}, nil
				}
			}
			return []string{block}, nil
		}
		b := newBench(t, lanes{model.Fast: fast}, assisttest.Source, nil)
		p, err := b.engine.Editor.Begin(b.Session.Snapshot(), Request{URI: b.URI, Span: b.Selection("return 2"), Instruction: "x"})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(500 * time.Millisecond)
		if err := b.engine.Editor.Steer(b.Session.Snapshot(), p.ID, "make it 222", false, nil); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		steered, _ := b.engine.Editor.Get(p.ID)
		if steered.State != Ready {
			t.Fatalf("steered: %s %v", steered.State, steered.Err)
		}
		b.take(p.ID, -1)
		if !strings.Contains(b.Text(), "return 222\n") {
			t.Errorf("text is\n%s", b.Text())
		}

		q, err := b.engine.Editor.Begin(b.Session.Snapshot(), Request{URI: b.URI, Span: b.Selection("return 222"), Instruction: "x"})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(500 * time.Millisecond)
		start := time.Now()
		if err := b.engine.Editor.Cancel(q.ID); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if q, _ = b.engine.Editor.Get(q.ID); q.State != Failed || time.Since(start) > 0 {
			t.Errorf("cancelled: %s after %v", q.State, time.Since(start))
		}
	})
}
