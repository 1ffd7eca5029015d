package main

import (
	"math/bits"
	"strings"

	"tandem/tools/bench/clones"
)

// A set holds numbers of targets.
type set []uint64

func newSet(size int) set    { return make(set, (size+63)/64) }
func (s set) add(i int)      { s[i/64] |= 1 << (i % 64) }
func (s set) has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }
func (s set) merge(other set) {
	for i := range s {
		s[i] |= other[i]
	}
}

func (s set) size() int {
	n := 0
	for _, part := range s {
		n += bits.OnesCount64(part)
	}
	return n
}

// gain is how many numbers of s are not in covered.
func (s set) gain(covered set) int {
	n := 0
	for i, part := range s {
		n += bits.OnesCount64(part &^ covered[i])
	}
	return n
}

// A trio is three consecutive words of a line of code.
type trio [3]clones.Word

// Goals are what a prompt for a place should hold, as far as the tree has it.
type goals struct {
	tree  *clones.Tree
	place *clones.Place
	words map[clones.Word]int    // target -> number
	pairs map[[2]clones.Word]int // pair -> number
	names []string               // of the words, by number

	// trios are those of the tree that hold a target: a target counts where a
	// shown line has one of them, that is, where it stands among two other words
	// of a real line, in order.
	trios     map[trio]set
	reachable set // targets with a line that can count
}

func newGoals(t *clones.Tree, p *clones.Place) *goals {
	g := &goals{tree: t, place: p, words: map[clones.Word]int{}, pairs: map[[2]clones.Word]int{}, trios: map[trio]set{}}
	g.keepWords()
	g.keepPairs()
	g.reachable = newSet(len(g.names))
	for _, f := range t.Files {
		if f.Path == p.Path {
			continue
		}
		for _, line := range f.Code {
			g.learn(line)
		}
	}
	return g
}

// keepWords takes the words that stand anywhere in the tree.
func (g *goals) keepWords() {
	wanted := map[clones.Word]string{}
	for _, name := range g.place.Words {
		if w := g.tree.Words.Numbers[name]; w != 0 {
			wanted[w] = name
		}
	}
	for _, f := range g.tree.Files {
		if f.Path == g.place.Path {
			continue
		}
		for w, name := range wanted {
			if f.Has(w) {
				g.words[w] = len(g.names)
				g.names = append(g.names, name)
				delete(wanted, w)
			}
		}
	}
}

// keepPairs takes the pairs that are neighbours somewhere in the tree's code.
func (g *goals) keepPairs() {
	wanted := map[[2]clones.Word]bool{}
	firsts := map[clones.Word]bool{}
	for _, pair := range g.place.Pairs {
		a, b, _ := strings.Cut(pair, " ")
		if p := [2]clones.Word{g.tree.Words.Numbers[a], g.tree.Words.Numbers[b]}; p[0] != 0 && p[1] != 0 {
			wanted[p], firsts[p[0]] = true, true
		}
	}
	for _, f := range g.tree.Files {
		if f.Path == g.place.Path {
			continue
		}
		for i := 1; i < len(f.Bare); i++ {
			if firsts[f.Bare[i-1]] {
				if p := [2]clones.Word{f.Bare[i-1], f.Bare[i]}; wanted[p] {
					delete(wanted, p)
					g.pairs[p] = len(g.pairs)
				}
			}
		}
	}
}

// learn takes the trios around the targets of a real line.
func (g *goals) learn(line []clones.Word) {
	for i, w := range line {
		if number, ok := g.words[w]; ok {
			g.eachTrio(line, i, func(t trio) {
				if g.trios[t] == nil {
					g.trios[t] = newSet(len(g.names))
				}
				g.trios[t].add(number)
				g.reachable.add(number)
			})
		}
	}
}

// eachTrio calls do for the trios around the word at i whose other two words
// are others.
func (g *goals) eachTrio(line []clones.Word, i int, do func(trio)) {
	for first := max(i-2, 0); first <= i && first+2 < len(line); first++ {
		t := trio(line[first : first+3])
		same := 0
		for _, w := range t {
			if w == line[i] {
				same++
			}
		}
		if same == 1 {
			do(t)
		}
	}
}

// A score says what a prompt holds of the goals.
type score struct{ words, pairs set }

// judge scores a prompt.
func (g *goals) judge(prompt string) score {
	s := score{newSet(len(g.names)), newSet(len(g.pairs))}
	var last clones.Word
	for _, line := range strings.Split(prompt, "\n") {
		g.judgeLine(line, s.words)
		_, bare := (&clones.Stripper{Lang: g.place.Lang}).Strip(line)
		clones.EachWord(bare, func(name string) {
			if g.place.Lang.Keywords[name] {
				return
			}
			w := g.tree.Words.Numbers[name]
			if number, ok := g.pairs[[2]clones.Word{last, w}]; ok {
				s.pairs.add(number)
			}
			last = w
		})
	}
	return s
}

// judgeLine adds the targets that a shown line shows.
func (g *goals) judgeLine(line string, shown set) {
	var words []clones.Word
	found := false
	clones.EachWord(line, func(name string) {
		w := g.tree.Words.Numbers[name]
		words = append(words, w)
		_, target := g.words[w]
		found = found || target
	})
	if !found {
		return
	}
	for i, w := range words {
		if number, ok := g.words[w]; ok {
			g.eachTrio(words, i, func(t trio) {
				if s := g.trios[t]; s != nil && s.has(number) {
					shown.add(number)
				}
			})
		}
	}
}
