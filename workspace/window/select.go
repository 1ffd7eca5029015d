package window

import (
	"cmp"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/index"
	"tandem/workspace/similar"
)

const (
	overhead      = 8    // tokens that a fragment costs besides its text: its share of a heading
	longSignature = 1200 // bytes; of a longer one the first lines are shown
	clippedLines  = 12
	bytesPerToken = 3.3
	leastLeft     = 24  // tokens: too few for anything of use
	longestBody   = 120 // lines of a definition that is shown with its body because it is related
	sameNameMost  = 2   // definitions of one name, unless it is asked for
	declaredShare = 33  // of what is left, in percent, for the declarations of names near the place
	relatedShare  = 60  // and for code that is related to what the request is about
)

// weakest is the part of the best piece's score below which similar code is left out: it
// leads a model astray more often than it helps.
const weakest = 0.2

// A candidate is some code that the window may show because it is related to what the
// request is about.
type candidate struct {
	file        index.FileID
	first, last int
	kind        FragmentKind
	reason      string
	value       float32 // how sure it is of use, from 0 to 1
	lines       int     // about what it costs
}

// A picker chooses code: what the names near the place mean, what is related to the request,
// and what resembles the place.
type picker struct {
	*builder
	list   []candidate
	shared map[string]int // words of the place, the rarest first
	rare   []string       // the same in their order
}

// addCode fills what is left with the code that the place may need.
func (b *builder) addCode() {
	if b.view == nil || b.ix.NumFiles() == 0 {
		return
	}
	(&finder{builder: b}).addFound()
	p := &picker{builder: b}
	if b.purpose.typing && b.known && b.text != "" {
		relations{p}.showDeclared(b.left * declaredShare / 100)
	}
	if b.purpose.related {
		relations{p}.addRelated()
	}
	if b.purpose.users {
		relations{p}.addUsers()
	}
	p.showRelated(b.left * relatedShare / 100)
	if !p.purpose.functions {
		p.showSimilar()
	}
}

// showRelated shows the candidates, those of most value for their length first.
func (p *picker) showRelated(most int) {
	slices.SortStableFunc(p.list, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(y.value/float32(y.lines+1), x.value/float32(x.lines+1)), cmp.Compare(x.file, y.file), cmp.Compare(x.first, y.first))
	})
	for _, c := range p.list {
		if most < leastLeft || p.ctx.Err() != nil {
			return
		}
		most -= p.take(c, most)
	}
}

// showSimilar shows the code that resembles the place and the user's words most.
func (p *picker) showSimilar() {
	if p.corpus == nil {
		return
	}
	text, at := p.query()
	chunks := p.corpus.Rank(p.ix, similar.Query{Path: p.rel, Text: text, At: at, Words: significant(p.req.Words)})
	if len(chunks) == 0 {
		return
	}
	least := weakest * chunks[0].Score
	if p.purpose.documents {
		spread(chunks)
	}
	for _, c := range chunks {
		if p.left <= leastLeft || p.ctx.Err() != nil {
			return
		}
		if c.Score < least {
			continue
		}
		x := candidate{file: c.File, first: c.First, last: c.Last, kind: FragmentCode}
		switch size := float32(c.Bytes) / bytesPerToken; {
		case p.purpose.documents:
			p.widen(&x)
		case size > float32(p.left-overhead): // the window ends with a part of it
			x.last = min(c.Last, c.First+int(float32(c.Last-c.First)*float32(p.left-overhead)/size*partly))
		}
		p.take(x, p.left)
	}
}

// partly is how much of what should fit of a piece is taken: its first lines may be longer.
const partly = 0.9

// spread lets the second piece of a file count less than its first: another file is more
// likely to be meant as well.
func spread(chunks []similar.Chunk) {
	before := map[index.FileID]int{}
	for i := range chunks {
		c := &chunks[i]
		c.Score /= 1 + float32(before[c.File])/2
		before[c.File]++
	}
	slices.SortStableFunc(chunks, func(x, y similar.Chunk) int { return cmp.Compare(y.Score, x.Score) })
}

// query is the text around the place without the word that is being typed, which
// means nothing yet, and the place in it.
func (b *builder) query() (text string, at int) {
	const most = 256 << 10
	from := runeStart(b.text, max(0, b.at.Start-most))
	to := runeStart(b.text, min(len(b.text), b.at.Start+most))
	start, end := b.at.Start, b.at.Start
	for start > from && edits.IsWordByte(b.text[start-1]) {
		start--
	}
	for end < to && edits.IsWordByte(b.text[end]) {
		end++
	}
	if b.at.Len() > 0 || start == b.at.Start { // no word is being typed
		start, end = b.at.Start, b.at.Start
	}
	return b.text[from:start] + b.text[end:to], start - from
}

// widen makes a candidate the whole function that it is a part of, because an answer
// about code needs all of it.
func (p *picker) widen(c *candidate) {
	d, ok := p.holder(c.file, (c.first+c.last)/2)
	if !ok || !d.Kind.IsFunc() || d.EndLine-d.DocLine >= longestWhole {
		return
	}
	c.first, c.last = min(c.first, d.DocLine), max(c.last, d.EndLine)
}

// longestWhole is how many lines a function may have that is shown whole because a part
// of it resembles what is asked.
const longestWhole = 60

// significant is a text without its plain words.
func significant(words string) string {
	var out []string
	eachWordIn(words[:min(len(words), mostWords)], func(w string) {
		if !plainWords[strings.ToLower(w)] {
			out = append(out, w)
		}
	})
	return strings.Join(out, " ")
}

// take shows a candidate, if it fits into most tokens, and returns what it took.
func (p *picker) take(c candidate, most int) (taken int) {
	rel := p.ix.Path(c.file)
	f := p.file(rel)
	if f == nil || c.first > f.LineCount() {
		return 0
	}
	x := choice{first: c.first, last: min(c.last, f.LineCount()), kind: c.kind, reason: c.reason, related: c.reason != "", text: p.secrets.Lines(f, c.first, c.last)}
	if x.reason == "" {
		x.reason = p.sharing(x.text.String())
	}
	if x.text.Len() == 0 {
		return 0
	}
	taken, _ = p.choose(rel, x, most)
	return taken
}

// eachWordIn calls each with every word of a text of three letters and more.
func eachWordIn(text string, each func(string)) {
	for i := 0; i < len(text); {
		if !edits.IsWordByte(text[i]) {
			i++
			continue
		}
		start := i
		for i < len(text) && edits.IsWordByte(text[i]) {
			i++
		}
		if i-start > 2 {
			each(text[start:i])
		}
	}
}

// clip cuts a long signature (a table, a list of overloads) down to its first
// lines; one long line is useless and gives "".
func clip(text string) string {
	if len(text) <= longSignature {
		return text
	}
	end := 0
	for range clippedLines {
		i := strings.IndexByte(text[end:], '\n')
		if i < 0 || end+i > longSignature {
			break
		}
		end += i + 1
	}
	return text[:end]
}
