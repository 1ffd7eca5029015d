package main

import "slices"

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
