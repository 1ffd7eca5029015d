package nextedit

import (
	"strings"

	"tandem/edits"
	"tandem/model/local/source"
)

// A flat token is a token of a whole text, with its position in it. A line end is
// a token of its own, whose class is gap; blank lines produce no token.
type flat struct {
	text       string
	class      source.Class
	start, end int
}

const lineEnd = "\n"

// flatten returns the tokens of a text. A string literal is one token, or, with
// split, one for each token inside it.
func flatten(src string, split bool) []flat {
	var out []flat
	var buf []source.Lexeme
	at := 0
	for line := range strings.Lines(src) {
		body := strings.TrimRight(line, " \t\r\n")
		lead := len(body) - len(strings.TrimLeft(body, " \t"))
		if lead < len(body) && len(body) <= 4*source.MaxLineBytes {
			pos := at + lead
			buf = source.Lex(body[lead:], buf[:0])
			if split {
				buf = splitStrings(buf)
			}
			for _, t := range buf {
				if t.Spaced {
					pos++
				}
				if t.Class != source.Gap {
					out = append(out, flat{t.Text, t.Class, pos, pos + len(t.Text)})
				}
				pos += len(t.Text)
			}
			out = append(out, flat{lineEnd, source.Gap, at + len(body), at + len(line)})
		}
		at += len(line)
	}
	return out
}

// splitStrings replaces string literals by the tokens in them, blanks included.
func splitStrings(line []source.Lexeme) []source.Lexeme {
	var out []source.Lexeme
	for _, t := range line {
		if t.Class != source.Literal {
			out = append(out, t)
			continue
		}
		quote := t.Text[:1]
		out = append(out, source.Lexeme{Text: quote, Spaced: t.Spaced})
		for inner := t.Text[1 : len(t.Text)-1]; inner != ""; {
			n, c := 1, source.Punct
			switch {
			case inner[0] == ' ' || inner[0] == '\t':
				c = source.Gap
			case source.IsWordByte(inner[0]):
				n, c = source.WordEnd(inner), source.Word
			}
			out = append(out, source.Lexeme{Text: inner[:n], Class: c})
			inner = inner[n:]
		}
		out = append(out, source.Lexeme{Text: quote})
	}
	return out
}

// A change is tokens that were replaced by others, with the tokens around them. It is
// immutable.
type change struct {
	left, right []flat
	old, new    []flat
	was, src    string // the texts before and after
	at          int    // of the new tokens in the text after
	indent      string // the indentation of the line that new begins on
	partial     bool   // its line has other changes too
}

// maxDiff bounds the texts that are compared token by token.
const maxDiff = 600

// changesOf returns the changes between two texts: each separately if its
// brackets stay balanced, else joined with the next ones until they do.
func changesOf(before, after string, split bool) []*change {
	o, n := flatten(before, split), flatten(after, split)
	head, tail := commonEnds(o, n)
	if len(o)-head-tail > maxDiff || len(n)-head-tail > maxDiff {
		return nil
	}
	hunks := diffTokens(o[head:len(o)-tail], n[head:len(n)-tail])
	for i := range hunks {
		for j := range hunks[i] {
			hunks[i][j] += head
		}
	}
	var out []*change
	together := map[int]bool{}             // runs that are part of their line's change
	for _, h := range sameLine(o, hunks) { // a line that changes in several places changes as one, if it can
		for i, part := range hunks {
			together[i] = together[i] || part[0] >= h[0] && part[1] <= h[1]
		}
		if balanced(o[h[0]:h[1]], n[h[2]:h[3]]) && (!split || quoted(o[h[0]:h[1]]) && quoted(n[h[2]:h[3]])) && !(hasLineEnd(o[h[0]:h[1]]) && !balanced(o[h[0]:h[1]], nil)) {
			out = append(out, makeChange(o, n, h, before, after))
		}
	}
	for i := 0; i < len(hunks); i++ {
		h, partial := hunks[i], together[i]
		for !balanced(o[h[0]:h[1]], n[h[2]:h[3]]) && i+1 < len(hunks) {
			i++
			h[1], h[3] = hunks[i][1], hunks[i][3]
		}
		if balanced(o[h[0]:h[1]], n[h[2]:h[3]]) && (!split || quoted(o[h[0]:h[1]]) && quoted(n[h[2]:h[3]])) {
			c := makeChange(o, n, h, before, after)
			c.partial = partial
			out = append(out, c)
		}
	}
	return out
}

// quoted reports whether the quotes in some tokens close: half a string is no change.
func quoted(tokens []flat) bool {
	open := map[string]int{}
	for _, t := range tokens {
		if t.class == source.Punct && (t.text == `"` || t.text == "'" || t.text == "`") {
			open[t.text]++
		}
	}
	return open[`"`]%2 == 0 && open["'"]%2 == 0 && open["`"]%2 == 0
}

// sameLine joins the runs of each line that has several.
func sameLine(o []flat, hunks [][4]int) [][4]int {
	var out [][4]int
	for i := 0; i < len(hunks); i++ {
		h, joined := hunks[i], false
		for i+1 < len(hunks) && !hasLineEnd(o[h[0]:hunks[i+1][0]]) {
			i++
			h[1], h[3], joined = hunks[i][1], hunks[i][3], true
		}
		if joined {
			out = append(out, h)
		}
	}
	return out
}

func makeChange(o, n []flat, h [4]int, before, after string) *change {
	c := &change{left: o[:h[0]], old: o[h[0]:h[1]], right: o[h[1]:], new: n[h[2]:h[3]], was: before, src: after, at: len(after)}
	if h[2] < len(n) {
		c.at = n[h[2]].start
	}
	c.indent = indentAt(after, c.at)
	return c
}

// indentAt returns the indentation of the line at an offset.
func indentAt(src string, at int) string {
	line := src[strings.LastIndexByte(src[:min(at, len(src))], '\n')+1:]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// balanced reports whether two runs of tokens open and close the same brackets.
func balanced(a, b []flat) bool {
	depth := func(tokens []flat) (n int) {
		for _, t := range tokens {
			switch t.text {
			case "(", "[", "{":
				n++
			case ")", "]", "}":
				n--
			}
		}
		return n
	}
	return depth(a) == depth(b)
}

// diffTokens returns the runs that differ, as [old from, to, new from, to].
func diffTokens(o, n []flat) (out [][4]int) {
	for _, d := range edits.DiffLines(textsOf(o), textsOf(n)) {
		out = append(out, [4]int{d.Start, d.End, d.NewStart, d.NewEnd})
	}
	return out
}

func textsOf(tokens []flat) []string {
	out := make([]string, len(tokens))
	for i, t := range tokens {
		out[i] = t.text
	}
	return out
}
