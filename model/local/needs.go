package local

import "strings"

// How far around the hole names are looked for, in lines.
const (
	below = 20
	idle  = 25
)

// wanted are the names that the lines after the hole use and nothing before it
// mentions: what is written into the hole probably makes them known.
func (h *hole) wanted() map[string]bool {
	if h.missing != nil {
		return h.missing
	}
	h.missing = map[string]bool{}
	for place := h.at; place < min(h.at+below, len(h.doc.lines)) && h.doc.lines[place] != 0; place++ {
		line := h.doc.line(place)
		for i, t := range line {
			id := t &^ spacedBit
			after := i > 0 && h.doc.names[line[i-1]&^spacedBit] == "."
			if id >= h.mark && h.doc.classes[id] == word && !after {
				h.missing[h.doc.names[id]] = true
			}
		}
	}
	return h.missing
}

// supplies counts the wanted names that a line mentions, and reports whether
// it gives a value to a name that nothing after it uses.
func (h *hole) supplies(line string) (wanted int, unused bool) {
	tokens := lexLine(line, nil)
	for i, t := range tokens {
		if t.class != word {
			continue
		}
		if h.wanted()[t.text] {
			wanted++
		}
		first := i == 0 || i == 1 && tokens[0].class == keyword
		if first && i+1 < len(tokens) && (tokens[i+1].text == "=" || tokens[i+1].text == ":=") {
			unused = !h.usedBelow(t.text)
		}
	}
	return wanted, unused
}

func (h *hole) usedBelow(name string) bool {
	id, ok := h.doc.ids[name]
	if !ok {
		return false
	}
	for place := h.at; place < min(h.at+idle, len(h.doc.lines)); place++ {
		for _, t := range h.doc.line(place) {
			if t&^spacedBit == id {
				return true
			}
		}
	}
	return false
}

// sorted says whether a line keeps the order of the lines around the hole: 1 it
// does, -1 it does not, 0 there is none.
func (h *hole) sorted(line string) float64 {
	prev, next := h.lineText(h.at-1), h.lineText(h.at)
	if prev == "" || next == "" || prev >= next || h.doc.shapeAt(h.at-1) == 0 || h.doc.shapeAt(h.at) == 0 {
		return 0
	}
	lead := func(s string) string { w, _, _ := strings.Cut(s, " "); return w[:min(len(w), 1)] }
	if lead(prev) != lead(next) {
		return 0
	}
	return sign(prev < line && line < next)
}

// opens says whether a line opens a block where the line after the hole is
// indented deeper than the cursor, and does not where it is not: 1 yes, -1 no,
// 0 unknown.
func (h *hole) opens(line string) float64 {
	if h.space == "" && h.typed == "" || h.doc.shapeAt(h.at) == 0 || line == "" {
		return 0
	}
	opened := strings.IndexByte("{([:", line[len(line)-1]) >= 0 || strings.HasSuffix(line, "=>")
	deeper := int(h.doc.indent[h.at]) > width(h.space)
	return sign(opened == deeper)
}

// deeper says whether the line before the hole is indented more (-1), less (1)
// or as much (0) as the cursor, and the same of the line after.
func (h *hole) deeper(place int) float64 {
	if h.doc.shapeAt(place) == 0 {
		return 0.5
	}
	return float64(compare(uint32(width(h.space)), uint32(h.doc.indent[place])))
}
