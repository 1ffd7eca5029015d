package edit

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/prompt"
	"tandem/workspace/redact"
)

// TestAttemptsDiffer: five alternatives are five requests that say in words how each differs, and
// another attempt goes on from the answer that was not wanted.
func TestAttemptsDiffer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := replies("<<<<<<< SEARCH\n\treturn 1\n=======\n\treturn 11\n>>>>>>> REPLACE\n")
		b := newBench(t, lanes{model.Fast: fast}, assisttest.Source, nil)
		req := Request{URI: b.URI, Instruction: "make it larger", Alternatives: 4}
		if _, err := b.engine.Editor.Edit(t.Context(), b.Session.Snapshot(), req); err != nil {
			t.Fatal(err)
		}
		last := func(r *model.Request) string { return r.Input[len(r.Input)-1].Text.String() }
		asked := map[string]bool{}
		for _, req := range fast.Requests() {
			if req.Temperature != nil {
				t.Errorf("the temperature is %v", *req.Temperature)
			}
			asked[last(req)] = true
		}
		if len(asked) != 5 {
			t.Errorf("%d distinct requests", len(asked))
		}
		req.Alternatives, req.Attempt = 0, 1
		if _, err := b.engine.Editor.Edit(t.Context(), b.Session.Snapshot(), req); err != nil {
			t.Fatal(err)
		}
		all := fast.Requests()
		again := all[len(all)-1]
		if !slices.ContainsFunc(all[:5], func(r *model.Request) bool { return slices.Equal(again.Input[:len(r.Input)], r.Input) }) || !strings.Contains(last(again), "Take another approach than the ones above.") {
			t.Errorf("another attempt is asked for by %q", again.Input)
		}
	})
}

// TestTakenAway: what a small model writes in the place of a definition that the request does not
// name is not judged, and the reason says which one is gone.
func TestTakenAway(t *testing.T) {
	const list = "package main\n\ntype list []int\n\nfunc (l list) size() int {\n\treturn len(l)\n}\n\nfunc main() {}\n"
	const other = "func (l list) empty() bool {\n\treturn len(l) == 0\n}\n"
	size := list[strings.Index(list, "func (l"):strings.Index(list, "\nfunc main")]
	for _, c := range []struct{ request, answer, want string }{
		{"add a method empty after it", other, "not_judged: it takes away size, which the request does not name"},
		{"add a method empty after it", size + "\n" + other, "passed: "},
		{"write empty instead of size", other, "passed: "},
		{"use a variable", strings.Replace(size, "return len(l)", "n := len(l)\n\treturn n", 1), "passed: "},
	} {
		fast := replies("```\n" + c.answer + "```\n")
		fast.Format = "rewrite"
		b := newBench(t, lanes{model.Fast: fast}, list, nil)
		at := strings.Index(list, size)
		p, err := b.engine.Editor.Edit(t.Context(), b.Session.Snapshot(), Request{URI: b.URI, Span: edits.Span{Start: at, End: at + len(size)}, Instruction: c.request})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Verdict.State() + ": " + p.Verdict.Reason(); got != c.want {
			t.Errorf("%s: %s", c.request, got)
		}
	}
}

// TestRewrites: the whole document or the selection becomes the answer, with the line ends and
// the last line end that it has.
func TestRewrites(t *testing.T) {
	for _, c := range []struct {
		text       string
		start, end int
		answer     string
		want       string
	}{
		{"one\ntwo\n", 0, 0, "uno\ndos", "uno\ndos\n"}, {"one\ntwo\n", 4, 8, "```\ndos\n```", "one\ndos\n"}, {"one\ntwo", 4, 7, "dos\n\n", "one\ndos"}, {"one\r\ntwo\r\n", 0, 0, "uno\ndos\n", "uno\r\ndos\r\n"}, {"one\n", 0, 0, "one\n", "unchanged"}, {"one\ntwo\n", 0, 3, "", "parse"}, {"one\ntwo\n", 0, 4, "```\n```", "two\n"},
	} {
		b := newBench(t, lanes{}, c.text, nil)
		lines := map[string]*prompt.Seen{"main.go": {Lines: map[int]bool{1: true, 2: true}}}
		changes, err := Read(b.Session.Snapshot(), b.URI, edits.Span{Start: c.start, End: c.end}, &prompt.Request{Format: edits.FormatRewrite, Secrets: &redact.Redactor{}, Seen: lines}, "", model.Whole{Text: c.answer})
		got := assisttest.Refused(err)
		if err == nil {
			after, failed := edits.Apply(edits.NewText(c.text), changes[0].Edits)
			if got = changes[0].After; failed != nil || after.String() != got || changes[0].Before != c.text || changes[0].Path != "main.go" {
				t.Errorf("%+v, %v", changes, failed)
			}
		}
		if got != c.want {
			t.Errorf("%q of %q becomes %q, want %q", c.answer, c.text, got, c.want)
		}
	}
}

// TestWhoMayBeCut: only an edit of a small model, whose answer replaces all of its text, is refused
// where the window does not show all of it; another model changes such a text by blocks.
func TestWhoMayBeCut(t *testing.T) {
	text := assisttest.Large()
	for _, c := range []struct {
		kind    model.Kind
		format  edits.Format
		model   string
		refused bool
	}{{model.KindEdit, edits.FormatRewrite, "qwen2.5-coder-1.5b", true}, {model.KindEdit, edits.FormatRewrite, "", false}, {model.KindEdit, edits.FormatSearchReplace, "", false}, {model.KindAsk, edits.FormatRewrite, "", false}, {model.KindNextEdit, edits.FormatRewrite, "", false}, {model.KindFix, edits.FormatRewrite, "qwen2.5-coder-1.5b", true}} {
		s := replies("x")
		s.Model = c.model
		s.Format = string(c.format)
		b := newBench(t, lanes{model.Fast: s}, text, nil)
		_, err := b.engine.Editor.Prompts.Prompt(t.Context(), b.Session.Snapshot(), prompt.Question{Kind: c.kind, Lane: model.Fast, URI: b.URI, Request: redact.Said("x")})
		if (err != nil) != c.refused || c.refused && !strings.Contains(err.Error(), "select less") {
			t.Errorf("%s in %s: %v", c.kind, c.format, err)
		}
	}
}

// TestNewProposals: a proposal that begins has a title, and the host is notified of it.
func TestNewProposals(t *testing.T) {
	for title, want := range map[string]string{"": "count", "Debug": "Debug"} {
		b := newBench(t, lanes{model.Fast: replies("x")}, assisttest.Source, nil)
		run, err := b.engine.Editor.begin(b.Session.Snapshot(), Request{URI: b.URI, Instruction: "count\nmore", Title: title})
		if err != nil {
			t.Fatal(err)
		}
		b.Mu.Lock()
		var got []string
		for _, e := range b.Events {
			if p, ok := e.(*Proposal); ok {
				got = append(got, p.ID+" "+p.Title+" "+string(p.State))
			}
		}
		b.Mu.Unlock()
		if !slices.Equal(got, []string{run.id + " " + want + " " + string(Streaming)}) {
			t.Errorf("%q", got)
		}
	}
}
