package dynamic

import (
	"slices"
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

// is reports whether the i-th token is one of some words; "" is that of none.
func (c code) is(i int, words ...string) bool { return slices.Contains(words, c.Word(i)) }

// Kind is the kind of the i-th token; outside of the text it is a Newline.
func (c code) Kind(i int) language.TokenKind {
	if i < 0 || i >= len(c.Tokens) {
		return language.Newline
	}
	return c.Tokens[i].Kind
}

// adjoined reports whether nothing stands between the i-th token and the next ones, so many.
func (c code) adjoined(i, next int) bool {
	if i < 0 || i+next >= len(c.Tokens) {
		return false
	}
	for k := i; k < i+next; k++ {
		if c.Tokens[k].End != c.Tokens[k+1].Start {
			return false
		}
	}
	return true
}

// Closing is the token that closes the bracket at i, the number of tokens where there is none.
func (c code) Closing(i int) int {
	if i < 0 || i >= len(c.match) {
		return len(c.match)
	}
	return int(c.match[i])
}
