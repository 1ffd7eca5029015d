package main

import (
	"math/rand/v2"
	"strings"
	"testing"

	"tandem/tools/bench/clones"
)

func TestOracleTakesWhatCoversMost(t *testing.T) {
	tree := clones.TreeOf(map[string]string{
		"a.go":   "package a\n\nfunc LoadAll(path string) error {\n\treturn nil\n}\n",
		"b.go":   "package b\n\nfunc SaveAll(path string, value Setting) error {\n\treturn LoadAll(path, value)\n}\n",
		"own.go": "package own\n",
	})
	g := newGoals(tree, &clones.Place{Path: "own.go", Lang: clones.Golang, Words: []string{"LoadAll", "SaveAll", "Setting"}})
	text := oracle(g, 200)
	if s := g.judge(text); s.words.size() != 3 || strings.Contains(text, "a.go") {
		t.Errorf("%d of 3 targets in %q", s.words.size(), text)
	}
	if text := oracle(g, 5); text != "" {
		t.Errorf("%q in 5 tokens", text)
	}
}

func TestIntervalOfADifference(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	same := make([]sample, 50)
	for i := range same {
		same[i] = sample{ours: 2, theirs: 1, trials: 4}
	}
	if low, high := interval([][]sample{same}, random); low != 25 || high != 25 {
		t.Errorf("%v … %v, want 25 … 25", low, high)
	}
	for i := range same {
		same[i].theirs = 4 * (i % 2)
	}
	if low, high := interval([][]sample{same}, random); low >= 0 || high <= 0 {
		t.Errorf("%v … %v does not hold 0", low, high)
	}
}
