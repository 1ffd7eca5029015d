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
	// without looking at the cursor, so that it stays the same while somebody
	// types; steadyFull is the budget from which that part is steadyMost of it.
	steadyFrom = 8_192
	steadyFull = 24_576
	steadyMost = 0.905

	overhead        = 10   // what a definition costs besides its signature: its share of a heading
	longSignature   = 4000 // bytes; nothing longer is worth its place
	bytesPerToken   = 3.3
	tokensPerPicked = 12 // a window has no more definitions than one for that many tokens
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
	p := &picker{builder: b, model: b.view.folder.ranks.model(b.ix), taken: map[index.FileID][]lineRange{}}
	if self, ok := b.ix.FileID(b.rel); ok {
		p.self, p.known = self, true
	}
	query := rank.Query{Path: b.rel, Language: b.ix.Language(p.self)}
	if steady := steadyShare(b.budget); steady > 0 {
		query.Text, query.Line = b.text[:b.farAbove()]+b.text[b.farBelow():], -1
		p.fill(&b.bulk, query, min(steady, b.left))
		p.fillPopular(&b.bulk, min(steady-p.used, b.left))
	}
	p.used = 0
	query.Text, query.Line = b.nearText()
	p.fill(&b.near, query, b.left)
	p.fillPopular(&b.near, b.left)
}

// nearText is the document around the place, as much as is worth looking at,
// and the line of the place in it.
func (b *builder) nearText() (text string, line int) {
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

// A picker fills sections with definitions; none is picked twice.
type picker struct {
	*builder
	model *rank.Model
	self  index.FileID
	known bool
	taken map[index.FileID][]lineRange
	used  int
}

type lineRange struct{ first, last int }

// pickLists is the memory of fill.
type pickLists struct {
	candidates []rank.Candidate
	order      []uint64
}

var pickMemory = sync.Pool{New: func() any { return new(pickLists) }}

// fill picks definitions for a query, those worth most for their tokens
// first, and puts them in the order of their files.
func (p *picker) fill(s *section, q rank.Query, most int) {
	m := pickMemory.Get().(*pickLists)
	defer pickMemory.Put(m)
	m.candidates = p.model.Rank(q, m.candidates[:0])
	m.sort(most/tokensPerPicked + 32)
	start := p.used
	for _, o := range m.order {
		c := &m.candidates[uint32(o)]
		if most-(p.used-start) < overhead {
			break
		}
		p.pick(s, c, most-(p.used-start))
	}
	p.tidy(s)
}

// tidy orders a section by place, and takes out what lies inside another
// fragment.
func (p *picker) tidy(s *section) {
	s.sortByPlace()
	kept := s.fragments[:0]
	for _, f := range s.fragments {
		if n := len(kept); n > 0 && kept[n-1].Path == f.Path && f.EndLine <= kept[n-1].EndLine {
			p.left += f.Tokens
			p.used -= f.Tokens
			s.bytes -= len(f.Text)
			continue
		}
		kept = append(kept, f)
	}
	s.fragments = kept
}

// sort puts the candidates worth most for what they cost first, at least the
// first count of them in order.
func (m *pickLists) sort(count int) {
	m.order = m.order[:0]
	for i := range m.candidates {
		c := &m.candidates[i]
		if c.Bytes <= longSignature {
			value := c.Score / (float32(c.Bytes)/bytesPerToken + overhead)
			m.order = append(m.order, uint64(^math.Float32bits(value))<<32|uint64(uint32(i)))
		}
	}
	if count < len(m.order) {
		rank.Lowest(m.order, count)
		slices.Sort(m.order[:count])
		m.order = m.order[:count]
		return
	}
	slices.Sort(m.order)
}

// pick puts one definition into a section unless its lines are there already.
func (p *picker) pick(s *section, c *rank.Candidate, most int) {
	d, text := p.ix.Brief(c.Def), p.ix.SigText(c.Def)
	if text == "" || len(text) > longSignature {
		return
	}
	lines := lineRange{d.StartLine, d.StartLine + strings.Count(strings.TrimSuffix(text, "\n"), "\n")}
	ranges := p.taken[c.Def.File()]
	for _, r := range ranges {
		if r.first <= lines.first && lines.first <= r.last {
			return
		}
	}
	kind, why := p.why(c)
	taken, ok := p.add(s, Fragment{Path: p.ix.Path(c.Def.File()), StartLine: lines.first, EndLine: lines.last, Kind: kind,
		Reason: "defines " + d.Name + why, Text: text}, most)
	if ok {
		p.used += taken
		p.taken[c.Def.File()] = append(ranges, lines)
	}
}

// why is the kind of a definition's fragment and the end of its reason.
func (p *picker) why(c *rank.Candidate) (FragmentKind, string) {
	switch {
	case c.Line >= 0:
		return FragmentDefinition, ", used at " + p.name + ":" + strconv.Itoa(int(c.Line)+1)
	case c.Why == rank.Imported:
		return FragmentImport, ", imported by " + p.name
	case c.Why == rank.Beside:
		return FragmentNeighbour, ", in the same folder as " + p.name
	}
	return FragmentDefinition, ", used by files like " + p.name
}

// fillPopular fills a section with what the workspace's files use most.
func (p *picker) fillPopular(s *section, most int) {
	start := p.used
	for _, id := range p.model.Popular() {
		room := most - (p.used - start)
		if room < 2*overhead {
			break
		}
		if p.known && id.File() == p.self {
			continue
		}
		c := rank.Candidate{Def: id, Line: -1, Why: rank.Popular}
		p.pick(s, &c, room)
	}
	p.tidy(s)
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
	last    *index.Index
	current *rank.Model
}

// model returns the ranking model of an index.
func (r *ranks) model(ix *index.Index) *rank.Model {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of != ix.Base() || r.base == nil {
		r.of, r.base, r.last = ix.Base(), rank.NewBase(ix), nil
	}
	if r.last != ix {
		r.last, r.current = ix, r.base.Of(ix)
	}
	return r.current
}
