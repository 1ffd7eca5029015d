package inline

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tandem/model"
	"tandem/model/assist/core"
)

// An own is a server of the user's, of a known speed; it counts what it wrote and which
// requests were cancelled.
type own struct {
	lanes
	rate               model.Rate
	written, cancelled *int
	model              string // "" is one of the lanes
}

func (o own) ConfigFor(p model.Purpose) (model.ModelConfig, bool) {
	cfg, ok := o.lanes.ConfigFor(p)
	cfg.Server.Own, cfg.Rate, cfg.Model = true, o.rate, cmp.Or(o.model, cfg.Model)
	return cfg, ok
}

func (o own) Stream(ctx context.Context, lane model.Lane, req *model.Request) model.Stream {
	return func(yield func(model.Delta, error) bool) {
		for d, err := range o.lanes.Stream(ctx, lane, req) {
			if d.Text != "" {
				*o.written++
			}
			if err != nil && ctx.Err() != nil {
				*o.cancelled++
			}
			if !yield(d, err) {
				return
			}
		}
	}
}

func ownBench(t *testing.T, fast *script, rate model.Rate) (*bench, own) {
	b := newBench(t, lanes{model.Fast: fast}, program, nil)
	o := own{lanes: b.Lanes, rate: rate, written: new(int), cancelled: new(int)}
	b.engine.ask(o)
	return b, o
}

// TestAPromptIsReadToItsEnd: at a server of the user's a request whose prompt is being read is
// awaited until its answer begins, however many keys come, and the next one is sent only
// where the answer is not what was typed.
func TestAPromptIsReadToItsEnd(t *testing.T) {
	for typed, want := range map[string]struct {
		requests int
		left     string
	}{"comp": {1, "ute(1)"}, "cozy": {2, "compute(1)"}} {
		synctest.Test(t, func(t *testing.T) {
			fast := replies("compute(1)")
			fast.First = 1500 * time.Millisecond
			b, o := ownBench(t, fast, model.Rate{Evaluated: 200, Written: 25})
			at := b.At("x := ")
			b.complete(at, follows)
			for i, key := range typed {
				b.Edit(at+i, at+i, string(key))
				b.complete(at+i+1, follows)
			}
			if n := len(fast.Requests()); n != 1 || *o.cancelled != 0 {
				t.Errorf("%s: %d requests while the first prompt is read, %d cancelled", typed, n, *o.cancelled)
			}
			time.Sleep(3 * time.Second)
			synctest.Wait()
			if got := b.complete(at+len(typed), follows); len(fast.Requests()) != want.requests || !slices.Equal(texts(got), []string{want.left}) {
				t.Errorf("%s: %q after %d requests, want %q after %d", typed, texts(got), len(fast.Requests()), want.left, want.requests)
			}
		})
	}
}

// TestAnAnswerIsEndedWhereWhatIsShownEnds: what a model writes after the line or the block is
// not awaited.
func TestAnAnswerIsEndedWhereWhatIsShownEnds(t *testing.T) {
	for _, c := range []struct {
		rate model.Rate
		most int
		want string
	}{{model.Rate{Evaluated: 200, Written: 4}, 2, "f("}, {model.Rate{}, 6, "f(\n\t\ta,\n\t)"}} {
		synctest.Test(t, func(t *testing.T) {
			fast := replies("f(", "\n", "\t\ta,\n", "\t)", "\n", "}", "\n\n", "func ", "other", "() {", "\n")
			b, o := ownBench(t, fast, c.rate)
			b.complete(b.At("x := "), plain)
			synctest.Wait()
			if *o.written > c.most || *o.cancelled != 0 {
				t.Errorf("%+v: %d pieces were awaited, %d requests cancelled", c.rate, *o.written, *o.cancelled)
			}
			if got := b.complete(b.At("x := "), plain); !slices.Equal(texts(got), []string{c.want}) {
				t.Errorf("%+v: %q, want %q", c.rate, texts(got), c.want)
			}
		})
	}
}

// TestWhatNobodyAwaitsEnds: a request that its caller cancels ends, unless the next key's
// request may need its answer.
func TestWhatNobodyAwaitsEnds(t *testing.T) {
	for typed, want := range map[string]int{"": 1, "c": 0} {
		synctest.Test(t, func(t *testing.T) {
			fast := replies("compute(1)")
			fast.First = 2 * time.Second
			b, o := ownBench(t, fast, model.Rate{Evaluated: 200, Written: 25})
			at := b.At("x := ")
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			defer cancel()
			if _, err := b.engine.Completer.Complete(ctx, b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: at}}); err != nil {
				t.Fatal(err)
			}
			if typed != "" {
				b.Edit(at, at, typed)
				b.complete(at+1, follows)
			}
			time.Sleep(leftWait + time.Second)
			synctest.Wait()
			if *o.cancelled != want || len(fast.Requests()) != 1 {
				t.Errorf("typed %q: %d of %d requests cancelled, want %d", typed, *o.cancelled, len(fast.Requests()), want)
			}
			time.Sleep(3 * time.Second)
		})
	}
}

