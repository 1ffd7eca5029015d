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
func (in *infill) sequences(b *bridge) []find {
	var out []find
	for _, dir := range []int{+1, -1} {
		place := in.at - 1
		if dir < 0 {
			place = in.at
		}
		line := in.doc.line(place)
		seen := map[uint32]bool{}
		for _, t := range line {
			id := t &^ spacedBit
			if c := in.doc.classes[id]; seen[id] || c != source.Word && c != source.Literal {
				continue
			}
			seen[id] = true
			for _, next := range in.neighbours(id, place, dir) {
				if made := in.substituted(line, id, next); made != "" && len(out) < maxSequences {
					out = append(out, find{b: b, place: place, token: -1, made: made, ctx: surroundings{sequence: 1}})
				}
			}
		}
	}
	return out
}

// neighbours returns the names directly after a name in lists, or before it.
func (in *infill) neighbours(id uint32, except, dir int) []uint32 {
	var out []uint32
	for place := len(in.doc.lines) - 1; place > 0 && len(out) < perName; place-- {
		if place == except {
			continue
		}
		line := in.doc.line(place)
		for i, t := range line {
			if t&^spacedBit != id {
				continue
			}
			if next := in.adjacentItem(line, i, dir); next != 0 {
				out = append(out, next)
			}
			if place+dir != except && in.doc.shapeAt(place+dir) == in.doc.shapeAt(place) {
				if next := in.doc.line(place + dir)[i] &^ spacedBit; next != id && in.doc.classes[next] == in.doc.classes[id] {
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
func (in *infill) adjacentItem(line []uint32, i, dir int) uint32 {
	depth, comma := 0, false
	var found uint32
	for j := i + dir; j >= 0 && j < len(line); j += dir {
		id := line[j] &^ spacedBit
		switch name := in.doc.name(id); {
		case name == "(" || name == "[" || name == "{":
			depth += dir
		case name == ")" || name == "]" || name == "}":
			depth -= dir
		case name == "," && depth == 0:
			if comma {
				return found
			}
			comma = true
		case comma && depth == 0 && in.doc.classes[id] == source.Word:
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
func (in *infill) substituted(line []uint32, id, next uint32) string {
	from, to := in.doc.name(id), in.doc.name(next)
	if from == to {
		return ""
	}
	p := part{from, to}
	out := make([]byte, 0, 64)
	for i, t := range line {
		if t&spacedBit != 0 && i > 0 {
			out = append(out, ' ')
		}
		name := in.doc.name(t &^ spacedBit)
		switch c := in.doc.classes[t&^spacedBit]; {
		case name == from:
			name = to
		case (c == source.Word || c == source.Literal) && len(from) > 2:
			name = replacePart(name, p)
		}
		out = append(out, name...)
	}
	made := string(out)
	for place := max(in.at-sequenceSpan, 1); place < min(in.at+sequenceSpan, len(in.doc.lines)); place++ {
		if in.lineText(place) == made {
			return ""
		}
	}
	return made
}
