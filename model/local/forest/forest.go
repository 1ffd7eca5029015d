// Package forest evaluates forests of small decision trees that estimate how likely a
// suggestion is right.
//
// Invariant: a Forest that was parsed asks for no other features than those it was grown
// on, and evaluating it allocates nothing. Deliberately absent: growing a forest, which a
// benchmark does from held-out lines.
package forest

import (
	"bufio"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Node is a node of a tree. An inner node is the number of a feature and the value that
// it is compared with; a leaf has its output, as log odds, in the second place.
type Node = [2]float32

// Each tree is complete: its inner nodes, then its leaves.
const (
	leaves   = 16
	treeSize = 2*leaves - 1
)

// A Forest is trees and a bias.
type Forest struct {
	bias  float64
	nodes []Node
}

// Parse reads a forest that was grown on so many features. Its first line is
// "forest FEATURES BIAS", each further one is a tree: FEATURE<VALUE for each inner node,
// which goes to its first child where the feature is less, then the output of each leaf.
func Parse(text string, features int) (*Forest, error) {
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Scan()
	var grown int
	f := &Forest{}
	if _, err := fmt.Sscanf(lines.Text(), "forest %d %g", &grown, &f.bias); err != nil {
		return nil, fmt.Errorf("read the first line of a forest: %w", err)
	}
	if grown != features {
		return nil, fmt.Errorf("the forest was grown on %d features and there are %d: grow it again", grown, features)
	}
	for lines.Scan() {
		if err := f.addTree(strings.Fields(lines.Text()), features); err != nil {
			return nil, fmt.Errorf("read tree %d of a forest: %w", len(f.nodes)/treeSize+1, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read a forest: %w", err)
	}
	if len(f.nodes) == 0 || !finite(f.bias) {
		return nil, fmt.Errorf("the forest has %d trees and the bias %v: grow it again", len(f.nodes)/treeSize, f.bias)
	}
	return f, nil
}

// addTree adds the tree with these nodes.
func (f *Forest) addTree(nodes []string, features int) error {
	if len(nodes) != treeSize {
		return fmt.Errorf("it has %d nodes, not %d", len(nodes), treeSize)
	}
	tree := make([]Node, 0, treeSize)
	for i, text := range nodes {
		var n Node
		if i < leaves-1 {
			feature, value, _ := strings.Cut(text, "<")
			at, err := strconv.Atoi(feature)
			if err != nil || at < 0 || at >= features {
				return fmt.Errorf("%q compares none of the %d features", text, features)
			}
			n[0], text = float32(at), value
		}
		value, err := strconv.ParseFloat(text, 32)
		if err != nil || !finite(value) {
			return fmt.Errorf("node %d has the value %q", i, text)
		}
		n[1] = float32(value)
		tree = append(tree, n)
	}
	f.nodes = append(f.nodes, tree...)
	return nil
}

func finite(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) }

// Probability is the forest's estimate for some features: the sum of the trees'
// outputs and the bias, which are log odds, as a probability.
func (f *Forest) Probability(features []float64) float64 {
	sum := f.bias
	for at := 0; at < len(f.nodes); at += treeSize {
		i := 0
		for i < leaves-1 {
			if n := f.nodes[at+i]; features[int(n[0])] < float64(n[1]) {
				i = 2*i + 1
			} else {
				i = 2*i + 2
			}
		}
		sum += float64(f.nodes[at+i][1])
	}
	return 1 / (1 + math.Exp(-sum))
}
