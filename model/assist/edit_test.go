package assist

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tandem/edits"
	"tandem/model"
)

const source = "package main\n\nfunc alpha() int {\n\treturn 1\n}\n\nfunc beta() int {\n\treturn 2\n}\n"

const block = "<<<<<<< SEARCH\nfunc beta() int {\n\treturn 2\n}\n=======\nfunc beta() int {\n\treturn 22\n}\n>>>>>>> REPLACE\n"

func (b *bench) selection(text string) edits.Span {
	end := b.at(text)
	return edits.Span{Start: end - len(text), End: end}
}

// take accepts a proposal and applies its edits, as an editor does.
func (b *bench) take(id string, hunk int) {
	b.t.Helper()
	list, err := b.engine.Editor.Accept(b.session.Snapshot(), id, hunk)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, d := range list {
		shift := 0
		for _, e := range d.Edits {
			b.edit(e.Start+shift, e.End+shift, e.New)
			shift += len(e.New) - e.Len()
		}
	}
}

func TestEditIsProposedAndAccepted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, lanes{model.Fast: replies(block[:20], block[20:])}, source, nil)
		p, err := b.engine.Editor.Edit(context.Background(), b.session.Snapshot(), EditRequest{URI: b.uri, Span: b.selection("return 2"), Instruction: "return 22"})
		if err != nil {
			t.Fatal(err)
		}
		if p.State != Ready || len(p.Files) != 1 || len(p.Files[0].Edits) != 1 || p.Files[0].Edits[0].New != "2" {
			t.Fatalf("%s: %+v", p.State, p.Files)
		}
		b.take(p.ID, -1)
		if want := strings.Replace(source, "return 2", "return 22", 1); b.text() != want {
			t.Errorf("text is\n%s", b.text())
		}
		if p, _ := b.engine.Editor.Get(p.ID); p.State != Accepted {
			t.Errorf("after its edits came back, the proposal is %s", p.State)
		}
	})
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
					fast.first = time.Second
				}
				b := newBench(t, lanes{model.Fast: fast}, source, nil)
				opened, err := b.engine.Editor.Begin(b.session.Snapshot(), EditRequest{URI: b.uri, Span: b.selection("return 2"), Instruction: "x"})
				if err != nil {
					t.Fatal(err)
				}
				if !late {
					synctest.Wait()
				}
				at := b.at(c.mark)
				b.edit(at, at, c.text)
				typed := b.text()
				time.Sleep(2 * time.Second)
				synctest.Wait()
				p, _ := b.engine.Editor.Get(opened.ID)
				if p.State != c.state && !(late && c.state == Stale && p.State == Failed && errors.Is(p.Err, edits.ErrStale)) {
					t.Fatalf("%s, late %v: %s (%v), want %s", c.name, late, p.State, p.Err, c.state)
				}
				if p.State == Ready {
					b.take(p.ID, -1)
					if want := strings.Replace(typed, "return 2\n", "return 22\n", 1); b.text() != want {
						t.Errorf("%s, late %v: text is\n%s", c.name, late, b.text())
					}
				}
			})
		}
	}
}

func TestRejectChangesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, lanes{model.Fast: replies(block)}, source, nil)
		p, err := b.engine.Editor.Edit(context.Background(), b.session.Snapshot(), EditRequest{URI: b.uri, Span: b.selection("return 2"), Instruction: "x"})
		if err != nil {
			t.Fatal(err)
		}
		if err := b.engine.Editor.Reject(p.ID); err != nil {
			t.Fatal(err)
		}
		if _, err := b.engine.Editor.Accept(b.session.Snapshot(), p.ID, -1); err == nil {
			t.Error("a rejected proposal could be accepted")
		}
		if b.text() != source {
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
			b := newBench(t, lanes{model.Fast: replies(c.answer)}, source, nil)
			p, err := b.engine.Editor.Edit(context.Background(), b.session.Snapshot(), EditRequest{URI: b.uri, Span: b.selection("return 2"), Instruction: "x"})
			if err == nil {
				t.Fatalf("%s: %s with %+v", c.name, p.State, p.Files)
			}
			if p.State != Failed || b.text() != source {
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
		text := strings.Replace(source, "return 1", "return len(\""+key+"\")", 1)
		fast := &script{answer: func(req *model.Request) ([]string, error) {
			shown := req.Input[len(req.Input)-1].Text
			if strings.Contains(shown, key) {
				return nil, errors.New("the key left the machine")
			}
			from := strings.Index(shown, "\treturn len(")
			line := shown[from : from+strings.IndexByte(shown[from:], '\n')]
			return []string{"<<<<<<< SEARCH\n" + line + "\n=======\n" + strings.Replace(line, "return ", "return 1 + ", 1) + "\n>>>>>>> REPLACE\n"}, nil
		}}
		b := newBench(t, lanes{model.Fast: fast}, text, nil)
		p, err := b.engine.Editor.Edit(context.Background(), b.session.Snapshot(), EditRequest{URI: b.uri, Span: b.selection("package main"), Instruction: "add one"})
		if err != nil {
			t.Fatal(err)
		}
		b.take(p.ID, -1)
		if want := strings.Replace(text, "return len", "return 1 + len", 1); b.text() != want {
			t.Errorf("text is\n%s", b.text())
		}
	})
}

