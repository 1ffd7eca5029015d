package window

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strings"

	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/redact"
	"tandem/workspace/similar"
	"tandem/workspace/terms"
)

// A finder shows the code that the user's words are about, where they name nothing
// that could be looked up: the functions that have most of the words, and then bodies of many
// files before many bodies of one.
type finder struct {
	folder    *folder
	query     *terms.Query
	tests     bool // the words are about tests
	functions bool // nothing but whole functions is shown
	known     foundFunctions
	window    *builder
}

const (
	searchedFiles  = 160  // whose texts are searched
	leastLike      = 0.12 // a file is shown with so much of the best one's score
	laterBodies    = 3    // further bodies of a file
	foundShare     = 85   // of what is left, in percent, where there is no document
	foundAlongside = 35   // and where there is one
	plainLines     = 24   // lines that stand for a definition where there is none
	testsCount     = 0.6
	functionsShare = 60      // of that, what the functions have that have most of the words
	scanned        = 8 << 20 // bytes of files that are read where no name has a word
	longestFound   = 200     // lines of a function that is shown whole
)

// A foundFile is a file with its definitions, the likeliest first.
type foundFile struct {
	rel    string
	test   bool // of tests, and the words are not about tests
	score  float32
	bodies []foundBody
}

// A foundBody is lines that the words may be about.
type foundBody struct {
	first, last int
	score       float32 // by how often it has which terms, for its length
	match       uint64
}

// addFound shows bodies of the likeliest files. alongside: there is also a document, or a file
// that was named.
func (f *finder) addFound(words string, alongside bool) {
	if f.folder.corpus == nil || words == "" {
		return
	}
	f.query = terms.NewQuery(words[:min(len(words), mostWords)], questionWords)
	if f.query.Len() == 0 {
		return
	}
	f.tests = strings.Contains(strings.ToLower(words), "test")
	share := foundShare
	switch {
	case alongside:
		share = foundAlongside
	case f.functions:
		share = 100
	}
	f.show(f.files(), f.window.left*share/100)
}

// files are the likeliest files, the best first.
func (f *finder) files() []foundFile {
	var out []foundFile
	var best float32
	hits := f.folder.corpus.Search(f.folder.ix, f.query, searchedFiles)
	if len(hits) == 0 {
		hits = f.scan(searchedFiles)
	}
	for _, hit := range hits {
		x := foundFile{rel: f.folder.ix.Path(hit.File)}
		text := f.folder.file(x.rel)
		if text == nil {
			continue
		}
		x.bodies = f.bodies(hit.File, text)
		if len(x.bodies) == 0 {
			continue
		}
		x.score = hit.Score + x.bodies[0].score
		for i, body := range x.bodies[1:min(len(x.bodies), 1+laterBodies)] {
			x.score += body.score / float32(2*i+4)
		}
		if x.test = language.IsTest(x.rel) && !f.tests; x.test {
			x.score *= testsCount
		}
		best = max(best, x.score)
		out = append(out, x)
	}
	out = slices.DeleteFunc(out, func(x foundFile) bool { return x.score < best*leastLike })
	slices.SortStableFunc(out, func(x, y foundFile) int { return cmp.Compare(y.score, x.score) })
	return out
}

// scan finds the files that have the words in comments, in texts, or are no code: the corpus
// knows names alone.
func (f *finder) scan(most int) []similar.Hit {
	type match struct {
		id  index.FileID
		has uint64
	}
	var all []match
	in := make([]int, f.query.Len()) // how many files have each term
	files, left := 0, scanned
	for _, id := range f.folder.ix.Files() {
		info, ok := f.folder.ix.File(id)
		if left -= info.Size; left < 0 || !ok {
			break
		}
		text := f.folder.readFile(info.Path)
		if text == nil {
			continue
		}
		files++
		m := match{id: id}
		eachWordIn(text.Text(), func(w string) { m.has |= f.query.Match(w) })
		for rest := m.has; rest != 0; rest &= rest - 1 {
			in[bits.TrailingZeros64(rest)]++
		}
		if m.has != 0 {
			all = append(all, m)
		}
	}
	for t, n := range in {
		f.query.Weights[t] = float32(math.Log(1 + (float64(files-n)+0.5)/(float64(n)+0.5)))
	}
	var out []similar.Hit
	for _, m := range all {
		out = append(out, similar.Hit{File: m.id, Score: f.weigh(m.has)})
	}
	slices.SortStableFunc(out, func(x, y similar.Hit) int { return cmp.Compare(y.Score, x.Score) })
	return out[:min(len(out), most)]
}

