package complete

import (
	"tandem/model/local/source"
)

// maxLineTokens is the number of tokens beyond which a line is learned as one opaque
// line.
const maxLineTokens = 96

// isProse reports whether at least two words directly follow another word, as in
// a documentation string.
func isProse(line []source.Lexeme) bool {
	run := 0
	for i := 1; i < len(line); i++ {
		if line[i].Spaced && line[i].Class == source.Word && line[i-1].Class == source.Word {
			run++
		}
	}
	return run >= 2
}

// isCodeName reports whether a word of prose is a name of the code rather than
// a word of the language: it has an inner capital, a digit or an underscore.
func isCodeName(w string) bool {
	for i := 1; i < len(w); i++ {
		if w[i] >= 'A' && w[i] <= 'Z' || w[i] == '_' || source.IsDigit(w[i]) {
			return true
		}
	}
	return false
}

// A hash is FNV-1a. Texts with equal hashes are treated as equal.
type hash uint64

const noHash hash = 14695981039346656037

func (h hash) str(s string) hash {
	for i := range len(s) {
		h = (h ^ hash(s[i])) * 1099511628211
	}
	return h
}

func (h hash) num(n uint64) hash { return (h ^ hash(n) ^ hash(n>>32)) * 1099511628211 }

// shapeHash returns the hash of a line without its names, strings and numbers, so
// that lines which differ only in these have one shape. Words of prose are kept.
func shapeHash(line string, tokens []source.Lexeme) hash {
	h := noHash
	prose := source.IsComment(line) || isProse(tokens)
	for _, t := range tokens {
		if abstract(t, prose) {
			h = h.num(uint64(t.Class) + 7)
		} else {
			h = h.str(t.Text).num(3)
		}
	}
	return h
}

// abstract reports whether a token is a variable of its line's shape.
func abstract(t source.Lexeme, prose bool) bool {
	switch t.Class {
	case source.Word:
		return !prose || isCodeName(t.Text)
	case source.Literal, source.Number:
		return !prose
	}
	return false
}
