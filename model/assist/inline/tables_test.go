package inline

import (
	"fmt"
	"testing"
	"time"

	"tandem/edits"
	"tandem/model/assist/core"
)

// TestUnfence: what is in the fence of an answer.
func TestUnfence(t *testing.T) {
	check := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	for text, want := range map[string]string{
		"plain":                   "plain",
		"```go\na\nb\n```\n":      "a\nb",
		"\n\n```\na\n```\nmore":   "a",
		"```go\na":                "a",
		"```go":                   "",
		"```go\n```":              "",
		"a ``` b":                 "a ``` b",
		"```\n\n```":              "",
		"```go\na\n  ```\nb\n```": "a\n  ```\nb",
	} {
		check("without its fence "+text, core.Unfence(text), want)
	}
}

// TestPaceOfTyping: how long a pause is awaited, by the gaps between keys and by the user's
// bound.
func TestPaceOfTyping(t *testing.T) {
	start := time.Unix(1000, 0)
	typed := func(gaps ...time.Duration) *pace {
		p, now := &pace{}, start
		p.key(now)
		for _, g := range gaps {
			now = now.Add(g)
			p.key(now)
		}
		return p
	}
	const ms = time.Millisecond
	for _, c := range []struct {
		name    string
		p       *pace
		most    time.Duration
		backoff float64
		want    time.Duration
	}{
		{"nothing is known", typed(), 0, 0, 75 * ms},
		{"a gap", typed(60 * ms), 0, 1, 75 * ms},
		{"another", typed(125 * ms), 0, 1, 107500 * time.Microsecond},
		{"slower", typed(60*ms, 100*ms), 0, 1, 80 * ms},
		{"a gap of a second", typed(time.Second), 0, 1, 150 * ms},
		{"a longer one does not count", typed(time.Second + 1), 0, 1, 75 * ms},
		{"none", typed(0), 0, 1, 75 * ms},
		{"the least gap", typed(1), 0, 1, 45 * ms},
		{"at most what the user sets", typed(125 * ms), 50 * ms, 1, 50 * ms},
		{"twice", typed(60 * ms), 0, 2, 150 * ms},
		{"never less", typed(60 * ms), 0, 0.5, 75 * ms},
	} {
		if got := c.p.pause(c.most, c.backoff).Round(10 * time.Microsecond); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	p := typed(60 * ms)
	if got := p.sinceKey(start.Add(100 * ms)); got != 40*ms {
		t.Errorf("the last key was %v ago", got)
	}
}

// TestSuggestionSteps: a suggestion after one edit or one move of the cursor.
func TestSuggestionSteps(t *testing.T) {
	fresh := func(text string, tail int) *suggestion {
		return newSuggestion(Completion{Text: text, Replace: edits.Span{Start: 10, End: 10 + tail}}, 10)
	}
	for _, c := range []struct {
		name       string
		text       string
		tail       int
		start, end int
		new        string
		want       string // rest|cursor|tail, or over
	}{
		{"its next byte", "abc", 0, 10, 10, "a", "bc|11|0"},
		{"all of it", "abc", 0, 10, 10, "abc", "|13|0"},
		{"more than it", "abc", 0, 10, 10, "abcd", "over"},
		{"another byte", "abc", 0, 10, 10, "x", "over"},
		{"elsewhere", "abc", 0, 9, 9, "a", "over"},
		{"nothing", "abc", 0, 10, 10, "", "abc|10|0"},
		{"over the tail", "a)", 1, 10, 11, "a", ")|11|0"},
		{"beyond the tail", "a)", 1, 10, 12, "a", "over"},
		{"a pair", "()x", 0, 10, 10, "()", "x|12|0"},
		{"a pair around it", "(x)", 0, 10, 10, "()", "x)|11|1"},
		{"a pair that it does not close", "(x", 0, 10, 10, "()", "over"},
		{"another pair", "(x)", 0, 10, 10, "[]", "over"},
		{"what was not typed is deleted", "abc", 0, 9, 10, "", "over"},
	} {
		s := fresh(c.text, c.tail)
		s.follow(edits.Edit{Span: edits.Span{Start: c.start, End: c.end}, New: c.new})
		got := fmt.Sprintf("%s|%d|%d", s.rest(), s.cursor, s.tail)
		if s.ended {
			got = "over"
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	s := fresh("abc", 0)
	s.follow(edits.Edit{Span: edits.Span{Start: 10, End: 10}, New: "ab"})
	if !s.begun || s.offer().Text != "c" || s.offer().Replace != (edits.Span{Start: 12, End: 12}) {
		t.Errorf("%+v", s.offer())
	}
	s.follow(edits.Edit{Span: edits.Span{Start: 10, End: 12}})
	if s.ended || s.rest() != "abc" || s.cursor != 10 {
		t.Errorf("after deleting what was typed: %q at %d", s.rest(), s.cursor)
	}
	text := edits.NewText("0123456789)]x")
	for _, c := range []struct {
		cursor int
		want   string
	}{{10, "true )]y|2"}, {11, "true ]y|1"}, {12, "true y|0"}, {13, "false )]y|2"}, {9, "false )]y|2"}, {99, "false )]y|2"}} {
		s := fresh(")]y", 2)
		if got := fmt.Sprintf("%v ", s.reach(text, c.cursor)) + fmt.Sprintf("%s|%d", s.rest(), s.tail); got != c.want {
			t.Errorf("the cursor at %d: %s, want %s", c.cursor, got, c.want)
		}
	}
	paired := fresh("()x", 0)
	paired.follow(edits.Edit{Span: edits.Span{Start: 10, End: 10}, New: "()"})
	if !paired.reach(text, 11) || paired.rest() != ")x" || paired.tail != 1 || paired.reach(text, 10) {
		t.Errorf("between the halves of a pair: %q, %d", paired.rest(), paired.tail)
	}
}
