package local

// Bounds of the search for sequences.
const (
	maxSequences = 64
	perName      = 12
	sequenceSpan = 30 // lines around the hole that a continued sequence never repeats
)

// sequences continues the line before the hole, and the one after it
// backwards: where the document lists one name after another anywhere, as
// parameters or line by line, a line about the one is followed by the same
// line about the other.
func (h *hole) sequences(b *bridge) []find {
	var out []find
	for _, dir := range []int{+1, -1} {
		place := h.at - 1
		if dir < 0 {
			place = h.at
		}
		line := h.doc.line(place)
		seen := map[uint32]bool{}
		for _, t := range line {
			id := t &^ spacedBit
			if c := h.doc.classes[id]; seen[id] || c != word && c != text {
				continue
			}
			seen[id] = true
			for _, next := range h.neighbours(id, place, dir) {
				if made := h.retold(line, id, next); made != "" && len(out) < maxSequences {
					out = append(out, find{b: b, place: place, token: -1, made: made, ctx: surroundings{sequence: 1}})
				}
			}
		}
	}
	return out
}

// neighbours are the names that follow a name in a list, or come before it.
func (h *hole) neighbours(id uint32, except, dir int) []uint32 {
	var out []uint32
	for place := len(h.doc.lines) - 1; place > 0 && len(out) < perName; place-- {
		if place == except {
			continue
		}
		line := h.doc.line(place)
		for i, t := range line {
			if t&^spacedBit != id {
				continue
			}
			if next := h.beside(line, i, dir); next != 0 {
				out = append(out, next)
			}
			if place+dir != except && h.doc.shapeAt(place+dir) == h.doc.shapeAt(place) {
				if next := h.doc.line(place + dir)[i] &^ spacedBit; next != id && h.doc.classes[next] == h.doc.classes[id] {
					out = append(out, next)
				}
			}
			break
		}
	}
	return out
}

// beside is the name on the other side of the next comma of a list, or 0.
func (h *hole) beside(line []uint32, i, dir int) uint32 {
	depth, comma := 0, false
	var found uint32
	for j := i + dir; j >= 0 && j < len(line); j += dir {
		id := line[j] &^ spacedBit
		switch name := h.doc.names[id]; {
		case name == "(" || name == "[" || name == "{":
			depth += dir
		case name == ")" || name == "]" || name == "}":
			depth -= dir
		case name == "," && depth == 0:
			if comma {
				return found
			}
			comma = true
		case comma && depth == 0 && h.doc.classes[id] == word:
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

// retold is a line about another name; "" where that line stands nearby.
func (h *hole) retold(line []uint32, id, next uint32) string {
	from, to := h.doc.names[id], h.doc.names[next]
	if from == to {
		return ""
	}
	p := part{from, to}
	out := make([]byte, 0, 64)
	for i, t := range line {
		if t&spacedBit != 0 && i > 0 {
			out = append(out, ' ')
		}
		name := h.doc.names[t&^spacedBit]
		switch c := h.doc.classes[t&^spacedBit]; {
		case name == from:
			name = to
		case (c == word || c == text) && len(from) > 2:
			name = replacePart(name, p)
		}
		out = append(out, name...)
	}
	made := string(out)
	for place := max(h.at-sequenceSpan, 1); place < min(h.at+sequenceSpan, len(h.doc.lines)); place++ {
		if h.lineText(place) == made {
			return ""
		}
	}
	return made
}
