package complete

import (
	"cmp"
	"strings"

	"tandem/model/local/source"
)

// How far after the infill site names are searched for, in lines.
const (
	below = 20
	idle  = 25
)

// wanted returns the names that the lines after the infill site use and no line
// before it contains: the text at the infill site probably introduces them.
func (in *infill) wanted() map[string]bool {
	if in.missing != nil {
		return in.missing
	}
	in.missing = map[string]bool{}
	for place := in.at; place < min(in.at+below, len(in.doc.lines)) && in.doc.lines[place] != 0; place++ {
		line := in.doc.line(place)
		for i, t := range line {
			id := t &^ spacedBit
			after := i > 0 && in.doc.name(line[i-1]&^spacedBit) == "."
			if id >= in.mark && in.doc.classes[id] == source.Word && !after {
				in.missing[in.doc.name(id)] = true
			}
		}
	}
	return in.missing
}

// supplies counts the wanted names in a line, and reports whether the line
// assigns a name that nothing after it uses.
func (in *infill) supplies(line string) (wanted int, unused bool) {
	tokens := source.Lex(line, nil)
	for i, t := range tokens {
		if t.Class != source.Word {
			continue
		}
		if in.wanted()[t.Text] {
			wanted++
		}
		first := i == 0 || i == 1 && tokens[0].Class == source.Keyword
		if first && i+1 < len(tokens) && (tokens[i+1].Text == "=" || tokens[i+1].Text == ":=") {
			unused = !in.usedBelow(t.Text)
		}
	}
	return wanted, unused
}

func (in *infill) usedBelow(name string) bool {
	id, ok := in.doc.id(name)
	if !ok {
		return false
	}
	for place := in.at; place < min(in.at+idle, len(in.doc.lines)); place++ {
		for _, t := range in.doc.line(place) {
			if t&^spacedBit == id {
				return true
			}
		}
	}
	return false
}

// sorted returns whether a line keeps the order of the lines around the infill
// site: 1 yes, -1 no, 0 they are in no order.
func (in *infill) sorted(line string) float64 {
	prev, next := in.lineText(in.at-1), in.lineText(in.at)
	if prev == "" || next == "" || prev >= next || in.doc.shapeAt(in.at-1) == 0 || in.doc.shapeAt(in.at) == 0 {
		return 0
	}
	lead := func(s string) string { w, _, _ := strings.Cut(s, " "); return w[:min(len(w), 1)] }
	if lead(prev) != lead(next) {
		return 0
	}
	return sign(prev < line && line < next)
}

// opens returns whether a line opens a block exactly if the line after the infill
// site is indented deeper than the cursor: 1 yes, -1 no, 0 unknown.
func (in *infill) opens(line string) float64 {
	if in.space == "" && in.typed == "" || in.doc.shapeAt(in.at) == 0 || line == "" {
		return 0
	}
	opened := strings.IndexByte("{([:", line[len(line)-1]) >= 0 || strings.HasSuffix(line, "=>")
	deeper := int(in.doc.indent[in.at]) > width(in.space)
	return sign(opened == deeper)
}

// deeper returns whether the line at a place is indented more (-1), less (1) or as
// much (0) as the cursor, and 0.5 if there is no line.
func (in *infill) deeper(place int) float64 {
	if in.doc.shapeAt(place) == 0 {
		return 0.5
	}
	return float64(cmp.Compare(uint32(width(in.space)), uint32(in.doc.indent[place])))
}
