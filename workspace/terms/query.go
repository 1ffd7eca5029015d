package terms

import (
	"math/bits"
	"strings"
)

// mostTerms is how many terms a query has at most.
const mostTerms = 64

// A Query is the terms of some words: the stems of what names are made of, and names
// of several parts as a whole.
type Query struct {
	Weights []float32 // by term; for those who ask to set

	terms  map[string]int
	texts  []string              // by term: the word it was made of
	begins [trigrams / 64]uint64 // a bit for each trigram that a term begins with
}

// trigrams is how many values three letters have, of which five bits each are kept: those are
// the same in small and capital letters.
const trigrams = 1 << 15

// nextTrigram is the trigram that ends with a letter, after the one before it.
func nextTrigram(before uint16, letter byte) uint16 {
	return (before<<5 | uint16(letter&31)) & (trigrams - 1)
}

// NewQuery makes a query of a text's words, without those to be left out, which are in small
// letters.
func NewQuery(text string, leaveOut map[string]bool) *Query {
	q := &Query{terms: map[string]int{}}
	put := func(term, text string) {
		if _, known := q.terms[term]; !known && len(q.terms) < mostTerms {
			q.terms[term] = len(q.terms)
			q.texts = append(q.texts, text)
		}
	}
	for _, name := range strings.FieldsFunc(text, func(r rune) bool { return r < 0x80 && !strings.ContainsRune(ASCII+"_", r) }) {
		if leaveOut[strings.ToLower(name)] {
			continue
		}
		parts := 0
		EachPart(name, func(part []byte) {
			parts++
			put(string(Stem(part)), string(part))
			t := nextTrigram(nextTrigram(nextTrigram(0, part[0]), part[1]), part[2])
			q.begins[t/64] |= 1 << (t % 64)
		})
		if parts > 1 {
			put("="+strings.ToLower(name), name)
		}
	}
	q.Weights = make([]float32, len(q.terms))
	return q
}

// Len is the number of terms.
func (q *Query) Len() int { return len(q.terms) }

// Match is the terms that a name has, a bit for each.
func (q *Query) Match(name string) (match uint64) {
	if !q.mayMatch(name) {
		return 0
	}
	EachPart(name, func(part []byte) {
		if t, ok := q.terms[string(Stem(part))]; ok {
			match |= 1 << t
		}
	})
	if match&(match-1) != 0 {
		if t, ok := q.terms["="+strings.ToLower(name)]; ok {
			match |= 1 << t
		}
	}
	return match
}

// mayMatch is false for most of the names without a term, and never for one with a term: a
// part of it begins as the term does, for stems keep three letters.
func (q *Query) mayMatch(name string) bool {
	var t uint16
	for i := range len(name) {
		t = nextTrigram(t, name[i])
		if i >= ShortPart-1 && q.begins[t/64]>>(t%64)&1 != 0 {
			return true
		}
	}
	return false
}

// Words are the words of a match, those with the greatest weights first, at most so
// many.
func (q *Query) Words(match uint64, most int) []string {
	var out []string
	for match != 0 && len(out) < most {
		best := bits.TrailingZeros64(match)
		for rest := match; rest != 0; rest &= rest - 1 {
			if t := bits.TrailingZeros64(rest); q.Weights[t] > q.Weights[best] {
				best = t
			}
		}
		match &^= 1 << best
		out = append(out, q.texts[best])
	}
	return out
}

// endings are what words of one stem differ in, the longest first.
var endings = []string{"ations", "ation", "ating", "ators", "ments", "ated", "ates", "ator", "ment", "ings", "ions", "ate", "ing", "ion", "ers", "ors", "ied", "ies",
	"ed", "er", "or", "es", "ie", "ly", "al", "s", "e", "y"}

// shortStem is the least that is left of a word without its ending.
const shortStem = 4

// Stem is a word in small letters without its ending: parse, parser, parsing and parsed
// are one.
func Stem(word []byte) []byte {
	for _, end := range endings {
		if n := len(word) - len(end); n >= shortStem && string(word[n:]) == end {
			word = word[:n]
			break
		}
	}
	if n := len(word); n > 3 && word[n-1] == word[n-2] {
		word = word[:n-1]
	}
	return word
}
