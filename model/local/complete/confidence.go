package complete

import (
	"math"
)

// Threshold is the lowest confidence at which a suggestion is shown. On lines
// held out of three projects, half of the suggestions shown at it are right.
const Threshold = 0.2

// confidence returns the probability that a candidate with these features is
// exactly right: the sum of the tree outputs, which are log odds.
func confidence(features []float64) float64 {
	sum := forestBias
	for at := 0; at < len(forest); at += treeSize {
		i := 0
		for i < leaves-1 {
			if n := forest[at+i]; features[n.feature] < float64(n.value) {
				i = 2*i + 1
			} else {
				i = 2*i + 2
			}
		}
		sum += float64(forest[at+i].value)
	}
	return 1 / (1 + math.Exp(-sum))
}

// Each tree is complete: its inner nodes, then its leaves.
const (
	leaves   = 16
	treeSize = 2*leaves - 1
)

// A node compares a feature with a value; a leaf holds an output value.
type node struct {
	feature uint8
	value   float32
}
