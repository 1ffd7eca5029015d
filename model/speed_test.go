package model

import (
	"math"
	"testing"
	"time"
)

func TestRates(t *testing.T) {
	prompt := func(tokens int, took time.Duration) Speed { return Speed{Evaluated: tokens, EvaluatedIn: took} }
	for _, c := range []struct {
		name  string
		kept  Rate
		notes []Speed
		want  Rate
	}{
		{name: "nothing"},
		{name: "one answer", notes: []Speed{{Evaluated: 200, EvaluatedIn: time.Second, Written: 20, WrittenIn: 2 * time.Second}}, want: Rate{200, 10}},
		{name: "few tokens say nothing", notes: []Speed{{Evaluated: 31, EvaluatedIn: time.Second, Written: 3, WrittenIn: time.Second}}},
		{name: "no time says nothing", notes: []Speed{{Evaluated: 100, Written: 10}, prompt(100, -time.Second)}},
		{name: "no server is that fast", notes: []Speed{prompt(1000, time.Microsecond)}},
		{name: "the faster of two", notes: []Speed{prompt(100, time.Second), prompt(100, 4*time.Second)}, want: Rate{Evaluated: 100}},
		{name: "other work at the start", notes: []Speed{prompt(100, 4*time.Second), prompt(100, time.Second)}, want: Rate{Evaluated: 100}},
		{name: "slower from now on", notes: []Speed{prompt(100, time.Second), prompt(100, 4*time.Second), prompt(100, 2*time.Second)}, want: Rate{Evaluated: 50}},
		{name: "a wrong count", notes: []Speed{prompt(100, time.Second), prompt(100, time.Second), prompt(100, time.Millisecond)}, want: Rate{Evaluated: 100}},
		{name: "the last five", notes: []Speed{prompt(100, time.Second), prompt(100, time.Second), prompt(100, time.Second), prompt(100, 2*time.Second), prompt(100, 2*time.Second), prompt(100, 2*time.Second)}, want: Rate{Evaluated: 50}},
		{name: "one of several requests", notes: []Speed{prompt(100, time.Second), {Evaluated: 100, EvaluatedIn: 4 * time.Second, Shared: true}}, want: Rate{Evaluated: 100}},
		{name: "one of several requests, and yet faster", notes: []Speed{prompt(100, 2*time.Second), {Evaluated: 100, EvaluatedIn: time.Second, Shared: true}}, want: Rate{Evaluated: 100}},
		{name: "one of several requests is all that is known", notes: []Speed{{Evaluated: 100, EvaluatedIn: time.Second, Shared: true}}},
		{name: "kept", kept: Rate{512, 64}, want: Rate{512, 64}},
		{name: "kept and measured", kept: Rate{Evaluated: 256}, notes: []Speed{prompt(512, time.Second)}, want: Rate{Evaluated: 2 / (1/256.0 + 1/512.0)}},
		{name: "kept, and measured twice", kept: Rate{Evaluated: 256}, notes: []Speed{prompt(512, time.Second), prompt(500, time.Second)}, want: Rate{Evaluated: 512}},
		{name: "a broken file", kept: Rate{math.Inf(1), -1}},
		{name: "no number", kept: Rate{math.NaN(), math.NaN()}},
	} {
		var r Rates
		r.Restore(map[string]Rate{"k": c.kept})
		for _, s := range c.notes {
			r.Note("k", s)
		}
		got, _ := r.Of("k")
		if math.Abs(got.Evaluated-c.want.Evaluated) > 1e-9 || math.Abs(got.Written-c.want.Written) > 1e-9 {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
		var next Rates
		next.Restore(map[string]Rate{"k": got})
		if again, _ := next.Of("k"); math.Abs(again.Evaluated-got.Evaluated) > 1e-9 || math.Abs(again.Written-got.Written) > 1e-9 {
			t.Errorf("%s: %+v after a restart, before %+v", c.name, again, got)
		}
		if other, _ := r.Of("other"); other != (Rate{}) {
			t.Errorf("%s: another model has %+v", c.name, other)
		}
	}
	var r Rates
	r.Note("k", prompt(100, time.Second))
	r.Restore(map[string]Rate{"k": {Evaluated: 7}})
	if got, _ := r.Of("k"); got.Evaluated != 100 {
		t.Errorf("what was kept replaced what was measured: %v", got)
	}
}
