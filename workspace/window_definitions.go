package workspace

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"tandem/workspace/index"
	"tandem/workspace/rank"
)

const (
	// steadyFrom is the budget above which a part of the window is chosen
	// independently of the cursor, so that it stays the same while the user
	// types; steadyFull is the budget from which that part is steadyMost of it.
	steadyFrom = 8_192
	steadyFull = 24_576
	steadyMost = 0.905

	overhead        = 10   // what a definition costs besides its signature: its share of a heading
	longSignature   = 1200 // bytes; of a longer one the first lines are shown
	clippedLines    = 12
	bytesPerToken   = 3.3
	leastCohort     = 0.06 // small windows have no space for names that hardly any similar file uses
	tokensPerPicked = 12   // a window has no more definitions than one for that many tokens
)

// steadyShare is how many tokens of a budget are chosen without the cursor.
func steadyShare(budget int) int {
	part := float64(budget-steadyFrom) / (steadyFull - steadyFrom)
	return int(steadyMost * min(max(part, 0), 1) * float64(budget))
}

// addDefinitions fills what is left with the definitions that the place may
// need.
func (b *builder) addDefinitions() {
	if b.view == nil || b.ix.NumFiles() == 0 {
		return
	}
	p := pickers.Get().(*picker)
	defer pickers.Put(p)
	p.begin(b)
	query := rank.Query{Path: b.rel, Language: b.ix.Language(p.self)}
	if steady := steadyShare(b.budget); steady > 0 {
		query.Text, query.Line = b.text[:b.farAbove()]+b.text[b.farBelow():], -1
		p.fill(&b.bulk, query, min(steady-b.modules.tokens(), b.left))
	} else {
		query.Least = leastCohort
	}
	query.Text, query.Line = b.nearText()
	p.fill(&b.near, query, b.left)
}

// nearText is the document around the place, as much as is worth searching, and
// the line of the place in it.
func (b *builder) nearText() (text string, line int) {
	if b.text == "" {
		return b.req.Words, 0
	}
	const most = 256 << 10
	from := runeStart(b.text, max(0, b.at.Start-most))
	to := runeStart(b.text, min(len(b.text), b.at.Start+most))
	return b.text[from:to], strings.Count(b.text[from:b.at.Start], "\n")
}

// steadyLines is the quantum of the borders between what is far from the
// cursor and what is near it.
const steadyLines = 64

// farAbove and farBelow are the borders of what is near the place: like those
// of the region, typing does not move them.
func (b *builder) farAbove() int {
	up := border{text: b.text, up: true}
	lines := strings.Count(b.text[:b.at.Start], "\n") % steadyLines
	return up.outward(b.at.Start, lines)
}

func (b *builder) farBelow() int {
	down := border{text: b.text}
	lines := strings.Count(b.text[b.at.End:], "\n") % steadyLines
	return down.outward(b.at.End, lines)
}

// A picker fills sections with definitions; none is picked twice. Its memory
// serves one window after the other.
type picker struct {
	*builder
	model      *rank.Model
	self       index.FileID
	known      bool // the index has the document, as self
	picked     map[index.DefID]bool
	heads      map[index.FileID][]lineRange // fragments of more than one line, which may hold other definitions
	left       int                          // of what the current section may take
	candidates []rank.Candidate
	order      []uint64
	picks      []pick
	reasons    []byte
}

type lineRange struct{ first, last int }

// A pick is a definition that will be a fragment.
type pick struct {
	rank.Candidate
	lines  lineRange
	tokens int
	refund int // what is returned to the budget if it is left out later
	name   string
	text   string
}

var pickers = sync.Pool{New: func() any { return &picker{picked: map[index.DefID]bool{}, heads: map[index.FileID][]lineRange{}} }}

func (p *picker) begin(b *builder) {
	p.builder, p.model = b, b.view.folder.ranks.model(b.ix)
	clear(p.picked)
	clear(p.heads)
	p.self, p.known = b.ix.FileID(b.rel)
}

// fill picks definitions for a query, those worth most for their tokens first,
// then what is used most anywhere, and puts them in the order of their places.
func (p *picker) fill(s *section, q rank.Query, most int) {
	p.left, p.picks = most, p.picks[:0]
	p.candidates = p.model.Rank(q, p.candidates[:0])
	p.sort(most/tokensPerPicked + 32)
	for _, o := range p.order {
		if p.left < overhead {
			break
		}
		p.pick(s, p.candidates[uint32(o)])
	}
	for id := range p.model.Popular(q.Language) {
		if p.left < 2*overhead {
			break
		}
		if !p.known || id.File() != p.self {
			p.pick(s, rank.Candidate{Def: id, Line: -1, Why: rank.Popular})
		}
	}
	p.write(s)
}

