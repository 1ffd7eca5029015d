package main

import (
	"testing"

	"tandem/tools/bench/clones"
)

func TestTargetCountsInALineWithTwoOtherWords(t *testing.T) {
	tree := clones.TreeOf(map[string]string{
		"a.go":      "package a\n\nfunc LoadAll(path string) error {\n\treturn nil // Comment beside LoadAll here\n}\n\nvar Alone\n",
		"readme.md": "call Documented when the moon is full\n",
		"b.go":      "package b\n",
	})
	p := &clones.Place{Path: "b.go", Lang: clones.Golang, Words: []string{"LoadAll", "Alone", "Documented", "Nowhere"}, Pairs: []string{"LoadAll path", "path LoadAll"}}
	g := newGoals(tree, p)
	if want := []string{"LoadAll", "Alone", "Documented"}; len(g.names) != len(want) {
		t.Fatalf("targets %q, want %q", g.names, want)
	}
	if g.reachable.size() != 1 || len(g.pairs) != 1 {
		t.Errorf("%d targets can count and %d pairs are known, want 1 and 1", g.reachable.size(), len(g.pairs))
	}
	for _, c := range []struct {
		name, prompt string
		words, pairs int
	}{
		{"the whole line", "func LoadAll(path string) error {", 1, 1},
		{"the line with its number", "3\tfunc LoadAll(path string) error {", 1, 1},
		{"the beginning of the line", "func LoadAll(path …", 1, 1},
		{"a list of names", "Alone, LoadAll, open, path, string", 0, 0},
		{"the name alone", "LoadAll", 0, 0},
		{"the words in another order", "path LoadAll func", 0, 0},
		{"words of two lines", "func\nLoadAll(path\nstring)", 0, 1},
		{"a comment is no line of code", "Comment beside LoadAll here", 0, 0},
		{"prose is no line of code", "call Documented when the moon is full", 0, 0},
		{"a line with too few words", "var Alone", 0, 0},
	} {
		s := g.judge(c.prompt)
		if s.words.size() != c.words || s.pairs.size() != c.pairs {
			t.Errorf("%s: %d identifiers and %d pairs, want %d and %d", c.name, s.words.size(), s.pairs.size(), c.words, c.pairs)
		}
	}
}

func TestOwnFileIsNoTree(t *testing.T) {
	tree := clones.TreeOf(map[string]string{"a.go": "package a\n\nfunc Gone(one, two int) {}\n"})
	if g := newGoals(tree, &clones.Place{Path: "a.go", Lang: clones.Golang, Words: []string{"Gone"}}); len(g.names) != 0 {
		t.Errorf("targets %q that only the file before the commit has", g.names)
	}
}
