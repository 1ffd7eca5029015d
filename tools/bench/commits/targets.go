package main

import (
	"math/bits"
	"strings"
)

// A place is a file as after a commit without the run of lines that somebody
// is about to write; the cursor stands where the run began.
type place struct {
	path         string
	lang         *language
	text         string // with an empty, indented line for the run
	line, column int    // from 1
	run          string // what was taken out
	words, pairs []string
}

func newPlace(after string, r run) *place {
	lines := strings.Split(after, "\n")
	end := min(r.first+r.count, len(lines))
	if r.first < 0 || r.first >= end {
		return nil
	}
	taken := lines[r.first:end]
	indent := ""
	for _, line := range taken {
		if code := strings.TrimLeft(line, " \t"); strings.TrimSpace(code) != "" {
			indent = line[:len(line)-len(code)]
			break
		}
	}
	left := append(append(append([]string{}, lines[:r.first]...), indent), lines[end:]...)
	p := &place{path: r.path, lang: languageOf(r.path), line: r.first + 1, column: len(indent) + 1,
		text: strings.Join(left, "\n"), run: strings.Join(taken, "\n")}
	_, bare := stripAll(lines[:end], p.lang)
	p.words, p.pairs = asked(strings.Join(bare[r.first:], "\n"), p.text, p.lang)
	if len(p.words) == 0 {
		return nil
	}
	return p
}

// shortestTarget is the shortest identifier that counts.
const shortestTarget = 3

// asked are the identifiers of a run, and its pairs of neighbouring words,
// "a b", that the rest of the file does not have.
func asked(run, rest string, lang *language) (words, pairs []string) {
	here := map[string]bool{}
	eachWord(rest, func(w string) { here[w] = true })
	for _, pair := range neighbours(rest, lang) {
		here[pair] = true
	}
	_, bare := stripAll(strings.Split(run, "\n"), lang)
	for _, w := range wordsOf(strings.Join(bare, "\n")) {
		if len(w) >= shortestTarget && !lang.keywords[w] && !here[w] {
			here[w] = true
			words = append(words, w)
		}
	}
	for _, pair := range neighbours(run, lang) {
		if !here[pair] {
			here[pair] = true
			pairs = append(pairs, pair)
		}
	}
	return words, pairs
}

// neighbours are the pairs of consecutive words of code, with strings,
// comments, keywords and punctuation passed over.
func neighbours(text string, lang *language) []string {
	var out []string
	last := ""
	_, bare := stripAll(strings.Split(text, "\n"), lang)
	for _, line := range bare {
		eachWord(line, func(w string) {
			if lang.keywords[w] {
				return
			}
			if last != "" {
				out = append(out, last+" "+w)
			}
			last = w
		})
	}
	return out
}

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
type trio [3]word

// Goals are what a prompt for a place should hold, as far as the tree has it.
type goals struct {
	tree  *tree
	place *place
	words map[word]int    // target -> number
	pairs map[[2]word]int // pair -> number
	names []string        // of the words, by number

	// trios are those of the tree that hold a target: a target counts where a
	// shown line has one of them, that is, where it stands among two other words
	// of a real line, in order.
	trios     map[trio]set
	reachable set // targets with a line that can count
}

func newGoals(t *tree, p *place) *goals {
	g := &goals{tree: t, place: p, words: map[word]int{}, pairs: map[[2]word]int{}, trios: map[trio]set{}}
	g.keepWords()
	g.keepPairs()
	g.reachable = newSet(len(g.names))
	for _, f := range t.files {
		if f.path == p.path {
			continue
		}
		for _, line := range f.code {
			g.learn(line)
		}
	}
	return g
}

// keepWords takes the words that stand anywhere in the tree.
func (g *goals) keepWords() {
	wanted := map[word]string{}
	for _, name := range g.place.words {
		if w := g.tree.words.numbers[name]; w != 0 {
			wanted[w] = name
		}
	}
	for _, f := range g.tree.files {
		if f.path == g.place.path {
			continue
		}
		for w, name := range wanted {
			if f.has(w) {
				g.words[w] = len(g.names)
				g.names = append(g.names, name)
				delete(wanted, w)
			}
		}
	}
}

// keepPairs takes the pairs that are neighbours somewhere in the tree's code.
func (g *goals) keepPairs() {
	wanted := map[[2]word]bool{}
	firsts := map[word]bool{}
	for _, pair := range g.place.pairs {
		a, b, _ := strings.Cut(pair, " ")
		if p := [2]word{g.tree.words.numbers[a], g.tree.words.numbers[b]}; p[0] != 0 && p[1] != 0 {
			wanted[p], firsts[p[0]] = true, true
		}
	}
	for _, f := range g.tree.files {
		if f.path == g.place.path {
			continue
		}
		for i := 1; i < len(f.bare); i++ {
			if firsts[f.bare[i-1]] {
				if p := [2]word{f.bare[i-1], f.bare[i]}; wanted[p] {
					delete(wanted, p)
					g.pairs[p] = len(g.pairs)
				}
			}
		}
	}
}

// learn takes the trios around the targets of a real line.
func (g *goals) learn(line []word) {
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
func (g *goals) eachTrio(line []word, i int, do func(trio)) {
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
	var last word
	for _, line := range strings.Split(prompt, "\n") {
		g.judgeLine(line, s.words)
		_, bare := (&stripper{lang: g.place.lang}).strip(line)
		eachWord(bare, func(name string) {
			if g.place.lang.keywords[name] {
				return
			}
			w := g.tree.words.numbers[name]
			if number, ok := g.pairs[[2]word{last, w}]; ok {
				s.pairs.add(number)
			}
			last = w
		})
	}
	return s
}

// judgeLine adds the targets that a shown line shows.
func (g *goals) judgeLine(line string, shown set) {
	var words []word
	found := false
	eachWord(line, func(name string) {
		w := g.tree.words.numbers[name]
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
