package local

import "math"

// Threshold is the confidence from which on a suggestion is shown: where, on
// lines held out of three projects, half of what is shown is right.
const Threshold = 0.2

// confidence is the chance that a candidate with these features is exactly
// right: the sum of what the trees say, as odds.
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

// A node compares a feature with a value; a leaf is its value.
type node struct {
	feature uint8
	value   float32
}