// pick takes one definition unless its lines are there already or the budget is
// too small.
func (p *picker) pick(s *section, c rank.Candidate) {
	if p.picked[c.Def] {
		return
	}
	text := clip(p.ix.SigText(c.Def))
	d := p.ix.Brief(c.Def)
	if text == "" || p.held(c.Def.File(), d.StartLine) {
		return
	}
	text, skipped := body(text)
	tokens, text := p.clean(text)
	cost := tokens
	path := p.ix.Path(c.Def.File())
	first := d.StartLine + skipped
	fresh, title := !s.titled(path), ""
	if fresh {
		title = s.title(path, first)
		cost += p.costs.count(title)
	}
	if text == "" || cost > p.left {
		return
	}
	if fresh {
		s.head(path, title)
	}
	p.left -= cost
	p.builder.left -= cost
	refund := tokens
	if s.numbered {
		refund = cost // the heading goes with the fragment
	}
	lines := lineRange{first, first + strings.Count(text, "\n") - 1}
	p.picked[c.Def] = true
	if lines.last > lines.first {
		p.heads[c.Def.File()] = append(p.heads[c.Def.File()], lines)
	}
	p.picks = append(p.picks, pick{c, lines, tokens, refund, d.Name, text})
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

// held reports whether a fragment shows a line already.
func (p *picker) held(f index.FileID, line int) bool {
	for _, r := range p.heads[f] {
		if r.first <= line && line <= r.last {
			return true
		}
	}
	return false
}

// write makes fragments of the picks, in the order of their places; what lies
// inside another one is left out.
func (p *picker) write(s *section) {
	p.order = p.order[:0]
	for i := range p.picks {
		k := &p.picks[i]
		p.order = append(p.order, uint64(k.Def.File())<<40|uint64(min(k.lines.first, 1<<24-1))<<16|uint64(i))
	}
	slices.Sort(p.order)
	s.fragments = slices.Grow(s.fragments, len(p.order))
	p.reasons = p.reasons[:0]
	reasonEnds := make([]int, 0, len(p.order))
	var last *pick
	for _, o := range p.order {
		k := &p.picks[o&(1<<16-1)]
		if last != nil && last.Def.File() == k.Def.File() && k.lines.last <= last.lines.last {
			p.left += k.refund
			p.builder.left += k.refund
			continue
		}
		last = k
		kind := p.reason(k)
		reasonEnds = append(reasonEnds, len(p.reasons))
		s.bytes += len(k.text)
		s.fragments = append(s.fragments, Fragment{Path: p.ix.Path(k.Def.File()), StartLine: k.lines.first, EndLine: k.lines.last,
			Tokens: k.tokens, Kind: kind, Text: k.text})
	}
	reasons, from := string(p.reasons), 0
	for i, end := range reasonEnds {
		s.fragments[i].Reason = reasons[from:end]
		from = end
	}
}

// reason appends why a definition is there to reasons and returns the kind of
// its fragment.
func (p *picker) reason(k *pick) FragmentKind {
	p.reasons = append(append(p.reasons, "defines "...), k.name...)
	explain := func(why string) { p.reasons = append(append(p.reasons, why...), p.name...) }
	switch {
	case k.Line >= 0:
		explain(", used at ")
		p.reasons = strconv.AppendInt(append(p.reasons, ':'), int64(k.Line)+1, 10)
	case k.Why == rank.Imported:
		explain(", imported by ")
		return FragmentImport
	case k.Why == rank.Adjacent:
		explain(", in the same folder as ")
		return FragmentNeighbour
	case k.Why == rank.Popular:
		p.reasons = append(p.reasons, ", one of the names used most"...)
		return FragmentNeighbour
	default:
		explain(", used by files like ")
	}
	return FragmentDefinition
}

// sort puts the candidates worth most for what they cost first, at least the
// first count of them in order.
func (p *picker) sort(count int) {
	p.order = p.order[:0]
	for i := range p.candidates {
		c := &p.candidates[i]
		value := c.Score / (float32(min(c.Bytes, longSignature/2))/bytesPerToken + overhead)
		p.order = append(p.order, uint64(^math.Float32bits(value))<<32|uint64(uint32(i)))
	}
	if count < len(p.order) {
		rank.Lowest(p.order, count)
		p.order = p.order[:count]
	}
	slices.Sort(p.order)
}

// sortByPlace orders a section by file and line.
func (s *section) sortByPlace() {
	slices.SortStableFunc(s.fragments, func(a, b Fragment) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), a.StartLine-b.StartLine, b.EndLine-a.EndLine)
	})
}

// ranks keeps the model of a folder's index from one window to the next.
type ranks struct {
	mu      sync.Mutex // held while a model is made, so that it is made once
	of      *index.Index
	base    *rank.Base
	bound   *bindings
	last    *index.Index
	current *rank.Model
}

// model returns the ranking model of an index.
func (r *ranks) model(ix *index.Index) *rank.Model {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.renew(ix)
	if r.last != ix {
		r.last, r.current = ix, r.base.Of(ix)
	}
	return r.current
}

// bindings returns what binds the names of an index without defining them.
func (r *ranks) bindings(ix *index.Index) *bindings {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.renew(ix)
	return r.bound
}

// renew makes what is made once for each base.
func (r *ranks) renew(ix *index.Index) {
	if r.of != ix.Base() || r.base == nil {
		r.of, r.base, r.bound, r.last = ix.Base(), rank.NewBase(ix), newBindings(ix), nil
	}
}
