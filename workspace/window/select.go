package window

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"tandem/workspace/index"
	"tandem/workspace/similar"
)

const (
	overhead      = 8    // tokens that a fragment costs besides its text: its share of a heading
	longSignature = 1200 // bytes; of a longer one the first lines are shown
	clippedLines  = 12
	bytesPerToken = 3.3
	leastLeft     = 24 // tokens: too few for anything of use
	sameNameMost  = 2  // definitions of one name, unless it is asked for
	declaredShare = 33 // of what is left, in percent, for the declarations of names near the place
	relatedShare  = 60 // and for code that is related to what the request is about
)

// resembledBytes is how much text on either side of a place is compared with other code.
const resembledBytes = 256 << 10

// weakest is the part of the best piece's score below which similar code is left out: it
// leads a model astray more often than it helps.
const weakest = 0.2

// A picker shows code that is related to the request, and code that resembles the place.
type picker struct {
	folder  *folder
	place   *place
	purpose purpose
	words   string // the user's
	window  *builder
	rare    rareWords // once code is shown because it resembles the place
}

// showRelated shows candidates, those of most value for their length first.
func (p *picker) showRelated(ctx context.Context, list []candidate, most int) {
	density := func(c candidate) float32 { return c.value / float32(c.last-c.first+2) }
	slices.SortStableFunc(list, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(density(y), density(x)), cmp.Compare(x.file, y.file), cmp.Compare(x.first, y.first))
	})
	for _, c := range list {
		if most < leastLeft || ctx.Err() != nil {
			return
		}
		most -= p.take(c, most)
	}
}

// showSimilar shows the code that resembles the place and the user's words most.
func (p *picker) showSimilar(ctx context.Context) {
	if p.folder.corpus == nil {
		return
	}
	text, at := p.place.near(resembledBytes)
	chunks := p.folder.corpus.Rank(p.folder.ix, similar.Query{Path: p.place.rel, Text: text, At: at, Words: significant(p.words)})
	if len(chunks) == 0 {
		return
	}
	p.rare = rareWordsNear(p.place, p.words, p.folder.ix)
	least := weakest * chunks[0].Score
	if p.purpose.documents {
		spread(chunks)
	}
	for _, c := range chunks {
		left := p.window.left
		if left <= leastLeft || ctx.Err() != nil {
			return
		}
		if c.Score < least {
			continue
		}
		x := candidate{file: c.File, lineRange: lineRange{c.First, c.Last}, kind: FragmentCode}
		switch size := float32(c.Bytes) / bytesPerToken; {
		case p.purpose.documents:
			p.widen(&x)
		case size > float32(left-overhead): // the window ends with a part of it
			x.last = min(c.Last, c.First+int(float32(c.Last-c.First)*float32(left-overhead)/size*partly))
		}
		p.take(x, left)
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

// widen makes a candidate the whole function that it is a part of, because an answer
// about code needs all of it.
func (p *picker) widen(c *candidate) {
	d, ok := p.folder.holder(c.file, (c.first+c.last)/2)
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
	rel := p.folder.ix.Path(c.file)
	x := choice{first: c.first, last: c.last, kind: c.kind, reason: c.reason, related: c.reason != ""}
	if !p.window.readLines(rel, &x) || x.text.Len() == 0 {
		return 0
	}
	if x.reason == "" {
		x.reason = p.rare.sharedBy(x.text.String())
	}
	taken, _ = p.window.choose(rel, x, most)
	return taken
}

// eachWordIn calls each with every word of a text of three letters and more.
func eachWordIn(text string, each func(string)) {
	for w := range wordsOf(text) {
		each(w.text)
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
