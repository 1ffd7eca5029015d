package complete

import (
	"slices"
	"strings"

	"tandem/model/local/source"
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
	switch {
	case b.seg == b.doc:
		in.scan(b, in.at, len(b.seg.lines), add)
	case b.seg.back == nil:
		in.scan(b, 1, len(b.seg.lines), add)
	default:
		in.scan(b, in.home(b.seg), nearby, add)
		in.ordered(b, b.seg.back, -1, add)
		in.ordered(b, b.seg.fore, +1, add)
	}
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
// the document's own old text, outdated files and other languages.
func (in *infill) eligible(b *bridge, place int) bool {
	if b.seg == b.doc {
		return true
	}
	f := b.seg.fileAt(uint32(place))
	if _, gone := b.gone[f.path]; gone {
		return false
	}
	return f.path != in.path && source.Related(f.lang, in.lang)
}

// home returns the place in a segment where the document is or would be.
func (in *infill) home(s *segment) int {
	i, _ := slices.BinarySearchFunc(s.files, in.path, func(f learned, path string) int { return strings.Compare(f.path, path) })
	if i == len(s.files) {
		return len(s.lines) - 1
	}
	return int(s.files[i].from)
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

// ordered adds the places with the longest context in one direction, then
// those with less, a few of each length.
func (in *infill) ordered(b *bridge, order []uint32, dir int, add func(int)) {
	near := in.at - 1
	if dir > 0 {
		near = in.at
	}
	var spans [][2]int
	lo, hi := 0, len(order)
	for depth := 1; depth <= deepest; depth++ {
		shape := b.shapeAt(near + dir*(depth-1))
		lo, hi = narrow(b.seg, order, lo, hi, dir*depth, shape)
		if lo == hi {
			break
		}
		spans = append(spans, [2]int{lo, hi})
		if shape == 0 {
			break
		}
	}
	left := perOrder
	inner := [2]int{0, 0}
	for i := len(spans) - 1; i >= 0 && left > 0; i-- {
		n := min(perLevel, left)
		left -= spread(order, spans[i], inner, n, add)
		inner = spans[i]
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

// spread adds up to n places of a span, evenly spaced, but none of the inner span.
func spread(order []uint32, span, inner [2]int, n int, add func(int)) int {
	size := span[1] - span[0]
	step := max(size/n, 1)
	added := 0
	for i := span[0]; i < span[1]; i += step {
		if i >= inner[0] && i < inner[1] {
			continue
		}
		add(int(order[i]))
		added++
	}
	return added
}

// continued finds lines that contain the last typed tokens of the cursor's line
// and more after them.
func (in *infill) continued(b *bridge) []find {
	typed := make([]uint32, len(in.tokens))
	for i, t := range in.tokens {
		id, ok := b.seg.ids[t.Text]
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
		if !strings.HasPrefix(b.seg.names[t&^spacedBit], in.half) || blank && t&spacedBit == 0 {
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
