package model

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tandem/workspace/tokens"
)

// reports is an answer whose server reports this usage.
func reports(text string, u Usage) func(*Request, func(Delta, error) bool) {
	u.Known = true
	return func(_ *Request, yield func(Delta, error) bool) {
		_ = yield(Delta{Text: text}, nil) && yield(Delta{Final: &Final{Usage: u, End: Ended(WhyWhole, "stop")}}, nil)
	}
}

// TestUsageWithinBounds holds that what a server reports is booked only as far
// as it can be true, and that a report beyond is said once.
func TestUsageWithinBounds(t *testing.T) {
	text := strings.Repeat("one two three four ", 25)
	received := tokens.Count(text)
	for _, c := range []struct {
		name     string
		sent     Sent
		reported Usage
		want     Usage
		said     bool
	}{
		{"honest", Sent{Bytes: 4000}, Usage{Input: 900, Cached: 500, CacheWrite: 100, Output: 400, Reasoning: 300}, Usage{Input: 900, Cached: 500, CacheWrite: 100, Output: 400, Reasoning: 300}, false},
		{"nothing was put out", Sent{Bytes: 4000}, Usage{Input: 900}, Usage{Input: 900, Output: received}, true},
		{"negative", Sent{Bytes: 4000}, Usage{Input: -5, Cached: -1, CacheWrite: -1, Output: -1000000, Reasoning: -7}, Usage{Output: received}, true},
		{"huge", Sent{Bytes: 4000}, Usage{Input: math.MaxInt, Output: math.MaxInt}, Usage{Input: 4000, Output: 4096}, true},
		{"the request's own maximum", Sent{Bytes: 4000, MaxOutputTokens: 256}, Usage{Input: 1, Output: 5000}, Usage{Input: 1, Output: 256}, true},
		{"the token that ends the answer", Sent{Bytes: 4000, MaxOutputTokens: 256}, Usage{Input: 1, Output: 257}, Usage{Input: 1, Output: 256}, false},
		{"as much as was asked for", Sent{Bytes: 4000, MaxOutputTokens: 5000}, Usage{Input: 1, Output: 5000}, Usage{Input: 1, Output: 5000}, false},
		{"more received than allowed", Sent{Bytes: 4000, MaxOutputTokens: 5}, Usage{Input: 1, Output: received}, Usage{Input: 1, Output: received}, false},
		{"cached beyond input", Sent{Bytes: 4000}, Usage{Input: 100, Cached: 101, Output: received}, Usage{Input: 100, Cached: 100, Output: received}, true},
		{"cached and written beyond input", Sent{Bytes: 4000}, Usage{Input: 100, Cached: 60, CacheWrite: 60, Output: received}, Usage{Input: 100, Cached: 60, CacheWrite: 40, Output: received}, true},
		{"context that the server holds", Sent{Bytes: 200, Continued: true}, Usage{Input: 90000, Cached: 80000, Output: received}, Usage{Input: 90000, Cached: 80000, Output: received}, false},
		{"more than the window", Sent{Bytes: 200, Continued: true}, Usage{Input: 900000, Output: received}, Usage{Input: 128000, Output: received}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(testSetup())
			b.fast.sent = c.sent
			b.fast.answers = append(b.fast.answers, reports(text, c.reported))
			for i := range 2 {
				if _, err := b.ask(Fast, Edit, fmt.Sprint("r", i)); err != nil {
					t.Fatal(err)
				}
				p, _ := b.Usage(fmt.Sprint("r", i))
				if p.PromptTokens != c.want.Input || p.CachedTokens != c.want.Cached || p.OutputTokens != c.want.Output || p.CostUSD != Cost(testSetup().Models["spark"], c.want) {
					t.Errorf("booked as %+v, want %+v", p, c.want)
				}
			}
			if c.said != (len(b.notices) == 1) || len(b.notices) > 1 {
				t.Errorf("notices: %v", b.notices)
			}
		})
	}
}

