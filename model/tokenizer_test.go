package model

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tandem/workspace/redact"
)

func TestCounter(t *testing.T) {
	for id, want := range map[string]string{
		"gpt-5.3-codex": "o200k_base", "openai/gpt-oss-120b": "o200k_base", "gpt-4o-mini": "o200k_base", "gpt-4-turbo": "cl100k_base",
		"Qwen/qwen3-coder": "o200k_base+digits+scripts", "claude-x": "o200k_base+letters", "llama3.1:8b": "o200k_base+scripts", "new-one": "o200k_base+digits+letters",
	} {
		if got := Counter(ModelConfig{Model: id}).Name(); got != want {
			t.Errorf("%s counts as %s, want %s", id, got, want)
		}
	}
	configured := ModelConfig{Model: "qwen3", Tokenizer: "bytes"}
	if got := Counter(configured).Name(); got != "bytes" || Margin(configured) != 1 {
		t.Errorf("the configured tokenizer: %s with a margin of %v", got, Margin(configured))
	}
	if got := Margin(ModelConfig{Model: "qwen3", TokenMargin: 1.5, LearnedMargin: 1.2}); got != 1.5 {
		t.Errorf("the configured margin: %v", got)
	}
}

// TestBoundsOfVocabularies compares with real counts: no text has more tokens than
// its bound, beyond the share of the window that is never filled, and on code the
// bound leaves little of a window empty.
func TestBoundsOfVocabularies(t *testing.T) {
	data, err := os.ReadFile("testdata/vocabularies.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	real, bounded := map[string]float64{}, map[string]float64{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c struct {
			Kind, Name, Text string
			Tokens           map[string]int
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		for id, n := range c.Tokens {
			for _, name := range []string{id, "a-model-of-no-known-family"} {
				m := ModelConfig{Model: name}
				bound := Margin(m) * float64(Counter(m).Count(c.Text))
				if float64(n) > bound/usable {
					t.Errorf("%s: %d tokens for %s, bounded by %.0f as %s", c.Name, n, id, bound, name)
				}
				if c.Kind == "code" && name == id {
					real[id] += float64(n)
					bounded[id] += bound
				}
			}
		}
	}
	for id, least := range map[string]float64{"qwen3-coder": 0.92, "llama-3.3-70b": 0.92, "deepseek-v3": 0.8, "gemma3:12b": 0.84, "claude-sonnet": 0.84, "codellama:7b": 0.84} {
		t.Logf("%s: %.1f %% of a window of code is filled", id, 100*real[id]/bounded[id])
		if real[id] < least*bounded[id] {
			t.Errorf("%s fills %.1f %% of a window with code, want %.0f %%", id, 100*real[id]/bounded[id], 100*least)
		}
	}
}

// TestBudgetsFitEveryMargin holds that a window as large as its budget allows fits the
// model, whatever the margin.
func TestBudgetsFitEveryMargin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := ModelConfig{Model: rapid.SampledFrom([]string{"qwen3", "claude-x", "gpt-5.3-codex", "other"}).Draw(t, "model"), ContextWindow: rapid.IntRange(4000, 200000).Draw(t, "window"),
			MaxOutputTokens: rapid.IntRange(16, 2000).Draw(t, "output"), TokenMargin: rapid.SampledFrom([]float64{0, 0.9, 1, 1.3, 4}).Draw(t, "margin")}
		configured, other := rapid.IntRange(0, 300000).Draw(t, "configured"), rapid.IntRange(0, 500).Draw(t, "other")
		budget := WindowBudget(Deep, m, KindAsk, configured, other)
		if configured > 0 && float64(budget)*Margin(m) > float64(configured) {
			t.Errorf("%d counted tokens may be more than the configured %d", budget, configured)
		}
		all := Margin(m) * float64(budget+other+Counter(m).Count(Instructions(KindAsk, m).String()))
		if budget > 0 && all+float64(m.MaxOutputTokens) > usable*float64(m.ContextWindow)+1 {
			t.Errorf("a budget of %d may take %.0f tokens of %d", budget, all, m.ContextWindow)
		}
	})
}

// TestMarginIsLearned holds that reports above the margin raise it at once, that many
// below lower it, and that neither a cut prompt nor a wrong report moves it far.
func TestMarginIsLearned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l learnedMargin
		before, least := 1.3, 0.0
		for i, ratio := range rapid.SliceOfN(rapid.Float64Range(0, 20), 1, 60).Draw(t, "ratios") {
			l.note(ratio, before)
			if l.value > 0 {
				before = l.value
			}
			if least = max(min(ratio, mostMargin), leastMargin); before < least {
				t.Fatalf("report %d: a margin of %v after a ratio of %v", i, before, ratio)
			}
			if before > mostMargin || i < len(l.ratios)-1 && before < 1.3 {
				t.Fatalf("report %d: a margin of %v", i, before)
			}
		}
		for range len(l.ratios) {
			l.note(1, before)
		}
		if l.value < 1.02 || l.value > 1.02+marginStep {
			t.Fatalf("after %d reports of 1 the margin is %v", len(l.ratios), l.value)
		}
	})
}

// TestLanesLearnMargins sends requests and reads the model's description again.
func TestLanesLearnMargins(t *testing.T) {
	text := strings.Repeat("word ", 400)
	for _, c := range []struct {
		name     string
		model    ModelConfig
		repeats  int
		reported float64 // times what is counted
		want     float64
	}{
		{"a known family", ModelConfig{Model: "qwen3-coder"}, 4, 1.5, 1.53125},
		{"close at first", ModelConfig{Model: "qwen3-coder"}, 4, 0.98, 1.05},
		{"an exact count", ModelConfig{Model: "gpt-5.3-codex"}, 4, 1.5, 1},
		{"a configured margin", ModelConfig{Model: "qwen3-coder", TokenMargin: 1.1}, 4, 1.5, 1.1},
		{"a small request", ModelConfig{Model: "qwen3-coder"}, 1, 1.5, 1.05},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := testSetup()
			c.model.Name, c.model.Provider, c.model.ContextWindow = "spark", "openai", 128000
			c.model.InputPrice, c.model.OutputPrice = 1, 1
			s.Models["spark"] = c.model
			b := newBench(s)
			req := &Request{ID: "r", Purpose: Edit, Input: []Message{{Role: "user", Text: redact.Said(strings.Repeat(text, c.repeats))}}}
			texts := []string{req.Input[0].Text.Wire()}
			counted := (&dispatch{texts: texts}).tokens(Counter(c.model).Count)
			b.fast.sent = Sent{Bytes: 1 << 20, Texts: texts}
			b.fast.answers = append(b.fast.answers, reports("text", Usage{Input: int(c.reported * float64(counted)), Output: 1}))
			for i := range 3 {
				req.ID = fmt.Sprint("r", i)
				for _, err := range b.Stream(t.Context(), Fast, req) {
					if err != nil {
						t.Fatal(err)
					}
				}
			}
			cfg, _ := b.Config(Fast)
			if got := Margin(cfg); got < c.want-1e-9 || got > c.want+1e-9 {
				t.Errorf("the margin is %v, want %v", got, c.want)
			}
		})
	}
}
