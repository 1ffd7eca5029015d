package ignore

import "strings"

// A pattern is one line of an ignore file.
type pattern struct {
	text    string // without the leading "!" and the trailing slash
	line    string // as the file has it
	number  int
	sets    []set // the bracket expressions of text
	plain   int   // how many first bytes are free of wildcards
	negated bool  // it shows what an earlier line hides
	dirOnly bool
	anchor  bool   // it has a slash: it matches the path below its file's folder, not the name
	tail    string // how everything it matches ends: what follows the last wildcard
}

// parsePattern reads a line from which the line end is already gone; it is
// false for a line without a pattern.
func parsePattern(line string, number int) (pattern, bool) {
	if cut := strings.IndexByte(line, 0); cut >= 0 {
		line = line[:cut]
	}
	if line == "" || line[0] == '#' {
		return pattern{}, false
	}
	line = trimSpaces(line)
	p := pattern{text: line, line: line, number: number}
	p.text, p.negated = strings.CutPrefix(p.text, "!")
	p.text, p.dirOnly = strings.CutSuffix(p.text, "/")
	p.anchor = strings.Contains(p.text, "/")
	if p.anchor {
		p.text = strings.TrimPrefix(p.text, "/")
	}
	if name, ok := strings.CutPrefix(p.text, "**/"); ok && name != "" && !strings.Contains(name, "/") {
		p.text, p.anchor = name, false // a name in any folder
	}
	p.plain = plainLength(p.text)
	p.tail = certainTail(p.text)
	return p, p.text != ""
}

// certainTail is the end of a pattern that each match ends with: what follows the
// last wildcard. The slash after "**" is no part of it, since the two may stand for
// no directory at all.
func certainTail(text string) string {
	start := strings.LastIndexAny(text, `*?[]\`) + 1
	tail := text[start:]
	switch {
	case start > 0 && text[start-1] == '\\':
		return ""
	case strings.HasSuffix(text[:start], "**"):
		return strings.TrimPrefix(tail, "/")
	}
	return tail
}

// trimSpaces drops the spaces at the end of a line, but for escaped ones.
func trimSpaces(line string) string {
	end := len(line)
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			i++
			if i == len(line) {
				return line
			}
		}
		end = i + 1
	}
	return line[:end]
}

func plainLength(s string) int {
	for i := 0; i < len(s); i++ {
		if special(s[i]) {
			return i
		}
	}
	return len(s)
}

// matches reports whether a pattern matches the file called name (a name for a
// pattern without slash, else the path below the ignore file's folder).
func (p *pattern) matches(name string, fold bool) bool {
	if !hasSuffix(name, p.tail, fold) || !hasPrefix(name, p.text[:p.plain], fold) {
		return false
	}
	return glob{pathname: p.anchor, fold: fold, sets: p.sets}.matches(p.text[p.plain:], name[p.plain:])
}

func hasPrefix(s, prefix string, fold bool) bool {
	if len(s) < len(prefix) {
		return false
	}
	return s[:len(prefix)] == prefix || fold && equalFold(s[:len(prefix)], prefix)
}

func hasSuffix(s, suffix string, fold bool) bool {
	if len(s) < len(suffix) {
		return false
	}
	tail := s[len(s)-len(suffix):]
	return tail == suffix || fold && equalFold(tail, suffix)
}

// equalFold compares ASCII letters without case and other bytes as they are.
func equalFold(a, b string) bool {
	g := glob{fold: true}
	for i := range len(a) {
		if g.foldByte(a[i]) != g.foldByte(b[i]) {
			return false
		}
	}
	return true
}
