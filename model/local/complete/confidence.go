package complete

import "tandem/model/local/forest"

// Threshold is the lowest confidence at which a suggestion is shown. On lines
// held out of three projects, half of the suggestions shown at it are right.
const Threshold = 0.2

// confidence returns the probability that a candidate with these features is
// exactly right.
func confidence(features []float64) float64 {
	return forest.Probability(forestBias, forestNodes, features)
}