// TestOtherVocabulary holds that a model whose vocabulary is not known is not
// accused of what our own count may be wrong by.
func TestOtherVocabulary(t *testing.T) {
	text := strings.Repeat("one two three four ", 25)
	received := tokens.Count(text)
	for reported, said := range map[int]bool{received * 9 / 10: false, received / 2: false, received/2 - 2: true} {
		setup := testSetup()
		setup.Models["spark"] = ModelConfig{Name: "spark", Provider: "openai", Model: "qwen3-coder", MaxOutputTokens: 4096}
		b := newBench(setup)
		b.fast.answers = append(b.fast.answers, reports(text, Usage{Input: 1, Output: reported}))
		if _, err := b.ask(Fast, Edit, "r"); err != nil {
			t.Fatal(err)
		}
		if p, _ := b.Usage("r"); p.OutputTokens != received || said != (len(b.notices) == 1) {
			t.Errorf("%d of %d tokens reported: booked %d, notices %v", reported, received, p.OutputTokens, b.notices)
		}
	}
}

// TestDailyLimitCannotBeTalkedDown holds that no report and no entry makes the
// day's sum smaller, or not a number.
func TestDailyLimitCannotBeTalkedDown(t *testing.T) {
	for name, c := range map[string]struct {
		reported Usage
		spent    float64
		price    float64
	}{
		"negative output":  {Usage{Output: -1000000}, 0, 14},
		"negative input":   {Usage{Input: -1000000, Output: 1}, 0, 14},
		"cached overflow":  {Usage{Input: 10, Cached: math.MaxInt, CacheWrite: math.MaxInt, Output: 1}, 0, 14},
		"negative entries": {Usage{Output: 1}, -1000, 14},
		"NaN entries":      {Usage{Output: 1}, math.NaN(), 14},
		"huge entries":     {Usage{Output: 1}, math.Inf(1), 14},
		"price NaN":        {Usage{Output: 1}, 0, math.NaN()},
		"price huge":       {Usage{Output: 1}, 0, math.Inf(1)},
	} {
		t.Run(name, func(t *testing.T) {
			limit := 0.002
			setup := testSetup()
			setup.DailyLimit = &limit
			spark := setup.Models["spark"]
			spark.OutputPrice = c.price
			setup.Models["spark"] = spark
			b := newBench(setup)
			b.ledger.fixed = &c.spent
			b.fast.answers = append(b.fast.answers, reports("text", c.reported))
			for i := range 1000 {
				if _, err := b.ask(Fast, Edit, fmt.Sprint(i)); err != nil {
					if codeOf(err) != CodeDailyLimit {
						t.Errorf("refused with %v", err)
					}
					return
				}
			}
			t.Error("1,000 requests were let through")
		})
	}
}

func TestUnpricedModelIsRefusedWhileALimitIsSet(t *testing.T) {
	limit := 1.0
	for name, c := range map[string]struct {
		in, out float64
		url     string
		limit   *float64
		refused bool
	}{
		"no price":          {-1, -1, "https://api.example.com/v1", &limit, true},
		"half a price":      {1, -1, "https://api.example.com/v1", &limit, true},
		"a price":           {1, 2, "https://api.example.com/v1", &limit, false},
		"a price of 0":      {0, 0, "https://api.example.com/v1", &limit, false},
		"no limit":          {-1, -1, "https://api.example.com/v1", nil, false},
		"this machine":      {-1, -1, "http://127.0.0.1:8080/v1", &limit, false},
		"this machine, IP6": {-1, -1, "http://[::1]:8080/v1", &limit, false},
	} {
		t.Run(name, func(t *testing.T) {
			setup := testSetup()
			setup.DailyLimit = c.limit
			setup.Providers["openai"] = ProviderConfig{Name: "openai", BaseURLs: []string{c.url}}
			setup.Models["spark"] = ModelConfig{Name: "spark", Provider: "openai", Model: "x", InputPrice: c.in, OutputPrice: c.out}
			b := newBench(setup)
			b.fast.answers = append(b.fast.answers, reports("text", Usage{Input: 1, Output: 1}))
			for range 2 {
				_, err := b.ask(Fast, Edit, "r")
				if c.refused != (err != nil) || c.refused && !strings.Contains(err.Error(), "output_price") {
					t.Errorf("error %v", err)
				}
			}
			if said := len(b.notices) == 1; said != c.refused || c.refused == (len(b.fast.asked) > 0) {
				t.Errorf("%d requests left, notices %v", len(b.fast.asked), b.notices)
			}
		})
	}
}

