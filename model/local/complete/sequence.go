package complete

import (
	"tandem/model/local/source"
)

// Limits of the search for sequences.
const (
	maxSequences = 64
	perName      = 12
	sequenceSpan = 30 // lines around the infill site that a continued sequence never repeats
)

// sequences continues the line before the infill site, and the line after it
// backwards. If the document lists two names one after the other anywhere, as
// parameters or line by line, then a line with the first name is followed by the
// same line with the second name.
func (s search) sequences() []find {
	var out []find
	for _, dir := range []int{+1, -1} {
		place := s.in.at - 1
		if dir < 0 {
			place = s.in.at
		}
		line := s.in.doc.line(place)
		seen := map[uint32]bool{}
		for _, t := range line {
			id := t &^ spacedBit
			if c := s.in.doc.classes[id]; seen[id] || c != source.Word && c != source.Literal {
				continue
			}
			seen[id] = true
			for _, next := range s.neighbours(id, place, dir) {
				if made := s.substituted(line, id, next); made != "" && len(out) < maxSequences {
					out = append(out, find{b: s.b, place: place, token: -1, constructed: made, ctx: surroundings{sequence: 1}})
				}
			}
		}
	}
	return out
}

// neighbours returns the names directly after a name in lists, or before it.
func (s search) neighbours(id uint32, except, dir int) []uint32 {
	var out []uint32
	for place := len(s.in.doc.lines) - 1; place > 0 && len(out) < perName; place-- {
		if place == except {
			continue
		}
		line := s.in.doc.line(place)
		for i, t := range line {
			if t&^spacedBit != id {
				continue
			}
			if next := s.adjacentItem(line, i, dir); next != 0 {
				out = append(out, next)
			}
			if place+dir != except && s.in.doc.shapeAt(place+dir) == s.in.doc.shapeAt(place) {
				if next := s.in.doc.line(place + dir)[i] &^ spacedBit; next != id && s.in.doc.classes[next] == s.in.doc.classes[id] {
					out = append(out, next)
				}
			}
			break
		}
	}
	return out
}

// adjacentItem returns the name after the next comma of a list, or before the
// previous one, or 0.
func (s search) adjacentItem(line []uint32, i, dir int) uint32 {
	depth, comma := 0, false
	var found uint32
	for j := i + dir; j >= 0 && j < len(line); j += dir {
		id := line[j] &^ spacedBit
		switch name := s.in.doc.name(id); {
		case name == "(" || name == "[" || name == "{":
			depth += dir
		case name == ")" || name == "]" || name == "}":
			depth -= dir
		case name == "," && depth == 0:
			if comma {
				return found
			}
			comma = true
		case comma && depth == 0 && s.in.doc.classes[id] == source.Word:
			if dir > 0 {
				return id
			}
			found = id // the first name of the item before
		}
		if depth < 0 {
			return found
		}
	}
	return found
}

// substituted returns a line with a name replaced, or "" if that line already
// exists nearby.
func (s search) substituted(line []uint32, id, next uint32) string {
	from, to := s.in.doc.name(id), s.in.doc.name(next)
	if from == to {
		return ""
	}
	p := part{from, to}
	out := make([]byte, 0, 64)
	for i, t := range line {
		if t&spacedBit != 0 && i > 0 {
			out = append(out, ' ')
		}
		name := s.in.doc.name(t &^ spacedBit)
		switch c := s.in.doc.classes[t&^spacedBit]; {
		case name == from:
			name = to
		case (c == source.Word || c == source.Literal) && len(from) > 2:
			name = replacePart(name, p)
		}
		out = append(out, name...)
	}
	made := string(out)
	for place := max(s.in.at-sequenceSpan, 1); place < min(s.in.at+sequenceSpan, len(s.in.doc.lines)); place++ {
		if s.in.lineText(place) == made {
			return ""
		}
	}
	return made
}
