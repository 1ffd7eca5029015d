package complete

import (
	"cmp"
	"slices"
)

// How many places are inspected for one suggestion.
const (
	perLevel = 24    // of each length of context
	perOrder = 96    // of each of the two orders
	perScan  = 64    // around the document's own place, and in the document
	nearby   = 12000 // places before and after the document's own position that are scanned
	perGram  = 64    // places that continue what was typed on the line
	adapted  = 72    // the best finds, which are adapted
)

// A find is a line that may be what the user wants next.
type find struct {
	b           *bridge
	place       int
	token       int // where in the line the continuation begins; -1: the whole line, which must begin with what was typed
	ctx         surroundings
	asIs        bool   // names are not adapted
	constructed string // the line, if it was constructed rather than found
	text        string // the continuation, adapted
	notes       notes
}

// Surroundings measure how far the lines around a find agree with those around
// the infill site.
type surroundings struct {
	back, fore           int // lines of the same shapes
	backSame, foreSame   int // lines that are the same, from the nearest on
	backAlike, foreAlike float64
	near                 float64 // 0 anywhere … 3 the document itself
	indent               float64 // 1 the indentation agrees, -1 it does not, 0 unknown
	gram                 int     // tokens typed on the line that agree
	binds                int     // names an import makes known
	sequence             float64 // 1: a sequence is continued
	weight               float64
}

// A pool collects the finds of all shards, so that they share the limits as if they
// were one.
type pool struct {
	in       *infill
	searches []search
	seen     map[spot]bool
	out      []find
}

// A spot is a place of one of the searches.
type spot struct{ search, place int }

// gatherShards finds places in shards whose context is like the infill site's.
func gatherShards(in *infill, shards []*shard) []find {
	if len(shards) == 0 {
		return nil
	}
	p := &pool{in: in, seen: map[spot]bool{}}
	for _, sh := range shards {
		p.searches = append(p.searches, search{in, &bridge{doc: in.doc, seg: sh.seg, shard: sh}})
	}
	home := p.home()
	p.searches[home].scan(p.searches[home].home(), nearby, func(place int) { p.add(spot{home, place}) })
	p.ordered(-1)
	p.ordered(+1)
	for _, s := range p.searches {
		p.out = s.more(p.out)
	}
	return p.out
}

// home is the shard whose files surround the document's path.
func (p *pool) home() int {
	home := 0
	for i, s := range p.searches {
		row, found := s.b.seg.rowOf(p.in.path)
		if found || row > 0 && row < len(s.b.seg.files) {
			return i
		}
		if row > 0 {
			home = i
		}
	}
	return home
}

// add adds a place, once.
func (p *pool) add(at spot) {
	s := p.searches[at.search]
	if p.seen[at] || !s.eligible(at.place) {
		return
	}
	p.seen[at] = true
	p.out = append(p.out, find{b: s.b, place: at.place, token: -1})
}

// A span is a part of a search's order; inner is the part of it that agrees further.
type span struct {
	search         int
	order          []uint32
	lo, hi         int
	inLow, inUpper int
}

// ordered adds the places with the longest context in one direction, then
// those with less, a few of each length.
func (p *pool) ordered(dir int) {
	levels := make([][]span, deepest)
	for i, s := range p.searches {
		order := s.b.seg.back
		if dir > 0 {
			order = s.b.seg.fore
		}
		s.levels(order, dir, func(depth, lo, hi int) {
			levels[depth] = append(levels[depth], span{search: i, order: order, lo: lo, hi: hi})
			if depth > 0 {
				outer := levels[depth-1]
				for k := range outer {
					if outer[k].search == i {
						outer[k].inLow, outer[k].inUpper = lo, hi
					}
				}
			}
		})
	}
	left := perOrder
	for depth := deepest - 1; depth >= 0 && left > 0; depth-- {
		left -= p.spread(levels[depth], min(perLevel, left))
	}
}

// narrow returns the part of order[lo:hi] whose line at a distance has a shape.
func narrow(s *segment, order []uint32, lo, hi, distance int, shape uint32) (int, int) {
	part := order[lo:hi]
	from, _ := slices.BinarySearchFunc(part, shape, func(p, want uint32) int { return cmp.Compare(s.shapeAt(int(p)+distance), want) })
	to, _ := slices.BinarySearchFunc(part, shape+1, func(p, want uint32) int { return cmp.Compare(s.shapeAt(int(p)+distance), want) })
	return lo + from, lo + to
}

// spread adds up to n places of some spans, evenly spaced, but none of their inner
// parts. It returns how many it tried.
func (p *pool) spread(spans []span, n int) (added int) {
	size := 0
	for _, s := range spans {
		size += s.hi - s.lo
	}
	step, skip := max(size/n, 1), 0
	for _, s := range spans {
		i := s.lo + skip
		for ; i < s.hi; i += step {
			if i < s.inLow || i >= s.inUpper {
				p.add(spot{s.search, int(s.order[i])})
				added++
			}
		}
		skip = i - s.hi
	}
	return added
}
