package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"tandem/workspace/redact"
	"tandem/workspace/tokens"
)

// A fake answers requests as a test defines.
type fake struct {
	mu       sync.Mutex
	observer Observer
	answers  []func(req *Request, yield func(Delta, error) bool)
	asked    []*Request
	warmed   int
	warmErr  error
	closed   atomic.Bool
	sent     Sent // what is reported of each body; the zero value is one of 4,000 bytes
	endless  bool // answers go on until the caller stops
}

func (f *fake) Stream(ctx context.Context, req *Request) Stream {
	return func(yield func(Delta, error) bool) {
		f.mu.Lock()
		f.asked = append(f.asked, req)
		n := min(len(f.asked), len(f.answers)) - 1
		f.mu.Unlock()
		if f.observer != nil {
			s := f.sent
			s.RequestID, s.Model, s.Host, s.BodyHash, s.Time, s.Bytes = req.ID, req.Model, "h:443", "ab", time.Now(), cmp.Or(s.Bytes, 4000)
			f.observer.Sent(s)
		}
		if f.endless {
			for ctx.Err() == nil && yield(Delta{Text: "x"}, nil) {
				select {
				case <-time.After(time.Second):
				case <-ctx.Done():
				}
			}
			yield(Delta{}, context.Cause(ctx))
			return
		}
		f.answers[n](req, yield)
	}
}

func (f *fake) Warm(context.Context) error { f.warmed++; return f.warmErr }
func (f *fake) Close() error               { f.closed.Store(true); return nil }

func replies(text, served string, u Usage) func(*Request, func(Delta, error) bool) {
	return func(_ *Request, yield func(Delta, error) bool) {
		if !yield(Delta{Served: served}, nil) {
			return
		}
		for piece := range strings.SplitSeq(text, " ") {
			if !yield(Delta{Text: piece}, nil) {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		yield(Delta{Final: &Final{Usage: u, End: Ended(WhyWhole, "stop")}}, nil)
	}
}

func fails(e Error) func(*Request, func(Delta, error) bool) {
	return func(_ *Request, yield func(Delta, error) bool) { own := e; yield(Delta{}, &own) }
}

// A ledger is a Ledger in memory.
type ledger struct {
	mu      sync.Mutex
	records []string
	spent   map[string]float64
	fixed   *float64 // what Spent returns, whatever was booked
	unread  error    // why Spent returns nothing
}

func (b *ledger) Spent(t time.Time) (float64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.fixed != nil || b.unread != nil {
		return *cmp.Or(b.fixed, new(float64)), b.unread
	}
	return b.spent[dayOf(t)], nil
}

func (b *ledger) Sent(lane Lane, p Purpose, s Sent) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.records = append(b.records, fmt.Sprintf("sent %s %s %s %s %d %s", s.RequestID, lane, p, s.Host, s.Bytes, s.BodyHash))
	return nil
}

func (b *ledger) Done(d Done) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.spent == nil {
		b.spent = map[string]float64{}
	}
	b.spent[dayOf(d.Time)] += d.CostUSD
	b.records = append(b.records, fmt.Sprintf("done %s %s %d/%d/%d $%.4f known=%v %s", d.RequestID, d.Served, d.Usage.Input, d.Usage.Cached, d.Usage.Output, d.CostUSD, d.Usage.Known, d.Code))
	return nil
}

// A bench is lanes over fakes, with the notices that they sent.
type bench struct {
	*Lanes
	fast, deep *fake
	ledger     ledger
	mu         sync.Mutex
	notices    []Notice
}

func testSetup() Setup {
	retries := 3
	return Setup{Providers: map[string]ProviderConfig{"openai": {Name: "openai", RequestMaxRetries: &retries}}, Fast: "spark", Deep: "codex", Models: map[string]ModelConfig{
		"spark": {Name: "spark", Provider: "openai", Model: "gpt-5.3-codex-spark", ContextWindow: 128000, MaxOutputTokens: 4096, InputPrice: 1.75, CachedPrice: 0.175, CacheWritePrice: -1, OutputPrice: 14},
		"codex": {Name: "codex", Provider: "openai", Model: "gpt-5.3-codex", ContextWindow: 400000, InputPrice: 2, OutputPrice: 16},
	}}
}

func newBench(s Setup) *bench {
	b := &bench{fast: &fake{}, deep: &fake{}}
	b.Lanes = NewLanes(s, Parts{
		Open: func(m ModelConfig, o Observer) (Client, error) {
			f := map[string]*fake{s.Fast: b.fast, s.Deep: b.deep}[m.Name]
			f.observer = o
			return f, nil
		},
		Ledger: &b.ledger,
		Notice: func(n Notice) { b.mu.Lock(); b.notices = append(b.notices, n); b.mu.Unlock() },
	})
	return b
}

