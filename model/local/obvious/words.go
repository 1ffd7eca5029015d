package obvious

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// fold is a name without case and underscores, so that names of one meaning are equal.
func fold(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// words are the words that a name is written of, in lower case.
func words(name string) []string {
	var out []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			out = append(out, strings.ToLower(string(word)))
		}
		word = nil
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case r == '_':
			end()
			continue
		case unicode.IsUpper(r) && (i > 0 && !unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			end()
		}
		word = append(word, r)
	}
	end()
	return out
}

// alike is how much of two names' words agree, 0 to 1: 1 for the same words, less where one
// has more of them or shortens one.
func alike(a, b string) float64 {
	if fold(a) == fold(b) {
		return 1
	}
	x, y := words(a), words(b)
	shared := 0.0
	for _, w := range x {
		best := 0.0
		for _, v := range y {
			switch {
			case w == v || w+"s" == v || v+"s" == w:
				best = 1
			case strings.HasPrefix(v, w) || strings.HasPrefix(w, v):
				best = max(best, 0.6)
			}
		}
		shared += best
	}
	if len(x)+len(y) == 0 {
		return 0
	}
	return min(2*shared/float64(len(x)+len(y)), 0.95)
}

// lowerFirst is a name with its first letter in lower case.
func lowerFirst(name string) string {
	r, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(r)) + name[n:]
}

// upperFirst is a name with its first letter in upper case.
func upperFirst(name string) string {
	r, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(r)) + name[n:]
}
