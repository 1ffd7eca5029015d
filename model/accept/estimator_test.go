package accept

import (
	"math/rand/v2"
	"testing"
)

// example draws a suggestion: number 1 tells mostly, number 2 tells nothing.
func example(r *rand.Rand) Example {
	good := r.Float64() < 0.5
	x := []Number{{0, 1}, {2, r.Float64()}}
	if good {
		x = append(x, Number{1, 1})
	}
	likely := 0.02
	if good {
		likely = 0.7
	}
	return Example{x, r.Float64() < likely, true}
}

// TestLearnsWhatTells: after a while most of what is not used is unlikely, and almost
// nothing of what is.
func TestLearnsWhatTells(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	e := New(0.04)
	for range 2000 {
		x := example(r)
		e.Learn(x.Numbers, x.Used, true)
	}
	var used, missed, unused, held int
	for range 2000 {
		x := example(r)
		unlikely := e.Unlikely(x.Numbers)
		if x.Used {
			used++
			if unlikely {
				missed++
			}
		} else {
			unused++
			if unlikely {
				held++
			}
		}
	}
	t.Logf("%d of %d used ones are unlikely, %d of %d others", missed, used, held, unused)
	if missed*20 > used || held*2 < unused {
		t.Errorf("%d of %d used ones are unlikely, %d of %d others", missed, used, held, unused)
	}
}

// TestNothingIsUnlikelyAtFirst: nor where the numbers tell nothing.
func TestNothingIsUnlikelyAtFirst(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	e := New(0.01)
	for i := range leastAll - 1 {
		x := example(r)
		e.Learn(x.Numbers, x.Used, true)
		if e.Unlikely(x.Numbers) {
			t.Fatalf("unlikely after %d examples", i+1)
		}
	}
	never := New(0.01)
	for range 3000 {
		x := example(r)
		never.Learn(x.Numbers, false, true)
	}
	if x := example(r); never.Unlikely(x.Numbers) {
		t.Error("unlikely although nothing was ever used")
	}
}

// TestTrainIsLearningInOrder: a history leads to the same estimates as living it.
func TestTrainIsLearningInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var history []Example
	lived, trained := New(0.01), New(0.01)
	for range 1700 {
		x := example(r)
		history = append(history, x)
		lived.Learn(x.Numbers, x.Used, true)
	}
	trained.Train(history)
	x := example(r)
	if lived.Estimate(x.Numbers) != trained.Estimate(x.Numbers) || lived.least != trained.least {
		t.Errorf("%v and %v", lived.Estimate(x.Numbers), trained.Estimate(x.Numbers))
	}
}

// TestBeginsWithWhatIsKnown: a weight that is given counts before anything is learned.
func TestBeginsWithWhatIsKnown(t *testing.T) {
	e := New(0.01, Number{Index: 3, Value: 1})
	if likely, unlikely := e.Estimate([]Number{{3, 2}}), e.Estimate([]Number{{3, -2}}); likely < 0.85 || unlikely > 0.15 {
		t.Errorf("%.2f and %.2f are estimated of log odds of 2 and -2", likely, unlikely)
	}
}
