package window

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/redact"
	"tandem/workspace/terms"
)

// A finder shows the code that the user's words are about, where they name nothing
// that could be looked up: bodies of many files before many bodies of one.
type finder struct {
	*builder
	query *terms.Query
}

const (
	searchedFiles  = 160  // whose texts are searched
	leastLike      = 0.12 // a file is shown with so much of the best one's score
	laterBodies    = 3    // further bodies of a file
	foundShare     = 85   // of what is left, in percent, where there is no document
	foundAlongside = 35   // and where there is one
	plainLines     = 24   // lines that stand for a definition where there is none
	testsCount     = 0.6
)

// A foundFile is a file with its definitions, the likeliest first.
type foundFile struct {
	rel    string
	score  float32
	bodies []foundBody
}

// A foundBody is lines that the words may be about.
type foundBody struct {
	first, last int
	score       float32
	match       uint64
}

// addFound shows bodies of the likeliest files.
func (f *finder) addFound() {
	b := f.builder
	if b.view == nil || b.corpus == nil || !b.purpose.documents || b.req.Words == "" {
		return
	}
	f.query = terms.NewQuery(b.req.Words[:min(len(b.req.Words), mostWords)], questionWords)
	if f.query.Len() == 0 {
		return
	}
	share := foundShare
	if b.text != "" {
		share = foundAlongside
	}
	f.show(f.files(), b.left*share/100)
}

// files are the likeliest files, the best first.
func (f *finder) files() []foundFile {
	var out []foundFile
	var most float32
	tests := strings.Contains(strings.ToLower(f.req.Words), "test")
	for _, hit := range f.corpus.Search(f.ix, f.query, searchedFiles) {
		x := foundFile{rel: f.ix.Path(hit.File)}
		if f.withheld(x.rel) {
			continue
		}
		text := f.file(x.rel)
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
		if language.IsTest(x.rel) && !tests {
			x.score *= testsCount
		}
		most = max(most, x.score)
		out = append(out, x)
	}
	out = slices.DeleteFunc(out, func(x foundFile) bool { return x.score < most*leastLike })
	slices.SortStableFunc(out, func(x, y foundFile) int { return cmp.Compare(y.score, x.score) })
	return out
}

// bodies are the definitions of a file, the likeliest first, or some lines of it where
// it has none.
func (f *finder) bodies(id index.FileID, text *redact.Source) []foundBody {
	lines := f.lineMatches(text)
	var out []foundBody
	for _, def := range f.ix.DefIDs(id) {
		d := f.ix.Brief(def)
		if d.Local || d.Kind == language.KindHeading || !d.Kind.IsFunc() && !d.Kind.IsType() || d.DocLine < 1 ||
			d.EndLine-d.DocLine >= longestWhole || d.EndLine-d.StartLine < 2 || d.EndLine > len(lines) {
			continue
		}
		body := foundBody{first: d.DocLine, last: d.EndLine}
		f.score(&body, lines)
		body.score += f.weigh(f.query.MatchAgain(d.Name))
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
			if match := f.query.MatchAgain(w); match != 0 {
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
	const k, b, mean = 1.2, 0.6, 80
	counts := make([]float32, f.query.Len())
	words := 0
	for _, line := range lines[body.first-1 : body.last] {
		words += line.words
		for _, match := range line.matches {
			body.match |= match
			for ; match != 0; match &= match - 1 {
				counts[bits.TrailingZeros64(match)]++
			}
		}
	}
	norm := k * (1 - b + b*float32(words)/mean)
	for t, n := range counts {
		body.score += f.query.Weights[t] * n * (k + 1) / (n + norm)
	}
}

func (f *finder) weigh(match uint64) (sum float32) {
	for ; match != 0; match &= match - 1 {
		sum += f.query.Weights[bits.TrailingZeros64(match)]
	}
	return sum
}

// show shows the best body of each file, and then more of the best files.
func (f *finder) show(list []foundFile, most int) {
	for round := range 1 + laterBodies {
		files := len(list) >> (2 * round) // a quarter of them each time
		for _, x := range list[:files] {
			if round < len(x.bodies) && most > leastLeft && (round == 0 || x.bodies[round].score > x.bodies[0].score/3) {
				most -= f.showBodyOf(x, x.bodies[round], most)
			}
		}
	}
}

func (f *finder) showBodyOf(x foundFile, body foundBody, most int) (taken int) {
	text := f.file(x.rel)
	reason := unshared
	if has := f.query.Words(body.match, 3); len(has) > 0 {
		reason = "similar to your words: " + strings.Join(has, ", ")
	}
	taken, _ = f.choose(x.rel, choice{first: body.first, last: body.last, kind: FragmentCode, reason: reason,
		text: f.lines(text, body.first, body.last)}, most)
	return taken
}