// TestTotalDeadline holds that a server that never stops sending loses its
// request all the same.
func TestTotalDeadline(t *testing.T) {
	for _, c := range []struct {
		name    string
		lane    Lane
		purpose Purpose
		change  func(*ModelConfig, *ProviderConfig)
		want    time.Duration
	}{
		{"inline", Fast, Complete, nil, 10 * time.Second},
		{"next edit", Fast, NextEdit, nil, 10 * time.Second},
		{"fast", Fast, Edit, nil, time.Minute},
		{"deep", Deep, Task, nil, 30 * time.Minute},
		{"the provider's", Fast, Edit, func(_ *ModelConfig, p *ProviderConfig) { p.RequestTimeout = 5 * time.Second }, 5 * time.Second},
		{"the model's", Deep, Task, func(m *ModelConfig, p *ProviderConfig) {
			m.RequestTimeout, p.RequestTimeout = 7*time.Second, 5*time.Second
		}, 7 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				setup := testSetup()
				for name, m := range setup.Models {
					p := setup.Providers[m.Provider]
					if c.change != nil {
						c.change(&m, &p)
					}
					setup.Models[name], setup.Providers[m.Provider] = m, p
				}
				b := newBench(setup)
				for _, f := range []*fake{b.fast, b.deep} {
					f.endless = true
				}
				start := time.Now()
				text, err := b.ask(c.lane, c.purpose, "r")
				if took := time.Since(start); codeOf(err) != CodeTimeout || took != c.want || text == "" || !err.Delivered || !strings.Contains(err.Error(), "request_timeout_ms") {
					t.Errorf("%v after %v, want a timeout after %v", err, took, c.want)
				}
			})
		})
	}
}

// TestTotalDeadlineWhileQueued holds that waiting for one's turn counts.
func TestTotalDeadlineWhileQueued(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(testSetup())
		b.deep.endless = true
		for range slots(Deep) {
			go b.ask(Deep, Task, "")
		}
		synctest.Wait()
		start := time.Now()
		for _, err := range b.Stream(context.Background(), Deep, &Request{Purpose: Complete}) {
			if took := time.Since(start); codeOf(AsError(err)) != CodeTimeout || took != inlineTimeout {
				t.Errorf("%v after %v", err, took)
			}
		}
		time.Sleep(deepTimeout)
	})
}

// TestUsageOfSeveralAnswers holds that the output of several answers to one prompt is booked
// as a whole and once, also where it is more than one answer may have.
func TestUsageOfSeveralAnswers(t *testing.T) {
	b := newBench(testSetup())
	b.fast.sent = Sent{Bytes: 4000, MaxOutputTokens: 256}
	b.fast.answers = append(b.fast.answers, func(_ *Request, yield func(Delta, error) bool) {
		_ = yield(Delta{Text: "a"}, nil) && yield(Delta{Text: "b", Choice: 1}, nil) &&
			yield(Delta{Final: &Final{Usage: Usage{Input: 100, Output: 700, Known: true}, End: Ended(WhyWhole, "stop"), Choices: 3}}, nil)
	})
	for _, err := range b.Stream(context.Background(), Fast, &Request{ID: "r", Purpose: Complete, N: 3}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if p, _ := b.Usage("r"); p.OutputTokens != 700 || p.PromptTokens != 100 || len(b.notices) != 0 {
		t.Errorf("booked as %+v with %d notices, want 100 and 700 tokens", p, len(b.notices))
	}
}
