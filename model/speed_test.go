package model_test

import (
	"math"
	"testing"
	"time"

	"tandem/model"
)

func TestRates(t *testing.T) {
	prompt := func(tokens int, took time.Duration) model.Speed {
		return model.Speed{Evaluated: tokens, EvaluatedIn: took}
	}
	for _, c := range []struct {
		name  string
		kept  model.Rate
		notes []model.Speed
		want  model.Rate
	}{
		{name: "nothing"},
		{name: "one answer", notes: []model.Speed{{Evaluated: 200, EvaluatedIn: time.Second, Written: 20, WrittenIn: 2 * time.Second}}, want: model.Rate{200, 10}},
		{name: "few tokens say nothing", notes: []model.Speed{{Evaluated: 31, EvaluatedIn: time.Second, Written: 3, WrittenIn: time.Second}}},
		{name: "no time says nothing", notes: []model.Speed{{Evaluated: 100, Written: 10}, prompt(100, -time.Second)}},
		{name: "no server is that fast", notes: []model.Speed{prompt(1000, time.Microsecond)}},
		{name: "the faster of two", notes: []model.Speed{prompt(100, time.Second), prompt(100, 4*time.Second)}, want: model.Rate{Evaluated: 100}},
		{name: "other work at the start", notes: []model.Speed{prompt(100, 4*time.Second), prompt(100, time.Second)}, want: model.Rate{Evaluated: 100}},
		{name: "slower from now on", notes: []model.Speed{prompt(100, time.Second), prompt(100, 4*time.Second), prompt(100, 2*time.Second)}, want: model.Rate{Evaluated: 50}},
		{name: "a wrong count", notes: []model.Speed{prompt(100, time.Second), prompt(100, time.Second), prompt(100, time.Millisecond)}, want: model.Rate{Evaluated: 100}},
		{name: "the last five", notes: []model.Speed{prompt(100, time.Second), prompt(100, time.Second), prompt(100, time.Second), prompt(100, 2*time.Second), prompt(100, 2*time.Second), prompt(100, 2*time.Second)}, want: model.Rate{Evaluated: 50}},
		{name: "one of several requests", notes: []model.Speed{prompt(100, time.Second), {Evaluated: 100, EvaluatedIn: 4 * time.Second, Shared: true}}, want: model.Rate{Evaluated: 100}},
		{name: "one of several requests, and yet faster", notes: []model.Speed{prompt(100, 2*time.Second), {Evaluated: 100, EvaluatedIn: time.Second, Shared: true}}, want: model.Rate{Evaluated: 100}},
		{name: "one of several requests is all that is known", notes: []model.Speed{{Evaluated: 100, EvaluatedIn: time.Second, Shared: true}}},
		{name: "kept", kept: model.Rate{512, 64}, want: model.Rate{512, 64}},
		{name: "kept and measured", kept: model.Rate{Evaluated: 256}, notes: []model.Speed{prompt(512, time.Second)}, want: model.Rate{Evaluated: 2 / (1/256.0 + 1/512.0)}},
		{name: "kept, and measured twice", kept: model.Rate{Evaluated: 256}, notes: []model.Speed{prompt(512, time.Second), prompt(500, time.Second)}, want: model.Rate{Evaluated: 512}},
		{name: "a broken file", kept: model.Rate{math.Inf(1), -1}},
		{name: "no number", kept: model.Rate{math.NaN(), math.NaN()}},
	} {
		var r model.Rates
		r.Restore(map[string]model.Rate{"k": c.kept})
		for _, s := range c.notes {
			r.Note("k", s)
		}
		got, _ := r.Of("k")
		if math.Abs(got.Evaluated-c.want.Evaluated) > 1e-9 || math.Abs(got.Written-c.want.Written) > 1e-9 {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
		var next model.Rates
		next.Restore(map[string]model.Rate{"k": got})
		if again, _ := next.Of("k"); math.Abs(again.Evaluated-got.Evaluated) > 1e-9 || math.Abs(again.Written-got.Written) > 1e-9 {
			t.Errorf("%s: %+v after a restart, before %+v", c.name, again, got)
		}
		if other, _ := r.Of("other"); other != (model.Rate{}) {
			t.Errorf("%s: another model has %+v", c.name, other)
		}
	}
	var r model.Rates
	r.Note("k", prompt(100, time.Second))
	r.Restore(map[string]model.Rate{"k": {Evaluated: 7}})
	if got, _ := r.Of("k"); got.Evaluated != 100 {
		t.Errorf("what was kept replaced what was measured: %v", got)
	}
}
