package window

import (
	"slices"
	"strings"
	"sync"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/index"
	"tandem/workspace/run"
	"tandem/workspace/similar"
)

const (
	overhead      = 8    // what a fragment costs besides its text: its share of a heading
	longSignature = 1200 // bytes; of a longer one the first lines are shown
	clippedLines  = 12
	bytesPerToken = 3.3
	leastLeft     = 24  // tokens: too few for anything of use
	longestBody   = 120 // lines of a definition that is shown with its body because it is related
	sameNameMost  = 2   // definitions of one name, unless it is asked for
)

// A candidate is some code that the window may show.
type candidate struct {
	file        index.FileID
	first, last int
	kind        FragmentKind
	reason      string  // "" when by similarity
	chunk       int     // of the estimate, from 1; 0: none
	value       float32 // of all of it
	cost        float32 // estimated tokens, until the text is known
	tokens      float32 // about those of its text
	looked      bool    // cost counts the heading as well
	divided     bool    // it is no more divided
	rest        bool    // it is what was left of one that was divided
}

// A picker chooses candidates, those worth most for their tokens first.
type picker struct {
	*builder
	group *run.Group
	queue
	shared map[string]int           // words of the place, the rarest first
	rare   []string                 // the same in their order
	heads  map[index.FileID]float32 // what the headings of files that have none cost

	prefetch prefetcher

	estimate *similar.Estimate
}

// The memory of candidates is used again: there are thousands in each window.
var queues = sync.Pool{New: func() any { return new(queue) }}

// addCode fills what is left with the code that the place may need.
func (b *builder) addCode() {
	if b.view == nil || b.ix.NumFiles() == 0 {
		return
	}
	(&finder{builder: b}).addFound()
	group := run.NewGroup(b.ctx, nil)
	defer group.Close()
	p := &picker{builder: b, group: group, heads: map[index.FileID]float32{}}
	p.prefetch = prefetcher{builder: b, group: group, begun: map[index.FileID]bool{}}
	memory := queues.Get().(*queue)
	p.queue = queue{list: memory.list[:0], heap: memory.heap[:0]}
	defer func() {
		clear(p.list) // it keeps nothing of this window
		*memory = p.queue
		queues.Put(memory)
	}()
	text, at := b.query()
	q := similar.Query{Path: b.rel, Language: b.language, Text: text, At: at,
		Words: significant(b.req.Words), Pairs: pairWorth, Few: p.small(), Open: p.openFiles(), Fresh: p.typedLately(), Group: p.group}
	if q.Few {
		q.Pairs = pairWorthSmall
	}
	p.estimate = b.estimate(q)
	p.prefetch.first(p.estimate.Chunks)
	p.showChosen()
	switch {
	case b.purpose.related:
		relations{p}.addRelated()
	case b.corpus == nil && b.known && b.text != "": // there is no estimate yet
		relations{p}.addCallees(relations{p}.callsHere(), 1)
	}
	if b.purpose.users {
		relations{p}.addUsers()
	}
	if !p.purpose.functions {
		p.addSimilar()
	}
	p.order()
	p.run()
	if p.purpose.typing {
		(&joiner{b}).settle()
		p.run()
	}
}

func (p *picker) small() bool { return p.budget <= smallWindow }

// smallWindow is the budget in tokens of windows for which less code is judged.
const smallWindow = 4_000

// What a pair of neighbouring words is worth, where a name is worth 1: less in a small
// window, which has to show the names first.
const pairWorth, pairWorthSmall = 0.5, 0.3

