package model

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// withLimiter runs a limiter in virtual time.
func withLimiter(t *testing.T, f func(lim *limiter, pass func(Purpose) Code)) {
	synctest.Test(t, func(*testing.T) {
		lim := &limiter{}
		f(lim, func(p Purpose) Code {
			_, err := lim.admit(time.Now(), p, 100)
			return codeOf(err)
		})
	})
}

func TestBreakerOpensProbesAndCloses(t *testing.T) {
	withLimiter(t, func(lim *limiter, pass func(Purpose) Code) {
		down := &Error{Code: CodeServer, Message: "down"}
		for i := range breakAfter {
			if code := pass(Complete); code != "" {
				t.Fatalf("failure %d: %s", i, code)
			}
			lim.done(time.Now(), down)
		}
		if code := pass(Complete); code != CodeServer {
			t.Errorf("after three failures: %q", code)
		}
		time.Sleep(breakFirst)
		if code := pass(Complete); code != "" {
			t.Errorf("the probe: %q", code)
		}
		if code := pass(Complete); code != CodeServer {
			t.Errorf("a second request during the probe: %q", code)
		}
		lim.done(time.Now(), down)
		time.Sleep(breakFirst)
		if code := pass(Complete); code != CodeServer {
			t.Errorf("it opens for longer each time: %q", code)
		}
		time.Sleep(breakFirst)
		if code := pass(Complete); code != "" {
			t.Errorf("the second probe: %q", code)
		}
		lim.done(time.Now(), nil)
		for range 3 {
			if code := pass(Complete); code != "" {
				t.Errorf("after a success: %q", code)
			}
		}
	})
}

func TestAProbeThatIsCancelledIsNoAnswer(t *testing.T) {
	withLimiter(t, func(lim *limiter, pass func(Purpose) Code) {
		lim.done(time.Now(), &Error{Code: CodeUnreachable})
		time.Sleep(unreachable)
		if code := pass(Complete); code != "" {
			t.Fatal(code)
		}
		lim.release()
		if code := pass(Complete); code != "" {
			t.Errorf("the next probe: %q", code)
		}
		if code := pass(Complete); code != CodeUnreachable {
			t.Errorf("the limiter treated a cancelled probe as a success: %q", code)
		}
	})
}

func TestBlockedLimiter(t *testing.T) {
	for _, c := range []struct {
		err     Error
		closed  time.Duration // 0: until an explicit request
		byUser  Code          // what an explicit request gets meanwhile
		reopens bool          // by itself, after closed
	}{
		{Error{Code: CodeAuth}, 0, "", false},
		{Error{Code: CodeForbidden}, 0, "", false},
		{Error{Code: CodeNotFound}, 0, "", false},
		{Error{Code: CodeQuota}, 0, "", false},
		{Error{Code: CodeQuota, ResetsAt: time.Date(2000, 1, 1, 0, 1, 0, 0, time.UTC)}, time.Minute, CodeQuota, true},
		{Error{Code: CodeRateLimit, RetryAfter: 7 * time.Second}, 7 * time.Second, "", true},
		{Error{Code: CodeUnreachable}, breakFirst, "", true},
		{Error{Code: CodeTLS}, breakFirst, "", true},
		{Error{Code: CodeProxy}, breakFirst, "", true},
	} {
		withLimiter(t, func(lim *limiter, pass func(Purpose) Code) {
			lim.done(time.Now(), &c.err)
			if code := pass(Complete); code != c.err.Code {
				t.Errorf("%s: automatic request gets %q", c.err.Code, code)
			}
			if code := pass(Edit); code != c.byUser {
				t.Errorf("%s: explicit request gets %q, want %q", c.err.Code, code, c.byUser)
			}
			lim.release()
			if !c.reopens {
				c.closed = 24 * time.Hour
			}
			time.Sleep(c.closed - 1)
			if code := pass(Complete); code != c.err.Code {
				t.Errorf("%s: opened before its time: %q", c.err.Code, code)
			}
			if !c.reopens {
				return
			}
			time.Sleep(time.Nanosecond)
			if code := pass(Complete); code != "" {
				t.Errorf("%s: closed after its time: %q", c.err.Code, code)
			}
		})
	}
}

