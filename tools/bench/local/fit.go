package main

import (
	"bufio"
	"fmt"
	"log"
	"math"
	"os"
	"strconv"
	"strings"
)

// fitWeights fits a logistic regression to the lines of a file: 0 or 1, then
// the features.
func fitWeights(file string) {
	rows, labels := readRows(file)
	w := make([]float64, len(rows[0]))
	for round := range 60 {
		loss := newton(rows, labels, w)
		if round%10 == 0 {
			log.Printf("round %d: loss %.5f", round, loss)
		}
	}
	for i, x := range w {
		fmt.Printf("%.3f, ", x)
		if i%6 == 5 {
			fmt.Println()
		}
	}
	fmt.Println()
}

func readRows(file string) (rows [][]float64, labels []float64) {
	f, err := os.Open(file)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	for in.Scan() {
		var row []float64
		for _, s := range strings.Fields(in.Text()) {
			x, err := strconv.ParseFloat(s, 64)
			if err != nil {
				log.Fatal(err)
			}
			row = append(row, x)
		}
		rows, labels = append(rows, row[1:]), append(labels, row[0])
	}
	if len(rows) == 0 {
		log.Fatalf("%s has no candidates in it", file)
	}
	return rows, labels
}

// newton makes one regularised step of iteratively reweighted least squares.
func newton(rows [][]float64, labels, w []float64) (loss float64) {
	n := len(w)
	grad := make([]float64, n)
	hess := make([][]float64, n)
	for i := range hess {
		hess[i] = make([]float64, n)
		hess[i][i] = 3
		grad[i] = -3 * w[i]
	}
	for r, x := range rows {
		z := 0.0
		for i := range x {
			z += w[i] * x[i]
		}
		p := 1 / (1 + math.Exp(-z))
		loss -= labels[r]*math.Log(p+1e-12) + (1-labels[r])*math.Log(1-p+1e-12)
		v := p*(1-p) + 1e-6
		for i := range x {
			grad[i] += (labels[r] - p) * x[i]
			for j := range i + 1 {
				hess[i][j] += v * x[i] * x[j]
			}
		}
	}
	step := solve(hess, grad)
	for i := range w {
		w[i] += 0.7 * step[i]
	}
	return loss / float64(len(rows))
}

// solve solves a symmetric system whose lower half is given.
func solve(a [][]float64, b []float64) []float64 {
	n := len(b)
	for i := range n {
		for j := range i {
			a[j][i] = a[i][j]
		}
	}
	x := append([]float64(nil), b...)
	for i := range n {
		for k := i + 1; k < n; k++ {
			m := a[k][i] / a[i][i]
			for j := i; j < n; j++ {
				a[k][j] -= m * a[i][j]
			}
			x[k] -= m * x[i]
		}
	}
	for i := n - 1; i >= 0; i-- {
		for j := i + 1; j < n; j++ {
			x[i] -= a[i][j] * x[j]
		}
		x[i] /= a[i][i]
	}
	return x
}