// showChosen marks in the estimate what is shown already.
func (p *picker) showChosen() {
	for _, list := range p.chosen.files {
		for _, c := range list {
			p.estimate.ShowText(c.text.String())
		}
	}
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

// addSimilar makes candidates of the code that is estimated to show what the place
// needs.
func (p *picker) addSimilar() {
	for i, c := range p.estimate.Chunks {
		x := candidate{file: c.File, first: c.First, last: c.Last, chunk: i + 1, kind: FragmentCode, value: p.estimate.Worth(i),
			cost: float32(c.Bytes)/bytesPerToken + overhead}
		if p.purpose.documents {
			p.widen(&x)
		}
		p.list = append(p.list, x)
	}
}

// widen makes a candidate the whole function that it is a part of, because an answer
// about code needs all of it.
func (p *picker) widen(c *candidate) {
	lines := float32(c.last - c.first + 1)
	d, ok := p.holder(c.file, (c.first+c.last)/2)
	if !ok || !d.Kind.IsFunc() || d.EndLine-d.DocLine >= longestWhole {
		return
	}
	c.first, c.last = min(c.first, d.DocLine), max(c.last, d.EndLine)
	c.cost = overhead + (c.cost-overhead)*float32(c.last-c.first+1)/lines
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

// run chooses candidates until no other is worth its tokens.
func (p *picker) run() {
	for len(p.heap) > 0 && p.left > leastLeft && p.ctx.Err() == nil {
		id := p.heap[0]
		c := &p.list[id]
		if c.density() < p.purpose.least {
			return
		}
		if c.cost > 2*float32(p.left) {
			p.pop() // its text need not be read
			continue
		}
		if !p.look(c) {
			p.pop()
			continue
		}
		p.changed()
		p.divide(id)
		if p.heap[0] != id {
			continue // another one is worth more now
		}
		if c = &p.list[id]; c.value > 0 {
			p.take(c)
		}
		p.pop()
	}
}

// look corrects a candidate's value by what is shown already and its cost by
// its text; it is false when the candidate is not to be shown.
func (p *picker) look(c *candidate) bool {
	rel := p.ix.Path(c.file)
	if c.chunk > 0 {
		c.value = p.estimate.Worth(c.chunk - 1)
		if p.purpose.documents {
			c.value /= 1 + float32(len(p.chosen.files[rel]))/2 // another file is more likely to be meant as well
		}
	}
	if !c.looked {
		c.looked, c.tokens = true, c.cost-overhead
		if p.withheld(rel) {
			return false
		}
	}
	c.cost = c.tokens + p.headingCost(c.file)
	if c.rest {
		c.value = max(c.value, p.restWorth(c.cost))
	}
	return true
}

// restWorth is the least that the rest of a divided candidate is worth: it completes what
// is shown where nothing else is worth its tokens.
func (p *picker) restWorth(cost float32) float32 { return 1.01 * p.purpose.least * cost }

// divide makes the candidate in front, when it is looked at first, the part of it that is
// worth most for its size, and the rest of it candidates of their own.
func (p *picker) divide(id int32) {
	c := p.list[id]
	if c.chunk == 0 || c.divided || !p.purpose.typing || p.heap[0] != id {
		return
	}
	p.list[id].divided = true
	p.prefetch.next(p.list, p.heap)
	f := p.file(p.ix.Path(c.file))
	if f == nil || c.last > f.LineCount() {
		return
	}
	head := p.headingCost(c.file)
	for i, part := range p.estimate.Split(c.chunk-1, f.Raw(c.first, c.last), bytesPerToken*head) {
		x := p.estimate.Chunks[part]
		c.first, c.last, c.chunk, c.divided = x.First, x.Last, part+1, true
		c.value, c.tokens = p.estimate.Worth(part), float32(x.Bytes)/bytesPerToken
		c.cost = c.tokens + head
		if i > 0 {
			c.rest, c.divided = true, false
		}
		if c.rest {
			c.value = max(c.value, p.restWorth(c.cost))
		}
		if i == 0 {
			p.list[id] = c // it is worth more than before, and stays in front
			continue
		}
		p.push(c)
	}
}

// headingCost is about what a fragment of a file costs besides its text.
func (p *picker) headingCost(file index.FileID) float32 {
	rel := p.ix.Path(file)
	if p.chosen.kept.headings[rel] {
		return 1
	}
	if cost, known := p.heads[file]; known {
		return cost
	}
	cost := float32(p.costs.count(p.title(&p.chosen.kept, rel).String()))
	switch {
	case !p.purpose.typing:
	case p.small():
		cost *= scatteredSmall
	default:
		cost *= scattered
	}
	p.heads[file] = 1 + cost
	return 1 + cost
}

// How much more than its tokens a heading costs in a window of small parts: parts of one
// file explain each other, and more of the same file shows as many names. A small window
// has to look farther for the names.
const scattered, scatteredSmall = 3, 1.3

// take shows a candidate.
func (p *picker) take(c *candidate) {
	rel := p.ix.Path(c.file)
	x := choice{first: c.first, last: c.last, kind: c.kind, reason: c.reason, related: c.reason != ""}
	f := p.file(rel)
	if f == nil || c.first > f.LineCount() {
		return
	}
	x.text = p.secrets.Lines(f, c.first, c.last)
	x.last = min(c.last, f.LineCount())
	if x.reason == "" {
		x.reason = p.sharing(x.text.String())
	}
	if x.text.Len() == 0 {
		return
	}
	if _, ok := p.choose(rel, x, p.left); !ok {
		return
	}
	if c.chunk > 0 {
		p.estimate.Show(c.chunk - 1)
	} else {
		p.estimate.ShowText(x.text.String())
	}
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

// estimate judges the code that may be worth showing; where nothing was read yet, it
// knows of none.
func (b *builder) estimate(q similar.Query) *similar.Estimate {
	if b.corpus == nil {
		return &similar.Estimate{}
	}
	return b.corpus.Estimate(b.ix, q)
}

// openFiles are the documents that are open besides the request's, by path below the
// folder, the latest first where that is known.
func (b *picker) openFiles() []string {
	var out []string
	put := func(key string) {
		if rel, ok := b.view.Rel(key); ok && rel != b.rel && !slices.Contains(out, rel) && len(out) < mostOpen {
			out = append(out, rel)
		}
	}
	for _, name := range b.req.Open {
		put(b.snap.Resolve(name))
	}
	for _, e := range slices.Backward(b.recentEdits()) {
		put(b.snap.Resolve(e.URI))
	}
	for _, o := range b.snap.Overlays() {
		put(workspace.Key(o.URI))
	}
	return out
}

// mostOpen is how many open documents count.
const mostOpen = 32

// typedLately are the words that came into documents by the user's last edits.
func (b *picker) typedLately() []string {
	var out []string
	for _, e := range slices.Backward(b.recentEdits()) {
		out = append(out, similar.NewWords(e.Old, e.New)...)
	}
	return out
}