// ask streams a request to its end.
func (b *bench) ask(lane Lane, p Purpose, id string) (string, *Error) {
	text := ""
	for d, err := range b.Stream(context.Background(), lane, &Request{ID: id, Purpose: p, Input: []Message{{Role: "user", Text: redact.Said(strings.Repeat("word ", 400))}}}) {
		if err != nil {
			return text, AsError(err)
		}
		text += d.Text
	}
	return text, nil
}

func codeOf(e *Error) Code {
	if e == nil {
		return ""
	}
	return e.Code
}

func TestStreamAccounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(testSetup())
		b.fast.answers = append(b.fast.answers, replies("a b c", "gpt-5.3-codex-spark-2026-02-01", Usage{Input: 1000, Cached: 600, Output: 100, Known: true}))
		if text, err := b.ask(Fast, Complete, "c1"); text != "abc" || err != nil {
			t.Errorf("%q, %v", text, err)
		}
		want := 400*1.75e-6 + 600*0.175e-6 + 100*14e-6
		p, ok := b.Usage("c1")
		if !ok || math.Abs(p.CostUSD-want) > 1e-12 || p.PromptTokens != 1000 || p.CachedTokens != 600 || p.TokensPerSecond < 4999 || p.ServedModel != "gpt-5.3-codex-spark-2026-02-01" {
			t.Errorf("%+v, %v; want $%v", p, ok, want)
		}
		records := []string{"sent c1 fast complete h:443 4000 ab", "done c1 gpt-5.3-codex-spark-2026-02-01 1000/600/100 $0.0022 known=true "}
		if diff := gocmp.Diff(records, b.ledger.records); diff != "" {
			t.Errorf("ledger (-want +got):\n%s", diff)
		}
		if len(b.notices) != 0 {
			t.Errorf("a dated id is the same model: %v", b.notices)
		}
		s := b.Status()
		if fast := s.Lanes[0]; fast.State != LaneReady || fast.Totals.Input != 1000 || fast.Totals.Cached != 600 || math.Abs(fast.Totals.CostUSD-want) > 1e-12 || fast.Served == "" || s.Lanes[1].Totals != (Totals{}) || math.Abs(s.SpentUSD-want) > 1e-12 {
			t.Errorf("%+v", s)
		}
	})
}

func TestAbandonedStreamIsStillAccounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(testSetup())
		b.fast.sent.Texts = []string{strings.Repeat("x", 4000)}
		b.fast.answers = append(b.fast.answers, replies("aaaaaaaa bbbbbbbb c", "", Usage{Known: true}))
		for d, err := range b.Stream(context.Background(), Fast, &Request{ID: "c1", Purpose: Complete, Input: []Message{{Role: "user", Text: redact.Said(strings.Repeat("x", 4000))}}}) {
			if err != nil || d.Text == "bbbbbbbb" {
				break
			}
		}
		p, _ := b.Usage("c1")
		sent, received := tokens.Count(strings.Repeat("x", 4000)), tokens.Count("aaaaaaaabbbbbbbb")
		if p.PromptTokens != sent || p.OutputTokens != received || p.CostUSD <= 0 {
			t.Errorf("%d tokens sent and %d received are booked as %+v", sent, received, p)
		}
		if last := b.ledger.records[len(b.ledger.records)-1]; !strings.HasSuffix(last, "known=false ") {
			t.Errorf("ledger: %s", last)
		}
	})
}

func TestServedModelIsReportedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(testSetup())
		b.fast.answers = append(b.fast.answers, replies("a", "gpt-5.3-codex", Usage{}))
		for i := range 3 {
			if _, err := b.ask(Fast, Complete, fmt.Sprint(i)); err != nil {
				t.Fatal(err)
			}
		}
		if len(b.notices) != 1 || !strings.Contains(b.notices[0].Text, "access to gpt-5.3-codex-spark: gpt-5.3-codex answered") {
			t.Errorf("%v", b.notices)
		}
		b.ParameterRefused("spark", "reasoning.summary")
		b.ParameterRefused("spark", "reasoning.summary")
		if len(b.notices) != 2 || !strings.Contains(b.notices[1].Text, "reasoning.summary") {
			t.Errorf("%v", b.notices)
		}
	})
}

func TestDailyLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := 0.01
		setup := testSetup()
		setup.DailyLimit = &limit
		setup.Models["free"] = ModelConfig{Name: "free", Model: "m"}
		b := newBench(setup)
		b.fast.answers = append(b.fast.answers, replies("a", "", Usage{Output: 1000, Known: true}))
		b.deep.answers = append(b.deep.answers, replies("a", "", Usage{Output: 1, Known: true}))
		if _, err := b.ask(Fast, Complete, "1"); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			_, err := b.ask(Deep, Ask, "2")
			if codeOf(err) != CodeDailyLimit || !strings.Contains(err.Error(), "$0.0100 is reached") {
				t.Errorf("over the limit: %v", err)
			}
		}
		if len(b.deep.asked) != 0 || len(b.notices) != 1 {
			t.Errorf("%d requests sent, notices %v", len(b.deep.asked), b.notices)
		}
		if got := b.Status().Lanes[1].State; got != LaneLimited {
			t.Errorf("the lane's state is %s", got)
		}
		if got := b.factor(b.current().Name(Fast)); got != 0 {
			t.Errorf("backoff %v at the limit", got)
		}
		time.Sleep(time.Until(midnight(time.Now())))
		if _, err := b.ask(Deep, Ask, "3"); err != nil {
			t.Errorf("the next day: %v", err)
		}
	})
}

// TestUncountedSpending: while nobody can count what a day costs, a limit admits no
// paid request, and the status gives the reason. Without a limit requests are sent.
func TestUncountedSpending(t *testing.T) {
	for _, limited := range []bool{true, false} {
		setup := testSetup()
		if limit := 5.0; limited {
			setup.DailyLimit = &limit
		}
		b := newBench(setup)
		b.ledger.unread = errors.New("no space left on device")
		b.fast.answers = append(b.fast.answers, replies("a", "s", Usage{Input: 1, Output: 1, Known: true}))
		_, err := b.ask(Fast, Edit, "c1")
		refused := codeOf(err) == CodeDailyLimit && strings.Contains(err.Error(), "no space left on device")
		if refused != limited || (len(b.ledger.records) == 0) != limited {
			t.Errorf("limited %v: %v, ledger %q", limited, err, b.ledger.records)
		}
		if lane := b.Status().Lanes[0]; strings.Contains(lane.Reason, "cannot be counted") != limited || (b.factor(b.current().Name(Fast)) == 0) != limited {
			t.Errorf("limited %v: %s, %q, backoff %v", limited, lane.State, lane.Reason, b.factor(b.current().Name(Fast)))
		}
	}
}

func TestDailyLimitHoldsForRequestsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := 0.0005 // the input of one request
		setup := testSetup()
		setup.DailyLimit = &limit
		b := newBench(setup)
		b.fast.answers = append(b.fast.answers, replies("a b c d", "", Usage{}))
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() { b.ask(Fast, Edit, fmt.Sprint(i)) })
		}
		wg.Wait()
		if n := len(b.fast.asked); n != 1 {
			t.Errorf("%d requests sent together, want 1", n)
		}
	})
}

func TestLaneWithoutModel(t *testing.T) {
	b := newBench(Setup{Fast: "local", Models: map[string]ModelConfig{}})
	for _, lane := range []Lane{Fast, Deep} {
		if _, err := b.ask(lane, Ask, "1"); codeOf(err) != CodeNotConfigured || !strings.Contains(err.Error(), string(lane)+" =:") {
			t.Errorf("%s: %v", lane, err)
		}
		if _, ok := b.Config(lane); ok {
			t.Errorf("%s has a model", lane)
		}
	}
	if got := b.Status().Lanes[0].State; got != LaneBuiltIn {
		t.Errorf("state %s", got)
	}
}

func TestStreamWithoutEndIsInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(testSetup())
		b.fast.answers = append(b.fast.answers, func(_ *Request, yield func(Delta, error) bool) { yield(Delta{Text: "half"}, nil) })
		text, err := b.ask(Fast, Complete, "1")
		if text != "half" || codeOf(err) != CodeInterrupted || !err.Delivered {
			t.Errorf("%q, %+v", text, err)
		}
	})
}

