package dynamic

import (
	"strings"

	"tandem/workspace/language"
)

// balanced reports whether brackets match in tokens, and literals and comments end.
func balanced(text string, toks []language.Token) bool {
	var open []byte
	for _, t := range toks {
		if t.Unended {
			return false
		}
		if t.Kind != language.Operator || t.End != t.Start+1 {
			continue
		}
		switch c := text[t.Start]; c {
		case '(', '[', '{':
			open = append(open, c)
		case ')', ']', '}':
			n := len(open) - 1
			if n < 0 || strings.IndexByte("([{", open[n]) != strings.IndexByte(")]}", c) {
				return false
			}
			open = open[:n]
		}
	}
	return len(open) == 0
}
