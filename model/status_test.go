package model

import (
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// fastStatus is the status of the fast lane.
func fastStatus(b *bench) LaneStatus { return b.Status().Lanes[0] }

// TestMissingKeyIsVisible: before the first request, until there is a key, and not
// longer.
func TestMissingKeyIsVisible(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(testSetup())
		b.fast.warmErr = &Error{Code: CodeNotConfigured, Message: "There is no key for openai; run tandem key set openai."}
		b.Warm(t.Context(), Fast)
		for _, wait := range []time.Duration{0, keyAgain, time.Hour} {
			time.Sleep(wait)
			if s := fastStatus(b); s.State != LaneDisabled || !strings.Contains(s.Reason, "tandem key set") {
				t.Errorf("after %v: %s, %q", wait, s.State, s.Reason)
			}
		}
		if len(b.notices) != 1 {
			t.Errorf("%d notices", len(b.notices))
		}
		b.fast.warmErr = nil
		b.Warm(t.Context(), Fast)
		if s := fastStatus(b); s.State != LaneReady {
			t.Errorf("with a key: %s, %q", s.State, s.Reason)
		}
	})
}

// TestStatesThatKeepTextAwayAreVisible: each with what to do.
func TestStatesThatKeepTextAwayAreVisible(t *testing.T) {
	spent := 4.9
	limit := 5.0
	unpriced := testSetup()
	cfg := unpriced.Models["spark"]
	cfg.InputPrice = -1
	unpriced.Models["spark"], unpriced.DailyLimit = cfg, &limit
	limited := testSetup()
	limited.DailyLimit = &limit
	for _, c := range []struct {
		name  string
		setup Setup
		err   Code
		spent *float64
		state LaneState
		says  string
	}{
		{"401", testSetup(), CodeAuth, nil, LaneDisabled, "do this"},
		{"server down", testSetup(), CodeUnreachable, nil, LaneUnreachable, "do this"},
		{"quota", testSetup(), CodeQuota, nil, LaneLimited, "do this"},
		{"no price", unpriced, "", nil, LaneMisconfigured, "input_price"},
		{"nearly used up", limited, "", &spent, LaneLimited, "only when asked"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(c.setup)
			b.ledger.fixed = c.spent
			if c.err != "" {
				b.fast.warmErr = &Error{Code: c.err, Message: "It failed; do this."}
			}
			b.Warm(t.Context(), Fast)
			if s := fastStatus(b); s.State != c.state || !strings.Contains(s.Reason, c.says) {
				t.Errorf("%s, %q", s.State, s.Reason)
			}
		})
	}
}

// TestFailingServerIsVisible holds that a fault of the server is in the status while requests
// are still sent, and until one is answered, and that it is said once.
func TestFailingServerIsVisible(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(testSetup())
		b.Warm(t.Context(), Fast) // opens the client
		for range 2 {
			b.Failing("spark", &Error{Code: CodeServer, Message: "It failed (500); do this."})
		}
		if s := fastStatus(b); s.State != LaneUnreachable || s.Reason != "It failed (500); do this." {
			t.Errorf("%s, %q", s.State, s.Reason)
		}
		if len(b.notices) != 1 || b.notices[0].Kind != NoticeServer || b.notices[0].Text != "It failed (500); do this." {
			t.Errorf("notices %v", b.notices)
		}
		b.fast.answers = append(b.fast.answers, replies("a", "gpt-5.3-codex-spark", Usage{}))
		if _, err := b.ask(Fast, Complete, "x"); err != nil {
			t.Fatal(err)
		}
		if s := fastStatus(b); s.State != LaneReady {
			t.Errorf("after an answer: %s, %q", s.State, s.Reason)
		}
	})
}

