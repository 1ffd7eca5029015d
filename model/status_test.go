package model

import (
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

// TestProviderWithoutACacheIsReportedOnce: one that is paid, and never reads a prompt
// from a cache.
func TestProviderWithoutACacheIsReportedOnce(t *testing.T) {
	for _, c := range []struct{ cached, want int }{{0, 1}, {512, 0}} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(testSetup())
			b.fast.answers = append(b.fast.answers, replies("x", "gpt-5.3-codex-spark", Usage{Input: 2000, Cached: c.cached, Output: 1, Known: true}))
			for range 2 * cachedNothing {
				for range b.Stream(t.Context(), Fast, &Request{Purpose: Complete}) {
				}
			}
			n := 0
			for _, notice := range b.notices {
				if strings.Contains(notice.Text, "from a cache") {
					n++
				}
			}
			if n != c.want {
				t.Errorf("%d cached: %d notices, want %d: %v", c.cached, n, c.want, b.notices)
			}
			if s := fastStatus(b); (s.Totals.CachedPercent() > 0) != (c.cached > 0) {
				t.Errorf("%d cached: %v %%", c.cached, s.Totals.CachedPercent())
			}
		})
	}
}