// TestACallerThatStopsSaysNothingOfTheServer: whatever a client makes of the end of its context, the
// request was cancelled, and the lane is as it was.
func TestACallerThatStopsSaysNothingOfTheServer(t *testing.T) {
	for _, text := range []string{"", "half"} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(testSetup())
			for i := range 2 * breakAfter {
				ctx, cancel := context.WithCancelCause(t.Context())
				b.fast.answers = append(b.fast.answers, func(_ *Request, yield func(Delta, error) bool) {
					if text == "" || yield(Delta{Text: text}, nil) {
						cancel(errors.New("the user looks elsewhere"))
						yield(Delta{}, &Error{Code: CodeInterrupted, Message: "the connection broke."})
					}
				})
				var failed error
				for _, err := range b.Stream(ctx, Fast, &Request{ID: fmt.Sprint(i), Purpose: Ask}) {
					failed = err
				}
				if AsError(failed) == nil || AsError(failed).Code != CodeCancelled {
					t.Fatalf("%q: %v", text, failed)
				}
			}
			if got := b.Status().Lanes[0]; got.State != LaneReady || len(b.notices) != 0 {
				t.Errorf("%q: the lane is %+v, said %v", text, got, b.notices)
			}
		})
	}
}

func TestReconfigureKeepsWhatStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(testSetup())
		b.fast.answers = append(b.fast.answers, replies("a b c", "", Usage{}))
		b.deep.answers = append(b.deep.answers, replies("a", "", Usage{}))
		b.Warm(t.Context(), Deep)
		var wg sync.WaitGroup
		wg.Go(func() {
			if text, err := b.ask(Fast, Complete, "1"); text != "abc" || err != nil {
				t.Errorf("the running request: %q, %v", text, err)
			}
		})
		synctest.Wait()
		next := testSetup()
		spark := next.Models["spark"]
		spark.Provider = "other"
		next.Models["spark"] = spark
		b.Reconfigure(next)
		if b.fast.closed.Load() {
			t.Error("the client was closed under a running request")
		}
		wg.Wait()
		if !b.fast.closed.Load() || b.deep.closed.Load() {
			t.Errorf("changed model closed: %v, unchanged closed: %v", b.fast.closed.Load(), b.deep.closed.Load())
		}
		moved := testSetup()
		moved.Providers["openai"] = ProviderConfig{Name: "openai", BaseURLs: []string{"https://elsewhere.example.com"}}
		b.Reconfigure(moved)
		if !b.deep.closed.Load() {
			t.Error("the client of a provider that moved is still in use")
		}
		if b.deep.warmed != 1 {
			t.Errorf("warmed %d times", b.deep.warmed)
		}
	})
}

// TestAChangedModelIsReportedAnew: what is wrong with a model is said once, and once more when it
// is another server's.
func TestAChangedModelIsReportedAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(testSetup())
		b.Warm(t.Context(), Fast)
		b.Warm(t.Context(), Deep)
		fails := func(want int) {
			t.Helper()
			for _, name := range []string{"spark", "spark", "thinker"} {
				b.Failing(name, &Error{Code: CodeServer, Message: "out of order"})
			}
			b.mu.Lock()
			defer b.mu.Unlock()
			if len(b.notices) != want {
				t.Errorf("%d notices, want %d: %+v", len(b.notices), want, b.notices)
			}
		}
		fails(2)
		b.Reconfigure(testSetup())
		fails(2)
		next := testSetup()
		spark := next.Models["spark"]
		spark.Provider = "other"
		next.Models["spark"] = spark
		b.Reconfigure(next)
		fails(3)
	})
}

func TestInternalErrorsAreReported(t *testing.T) {
	if e := AsError(errors.New("boom")); e.Code != CodeInternal || !strings.Contains(e.Error(), "boom") {
		t.Errorf("%+v", e)
	}
	if e := AsError(fmt.Errorf("x: %w", context.Canceled)); e.Code != CodeCancelled {
		t.Errorf("%+v", e)
	}
	if AsError(nil) != nil {
		t.Error("no error is none")
	}
}

func TestPayloadsAreTheLastOnes(t *testing.T) {
	b := newBench(testSetup())
	if got := b.Payloads(3); len(got) != 0 {
		t.Errorf("%v", got)
	}
	for i := range maxPayloads + 4 {
		b.Sent(Sent{RequestID: fmt.Sprint(i), Body: []byte{byte(i)}})
	}
	got := b.Payloads(100)
	if len(got) != maxPayloads || got[0].RequestID != "19" || got[len(got)-1].RequestID != "4" || string(got[0].Body) != "\x13" {
		t.Errorf("%+v", got)
	}
	b.Sent(Sent{RequestID: "large", Body: make([]byte, 2*maxPayloadBytes)})
	if got := b.Payloads(100); len(got) != 1 || got[0].RequestID != "large" {
		t.Errorf("%d payloads of %d bytes", len(got), b.payloads.bytes)
	}
	if got := b.Payloads(-1); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// factor is how much longer a model's automatic requests wait.
func (b *bench) factor(name string) float64 {
	factor, _ := b.backoff(name)
	return factor
}
