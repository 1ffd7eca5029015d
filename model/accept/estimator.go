package accept

import (
	"math"
	"slices"
	"sync"
)

const (
	rate       = 0.15 // of learning, before it falls with what a weight has seen
	shrink     = 1e-5 // of every weight that an example touches
	remembered = 3000 // of the last controls
	leastUsed  = 40   // used ones among them, before anything is unlikely
	leastAll   = 1500 // at 500 a threshold at 1 in 25 is made by a dozen of them
	calibrates = 20   // examples from one calibration to the next
)

// A Number is one number about a suggestion: which one it is, and its value. All that
// are not given are 0.
type Number struct {
	Index int
	Value float64
}

// An Estimator is a logistic regression that learns from one example after another. Its
// threshold is calibrated on controls, by what is estimated of them now. A control is a suggestion that was shown whatever was estimated: what was
// shown because it was likely would raise the threshold each time.
type Estimator struct {
	missed float64 // share of the used ones that may be called unlikely

	mu      sync.Mutex // guards all below
	weights []float64
	seen    []float64 // sums of squared gradients
	recent  []judged  // controls, oldest first
	least   float64   // estimates below are unlikely; 0 while none is
	learned int       // since the last calibration
}

// New returns an Estimator that may call a share of what will be used unlikely. known are
// weights that it begins with, those of numbers that are estimates themselves.
func New(missed float64, known ...Number) *Estimator {
	e := &Estimator{missed: missed}
	for _, n := range known {
		e.grow(n.Index)
		e.weights[n.Index] = n.Value
	}
	return e
}

// grow makes weights up to an index.
func (e *Estimator) grow(index int) {
	for index >= len(e.weights) {
		e.weights, e.seen = append(e.weights, 0), append(e.seen, 1)
	}
}

// judged is a control and how it came out.
type judged struct {
	numbers []Number
	used    bool
}

// Estimate returns the probability that a suggestion will be used.
func (e *Estimator) Estimate(x []Number) float64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.estimate(x)
}

// estimate is Estimate; mu is held.
func (e *Estimator) estimate(x []Number) float64 {
	sum := 0.0
	for _, n := range x {
		if n.Index < len(e.weights) {
			sum += e.weights[n.Index] * n.Value
		}
	}
	return 1 / (1 + math.Exp(-sum))
}

// Unlikely reports whether a suggestion is so unlikely to be used that it is not worth
// showing.
func (e *Estimator) Unlikely(x []Number) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.least > 0 && e.estimate(x) < e.least
}

// Calibrated reports whether anything can be unlikely. Until then every suggestion is a
// control.
func (e *Estimator) Calibrated() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.least > 0
}

// Learn takes the outcome of a suggestion.
func (e *Estimator) Learn(x []Number, used, control bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.update(x, e.estimate(x), used)
	if control {
		e.recent = append(e.recent, judged{x, used})
		if over := len(e.recent) - remembered; over > 0 {
			e.recent = slices.Delete(e.recent, 0, over)
		}
	}
	if e.learned++; e.learned >= calibrates {
		e.learned = 0
		e.calibrate()
	}
}

// An Example is a suggestion and whether it was used.
type Example struct {
	Numbers []Number
	Used    bool
	Control bool
}

// Train learns a history, oldest first.
func (e *Estimator) Train(history []Example) {
	for _, x := range history {
		e.Learn(x.Numbers, x.Used, x.Control)
	}
}

// update moves the weights; mu is held.
func (e *Estimator) update(x []Number, estimate float64, used bool) {
	target := 0.0
	if used {
		target = 1
	}
	for _, n := range x {
		e.grow(n.Index)
		g := (estimate-target)*n.Value + shrink*e.weights[n.Index]
		e.seen[n.Index] += g * g
		e.weights[n.Index] -= rate * 4 * g / math.Sqrt(e.seen[n.Index])
	}
}

// calibrate sets the threshold so that of the last used ones at most a small share was
// below it; mu is held.
func (e *Estimator) calibrate() {
	var used []float64
	for _, j := range e.recent {
		if j.used {
			used = append(used, e.estimate(j.numbers))
		}
	}
	e.least = 0
	if len(used) < leastUsed || len(e.recent) < leastAll {
		return
	}
	slices.Sort(used)
	e.least = used[min(int(e.missed*float64(len(used))), len(used)-1)]
}
