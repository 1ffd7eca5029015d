package window

import (
	"cmp"
	"math"
	"math/bits"
	"path"
	"slices"
	"strings"

	"tandem/workspace/cut"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/similar"
	"tandem/workspace/terms"
)

const (
	searchedFiles = 160     // whose texts are searched for the user's words
	scanned       = 8 << 20 // bytes of files that are searched if no name has a word
	plainLines    = 20      // lines that are ranked together in a file without functions
	partLines     = 20      // lines shown of the middle of a long function
	leastFound    = 2000    // tokens that a function may have in any case, if half of the window has them
)

// What a term counts in addition in a function's name, its type's name and its path, and what
// tests and examples, and types, count instead of 1. On 116 questions in plain words of eleven
// repositories (make real-plain) none of these matters by itself.
const inName, inOwner, inPath, asideness, typeness = 1.5, 0.5, 1, 0.3, 0.5

// A foundFunction is one that the words may be about, or some lines of a file without any.
type foundFunction struct {
	definition
	rel           string
	lines         [][]uint64 // the terms of each word, with the comment's
	counts        []float32  // by term
	words         int
	match         uint64    // the terms of its text
	more          [3]uint64 // those of its name, its owner and its path
	factor, score float32
}

// found finds the functions that the user's words are about, ranked by BM25 of their text.
func found(f *fill) (out []Fragment) {
	q := terms.NewQuery(f.req.Words[:min(len(f.req.Words), mostWords)], questionWords)
	if q.Len() == 0 {
		return nil
	}
	var list []foundFunction
	for _, id := range f.filesWith(q) {
		list = append(list, f.functionsIn(id, q)...)
	}
	in := make([]int, q.Len()) // how many functions have each term
	for _, one := range list {
		for rest := one.match; rest != 0; rest &= rest - 1 {
			in[bits.TrailingZeros64(rest)]++
		}
	}
	for t, n := range in {
		q.Weights[t] = float32(math.Log(1 + (float64(len(list)-n)+0.5)/(float64(n)+0.5)))
	}
	for i := range list {
		list[i].rate(q)
	}
	slices.SortStableFunc(list, func(x, y foundFunction) int { return cmp.Compare(y.score, x.score) })
	for _, one := range list {
		if one.score > 0 {
			out = append(out, one.fragment(f, q))
		}
	}
	return out
}

// filesWith returns the files whose names have some of the words. If there are none it returns
// all, since the words may be in comments or in prose.
func (f *fill) filesWith(q *terms.Query) (out []index.FileID) {
	for _, hit := range similar.Files(f.folder.ix, q, searchedFiles) {
		out = append(out, hit.File)
	}
	if len(out) > 0 {
		return out
	}
	beyond, room := 0, f.scanned
	for _, id := range f.folder.ix.Files() {
		if file, _ := f.folder.ix.File(id); room >= file.Size {
			room -= file.Size
			out = append(out, id)
		} else {
			beyond++
		}
	}
	f.unread = cut.Left(beyond, "file is not searched for words in comments and prose", "files are not searched for words in comments and prose")
	return out
}

// functionsIn returns the functions of a file and its properties and types of several lines, or
// the lines of a file without them.
func (f *fill) functionsIn(id index.FileID, q *terms.Query) (out []foundFunction) {
	rel := f.folder.ix.Path(id)
	source := f.folder.file(rel)
	if source == nil {
		return nil
	}
	lines := make([][]uint64, source.LineCount())
	eachWord(source.Text(), func(w word, line int) { lines[line] = append(lines[line], q.Match(w.text)) })
	factor, inTests := float32(1), strings.Contains(strings.ToLower(f.req.Words), "test")
	if !inTests && (language.IsTest(rel) || slices.ContainsFunc(strings.Split(path.Dir(rel), "/"), func(dir string) bool { return aside[dir] })) {
		factor = asideness
	}
	add := func(d definition, factor float32) {
		one := foundFunction{definition: d, rel: rel, lines: lines[d.DocLine-1 : d.EndLine], factor: factor, more: [3]uint64{q.Match(d.Name), q.Match(d.Container), q.Match(rel)}}
		one.counts, one.words, one.match = count(one.lines, q)
		out = append(out, one)
	}
	for _, def := range f.folder.ix.DefIDs(id) {
		d := f.folder.definition(def)
		several := d.EndLine-d.StartLine >= 2
		switch {
		case d.DocLine < 1 || d.EndLine > len(lines) || d.Local:
		case d.Kind.IsFunc() || d.Kind == language.KindProperty && several:
			add(d, factor)
		case d.Kind.IsType() && several:
			add(d, factor*typeness)
		}
	}
	if len(out) > 0 {
		return out
	}
	for first := 1; first <= len(lines); first += plainLines {
		add(definition{Brief: index.Brief{DocLine: first, StartLine: first, EndLine: min(first+plainLines-1, len(lines))}}, factor)
	}
	return out
}

// aside lists folders of code beside the project's own.
var aside = terms.Set("example examples sample samples benchmark benchmarks bench fixtures testdata docs doc")

// count counts the terms and the words of some lines.
func count(lines [][]uint64, q *terms.Query) (counts []float32, words int, has uint64) {
	counts = make([]float32, q.Len())
	for _, line := range lines {
		words += len(line)
		for _, match := range line {
			for has |= match; match != 0; match &= match - 1 {
				counts[bits.TrailingZeros64(match)]++
			}
		}
	}
	return counts, words, has
}

func (one *foundFunction) rate(q *terms.Query) {
	const k, b, mean = 2, 0.5, 80
	for t, n := range one.counts {
		one.score += q.Weights[t] * n * (k + 1) / (n + k*(1-b+b*float32(one.words)/mean))
	}
	for i, part := range [...]float32{inName, inOwner, inPath} {
		for rest := one.more[i]; rest != 0; rest &= rest - 1 {
			one.score += part * q.Weights[bits.TrailingZeros64(rest)]
		}
	}
	one.score *= one.factor
}

// fragment returns the function whole. If it is too long, its signature with the comment is
// shown, and the lines with most different terms.
func (one *foundFunction) fragment(f *fill, q *terms.Query) Fragment {
	reason := "similar to your words: " + strings.Join(q.Words(one.match|one.more[0]|one.more[1]|one.more[2], 3), ", ")
	whole := Fragment{Path: one.rel, StartLine: one.DocLine, EndLine: one.EndLine, Kind: FragmentCode, Reason: reason, most: max(f.left/4, min(f.left/2, leastFound))}
	if one.EndLine-one.StartLine <= partLines {
		return whole
	}
	whole.orElse = func() []Fragment {
		head, part := whole, whole
		head.orElse, part.orElse = nil, nil
		if head.EndLine = one.StartLine + countLines(f.folder.ix.SigText(one.id)) - 1; head.EndLine >= one.EndLine {
			head.EndLine = one.StartLine
		}
		most := -1
		for first := head.EndLine + 1; first == head.EndLine+1 || first+partLines <= one.EndLine; first++ {
			last := min(first+partLines-1, one.EndLine)
			_, _, has := count(one.lines[first-one.DocLine:last-one.DocLine+1], q)
			if n := bits.OnesCount64(has); n > most {
				most, part.StartLine, part.EndLine = n, first, last
			}
		}
		return []Fragment{head, part}
	}
	return whole
}