// TestTooSlowAServer: a server that cannot be in time is asked where the user rests, and the reason
// is said; one that has become faster is asked at the next key.
func TestTooSlowAServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := replies("compute(1)")
		b, o := ownBench(t, fast, model.Rate{Evaluated: 50})
		at := b.At("x := ")
		for i, c := range []struct {
			rate float64
			rest time.Duration
			want int // requests
		}{{50, restPause / 2, 0}, {50, restPause / 2, 0}, {50, 2 * restPause, 1}, {80, 2 * restPause, 1}, {500, restPause / 2, 1}} {
			o.rate.Evaluated = c.rate
			b.engine.ask(o)
			b.Edit(at, at, "z")
			before := len(fast.Requests())
			ctx, typedOn := context.WithCancel(t.Context())
			go b.engine.Completer.Complete(ctx, b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: at + 1}, Follows: true})
			time.Sleep(c.rest)
			typedOn()
			synctest.Wait()
			if n := len(fast.Requests()) - before; n != c.want {
				t.Errorf("%d: %d requests", i, n)
			}
			if c.want > 0 && !slices.Equal(texts(b.complete(at+1, follows)), []string{"compute(1)"}) {
				t.Errorf("%d: the answer is not shown", i)
			}
			if reason := b.reason(); c.want == 0 && !strings.Contains(reason, "too few to suggest in time") {
				t.Errorf("%d: the status: %q", i, reason)
			}
		}
	})
}

// TestATinyModelIsReadWhereTheUserLooksUp: between two keys nothing of a tiny model is shown, be it
// just written or kept from the key before; after a pause it is, and while it is typed along. What
// the model is sure of is shown at once, also when it is sure only of what is left.
func TestATinyModelIsReadWhereTheUserLooksUp(t *testing.T) {
	looksUp, always := []string{"", "", "mpute(1)", "pute(1)"}, []string{"compute(1)", "ompute(1)", "mpute(1)", "pute(1)"}
	for name, c := range map[string]struct {
		model  string
		pieces []string
		likely []float64
		want   []string
	}{
		"its server does not say":    {"coder-0.5b", []string{"compute(1)"}, nil, looksUp},
		"not sure":                   {"coder-0.5b", []string{"compute", "(1)"}, []float64{-0.12, -0.12}, looksUp},
		"sure":                       {"coder-0.5b", []string{"compute", "(1)"}, []float64{-0.12, -0.1}, always},
		"sure after the first piece": {"coder-0.5b", []string{"c", "ompute(1)"}, []float64{-2, -0.03}, append([]string{""}, always[1:]...)},
		"a larger one":               {"coder-7b", []string{"compute(1)"}, []float64{-2}, always},
	} {
		for _, follows := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				script := replies(c.pieces...)
				script.LogProbs = c.likely
				b, o := ownBench(t, script, model.Rate{Evaluated: 200, Written: 25})
				o.model = c.model
				b.engine.ask(o)
				at := b.At("x := ")
				for i, key := range []string{" ", "c", "o", "m"} {
					b.Edit(at, at, key)
					at++
					var got []string
					ctx, next := context.WithCancel(t.Context())
					go func() {
						answer, err := b.engine.Completer.Complete(ctx, b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: at}, Follows: follows})
						if err == nil {
							got = texts(answer)
						}
					}()
					time.Sleep(300 * time.Millisecond)
					if key == "o" {
						time.Sleep(readPause)
					}
					next()
					synctest.Wait()
					if text := strings.Join(got, "|"); text != c.want[i] {
						t.Errorf("%s, follows %t, key %d: %q is shown, want %q", name, follows, i, text, c.want[i])
					}
				}
			})
		}
	}
}

// TestReadAhead: what a server of the user's can read in time is read where the cursor rests.
func TestReadAhead(t *testing.T) {
	for _, c := range []struct {
		name  string
		rate  model.Rate
		all   bool
		moves int
		want  int
	}{{"a place", model.Rate{Evaluated: 200}, false, 1, 1}, {"the last place", model.Rate{Evaluated: 200}, false, 3, 1}, {"a small file", model.Rate{Evaluated: 200}, true, 1, 1}, {"a slow server", model.Rate{Evaluated: 20}, false, 1, 0}} {
		synctest.Test(t, func(t *testing.T) {
			fast := replies()
			b, _ := ownBench(t, fast, c.rate)
			for range c.moves {
				b.engine.Completer.ReadAhead(b.Session.Snapshot(), core.Place{URI: b.URI, Offset: b.At("x := ")}, c.all)
			}
			time.Sleep(time.Second)
			synctest.Wait()
			list := fast.Requests()
			if len(list) != c.want || c.want > 0 && (!list[0].Ahead || !strings.HasSuffix(list[0].Fill.Prefix.String(), "x := ")) {
				t.Errorf("%s: %d requests", c.name, len(list))
			}
		})
	}
}
