package dynamic

import (
	"strings"

	"tandem/workspace/language"
)

// code is a text with its tokens and brackets.
type code struct {
	Text   string
	Tokens []language.Token
	around []int32 // by token: the bracket that opens what is around it, or -1
	match  []int32 // by bracket: the other one; the number of tokens where there is none
}

func codeOf(text string, toks []language.Token) code {
	c := code{text, toks, make([]int32, len(toks)), make([]int32, len(toks))}
	var open []int32
	for i, t := range toks {
		c.around[i], c.match[i] = -1, int32(len(toks))
		var bracket byte
		if t.Kind == language.Operator && t.End == t.Start+1 {
			bracket = text[t.Start]
		}
		if last := len(open) - 1; last >= 0 && (bracket == ')' || bracket == ']' || bracket == '}') {
			c.match[i], c.match[open[last]], open = open[last], int32(i), open[:last]
		}
		if last := len(open) - 1; last >= 0 {
			c.around[i] = open[last]
		}
		if bracket == '(' || bracket == '[' || bracket == '{' {
			open = append(open, int32(i))
		}
	}
	return c
}

// Word is the i-th token's text, "" outside.
func (c code) Word(i int) string {
	if i < 0 || i >= len(c.Tokens) {
		return ""
	}
	return c.Text[c.Tokens[i].Start:c.Tokens[i].End]
}

// Closing is the token that closes the bracket at i, the number of tokens where there is none.
func (c code) Closing(i int) int {
	if i < 0 || i >= len(c.match) {
		return len(c.match)
	}
	return int(c.match[i])
}

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
