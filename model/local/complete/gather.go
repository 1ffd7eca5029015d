package complete

import (
	"slices"
	"strings"
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
	b     *bridge
	place int
	token int // where in the line the continuation begins; -1: the whole line, which must begin with what was typed
	ctx   surroundings
	asIs  bool   // names are not adapted
	made  string // the line, if it was constructed rather than found
	text  string // the continuation, adapted
	notes notes
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

// gather finds places in a segment whose context is like the infill site's.
func (in *infill) gather(b *bridge) []find {
	seen := map[int]bool{}
	var out []find
	add := func(place int) {
		if place < 0 || place >= len(b.seg.lines) || b.seg.lines[place] == 0 || seen[place] || !in.eligible(b, place) {
			return
		}
		seen[place] = true
		out = append(out, find{b: b, place: place, token: -1})
	}
	if b.seg == b.doc {
		in.scan(b, in.at, len(b.seg.lines), add)
	} else {
		in.scan(b, 1, len(b.seg.lines), add)
	}
	return in.gatherMore(b, out)
}

// gatherMore adds the finds that depend on what was typed, not on the lines around it.
func (in *infill) gatherMore(b *bridge, out []find) []find {
	if in.typed != "" {
		out = append(out, in.continued(b)...)
	}
	if in.amongImports() {
		out = append(out, in.importing(b)...)
	}
	if b.seg == b.doc {
		out = append(out, in.sequences(b)...)
	}
	return out
}

// eligible reports whether a place may be used for suggestions. It excludes
// the document's own old text and outdated files.
func (in *infill) eligible(b *bridge, place int) bool {
	if b.seg == b.doc {
		return true
	}
	row := b.seg.rowAt(place)
	return (b.shard == nil || b.shard.live(row)) && b.seg.path(row) != in.path
}

// home returns the place in a segment where the document is or would be.
func (in *infill) home(s *segment) int {
	row, _ := s.rowOf(in.path)
	if row == len(s.files) {
		return len(s.lines) - 1
	}
	return int(s.files[row].from)
}

// scan adds the nearest places in both directions that follow a line like the
// one before the infill site or precede a line like the one after it.
func (in *infill) scan(b *bridge, from, reach int, add func(int)) {
	prev, next := b.shapeAt(in.at-1), b.shapeAt(in.at)
	own := b.seg == b.doc
	both, one := 0, 0
	check := func(p int) {
		if p <= 0 || p >= len(b.seg.lines)-1 || b.seg.lines[p] == 0 {
			return
		}
		after := b.seg.shapeAt(p-1) == prev && !(own && p == in.at)
		before := b.seg.shapeAt(p+1) == next && !(own && p == in.at-1)
		switch {
		case after && before && both < perScan:
			both++
			add(p)
		case (after || before) && one < perScan:
			one++
			add(p)
		}
	}
	for d := 0; d < reach && (both < perScan || one < perScan); d++ {
		check(from - 1 - d)
		check(from + d)
	}
}

// A pool collects the finds of all shards, so that they share the limits as if they
// were one.
type pool struct {
	in      *infill
	bridges []*bridge
	seen    map[spot]bool
	out     []find
}

// A spot is a place of one of the bridges.
type spot struct{ bridge, place int }

// gatherShards finds places in shards whose context is like the infill site's.
func (in *infill) gatherShards(shards []*shard) []find {
	if len(shards) == 0 {
		return nil
	}
	p := &pool{in: in, seen: map[spot]bool{}}
	for _, sh := range shards {
		p.bridges = append(p.bridges, &bridge{doc: in.doc, seg: sh.seg, shard: sh})
	}
	home := in.homeShard(shards)
	in.scan(p.bridges[home], in.home(shards[home].seg), nearby, func(place int) { p.add(spot{home, place}) })
	p.ordered(-1)
	p.ordered(+1)
	for _, b := range p.bridges {
		p.out = in.gatherMore(b, p.out)
	}
	return p.out
}

// homeShard is the shard whose files surround the document's path.
func (in *infill) homeShard(shards []*shard) int {
	home := 0
	for i, sh := range shards {
		row, found := sh.seg.rowOf(in.path)
		if found || row > 0 && row < len(sh.seg.files) {
			return i
		}
		if row > 0 {
			home = i
		}
	}
	return home
}

// add adds a place, once.
func (p *pool) add(s spot) {
	b := p.bridges[s.bridge]
	if s.place < 0 || s.place >= len(b.seg.lines) || b.seg.lines[s.place] == 0 || p.seen[s] || !p.in.eligible(b, s.place) {
		return
	}
	p.seen[s] = true
	p.out = append(p.out, find{b: b, place: s.place, token: -1})
}

// A span is a part of a bridge's order; inner is the part of it that agrees further.
type span struct {
	bridge         int
	order          []uint32
	lo, hi         int
	inLow, inUpper int
}

// ordered adds the places with the longest context in one direction, then
// those with less, a few of each length.
func (p *pool) ordered(dir int) {
	levels := make([][]span, deepest)
	for i, b := range p.bridges {
		order := b.seg.back
		if dir > 0 {
			order = b.seg.fore
		}
		p.in.levels(b, order, dir, func(depth, lo, hi int) {
			levels[depth] = append(levels[depth], span{bridge: i, order: order, lo: lo, hi: hi})
			if depth > 0 {
				outer := levels[depth-1]
				for k := range outer {
					if outer[k].bridge == i {
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

// levels calls yield for the part of an order that agrees with the lines on one side of
// the infill site, for one line, two and so on.
func (in *infill) levels(b *bridge, order []uint32, dir int, yield func(depth, lo, hi int)) {
	near := in.at - 1
	if dir > 0 {
		near = in.at
	}
	lo, hi := 0, len(order)
	for depth := range deepest {
		shape := b.shapeAt(near + dir*depth)
		if lo, hi = narrow(b.seg, order, lo, hi, dir*(depth+1), shape); lo == hi {
			return
		}
		if yield(depth, lo, hi); shape == 0 {
			return
		}
	}
}

// narrow returns the part of order[lo:hi] whose line at a distance has a shape.
func narrow(s *segment, order []uint32, lo, hi, distance int, shape uint32) (int, int) {
	part := order[lo:hi]
	from, _ := slices.BinarySearchFunc(part, shape, func(p, want uint32) int { return compare(s.shapeAt(int(p)+distance), want) })
	to, _ := slices.BinarySearchFunc(part, shape+1, func(p, want uint32) int { return compare(s.shapeAt(int(p)+distance), want) })
	return lo + from, lo + to
}

func compare(a, b uint32) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
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
				p.add(spot{s.bridge, int(s.order[i])})
				added++
			}
		}
		skip = i - s.hi
	}
	return added
}

// continued finds lines that contain the last typed tokens of the cursor's line
// and more after them.
func (in *infill) continued(b *bridge) []find {
	typed := make([]uint32, len(in.tokens))
	for i, t := range in.tokens {
		id, ok := b.seg.id(t.Text)
		if !ok {
			id = none
		}
		typed[i] = id
	}
	x, y := uint32(0), uint32(0)
	if n := len(typed); n > 0 {
		y = typed[n-1]
		if n > 1 {
			x = typed[n-2]
		}
	}
	if y == none || x == none {
		return nil
	}
	g := b.seg.gram(x, y)
	places := b.seg.grams[b.seg.bucket[g]:b.seg.bucket[g+1]]
	return in.follow(b, typed, nearest(places, in.homeToken(b), 16*perGram))
}

// homeToken returns the approximate position of the document's lines among a
// segment's tokens.
func (in *infill) homeToken(b *bridge) uint32 {
	if b.seg == b.doc {
		return uint32(len(b.seg.tokens))
	}
	home := in.home(b.seg)
	for home > 0 && b.seg.lines[home] == 0 {
		home--
	}
	return b.seg.start[b.seg.lines[home]]
}

// nearest returns at most n of the sorted places, around a given one.
func nearest(places []uint32, around uint32, n int) []uint32 {
	if len(places) <= n {
		return places
	}
	i, _ := slices.BinarySearch(places, around)
	from := min(max(i-n/2, 0), len(places)-n)
	return places[from : from+n]
}

// follow returns the finds at those token positions that really continue the
// typed text.
func (in *infill) follow(b *bridge, typed, places []uint32) []find {
	var out []find
	blank := strings.HasSuffix(in.typed, " ")
	for _, at := range places {
		t := b.seg.tokens[at]
		if !strings.HasPrefix(b.seg.name(t&^spacedBit), in.half) || blank && t&spacedBit == 0 {
			continue
		}
		id := b.seg.lineOf(at)
		from := b.seg.start[id]
		n := 0
		for n < len(typed) && at > from+uint32(n) && b.seg.tokens[at-uint32(n)-1]&^spacedBit == typed[len(typed)-1-n] {
			n++
		}
		if n < min(len(typed), 2) || len(typed) == 0 && at != from {
			continue
		}
		if n == len(typed) && at == from+uint32(n) {
			n += 2
		}
		place := int(b.seg.first[id])
		if b.seg == b.doc || in.eligible(b, place) {
			out = append(out, find{b: b, place: place, token: int(at - from), ctx: surroundings{gram: n}})
		}
	}
	slices.SortStableFunc(out, func(a, b find) int { return b.ctx.gram - a.ctx.gram })
	return out[:min(len(out), perGram)]
}
