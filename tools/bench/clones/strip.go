package clones

import "strings"

// A stripper blanks comments, and what strings say, line by line; it knows
// what a line before left open.
type Stripper struct {
	Lang *Language
	open string // what ends the comment or string that goes on; "" is none
	text bool   // the string that continues is code, not a comment or doc string
}

// Strip returns a line without its comments (code), and without its strings
// too (bare).
func (s *Stripper) Strip(line string) (code, bare string) {
	var c, b strings.Builder
	for at := 0; at < len(line); {
		if s.open != "" {
			at = s.goOn(line, at, &c)
			continue
		}
		rest := line[at:]
		switch long := s.longQuote(rest); {
		case hasAnyPrefix(rest, s.Lang.line):
			return c.String(), b.String()
		case s.Lang.block[0] != "" && strings.HasPrefix(rest, s.Lang.block[0]):
			s.open, s.text = s.Lang.block[1], false
			at += len(s.Lang.block[0])
		case long != "":
			s.open, s.text = long, len(long) == 1 // three quotes open a text that is mostly prose
			at += len(long)
		case strings.IndexByte(s.Lang.quotes, line[at]) >= 0:
			end := quotedEnd(line, at)
			c.WriteString(line[at:end])
			at = end
		default:
			c.WriteByte(line[at])
			b.WriteByte(line[at])
			at++
			continue
		}
		b.WriteByte(' ')
		c.WriteByte(' ')
	}
	return c.String(), b.String()
}

// goOn passes over what an earlier place left open and returns where it ends.
func (s *Stripper) goOn(line string, at int, code *strings.Builder) int {
	end, width := strings.Index(line[at:], s.open), len(s.open)
	if end < 0 {
		end, width = len(line)-at, 0
	}
	if s.text {
		code.WriteString(line[at : at+end])
	}
	if width > 0 {
		s.open = ""
	}
	return at + end + width
}

func (s *Stripper) longQuote(rest string) string {
	for _, q := range s.Lang.long {
		if strings.HasPrefix(rest, q) {
			return q
		}
	}
	return ""
}

func hasAnyPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// quotedEnd is where the string that begins at a place ends; one that its line
// leaves open ends with the line.
func quotedEnd(line string, at int) int {
	for i := at + 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case line[at]:
			return i + 1
		}
	}
	return len(line)
}

// StripAll strips consecutive lines.
func StripAll(lines []string, lang *Language) (code, bare []string) {
	s := Stripper{Lang: lang}
	code, bare = make([]string, len(lines)), make([]string, len(lines))
	for i, line := range lines {
		code[i], bare[i] = s.Strip(line)
	}
	return code, bare
}

// EachWord calls do with every identifier of a text, in order.
func EachWord(text string, do func(string)) {
	for at := 0; at < len(text); {
		if !WordByte(text[at]) {
			at++
			continue
		}
		start := at
		for at < len(text) && WordByte(text[at]) {
			at++
		}
		if c := text[start]; c < '0' || c > '9' {
			do(text[start:at])
		}
	}
}

func WordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

func WordsOf(text string) []string {
	var out []string
	EachWord(text, func(w string) { out = append(out, w) })
	return out
}
