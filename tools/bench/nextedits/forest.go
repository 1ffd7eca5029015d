package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"tandem/model/local/forest"
)

// The shape of the forest and the training parameters.
const (
	trees    = 120
	depth    = 4
	bins     = 48
	rate     = 0.12
	minGain  = 1.0
	minLeaf  = 8.0
	maxInner = 1<<depth - 1
)

// A grower fits a gradient-boosted forest to rows of features.
type grower struct {
	rows   [][]uint8 // binned
	labels []float64
	sums   []float64 // the log odds so far
	cuts   [][]float64
	grad   []float64
	hess   []float64
}

// fitForest grows a forest on a file that typed commits noted and writes it as the text that
// package forest reads.
func fitForest(out io.Writer, file string) error {
	rows, labels, err := readRows(file)
	if err != nil {
		return err
	}
	g := newGrower(rows, labels)
	mean := 0.0
	for _, y := range labels {
		mean += y
	}
	mean /= float64(len(labels))
	bias := math.Log(mean / (1 - mean))
	for i := range g.sums {
		g.sums[i] = bias
	}
	var grown [][][2]float64
	for range trees {
		g.gradients()
		all := make([]int, len(rows))
		for i := range all {
			all[i] = i
		}
		nodes := make([][2]float64, 2*maxInner+1)
		g.grow(nodes, 0, 0, all)
		grown = append(grown, nodes)
	}
	return writeForest(out, bias, grown, len(rows[0]))
}

const maxRow = 1 << 20

// readRows reads what the typed commits noted: a heading for each key, then one candidate
// per line, 0 or 1 and the features; what follows a # is for people.
func readRows(file string) (rows [][]float64, labels []float64, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, maxRow)
	for in.Scan() {
		text, _, _ := strings.Cut(in.Text(), "#")
		if text == "" {
			continue
		}
		var row []float64
		for _, s := range strings.Fields(text) {
			x, err := strconv.ParseFloat(s, 64)
			if err != nil {
				return nil, nil, err
			}
			row = append(row, x)
		}
		rows, labels = append(rows, row[1:]), append(labels, row[0])
	}
	if len(rows) == 0 {
		return nil, nil, fmt.Errorf("%s has no candidates in it", file)
	}
	return rows, labels, in.Err()
}

// writeForest writes a forest that was grown on so many features as package forest reads it.
func writeForest(out io.Writer, bias float64, grown [][][2]float64, features int) error {
	var text strings.Builder
	fmt.Fprintf(&text, "forest %d %.4f\n", features, bias)
	for _, nodes := range grown {
		for i, n := range nodes {
			if i < maxInner {
				fmt.Fprintf(&text, "%d<", int(n[0]))
			}
			fmt.Fprintf(&text, "%.5g", n[1])
			if i < len(nodes)-1 {
				text.WriteByte(' ')
			}
		}
		text.WriteByte('\n')
	}
	if _, err := forest.Parse(text.String(), features); err != nil {
		return fmt.Errorf("read the forest back: %w", err)
	}
	_, err := io.WriteString(out, text.String())
	return err
}

func newGrower(rows [][]float64, labels []float64) *grower {
	n := len(rows[0])
	g := &grower{labels: labels, sums: make([]float64, len(rows)), cuts: make([][]float64, n), grad: make([]float64, len(rows)), hess: make([]float64, len(rows))}
	for f := range n {
		column := make([]float64, len(rows))
		for i, r := range rows {
			column[i] = r[f]
		}
		slices.Sort(column)
		column = slices.Compact(column)
		last := 0
		for b := 1; b < bins; b++ {
			if i := b * len(column) / bins; i > last {
				g.cuts[f] = append(g.cuts[f], (column[i-1]+column[i])/2) // between two values: rounding moves no value across the cut
				last = i
			}
		}
	}
	g.rows = make([][]uint8, len(rows))
	for i, r := range rows {
		g.rows[i] = make([]uint8, n)
		for f, x := range r {
			b, exact := slices.BinarySearch(g.cuts[f], x)
			if exact {
				b++
			}
			g.rows[i][f] = uint8(b)
		}
	}
	return g
}

func (g *grower) gradients() {
	for i, z := range g.sums {
		p := 1 / (1 + math.Exp(-z))
		g.grad[i], g.hess[i] = g.labels[i]-p, p*(1-p)
	}
}

// grow fills in the node at i and those below it for the rows that reach it.
func (g *grower) grow(nodes [][2]float64, i, level int, rows []int) {
	var sumG, sumH float64
	for _, r := range rows {
		sumG += g.grad[r]
		sumH += g.hess[r]
	}
	if level == depth {
		value := rate * sumG / (sumH + ridge)
		nodes[i] = [2]float64{0, value}
		for _, r := range rows {
			g.sums[r] += value
		}
		return
	}
	feature, bin := g.best(rows, sumG, sumH)
	if feature < 0 { // all rows are equal: any condition works
		nodes[i] = [2]float64{0, -1e9}
		g.grow(nodes, 2*i+1, level+1, nil)
		g.grow(nodes, 2*i+2, level+1, rows)
		return
	}
	nodes[i] = [2]float64{float64(feature), g.cuts[feature][bin-1]}
	var left, right []int
	for _, r := range rows {
		if int(g.rows[r][feature]) < bin {
			left = append(left, r)
		} else {
			right = append(right, r)
		}
	}
	g.grow(nodes, 2*i+1, level+1, left)
	g.grow(nodes, 2*i+2, level+1, right)
}

// best returns the condition that splits the rows best: that a feature's bin is
// below a given bin. The feature is -1 if no condition splits them.
func (g *grower) best(rows []int, sumG, sumH float64) (feature, bin int) {
	feature = -1
	top := minGain + sumG*sumG/(sumH+ridge)
	var gs, hs [bins + 1]float64
	for f := range g.cuts {
		clear(gs[:])
		clear(hs[:])
		for _, r := range rows {
			b := g.rows[r][f]
			gs[b] += g.grad[r]
			hs[b] += g.hess[r]
		}
		var leftG, leftH float64
		for b := range g.cuts[f] {
			leftG += gs[b]
			leftH += hs[b]
			if leftH < minLeaf/8 || sumH-leftH < minLeaf/8 {
				continue
			}
			rightG, rightH := sumG-leftG, sumH-leftH
			if gain := leftG*leftG/(leftH+ridge) + rightG*rightG/(rightH+ridge); gain > top {
				top, feature, bin = gain, f, b+1
			}
		}
	}
	return feature, bin
}
