package window

import (
	"cmp"
	"math"
	"math/bits"
	"path"
	"slices"
	"strings"

	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// What a term counts once more in a function's name, in that of its type and in its path, and
// what tests, examples and types count in place of 1. On 116 questions in plain words of eleven
// repositories (make real-plain) none of these matters by itself.
const (
	inName    = 1.5
	inOwner   = 0.5
	inPath    = 1
	asideness = 0.3
	typeness  = 0.5
	partLines = 20 // lines that are shown of the middle of a long function
)

// A foundFunction is one that the words may be about.
type foundFunction struct {
	definition
	rel           string
	text          []lineMatch // its lines with its comment
	counts        []float32   // of its text, by term
	words         int
	match         uint64    // the terms of its text
	more          [3]uint64 // of its name, its owner and its path
	factor, score float32
}

// foundFunctions are the functions of the files that are searched.
type foundFunctions struct{ list []foundFunction }

// add notes a definition that is a function, a property or a type of several lines.
func (k *foundFunctions) add(f *finder, d definition, lines []lineMatch) {
	one := foundFunction{definition: d, rel: f.folder.pathOf(d.id), text: lines[d.DocLine-1 : d.EndLine], factor: 1}
	switch several := d.EndLine-d.StartLine >= 2; {
	case d.Kind.IsFunc():
	case d.Kind == language.KindProperty && several:
	case d.Kind.IsType() && several:
		one.factor = typeness
	default:
		return
	}
	one.counts, one.words, one.match = f.count(one.text)
	one.more = [3]uint64{f.query.Match(d.Name), f.query.Match(d.Container), f.query.Match(one.rel)}
	if !f.tests && (language.IsTest(one.rel) || isAside(one.rel)) {
		one.factor *= asideness
	}
	k.list = append(k.list, one)
}

// parts are the signature of a long function with its comment, and the lines of it that have
// most different terms.
func (one foundFunction) parts(f *finder) [2]lineRange {
	signed := one.StartLine
	if end := f.folder.ix.Def(one.id).SigEndLine; one.StartLine <= end && end < one.EndLine {
		signed = end
	}
	body := one.text[signed+1-one.DocLine:]
	at, best := 0, -1
	for first := 0; first == 0 || first+partLines <= len(body); first++ {
		if _, _, has := f.count(body[first:min(first+partLines, len(body))]); bits.OnesCount64(has) > best {
			at, best = first, bits.OnesCount64(has)
		}
	}
	return [2]lineRange{{one.DocLine, signed}, {signed + 1 + at, min(signed+at+partLines, one.EndLine)}}
}

// isAside reports whether code is beside what a project is about.
func isAside(rel string) bool {
	return slices.ContainsFunc(strings.Split(path.Dir(rel), "/"), func(dir string) bool { return aside[dir] })
}

var aside = terms.Set("example examples sample samples benchmark benchmarks bench fixtures testdata docs doc")

// ranked are the functions with a term, the likeliest first: by BM25 of their text, where a
// term counts more, the fewer of the functions have it.
func (k *foundFunctions) ranked(f *finder) []foundFunction {
	in := make([]float64, f.query.Len())
	for _, one := range k.list {
		for rest := one.match; rest != 0; rest &= rest - 1 {
			in[bits.TrailingZeros64(rest)]++
		}
	}
	all := float64(len(k.list))
	for t, n := range in {
		f.query.Weights[t] = float32(math.Log(1 + (all-n+0.5)/(n+0.5)))
	}
	var out []foundFunction
	for _, one := range k.list {
		for t, n := range one.counts {
			one.score += f.query.Weights[t] * bm25(n, one.words, 2, 0.5)
		}
		for i, part := range [...]float32{inName, inOwner, inPath} {
			one.score += part * f.weigh(one.more[i])
		}
		if one.score *= one.factor; one.score > 0 {
			out = append(out, one)
		}
	}
	slices.SortStableFunc(out, func(x, y foundFunction) int { return cmp.Compare(y.score, x.score) })
	return out
}
