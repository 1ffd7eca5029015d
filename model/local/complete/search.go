package complete

import (
	"cmp"
	"slices"
	"strings"
)

// A search finds lines in one segment for one infill site.
type search struct {
	in *infill
	b  *bridge
}

// all finds places in the segment whose context is like the infill site's.
func (s search) all() []find {
	seen := map[int]bool{}
	var out []find
	add := func(place int) {
		if seen[place] || !s.eligible(place) {
			return
		}
		seen[place] = true
		out = append(out, find{b: s.b, place: place, token: -1})
	}
	if s.b.seg == s.b.doc {
		s.scan(s.in.at, len(s.b.seg.lines), add)
	} else {
		s.scan(1, len(s.b.seg.lines), add)
	}
	return s.more(out)
}

// more adds the finds that depend on what was typed, not on the lines around it.
func (s search) more(out []find) []find {
	if s.in.typed != "" {
		out = append(out, s.continued()...)
	}
	if s.in.amongImports() {
		out = append(out, s.importing()...)
	}
	if s.b.seg == s.b.doc {
		out = append(out, s.sequences()...)
	}
	return out
}

// eligible reports whether a place has a line that may be used for suggestions. It
// excludes the document's own old text and outdated files.
func (s search) eligible(place int) bool {
	if place < 0 || place >= len(s.b.seg.lines) || s.b.seg.lines[place] == 0 {
		return false
	}
	if s.b.seg == s.b.doc {
		return true
	}
	row := s.b.seg.rowAt(place)
	return (s.b.shard == nil || s.b.shard.live(row)) && s.b.seg.path(row) != s.in.path
}

// home returns the place in a segment where the document is or would be.
func (s search) home() int {
	seg := s.b.seg
	row, _ := seg.rowOf(s.in.path)
	if row == len(seg.files) {
		return len(seg.lines) - 1
	}
	return int(seg.files[row].from)
}

// scan adds the nearest places in both directions that follow a line like the
// one before the infill site or precede a line like the one after it.
func (s search) scan(from, reach int, add func(int)) {
	prev, next := s.b.shapeAt(s.in.at-1), s.b.shapeAt(s.in.at)
	own := s.b.seg == s.b.doc
	both, one := 0, 0
	check := func(p int) {
		if p <= 0 || p >= len(s.b.seg.lines)-1 || s.b.seg.lines[p] == 0 {
			return
		}
		after := s.b.seg.shapeAt(p-1) == prev && !(own && p == s.in.at)
		before := s.b.seg.shapeAt(p+1) == next && !(own && p == s.in.at-1)
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

// levels calls yield for the part of an order that agrees with the lines on one side of
// the infill site, for one line, two and so on.
func (s search) levels(order []uint32, dir int, yield func(depth, lo, hi int)) {
	near := s.in.at - 1
	if dir > 0 {
		near = s.in.at
	}
	lo, hi := 0, len(order)
	for depth := range deepest {
		shape := s.b.shapeAt(near + dir*depth)
		if lo, hi = narrow(s.b.seg, order, lo, hi, dir*(depth+1), shape); lo == hi {
			return
		}
		if yield(depth, lo, hi); shape == 0 {
			return
		}
	}
}

// continued finds lines that contain the last typed tokens of the cursor's line
// and more after them.
func (s search) continued() []find {
	typed := make([]uint32, len(s.in.tokens))
	for i, t := range s.in.tokens {
		id, ok := s.b.seg.id(t.Text)
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
	g := s.b.seg.gram(x, y)
	places := s.b.seg.grams[s.b.seg.bucket[g]:s.b.seg.bucket[g+1]]
	return s.follow(typed, nearest(places, s.homeToken(), 16*perGram))
}

// homeToken returns the approximate position of the document's lines among a
// segment's tokens.
func (s search) homeToken() uint32 {
	if s.b.seg == s.b.doc {
		return uint32(len(s.b.seg.tokens))
	}
	home := s.home()
	for home > 0 && s.b.seg.lines[home] == 0 {
		home--
	}
	return s.b.seg.start[s.b.seg.lines[home]]
}

// follow returns the finds at those token positions that really continue the
// typed text.
func (s search) follow(typed, places []uint32) []find {
	var out []find
	blank := strings.HasSuffix(s.in.typed, " ")
	for _, at := range places {
		t := s.b.seg.tokens[at]
		if !strings.HasPrefix(s.b.seg.name(t&^spacedBit), s.in.half) || blank && t&spacedBit == 0 {
			continue
		}
		id := s.b.seg.lineOf(at)
		from := s.b.seg.start[id]
		n := 0
		for n < len(typed) && at > from+uint32(n) && s.b.seg.tokens[at-uint32(n)-1]&^spacedBit == typed[len(typed)-1-n] {
			n++
		}
		if n < min(len(typed), 2) || len(typed) == 0 && at != from {
			continue
		}
		if n == len(typed) && at == from+uint32(n) {
			n += 2
		}
		place := int(s.b.seg.first[id])
		if s.eligible(place) {
			out = append(out, find{b: s.b, place: place, token: int(at - from), ctx: surroundings{gram: n}})
		}
	}
	slices.SortStableFunc(out, func(a, b find) int { return cmp.Compare(b.ctx.gram, a.ctx.gram) })
	return out[:min(len(out), perGram)]
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
