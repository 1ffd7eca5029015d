package complete

import (
	"slices"
	"strings"

	"tandem/model/local/source"
	"tandem/workspace/terms"
)

// maxImportFinds limits how many import lines are considered for one infill site.
const maxImportFinds = 48

// importWords are the first words of lines that import names of another file.
var importWords = terms.Set("import from use using require include extern")

// isImport reports whether tokens are an import: a line that begins with an
// import word, or only a quoted path, as in a Go import block.
func isImport(line []source.Lexeme) bool {
	switch {
	case len(line) == 0:
		return false
	case importWords[line[0].Text]:
		return len(line) > 1
	case line[0].Text == "#":
		return len(line) > 2 && line[1].Text == "include"
	}
	last := line[len(line)-1]
	return len(line) <= 2 && last.Class == source.Literal && strings.Contains(last.Text, "/") && (len(line) == 1 || line[0].Class == source.Word)
}

// bound returns the names that an import binds.
func bound(line []source.Lexeme) []string {
	from, to := 0, len(line)
	for i, t := range line {
		switch {
		case t.Text == "import":
			from = i + 1
		case t.Text == "from" && i > 0:
			to = i
		}
	}
	if to < from {
		to = len(line)
	}
	list := slices.ContainsFunc(line, func(t source.Lexeme) bool { return t.Text == "from" || t.Text == "{" })
	var out []string
	for i := from; i < to; i++ {
		if t := line[i]; t.Class == source.Word && !(i+1 < to && line[i+1].Text == "as") {
			out = append(out, t.Text)
		}
	}
	if last := line[len(line)-1]; len(out) == 0 && last.Class == source.Literal {
		return []string{source.LastPart(strings.Trim(last.Text, "\"'`"))}
	}
	if !list && len(out) > 1 {
		return out[len(out)-1:]
	}
	return out
}

// lexemes returns a distinct line's tokens.
func (s *segment) lexemes(id uint32) []source.Lexeme {
	tokens := s.distinctLine(id)
	out := make([]source.Lexeme, len(tokens))
	for i, t := range tokens {
		out[i] = source.Lexeme{Text: s.name(t &^ spacedBit), Class: s.classes[t&^spacedBit], Spaced: t&spacedBit != 0}
	}
	return out
}

// collectImports records which distinct lines are imports.
func (s *segment) collectImports() {
	for id := 1; id < len(s.shape); id++ {
		if isImport(s.lexemes(uint32(id))) {
			s.imports = append(s.imports, uint32(id))
		}
	}
}

// amongImports reports whether the infill site is next to an import.
func (in *infill) amongImports() bool {
	for _, place := range []int{in.at - 1, in.at} {
		if place > 0 && place < len(in.doc.lines) && in.doc.lines[place] != 0 && isImport(in.doc.lexemes(in.doc.lines[place])) {
			return true
		}
	}
	return false
}

// importing finds the imports of names that the document uses and does not
// import yet.
func (s search) importing() []find {
	known := s.in.imported()
	var out []find
	for _, id := range s.b.seg.imports {
		names := bound(s.b.seg.lexemes(id))
		fits := len(names) > 0
		for _, name := range names {
			_, used := s.in.doc.id(name)
			fits = fits && used && !known[name]
		}
		if place := int(s.b.seg.first[id]); fits && s.eligible(place) {
			out = append(out, find{b: s.b, place: place, token: -1, asIs: true, ctx: surroundings{binds: len(names)}})
			if len(out) == maxImportFinds {
				break
			}
		}
	}
	return out
}

// imported returns the names that the document already imports.
func (in *infill) imported() map[string]bool {
	out := map[string]bool{}
	for _, id := range in.doc.lines {
		if line := in.doc.lexemes(id); isImport(line) {
			for _, name := range bound(line) {
				out[name] = true
			}
		}
	}
	return out
}
