package main

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