// bodies are the definitions of a file, the likeliest first, or some lines of it where
// it has none. It notes the functions.
func (f *finder) bodies(id index.FileID, text *redact.Source) []foundBody {
	lines := f.lineMatches(text)
	var out []foundBody
	for _, def := range f.folder.ix.DefIDs(id) {
		d := f.folder.definition(def)
		if d.DocLine < 1 || d.EndLine > len(lines) || d.Local {
			continue
		}
		f.known.add(f, d, lines)
		if !d.Kind.IsFunc() && (!d.Kind.IsType() || d.EndLine-d.StartLine < 2) || d.EndLine-d.DocLine >= longestFound {
			continue
		}
		body := foundBody{first: d.DocLine, last: d.EndLine}
		f.score(&body, lines)
		body.score += f.weigh(f.query.Match(d.Name))
		out = append(out, body)
	}
	if len(out) == 0 {
		for first := 1; first <= len(lines); first += plainLines {
			body := foundBody{first: first, last: min(first+plainLines-1, len(lines))}
			f.score(&body, lines)
			out = append(out, body)
		}
	}
	slices.SortStableFunc(out, func(x, y foundBody) int { return cmp.Compare(y.score, x.score) })
	return out
}

// lineMatches are the terms of each line.
func (f *finder) lineMatches(text *redact.Source) []lineMatch {
	out := make([]lineMatch, 0, text.LineCount())
	for n := 1; n <= text.LineCount(); n++ {
		var m lineMatch
		eachWordIn(text.Raw(n, n), func(w string) {
			m.words++
			if match := f.query.Match(w); match != 0 {
				m.matches = append(m.matches, match)
			}
		})
		out = append(out, m)
	}
	return out
}

// A lineMatch is the words of a line, and the terms of those that have some.
type lineMatch struct {
	words   int
	matches []uint64
}

// score is BM25 of some lines.
func (f *finder) score(body *foundBody, lines []lineMatch) {
	counts, words, match := f.count(lines[body.first-1 : body.last])
	body.match = match
	for t, n := range counts {
		body.score += f.query.Weights[t] * bm25(n, words, 1.2, 0.6)
	}
}

// count counts the terms and the words of some lines.
func (f *finder) count(lines []lineMatch) (counts []float32, words int, has uint64) {
	counts = make([]float32, f.query.Len())
	for _, line := range lines {
		words += line.words
		for _, match := range line.matches {
			has |= match
			for ; match != 0; match &= match - 1 {
				counts[bits.TrailingZeros64(match)]++
			}
		}
	}
	return counts, words, has
}

// bm25 is what a term counts that some words have n times.
func bm25(n float32, words int, k, b float32) float32 {
	const mean = 80
	return n * (k + 1) / (n + k*(1-b+b*float32(words)/mean))
}

func (f *finder) weigh(match uint64) (sum float32) {
	for ; match != 0; match &= match - 1 {
		sum += f.query.Weights[bits.TrailingZeros64(match)]
	}
	return sum
}

// show shows the best functions whole, then the best body of each file, and then more of the
// best files.
func (f *finder) show(list []foundFile, most int) {
	if f.functions && f.showFunctions(most, most/2) > 0 {
		return
	}
	most -= f.showFunctions(most*functionsShare/100, most*functionsShare/200)
	for round := range 1 + laterBodies {
		files := len(list) >> (2 * round) // a quarter of them each time
		for _, x := range list[:files] {
			if round < len(x.bodies) && most > leastLeft && (round == 0 || x.bodies[round].score > x.bodies[0].score/3) {
				body := x.bodies[round]
				taken, _ := f.showLines(x.rel, lineRange{body.first, body.last}, body.match, most)
				most -= taken
			}
		}
	}
}

// showFunctions shows the functions that the words are about, the best first; of one that has
// more than so many tokens its beginning and the part that has most of the words.
func (f *finder) showFunctions(most, longest int) (taken int) {
	for _, one := range f.known.ranked(f) {
		if taken+leastLeft > most {
			break
		}
		n, ok := f.showLines(one.rel, one.lines(), one.match, min(most-taken, longest))
		taken += n
		if ok || f.window.shows(one.rel, one.StartLine) {
			continue
		}
		for _, part := range one.parts(f) {
			n, _ = f.showLines(one.rel, part, one.match, min(most-taken, longest))
			taken += n
		}
	}
	return taken
}

func (f *finder) showLines(rel string, at lineRange, match uint64, most int) (taken int, ok bool) {
	reason := unshared
	if has := f.query.Words(match, 3); len(has) > 0 {
		reason = "similar to your words: " + strings.Join(has, ", ")
	}
	return f.window.chooseLines(rel, choice{first: at.first, last: at.last, kind: FragmentCode, reason: reason}, most)
}
