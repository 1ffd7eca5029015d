package conversation

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tandem/model"
	"tandem/workspace/redact"
)

var ends = []model.End{model.Ended(model.WhyWhole, ""), model.Ended(model.WhyStopped, ""), model.Ended(model.WhyLength, "length"), {}}

// drawItem draws an item of any kind.
func drawItem(t *rapid.T) Item {
	text := redact.Said(rapid.StringMatching(`[a-z \n]{0,400}`).Draw(t, "text"))
	switch rapid.SampledFrom([]Kind{Shown, Asked, Looked, Said}).Draw(t, "kind") {
	case Shown:
		return Item{Kind: Shown, Text: text}
	case Asked:
		return Item{Kind: Asked, Text: redact.Format("Request: %s", text), Words: text}
	case Looked:
		return Item{Kind: Looked, Turns: []model.Message{{Role: "assistant", Text: redact.Said("LOOK a")}, {Role: "user", Text: text}}}
	}
	return Item{Kind: Said, Text: text, End: rapid.SampledFrom(ends).Draw(t, "end")}
}

// TestRendersBeginWithEachOther: a longer record has the messages of a shorter one first, a record
// does not change what others were made of it, and no prompt is over the bound.
func TestRendersBeginWithEachOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := model.ModelConfig{Model: rapid.SampledFrom([]string{"gpt-5", "qwen3-coder-30b", "claude-x"}).Draw(t, "model"), ContextWindow: rapid.IntRange(800, 4000).Draw(t, "window"), MaxOutputTokens: 100}
		r := Record{Secrets: &redact.Redactor{}, Bound: rapid.IntRange(0, 3000).Draw(t, "bound")}
		before := Render(r, m)
		for range rapid.IntRange(1, 12).Draw(t, "items") {
			longer := r.With(drawItem(t))
			fork := r.With(Item{Kind: Asked, Text: redact.Said("another way")})
			now := Render(longer, m)
			switch {
			case now.Over && now.Messages != nil, before.Over && !now.Over:
				t.Fatalf("%d tokens are sent over the bound", now.Tokens)
			case !now.Over && (now.Tokens > model.Room(m, 100) || r.Bound > 0 && now.Tokens > r.Bound):
				t.Fatalf("%d tokens", now.Tokens)
			case !now.Over && !slices.Equal(now.Messages[:len(before.Messages)], before.Messages):
				t.Fatal("the prompt does not begin with the one before")
			case !now.Over && now.Tokens != model.Count(m, &model.Request{Instructions: model.Instructions(model.KindAsk, m), Input: now.Messages}):
				t.Fatal("it is not counted whole")
			}
			if again := Render(longer, m); !slices.Equal(again.Messages, now.Messages) || fork.Len() != longer.Len() {
				t.Fatal("a record changed")
			}
			r, before = longer, now
		}
	})
}

// TestSeenFollowsTheFile: of lines that were shown, each is as it was, to be shown again, or gone;
// what is shown again is what the file has there.
func TestSeenFollowsTheFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := 0
		line := func() string {
			n++
			return fmt.Sprintf("%s %d\n", rapid.SampledFrom([]string{"a", "b", "}"}).Draw(t, "line"), n%7)
		}
		var lines []string
		for range rapid.IntRange(1, 12).Draw(t, "lines") {
			lines = append(lines, line())
		}
		base := strings.Join(lines, "")
		first := rapid.IntRange(1, len(lines)).Draw(t, "first")
		last := rapid.IntRange(first, len(lines)).Draw(t, "last")
		text := strings.Join(lines[first-1:last], "")
		r := Record{}.With(Item{Kind: Asked, Shown: []Piece{{Path: "a", First: first, Last: last, Text: redact.Said(text), Base: base}}})
		at := rapid.IntRange(0, len(lines)).Draw(t, "at")
		gone := rapid.IntRange(0, len(lines)-at).Draw(t, "gone")
		changed := slices.Concat(lines[:at:at], make([]string, 0), lines[at+gone:])
		for range rapid.IntRange(0, 3).Draw(t, "new") {
			changed = slices.Insert(changed, at, line())
		}
		now := strings.Join(changed, "")
		same, stale := r.Seen()["a"].Now(now)
		has := func(p Piece) string { return strings.Join(changed[p.First-1:p.Last], "") }
		for _, p := range same {
			if has(p) != text {
				t.Fatalf("%q stands for %q", has(p), text)
			}
		}
		for _, p := range stale {
			if p.Text.Len() > 0 || p.First < 1 || p.Last > len(changed) {
				t.Fatalf("%+v of %d lines", p, len(changed))
			}
		}
		if len(same)+len(stale) == 0 && gone < last-first+1 {
			t.Fatalf("lines %d to %d of\n%s are not seen in\n%s", first, last, base, now)
		}
		if strings.Count(now, text) == 0 && len(same) > 0 {
			t.Fatal("what is not there is as it was")
		}
		for i := range stale {
			stale[i].Text = redact.Said(has(stale[i]))
		}
		if again, left := r.With(Item{Kind: Asked, Shown: stale}).Seen()["a"].Now(now); len(stale) > 0 && (len(left) > 0 || len(again) == 0) {
			t.Fatal("what was shown again is stale")
		}
	})
}

