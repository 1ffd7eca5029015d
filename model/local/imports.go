package local

import (
	"slices"
	"strings"
)

// maxImportFinds bounds how many import lines are considered for one hole.
const maxImportFinds = 48

// importWords begin a line that makes names of another file known.
var importWords = set("import from use using require include extern")

// isImport reports whether tokens are an import: a line that begins with such
// a word, or the quoted path alone of a language that lists them.
func isImport(line []lexeme) bool {
	switch {
	case len(line) == 0:
		return false
	case importWords[line[0].text]:
		return len(line) > 1
	case line[0].text == "#":
		return len(line) > 2 && line[1].text == "include"
	}
	last := line[len(line)-1]
	return len(line) <= 2 && last.class == text && strings.Contains(last.text, "/") && (len(line) == 1 || line[0].class == word)
}

// bound are the names that an import makes known.
func bound(line []lexeme) []string {
	from, to := 0, len(line)
	for i, t := range line {
		switch {
		case t.text == "import":
			from = i + 1
		case t.text == "from" && i > 0:
			to = i
		}
	}
	if to < from {
		to = len(line)
	}
	list := slices.ContainsFunc(line, func(t lexeme) bool { return t.text == "from" || t.text == "{" })
	var out []string
	for i := from; i < to; i++ {
		if t := line[i]; t.class == word && !(i+1 < to && line[i+1].text == "as") {
			out = append(out, t.text)
		}
	}
	if last := line[len(line)-1]; len(out) == 0 && last.class == text {
		return []string{lastPart(strings.Trim(last.text, "\"'`"))}
	}
	if !list && len(out) > 1 {
		return out[len(out)-1:]
	}
	return out
}

// lastPart is what a path's package is called, as a rule.
func lastPart(path string) string {
	parts := strings.Split(path, "/")
	last := parts[len(parts)-1]
	if len(parts) > 1 && len(last) > 1 && last[0] == 'v' && isDigit(last[1]) && strings.Trim(last[1:], "0123456789") == "" {
		last = parts[len(parts)-2]
	}
	return last
}

// lexemes is a distinct line's tokens.
func (s *segment) lexemes(id uint32) []lexeme {
	tokens := s.distinctLine(id)
	out := make([]lexeme, len(tokens))
	for i, t := range tokens {
		out[i] = lexeme{s.names[t&^spacedBit], s.classes[t&^spacedBit], t&spacedBit != 0}
	}
	return out
}

// collectImports remembers which distinct lines are imports.
func (s *segment) collectImports() {
	for id := 1; id < len(s.shape); id++ {
		if isImport(s.lexemes(uint32(id))) {
			s.imports = append(s.imports, uint32(id))
		}
	}
}

// amongImports reports whether the hole is next to an import.
func (h *hole) amongImports() bool {
	for _, place := range []int{h.at - 1, h.at} {
		if place > 0 && place < len(h.doc.lines) && h.doc.lines[place] != 0 && isImport(h.doc.lexemes(h.doc.lines[place])) {
			return true
		}
	}
	return false
}

// importing finds the imports of names that the document uses and does not
// import yet.
func (h *hole) importing(b *bridge) []find {
	known := h.imported()
	var out []find
	for _, id := range b.seg.imports {
		names := bound(b.seg.lexemes(id))
		fits := len(names) > 0
		for _, name := range names {
			_, used := h.doc.ids[name]
			fits = fits && used && !known[name]
		}
		if place := int(b.seg.first[id]); fits && h.may(b, place) {
			out = append(out, find{b: b, place: place, token: -1, asIs: true, ctx: surroundings{binds: len(names)}})
			if len(out) == maxImportFinds {
				break
			}
		}
	}
	return out
}

// imported are the names the document imports already.
func (h *hole) imported() map[string]bool {
	out := map[string]bool{}
	for _, id := range h.doc.lines {
		if line := h.doc.lexemes(id); isImport(line) {
			for _, name := range bound(line) {
				out[name] = true
			}
		}
	}
	return out
}
