package dynamic

import (
	"strings"

	"tandem/workspace/language"
)

// code is a text with its tokens and brackets.
type code struct {
	Text     string
	Tokens   []language.Token
	around   []int32 // by token: the bracket that opens what is around it, or -1
	match    []int32 // by bracket: the other one; the number of tokens where there is none
	balanced bool    // brackets match, and literals and comments end
}

func codeOf(text string, toks []language.Token) code {
	c := code{text, toks, make([]int32, len(toks)), make([]int32, len(toks)), true}
	var open []int32
	for i, t := range toks {
		c.match[i] = int32(len(toks))
		var bracket byte
		if t.Kind == language.Operator && t.End == t.Start+1 {
			bracket = text[t.Start]
		}
		c.balanced = c.balanced && !t.Unended
		last := len(open) - 1
		switch closes := strings.IndexByte(")]}", bracket); {
		case closes >= 0 && last < 0:
			c.balanced = false
		case closes >= 0:
			c.balanced = c.balanced && text[toks[open[last]].Start] == "([{"[closes]
			c.match[i], c.match[open[last]], open = open[last], int32(i), open[:last]
		}
		c.around[i] = -1
		if last := len(open) - 1; last >= 0 {
			c.around[i] = open[last]
		}
		if bracket == '(' || bracket == '[' || bracket == '{' {
			open = append(open, int32(i))
		}
	}
	c.balanced = c.balanced && len(open) == 0
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
