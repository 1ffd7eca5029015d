package complete

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestForestAsItWasGrown holds the confidence in features that reach nearly all leaves of the
// forest: `make fit-local` changes it, nothing else does.
func TestForestAsItWasGrown(t *testing.T) {
	want := []float64{0.372488651971, 0.019135300601, 0.004515734837, 0.097117690838, 0.109047573171, 0.074426167369, 0.007504747430, 0.399056096990}
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
	if math.Abs(sum-4133.8680625780) > 1e-7 {
		t.Errorf("all together: %.10f", sum)
	}
}
