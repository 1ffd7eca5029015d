package complete

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestForestAsItWasGrown holds the confidence in features that reach nearly all leaves of the
// forest, which no change of code may change.
func TestForestAsItWasGrown(t *testing.T) {
	want := []float64{0.119449993378, 0.558663357781, 0.041581966291, 0.257981618294, 0.015255551935, 0.075144803948, 0.049246198115, 0.092987989314}
	r := rand.New(rand.NewPCG(1, 2))
	features := make([]float64, featureCount)
	sum := 0.0
	for i := range 20000 {
		for j := range features {
			features[j] = r.Float64() * float64(int(1)<<r.IntN(4))
			if r.IntN(4) == 0 {
				features[j] = -features[j]
			}
		}
		got := confidence(features)
		sum += got
		if one := i / 2500; i%2500 == 0 && math.Abs(got-want[one]) > 1e-11 {
			t.Errorf("candidate %d: %.12f, want %.12f", i, got, want[one])
		}
	}
	if math.Abs(sum-4180.6672146501) > 1e-7 {
		t.Errorf("all together: %.10f", sum)
	}
}