// TestAHostThatStaysAway: a server that was started again soon is found soon, and one that stays
// away is not asked at every key.
func TestAHostThatStaysAway(t *testing.T) {
	withLimiter(t, func(lim *limiter, pass func(Purpose) Code) {
		for _, wait := range []time.Duration{breakFirst, 2 * breakFirst, 4 * breakFirst, unreachable, unreachable} {
			lim.done(time.Now(), &Error{Code: CodeUnreachable})
			time.Sleep(wait - 1)
			if code := pass(Complete); code != CodeUnreachable {
				t.Errorf("before %v: %q", wait, code)
			}
			time.Sleep(time.Nanosecond)
			if code := pass(Complete); code != "" {
				t.Errorf("after %v: %q", wait, code)
			}
		}
		lim.done(time.Now(), nil)
		lim.done(time.Now(), &Error{Code: CodeUnreachable})
		time.Sleep(breakFirst)
		if code := pass(Complete); code != "" {
			t.Errorf("away once more: %q", code)
		}
	})
}

func TestQuotaWaitsForItsReset(t *testing.T) {
	withLimiter(t, func(lim *limiter, pass func(Purpose) Code) {
		lim.done(time.Now(), &Error{Code: CodeQuota, ResetsAt: time.Now().Add(3 * time.Hour)})
		time.Sleep(3*time.Hour - time.Second)
		if code := pass(Task); code != CodeQuota {
			t.Errorf("before the reset: %q", code)
		}
		time.Sleep(time.Second)
		if code := pass(Complete); code != "" {
			t.Errorf("after the reset: %q", code)
		}
	})
}

func TestBucketsFollowTheServersHeaders(t *testing.T) {
	withLimiter(t, func(lim *limiter, pass func(Purpose) Code) {
		lim.limits(time.Now(), Limits{Requests: Allowance{Limit: 10, Remaining: 2, Reset: 8 * time.Second, Known: true}})
		for i := range 2 {
			if code := pass(Complete); code != "" {
				t.Errorf("request %d of 2 that remain: %q", i, code)
			}
		}
		if code := pass(Complete); code != CodeRateLimit {
			t.Errorf("nothing remains: %q", code)
		}
		time.Sleep(time.Second)
		if code := pass(Complete); code != "" {
			t.Errorf("one a second comes back: %q", code)
		}
		if wait, err := lim.admit(time.Now(), Edit, 1); err != nil || wait <= 0 || wait > 2*time.Second {
			t.Errorf("an explicit request waits for the rate limit: %v, %v", wait, err)
		}
	})
}

func TestTokenBucket(t *testing.T) {
	withLimiter(t, func(lim *limiter, pass func(Purpose) Code) {
		lim.limits(time.Now(), Limits{Tokens: Allowance{Limit: 1000, Remaining: 150, Reset: time.Minute, Known: true}})
		if code := pass(Complete); code != "" {
			t.Errorf("100 tokens of 150: %q", code)
		}
		if code := pass(Complete); code != CodeRateLimit {
			t.Errorf("100 tokens of 50: %q", code)
		}
		if _, err := lim.admit(time.Now(), Task, 5000); err == nil {
			t.Error("more than a minute's wait for a full bucket")
		}
		lim.limits(time.Now(), Limits{Tokens: Allowance{Limit: 1000, Remaining: 1000, Known: true}})
		if _, err := lim.admit(time.Now(), Complete, 5000); err != nil {
			t.Errorf("a request larger than the bucket takes it all: %v", err)
		}
	})
}

func TestBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(testSetup())
		b.fast.answers = append(b.fast.answers, replies("a", "", Usage{}))
		if _, err := b.ask(Fast, Ask, ""); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct{ used, want float64 }{{0, 1}, {80, 1}, {80.1, 2}, {95, 2}, {95.1, 0}, {100, 0}} {
			b.Limits(Limits{Model: "spark", UsedKnown: true, UsedPercent: c.used, ResetsAt: time.Now().Add(time.Hour)})
			if got := b.BackoffFor(Complete); got != c.want {
				t.Errorf("%v %% used: backoff %v, want %v", c.used, got, c.want)
			}
		}
		time.Sleep(time.Hour)
		if got := b.BackoffFor(Complete); got != 1 {
			t.Errorf("after the window: %v, want 1", got)
		}
	})
}

