package ask

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/model/conversation"
	"tandem/workspace"
	"tandem/workspace/redact"
)

// TestThreads: a thread holds what was asked and answered, also while another question of it is
// answered; one without a name holds nothing, and the one that rested longest goes first.
func TestThreads(t *testing.T) {
	a := &Asker{}
	turn := func(r conversation.Record, q string, at int) conversation.Record {
		return r.With(conversation.Item{Kind: conversation.Asked, Text: redact.Said(q)}).Said("answer", model.Ended(model.WhyWhole, ""), time.Unix(int64(at), 0))
	}
	a.remember("", 0, turn(conversation.Record{}, "q", 0))
	first := turn(conversation.Record{}, "q1", 1)
	a.remember("t", 0, first)
	a.remember("t", first.Len(), turn(first, "q2", 2))
	a.remember("t", first.Len(), turn(first, "q3", 3)) // it was asked before q2 had its answer
	var got []string
	for _, m := range conversation.Render(a.threads["t"], model.ModelConfig{}).Messages {
		got = append(got, m.Text.String())
	}
	if strings.Join(got, " ") != "q1 answer q2 answer q3 answer" || len(a.threads) != 1 {
		t.Errorf("%q in %d threads", got, len(a.threads))
	}
	for i := range mostThreads {
		a.remember(fmt.Sprint("other", i), 0, turn(conversation.Record{}, "q", 10+i))
	}
	if _, held := a.threads["t"]; held || len(a.threads) != mostThreads {
		t.Errorf("%d threads are held, the oldest too: %v", len(a.threads), held)
	}
	if got := shownTo(&model.Request{Instructions: redact.Said("be kind"), Input: []model.Message{{Role: "user", Text: redact.Said("why?")}, {Role: "tool", Text: redact.Said("x")}}}); got != "be kind\n\nuser:\nwhy?\n\ntool:\nx" {
		t.Errorf("%q", got)
	}
	for word, want := range map[string]string{
		"a.go:3": "a.go 3", "a/b:3": "a/b 3", "a.go:3:7": "a.go 3", "a.go:3-9": "a.go 3", "a.go:3.": "a.go 3", "a.go:": "none", "a.go": "none", ":3": "none", "a:3": "none", "a.go:x": "none", "a.go:0": "none", "a.go:-1": "none",
		"a.go:3:": "a.go 3", "a.go:99999999999999999999": "none",
	} {
		name, line, ok := splitCitation(word)
		if !ok && strings.Trim(word, ":") != "" && !strings.Contains(word, ":") && (name != "" || line != 0) {
			t.Errorf("%q names no place, and %q, %d", word, name, line)
		}
		if got := map[bool]string{true: fmt.Sprint(name, " ", line), false: "none"}[ok]; got != want {
			t.Errorf("%q names %s, want %s", word, got, want)
		}
	}
	b := newBench(t, lanes{}, assisttest.Source, map[string]string{"b.go": "package main\n"})
	var cited []string
	for _, c := range citations(b.Session.Snapshot(), "see b.go:1, (main.go:3) and main.go:3; b.go:2 b.go:3 /etc/hosts:1 none.go:1") {
		cited = append(cited, fmt.Sprint(c.Path, " ", c.Line))
	}
	if !slices.Equal(cited, []string{"b.go 1", "main.go 3", "b.go 2"}) {
		t.Errorf("cited %q", cited)
	}
}

// TestFindingsInAnAnswer: each form in which a model writes a finding, and what is none.
func TestFindingsInAnAnswer(t *testing.T) {
	text := edits.NewText("one\n\ttwo\nthree")
	for line, want := range map[string]string{
		"a.go:2: error: bad": "error 5-8 bad ", "a.go:2:1: error: bad": "error 5-8 bad ", "- a.go:2: Warning: bad": "warning 5-8 bad ", "`a.go:2: hint: bad`": "hint 5-8 bad ", "a.go:2: bad": "warning 5-8 bad ",
		"a.go:2: this: bad": "warning 5-8 this: bad ", "a.go:1: note: x: y": "note 0-3 x: y ", "a.go:3: error: bad\nfix: do it": "error 9-14 bad do it", "a.go:3: error: bad\n  FIX: do it": "error 9-14 bad do it",
		"a.go:0: error: bad": "", "a.go:4: error: bad": "", "b.go:2: error: bad": "", "a.go:x: error: bad": "", "a.go:2: error: ": "", "a.go:2": "", "fix: do it": "", "": "",
	} {
		got := ""
		for _, f := range findings("a.go", "untitled:a", text, line) {
			got += fmt.Sprintf("%s %d-%d %s %s", f.Severity, f.Span.Start, f.Span.End, f.Message, f.Fix)
			if f.URI != "untitled:a" || f.Path != "a.go" || f.Code != "review" {
				t.Errorf("%q: %+v", line, f)
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	for _, c := range []struct{ s, prefix, rest string }{{"Fix: x", "fix:", " x"}, {"fix", "fix:", "none"}, {"fix:", "fix:", ""}} {
		rest, ok := workspace.CutPrefixFold(c.s, c.prefix)
		if !ok {
			rest = "none"
		}
		if rest != c.rest {
			t.Errorf("%q without %q: %q", c.s, c.prefix, rest)
		}
	}
}

// TestNamesAtAPlace: the name at an offset, and the one before its dot.
func TestNamesAtAPlace(t *testing.T) {
	for text, want := range map[string]string{ // | is the place
		"a.na|me(b)": "name a", "a.|name": "name a", "a.name|": "name a", "name|": "name ", "|": " ", "a |+ b": " ", "x_$1|é.y": "x_$1é ", "a\nb.c|\nd": "c b", "f().c|": "c ", "é.c|": "c é", "(ab.c|": "c ab",
	} {
		before, after, _ := strings.Cut(text, "|")
		whole := edits.NewText(before + after)
		span := nameAt(whole, len(before))
		if got := whole.Slice(span) + " " + qualifierBefore(whole, span.Start); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	b := newBench(t, lanes{}, assisttest.Source, map[string]string{"b.txt": "names name_ name\nname\n", "c.txt": "names\n", "d.txt": "name\nother\nname", "e.txt": "a\nnamename name"})
	for file, want := range map[string]int{"b.txt": 1, "c.txt": 0, "d.txt": 1, "e.txt": 2, "none.txt": 0} {
		if line, ok := firstUse(b.Session.Snapshot(), file, "name"); line != want || ok != (want > 0) {
			t.Errorf("the first use in %s is on line %d", file, line)
		}
	}
}