// TestSlowBeginningIsNamedWhileTyping: who types is told that the model is too slow; an edit, and
// what is read ahead, may take their time.
func TestSlowBeginningIsNamedWhileTyping(t *testing.T) {
	for _, c := range []struct {
		name string
		req  Request
		want int
	}{
		{"a completion", Request{Purpose: Complete}, 1},
		{"an edit", Request{Purpose: Edit}, 0},
		{"a prompt read ahead", Request{Purpose: Complete, Ahead: true}, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(testSetup())
			b.fast.answers = append(b.fast.answers, func(req *Request, yield func(Delta, error) bool) {
				time.Sleep(2 * slowAfter)
				replies("a", "gpt-5.3-codex-spark", Usage{})(req, yield)
			})
			for range b.Stream(t.Context(), Fast, &c.req) {
			}
			synctest.Wait()
			if len(b.notices) != c.want {
				t.Errorf("%s: %v", c.name, b.notices)
			}
		})
	}
}

// TestServerStaysUnreachableUntilItAnswers holds that a server is not ready because time has
// passed since it could not be reached.
func TestServerStaysUnreachableUntilItAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(testSetup())
		b.fast.warmErr = &Error{Code: CodeUnreachable, Message: "Nothing listens there; start it."}
		b.Warm(t.Context(), Fast)
		time.Sleep(2 * unreachable)
		if s := fastStatus(b); s.State != LaneUnreachable || s.Reason != "Nothing listens there; start it." {
			t.Errorf("later: %s, %q", s.State, s.Reason)
		}
		b.fast.answers = append(b.fast.answers, replies("a", "gpt-5.3-codex-spark", Usage{}))
		if _, err := b.ask(Fast, Complete, "x"); err != nil {
			t.Fatal(err)
		}
		if s := fastStatus(b); s.State != LaneReady {
			t.Errorf("after an answer: %s, %q", s.State, s.Reason)
		}
	})
}

// TestProviderWithoutACache: the status says of a paid provider that it never reads a prompt
// from a cache, and no message does.
func TestProviderWithoutACache(t *testing.T) {
	for _, cached := range []int{0, 512} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(testSetup())
			b.fast.answers = append(b.fast.answers, replies("x", "gpt-5.3-codex-spark", Usage{Input: 2000, Cached: cached, Output: 1, Known: true}))
			for i := range cachedNothing {
				if s := fastStatus(b); s.Uncached {
					t.Errorf("%d cached: said after %d answers", cached, i)
				}
				for range b.Stream(t.Context(), Fast, &Request{Purpose: Complete}) {
				}
			}
			s := fastStatus(b)
			if s.Uncached != (cached == 0) || (s.Totals.CachedPercent() > 0) != (cached > 0) {
				t.Errorf("%d cached: %v, %v %%", cached, s.Uncached, s.Totals.CachedPercent())
			}
			for _, notice := range b.notices {
				if strings.Contains(notice.Text, "cache") {
					t.Errorf("%d cached: the message %q", cached, notice.Text)
				}
			}
		})
	}
}

// TestPaidContext: a completion is shown less where a day of 2,800 of them would cost more than
// the sum for it, and never less than the text around the cursor.
func TestPaidContext(t *testing.T) {
	for _, c := range []struct {
		name             string
		in, cached, out  float64
		sum              float64
		configured, want int
	}{
		{"free", 0, -1, 0, 0.8, 3000, 0},
		{"not known", -1, -1, -1, 0.8, 3000, 0},
		{"a cache that costs a tenth", 0.25, 0.025, 0.75, 0.8, 3000, 0},
		{"a cache that costs half", 0.15, 0.075, 0.6, 0.8, 3000, 2675}, // (285.7 - 18) / (0.22 x 0.15 + 0.78 x 0.075) - 250
		{"a cache that costs as much", 0.35, -1, 0.75, 0.8, 3000, 502}, // (285.7 - 22.5) / 0.35 - 250
		{"a larger sum", 0.35, -1, 0.75, 4, 3000, 0},
		{"no limit", 15, -1, 75, 0, 3000, 0},
		{"dear", 15, -1, 75, 0.8, 3000, leastPaid},
		{"less is configured", 15, -1, 75, 0.8, 256, 0},
		{"no number", math.NaN(), -1, 1, 0.8, 3000, 0},
	} {
		m := ModelConfig{InputPrice: c.in, CachedPrice: c.cached, CacheWritePrice: -1, OutputPrice: c.out}
		if got := (Budgets{Complete: c.configured, CompletionsUSD: c.sum}).Paid(m); got != c.want {
			t.Errorf("%s: %d tokens, want %d", c.name, got, c.want)
		}
	}
}

