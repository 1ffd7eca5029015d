package model

import (
	"strings"
	"testing"
)

// TestCollectedAnswers: what came of a stream, by how it ends: all of it, a part with the
// reason, or why nothing came.
func TestCollectedAnswers(t *testing.T) {
	broke := &Error{Code: CodeServer, Message: "broke"}
	most := strings.Repeat("x", maxAnswer)
	whole, cut := Ended(WhyWhole, "stop"), Ended(WhyFilter, "SAFETY")
	call := ToolCall{Name: "file"}
	for _, c := range []struct {
		name   string
		pieces []string
		call   bool
		end    End
		err    error
		want   Answer
		calls  int
		code   Code
	}{
		{"whole", []string{"a", "b"}, false, whole, nil, Whole{"ab"}, 0, ""},
		{"broken", []string{"a"}, false, End{}, broke, Part{"a", EndBy(broke)}, 0, ""},
		{"broken before its text", nil, false, End{}, broke, nil, 0, CodeServer},
		{"cut", []string{"a"}, false, cut, nil, Part{"a", cut}, 0, ""},
		{"cut before its text", []string{" \n"}, false, cut, nil, nil, 0, CodeInterrupted},
		{"without an end", []string{"a"}, false, End{}, nil, Part{"a", End{}}, 0, ""},
		{"empty", nil, false, whole, nil, nil, 0, CodeEmpty},
		{"blank", []string{" \n"}, false, whole, nil, nil, 0, CodeEmpty},
		{"a call", nil, true, whole, nil, Whole{}, 1, ""},
		{"a call that is cut", []string{"a"}, true, cut, nil, Part{"a", cut}, 0, ""},
		{"as long as it may be", []string{most}, false, whole, nil, Whole{most}, 0, ""},
	} {
		stream := func(yield func(Delta, error) bool) {
			for _, piece := range c.pieces {
				if !yield(Delta{Text: piece}, nil) {
					return
				}
			}
			if c.call && !yield(Delta{Call: &call}, nil) {
				return
			}
			if c.err != nil {
				yield(Delta{}, c.err)
			} else {
				yield(Delta{Final: &Final{End: c.end}}, nil)
			}
		}
		var streamed strings.Builder
		got, calls, err := Collect(stream, func(piece string) { streamed.WriteString(piece) })
		text, _ := Came(got)
		if got != c.want || len(calls) != c.calls || (err == nil) != (c.code == "") || err != nil && AsError(err).Code != c.code || err == nil && streamed.String() != text {
			t.Errorf("%s: %d bytes, %d calls, %v", c.name, len(text), len(calls), err)
		}
	}
	endless := func(yield func(Delta, error) bool) {
		for yield(Delta{Text: most}, nil) {
		}
	}
	got, _, err := Collect(endless, nil)
	if text, end := Came(got); err != nil || len(text) != 2*maxAnswer || end.Why != WhyBroken {
		t.Errorf("an answer without end: %d bytes, %s, %v", len(text), end.Why, err)
	}
}

// TestWordsOfEnds: what a person reads of each reason, and that none but the whole one is whole.
func TestWordsOfEnds(t *testing.T) {
	broke := EndBy(&Error{Code: CodeTimeout, Message: "check the network."})
	for _, c := range []struct {
		end              End
		reason, sentence string
	}{
		{Ended(WhyWhole, "stop"), "", ""},
		{End{}, "the server did not say how it ended", "The answer was cut: the server did not say how it ended; ask again, or run tandem doctor, which finds out whether whole answers of this server end so."},
		{Ended(WhyUnknown, " halted\x1b[2J\n"), "the server ended it with “halted[2J”, which tandem does not know as the end of a whole answer", ""},
		{Ended(WhyLength, "max_tokens"), "the server stopped at its limit of tokens", "The answer was cut: the server stopped at its limit of tokens; raise max_output_tokens, or ask for less."},
		{Ended(WhyPaused, "pause_turn"), "the server paused it", "The answer was cut: the server paused it; ask again."},
		{Ended(WhyServer, "abort"), "the server failed (“abort”)", ""},
		{broke, "the answer broke off", "The answer was cut: check the network."},
		{EndBy(&Error{Code: CodeCancelled, Message: "x"}), "it was stopped by you", "The answer was cut: it was stopped by you."},
		{EndBy(&Error{Code: CodeRefused, Message: "ask in other words."}), "the model declined to continue", "The answer was cut: ask in other words."},
		{EndBy(&Error{Code: CodeContextLength}), "the model's context was full", ""},
		{Ended(WhyShown, "length"), "tandem stopped it, since what is shown is complete", ""},
	} {
		if got := c.end.Reason(); got != c.reason || c.sentence != "" && c.end.Sentence() != c.sentence || c.end.Whole() != (c.reason == "") || (c.end.Err() == nil) != c.end.Whole() {
			t.Errorf("%q: %q; %q, whole %v", c.end.Word(), got, c.end.Sentence(), c.end.Whole())
		}
	}
	if long := Ended(WhyUnknown, strings.Repeat("é", 1000)).Word(); len([]rune(long)) != maxWord {
		t.Errorf("a word of %d characters", len([]rune(long)))
	}
}

// TestLearnedEnds: a word that a server has ended a whole answer with is one for that server alone, in
// whatever case; a reason that is known is not learned.
func TestLearnedEnds(t *testing.T) {
	setup := testSetup()
	setup.Providers["other"] = ProviderConfig{Name: "other", BaseURLs: []string{"http://127.0.0.1:2/v1"}}
	deep := setup.Models["codex"]
	deep.Provider = "other"
	setup.Models["codex"] = deep
	b := newBench(setup)
	stored := map[string][]string{}
	b.parts.Ends.Store = func(address, word string) { stored[address] = append(stored[address], word) }
	end := func(lane Lane, f *fake, given End) End {
		f.answers = append(f.answers, func(_ *Request, yield func(Delta, error) bool) {
			_ = yield(Delta{Text: "x"}, nil) && yield(Delta{Final: &Final{End: given}}, nil)
		})
		answer, _, err := Collect(b.Stream(t.Context(), lane, &Request{Purpose: Edit}), nil)
		if err != nil {
			t.Fatal(err)
		}
		_, got := Came(answer)
		return got
	}
	halted, length := Ended(WhyUnknown, "HALTED"), Ended(WhyLength, "length")
	if got := end(Fast, b.fast, halted); got.Whole() {
		t.Error("a word that nobody knows is taken for a whole answer")
	}
	if word := b.LearnEnd("spark", halted); word != "HALTED" || b.LearnEnd("spark", length) != "" || b.LearnEnd("spark", End{}) != "" {
		t.Errorf("learned %q", word)
	}
	if !end(Fast, b.fast, Ended(WhyUnknown, "Halted")).Whole() || end(Fast, b.fast, Ended(WhyUnknown, "halt")).Whole() || end(Fast, b.fast, length).Whole() || end(Deep, b.deep, halted).Whole() {
		t.Error("a word is learned for another server, or another word is")
	}
	again := &Ends{Load: func() map[string][]string { return stored }}
	if !again.of("", halted).Whole() || again.of("", Ended(WhyUnknown, "x")).Whole() || len(stored[""]) != 1 {
		t.Errorf("stored %v", stored)
	}
}