// TestWhenAConversationBeginsAnew: more than three tenths of what was shown have changed, and then
// it has the last turns without their code.
func TestWhenAConversationBeginsAnew(t *testing.T) {
	base := strings.Repeat("one line\n", 10)
	r := Record{Secrets: &redact.Redactor{}}
	for i := range 10 {
		r = r.With(Item{Kind: Asked, Text: redact.Said("<file>"), Words: redact.Said(fmt.Sprint("q", i)), Shown: []Piece{{Path: fmt.Sprint(i), First: 1, Last: 10, Text: redact.Said(base), Base: base}}}).Said(fmt.Sprint("a", i), ends[0], time.Time{})
	}
	for changed := range 11 {
		got := r.Stale(func(path string) string {
			if path < fmt.Sprint(changed) || changed == 10 {
				return strings.Repeat("other line\n", 10)
			}
			return base
		})
		if got != (changed > 3) {
			t.Errorf("%d of 10 changed: %v", changed, got)
		}
	}
	var got []string
	for _, m := range Render(r.Anew(2), model.ModelConfig{}).Messages {
		got = append(got, m.Text.String())
	}
	if strings.Join(got, " ") != "Request: q8 a8 Request: q9 a9" || len(r.Anew(2).Seen()) != 0 || !slices.Equal(r.Anew(1).Words(), []string{"q9"}) {
		t.Errorf("it begins with %q", got)
	}
	long := r.Said(strings.Repeat("é", 1<<20), ends[0], time.Time{}).Anew(1)
	if text := Render(long, model.ModelConfig{}).Messages; len(text[len(text)-1].Text.String()) > mostCarried {
		t.Error("an endless answer is repeated")
	}
}

// TestWhatAModelIsToldOfACut: how its answer ended, by what it had written.
func TestWhatAModelIsToldOfACut(t *testing.T) {
	for _, c := range []struct {
		text string
		end  model.End
		want string
	}{
		{"x", ends[0], "x"},
		{"x", ends[1], "x|(The person stopped you there; what you wrote so far stands above.)"},
		{"", ends[1], "(The person stopped you before you wrote anything.)"},
		{"x", ends[2], "x|(Your answer was cut off there.)"},
		{"", ends[3], "(Your answer did not arrive.)"},
	} {
		var got []string
		for _, m := range Render(Record{}.Said(c.text, c.end, time.Time{}), model.ModelConfig{}).Messages {
			got = append(got, m.Text.String())
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%q, %s: %q", c.text, c.end.Why, got)
		}
	}
}

// TestWhatOneHostMaySeeIsHiddenFromAnother: a secret that the person lets a provider see is a
// placeholder for another one, in the words, in the answer to them and in what was looked at; the
// first one gets the same text again.
func TestWhatOneHostMaySeeIsHiddenFromAnother(t *testing.T) {
	const secret = "ghp_1234567890abcdefghijABCDEFGHIJ123456"
	secrets := &redact.Redactor{}
	r := Record{Secrets: secrets}.With(
		Item{Kind: Asked, Text: secrets.User("Request: why is "+secret+" refused?", true), Host: "near"},
		Item{Kind: Looked, Turns: []model.Message{{Role: "assistant", Call: model.ToolCall{Name: "search", Arguments: redact.Said("{\"text\": \"" + secret + "\"}")}}, {Role: "user", Text: secrets.User("config.txt: "+secret, true)}}},
		Item{Kind: Said, Text: redact.Said("Since " + secret + " has expired."), End: model.Ended(model.WhyWhole, "")},
		Item{Kind: Asked, Text: redact.Said("Request: and now?"), Host: "far"},
	)
	for _, c := range []struct {
		host string
		seen int
	}{{"near", 4}, {"far", 0}, {"near", 4}} {
		m := model.ModelConfig{Model: "gpt-5", Provider: c.host, ContextWindow: 100_000, MaxOutputTokens: 100}
		text := fmt.Sprint(Render(r, m).Messages)
		if seen := strings.Count(text, secret); seen != c.seen || !strings.Contains(text, "and now?") {
			t.Errorf("%s sees the secret %d times, want %d: %s", c.host, seen, c.seen, text)
		}
	}
}