// TestReachedLimitIsAnnounced: while one types nothing is asked any more, and the person is told why, once.
func TestReachedLimitIsAnnounced(t *testing.T) {
	for _, c := range []struct{ limit, spent float64 }{{0, 0}, {1, 0.97}, {1, 1}} {
		setup := testSetup()
		setup.DailyLimit = &c.limit
		b := newBench(setup)
		if _, err := b.channel(Fast, b.current().Name(Fast)); err != nil { // as an editor's start does
			t.Fatal(err)
		}
		b.budget.charge(time.Now(), 0, c.spent)
		for range 2 {
			if got := b.BackoffFor(Complete); got != 0 {
				t.Errorf("%v of %v spent: backoff %v", c.spent, c.limit, got)
			}
		}
		want := 0
		if c.spent >= c.limit {
			want = 1
		}
		if len(b.notices) != want || want == 1 && (b.notices[0].Kind != NoticeLimit || !strings.Contains(b.notices[0].Text, "Raise daily_limit_usd")) {
			t.Errorf("%v of %v spent: %v", c.spent, c.limit, b.notices)
		}
	}
}

func TestEachLaneHasItsOwnLimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(testSetup())
		b.fast.answers = append(b.fast.answers, fails(Error{Code: CodeQuota, Message: "used up", ResetsAt: time.Now().Add(time.Hour)}))
		b.deep.answers = append(b.deep.answers, replies("a", "", Usage{}))
		for range 3 {
			if _, err := b.ask(Fast, Complete, ""); codeOf(err) != CodeQuota {
				t.Errorf("%v", err)
			}
		}
		if len(b.fast.asked) != 1 || len(b.notices) != 1 {
			t.Errorf("%d requests, notices %v", len(b.fast.asked), b.notices)
		}
		if _, err := b.ask(Deep, Ask, ""); err != nil {
			t.Errorf("the other lane: %v", err)
		}
		s := b.Status()
		if s.Lanes[0].State != LaneLimited || s.Lanes[0].Reason != "used up" || s.Lanes[1].State != LaneReady {
			t.Errorf("%+v", s.Lanes)
		}
		b.Limits(Limits{Model: "spark", UsedKnown: true, UsedPercent: 90, ResetsAt: time.Now().Add(time.Hour)})
		if b.factor(b.current().Name(Fast)) != 2 || b.factor(b.current().Name(Deep)) != 1 {
			t.Errorf("backoff %v and %v", b.factor(b.current().Name(Fast)), b.factor(b.current().Name(Deep)))
		}
	})
}

func TestQueueIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(testSetup())
		unblock := make(chan struct{})
		b.deep.answers = append(b.deep.answers, func(_ *Request, yield func(Delta, error) bool) {
			<-unblock
			yield(Delta{Final: &Final{}}, nil)
		})
		done := make(chan *Error)
		for i := range 6 {
			go func() { _, err := b.ask(Deep, Ask, fmt.Sprint(i)); done <- err }()
		}
		synctest.Wait()
		if n := len(b.deep.asked); n != 4 {
			t.Errorf("%d run at once", n)
		}
		close(unblock)
		for range 6 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	})
}

func TestCost(t *testing.T) {
	m := ModelConfig{InputPrice: 2, CachedPrice: 0.5, CacheWritePrice: 2.5, OutputPrice: 10}
	plain := ModelConfig{InputPrice: 2, CachedPrice: -1, CacheWritePrice: -1, OutputPrice: 10}
	for _, c := range []struct {
		m    ModelConfig
		u    Usage
		want float64
	}{
		{m, Usage{Input: 1e6}, 2},
		{m, Usage{Input: 1e6, Cached: 4e5}, 1.4},
		{m, Usage{Input: 1e6, Cached: 4e5, CacheWrite: 6e5}, 1.7},
		{m, Usage{Output: 1e6, Reasoning: 9e5}, 10},
		{plain, Usage{Input: 1e6, Cached: 4e5, CacheWrite: 1e5}, 2},
		{m, Usage{Input: 10, Cached: 20}, 10e-6},
		{ModelConfig{}, Usage{Input: 1e6, Output: 1e6}, 0},
	} {
		if got := Cost(c.m, c.u); got < c.want-1e-9 || got > c.want+1e-9 {
			t.Errorf("%+v costs $%v, want $%v", c.u, got, c.want)
		}
	}
}

func TestRefusalsAreSentences(t *testing.T) {
	withLimiter(t, func(lim *limiter, _ func(Purpose) Code) {
		lim.limits(time.Now(), Limits{Requests: Allowance{Limit: 1, Remaining: 0, Reset: 90 * time.Second, Known: true}})
		_, err := lim.admit(time.Now(), Complete, 1)
		if err == nil || !strings.Contains(err.Error(), "90 seconds") || !strings.HasSuffix(err.Error(), ".") {
			t.Errorf("%v", err)
		}
	})
}
