package main

import (
	"math"
	"math/rand/v2"
	"slices"
)

// resamples is how often values are drawn again for an interval.
const resamples = 2000

// interval is the 95 % interval of the mean of values, by drawing them again with
// replacement. For paired values it is given their differences.
func interval(values []float64) (low, high float64) {
	if len(values) == 0 {
		return 0, 0
	}
	random := rand.New(rand.NewPCG(1, uint64(len(values)))) // the same figures at each run
	means := make([]float64, resamples)
	for i := range means {
		sum := 0.0
		for range values {
			sum += values[random.IntN(len(values))]
		}
		means[i] = sum / float64(len(values))
	}
	slices.Sort(means)
	return means[resamples*25/1000], means[resamples*975/1000]
}

// shareInterval is Wilson's 95 % interval of a share of n, from 0 to 1: also where all or none
// were hit it says how little few samples say.
func shareInterval(share float64, n int) (low, high float64) {
	const z = 1.96
	of := float64(max(1, n))
	middle := (share + z*z/(2*of)) / (1 + z*z/of)
	half := z / (1 + z*z/of) * math.Sqrt(share*(1-share)/of+z*z/(4*of*of))
	return max(0, middle-half), min(1, middle+half)
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(1, len(values)))
}