func TestAlternativesAreDistinct(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := &script{answer: func(req *model.Request) ([]string, error) {
			if req.Temperature != nil && *req.Temperature > 0.7 {
				return []string{strings.Replace(block, "22", "222", 1)}, nil
			}
			return []string{block}, nil
		}}
		b := newBench(t, lanes{model.Fast: fast}, source, nil)
		p, err := b.engine.Editor.Edit(context.Background(), b.session.Snapshot(), EditRequest{URI: b.uri, Span: b.selection("return 2"), Instruction: "x", Alternatives: 2})
		if err != nil || len(p.Alternatives) != 1 {
			t.Fatalf("alternatives %v, %v", p.Alternatives, err)
		}
		other, err := b.engine.Editor.Get(p.Alternatives[0])
		if err != nil || other.State != Ready || sameResult(p, other) {
			t.Errorf("the other candidate is %+v, %v", other, err)
		}
	})
}

func TestSteerAndCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := &script{first: time.Second}
		fast.answer = func(req *model.Request) ([]string, error) {
			for _, m := range req.Input {
				if strings.Contains(m.Text, "make it 222") {
					return []string{strings.Replace(block, "22", "222", 1)}, nil
				}
			}
			return []string{block}, nil
		}
		b := newBench(t, lanes{model.Fast: fast}, source, nil)
		p, err := b.engine.Editor.Begin(b.session.Snapshot(), EditRequest{URI: b.uri, Span: b.selection("return 2"), Instruction: "x"})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(500 * time.Millisecond)
		if err := b.engine.Editor.Steer(b.session.Snapshot(), p.ID, "make it 222", nil); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		steered, _ := b.engine.Editor.Get(p.ID)
		if steered.State != Ready {
			t.Fatalf("steered: %s %v", steered.State, steered.Err)
		}
		b.take(p.ID, -1)
		if !strings.Contains(b.text(), "return 222\n") {
			t.Errorf("text is\n%s", b.text())
		}

		q, err := b.engine.Editor.Begin(b.session.Snapshot(), EditRequest{URI: b.uri, Span: b.selection("return 222"), Instruction: "x"})
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

// parsing is a parser of files whose names it knows: a text with BROKEN has an error.
type parsing struct{}

func (parsing) Errors(path, text string) ([]edits.Finding, bool) {
	if !strings.HasSuffix(path, ".go") {
		return nil, false
	}
	if strings.Contains(text, "BROKEN") {
		return []edits.Finding{{Path: path, Severity: "error", Message: "it does not parse"}}, true
	}
	return nil, true
}

// TestSyntaxIsChecked: what no longer parses is reported as an error, what did not parse
// before or has no parser as unknown.
func TestSyntaxIsChecked(t *testing.T) {
	for _, c := range []struct {
		name, path, before, after string
		ok                        bool
		unknown                   string
	}{
		{"sound", "a.go", "a", "b", true, ""},
		{"broken", "a.go", "a", "BROKEN", false, ""},
		{"broken before", "a.go", "BROKEN a", "BROKEN b", true, "did not parse before"},
		{"no parser", "a.txt", "a", "BROKEN", true, "no parser for a.txt"},
	} {
		b := newBench(t, lanes{}, source, nil)
		b.engine.Syntax = parsing{}
		got := b.engine.checkSyntax([]edits.FileChange{{Path: c.path, Before: c.before, After: c.after}, {Path: "gone.go", Before: "BROKEN", AbsentAfter: true}})
		if got.OK != c.ok || len(got.Findings) != map[bool]int{true: 0, false: 1}[c.ok] || !strings.Contains(strings.Join(got.Unknown, " "), c.unknown) || c.unknown == "" && len(got.Unknown) > 0 {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	b := newBench(t, lanes{}, source, nil)
	b.engine.Syntax = parsing{}
	if got := b.engine.checkSyntax([]edits.FileChange{{Path: "new.go", Before: "BROKEN", AbsentBefore: true, After: "BROKEN"}}); got.OK {
		t.Errorf("a new file that does not parse: %+v", got)
	}
}
