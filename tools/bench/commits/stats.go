package main

import (
	"math/rand/v2"
	"slices"
)

// A share is hits among trials.
type share struct {
	Hits   int `json:"hits"`
	Trials int `json:"trials"`
}

func (s *share) add(hits, trials int) { s.Hits, s.Trials = s.Hits+hits, s.Trials+trials }
func (s *share) count(hit bool) {
	if s.Trials++; hit {
		s.Hits++
	}
}
func (s share) percent() float64 { return 100 * float64(s.Hits) / float64(max(1, s.Trials)) }

// A sample is what two policies found at one place.
type sample struct{ ours, theirs, trials int }

// resamples is how often the places are drawn again for an interval.
const resamples = 2000

// interval is the 95 % interval of the paired difference of two shares, in
// points: places are drawn again with replacement, within their repository.
func interval(repositories [][]sample, random *rand.Rand) (low, high float64) {
	differences := make([]float64, resamples)
	for i := range differences {
		ours, theirs, trials := 0, 0, 0
		for _, samples := range repositories {
			for range samples {
				s := samples[random.IntN(len(samples))]
				ours, theirs, trials = ours+s.ours, theirs+s.theirs, trials+s.trials
			}
		}
		differences[i] = 100 * float64(ours-theirs) / float64(max(1, trials))
	}
	slices.Sort(differences)
	return differences[resamples*25/1000], differences[resamples*975/1000]
}

// median of values, 0 of none.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(1, len(values)))
}
