// Package forest evaluates forests of small decision trees that estimate how likely a
// suggestion is right.
//
// Invariant: evaluating allocates nothing. Deliberately absent: growing a forest, which a
// benchmark does from held-out lines.
package forest

import "math"

// A Node is a node of a tree. An inner node is the number of a feature and the value that
// it is compared with; a leaf has its output, as log odds, in the second place.
type Node = [2]float32

// Each tree is complete: its inner nodes, then its leaves.
const (
	leaves   = 16
	treeSize = 2*leaves - 1
)

// Probability is the estimate of a forest for some features: the sum of the trees'
// outputs and the bias, which are log odds, as a probability.
func Probability(bias float64, nodes []Node, features []float64) float64 {
	sum := bias
	for at := 0; at < len(nodes); at += treeSize {
		i := 0
		for i < leaves-1 {
			if n := nodes[at+i]; features[int(n[0])] < float64(n[1]) {
				i = 2*i + 1
			} else {
				i = 2*i + 2
			}
		}
		sum += float64(nodes[at+i][1])
	}
	return 1 / (1 + math.Exp(-sum))
}