// TestDearModelIsSaidBeforeItIsAsked: what a normal day costs, once, before the first
// completion leaves, with the cheaper model and the setting by which the user agrees.
func TestDearModelIsSaidBeforeItIsAsked(t *testing.T) {
	setup := func(notice float64, complete string) Setup {
		return Setup{Fast: "dear", Complete: complete, Deep: complete, DayNotice: notice, Budgets: Budgets{Complete: 2750, Edit: 8000, Ask: 16000}, Providers: testSetup().Providers, Models: map[string]ModelConfig{
			"dear":  {Name: "dear", Provider: "openai", Model: "m", InputPrice: 2, CachedPrice: 0.5, CacheWritePrice: -1, OutputPrice: 10, ContextWindow: 128000},
			"cheap": {Name: "cheap", Provider: "openai", Model: "m", InputPrice: 0.2, CachedPrice: -1, CacheWritePrice: -1, OutputPrice: 1, ContextWindow: 128000},
			"odd":   {Name: "odd", Provider: "openai", Model: "m", InputPrice: -1, OutputPrice: -1, ContextWindow: 128000},
		}}
	}
	for _, c := range []struct {
		name     string
		setup    Setup
		days     []float64 // of the lanes in the status: fast, deep, complete
		sentence []string
	}{
		// 2,800 x (660 x 2 + 2,340 x 0.5 + 30 x 10) / 1e6 = 7.81; edits and questions 1.32 + 1.48
		{"dear", setup(5, ""), []float64{10.61, 0}, []string{"with dear as fast model costs about $10.61", `complete = "cheap" (about $1.76)`, "day_notice_usd = 11"}},
		{"agreed", setup(11, ""), []float64{10.61, 0}, nil},
		{"never", setup(0, ""), []float64{10.61, 0}, nil},
		{"a cheap one completes", setup(2, "cheap"), []float64{2.8, 0, 1.76}, nil},
		{"no price", setup(1, "odd"), []float64{2.8, 0, 0}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(c.setup)
			b.fast.answers = append(b.fast.answers, replies("x", "m", Usage{Input: 1, Output: 1, Known: true}))
			b.deep.answers = b.fast.answers
			for i, want := range c.days {
				if got := b.Status().Lanes[i].DayUSD; got < want-0.005 || got > want+0.005 {
					t.Errorf("lane %d: $%.3f a day, want %.2f", i, got, want)
				}
			}
			sent := func() int { b.fast.mu.Lock(); defer b.fast.mu.Unlock(); return len(b.fast.asked) }
			b.parts.Notice = nil
			b.once.notify = func(n Notice) {
				if sent() != 0 {
					t.Error("it was said after the request had left")
				}
				b.notices = append(b.notices, n)
			}
			for range 2 {
				for range b.Stream(t.Context(), Fast, &Request{Purpose: Complete, Model: c.setup.For(Complete)}) {
				}
			}
			if said := len(b.notices); said != min(len(c.sentence), 1) {
				t.Fatalf("said %d times: %v", said, b.notices)
			}
			for _, part := range c.sentence {
				if !strings.Contains(b.notices[0].Text, part) {
					t.Errorf("%q lacks %q", b.notices[0].Text, part)
				}
			}
		})
	}
}
