package edits

import (
	"slices"
	"strings"
)

// closed drops what an insertion repeats of the text behind it, and returns how many bytes
// behind it the insertion replaces, since it closes itself what an editor has closed.
func (p *site) closed(text string) (string, int, *Error) {
	text, refusal := p.withoutBelow(text)
	if refusal != nil {
		return text, 0, refusal
	}
	text = p.withoutRest(text)
	if p.repeatsBelow(text) || letters(text) == 0 && p.imbalance(text, p.rest) > p.imbalance("", p.rest) {
		return text, 0, uncertain(text)
	}
	text = p.partedFromRest(text)
	over := closesOver(p.line, text, p.rest)
	if over > 0 && p.imbalance(text, p.rest[over:]) > p.imbalance(text, p.rest) {
		over = 0
	}
	return text, over, nil
}

// withoutBelow cuts the lines at the end of a text that are also directly below it.
func (p *site) withoutBelow(text string) (string, *Error) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	var next []string
	for _, line := range p.below {
		if !blank(line) {
			next = append(next, line)
		}
	}
	if strings.TrimSpace(p.rest) != "" {
		return text, nil
	}
	for k := min(len(lines)-1, len(next)); k > 0; k-- {
		last := lines[len(lines)-k:]
		if !slices.EqualFunc(last, next[:k], func(a, b string) bool { return strings.TrimRight(a, " \t\r") == strings.TrimRight(b, " \t\r") }) {
			continue
		}
		kept := strings.Join(lines[:len(lines)-k], "\n")
		switch with, without := p.imbalance(text, p.rest), p.imbalance(kept, p.rest); {
		case without > with:
		case without < with, letters(strings.Join(last, "")) >= fewLetters && p.onlyEcho(last[k-1]):
			return kept, nil
		case letters(strings.Join(last, "")) > 0:
			return text, uncertain(last[0])
		}
		return text, nil
	}
	return text, nil
}

// withoutRest cuts from the end of a text what its line has behind it already.
func (p *site) withoutRest(text string) string {
	rest := strings.TrimSpace(p.rest)
	head := strings.TrimRight(text, " \t")
	for n := len(rest); n > 0; n-- {
		cut, ok := strings.CutSuffix(head, rest[:n])
		if !ok || n < len(rest) && inWord(rest, n) || !p.closes(head, cut, rest[:n], n == len(rest)) {
			continue
		}
		if p.rest[0] == ' ' || p.rest[0] == '\t' {
			return strings.TrimRight(cut, " \t")
		}
		return cut
	}
	return text
}

// closes reports whether the end of a text, tail, belongs to what is behind it, of which it
// may be all: it closes a bracket or a quote that the text around it does not leave open, or is
// words.
func (p *site) closes(text, cut, tail string, all bool) bool {
	switch {
	case strings.ContainsAny(tail, "()[]{}"):
		with, without := p.imbalance(text, p.rest), p.imbalance(cut, p.rest)
		return without < with || without == with && all && letters(tail) > 0
	case strings.ContainsAny(tail, "\"'`"):
		q := tail[strings.IndexAny(tail, "\"'`")]
		line := cut[strings.LastIndexByte(cut, '\n')+1:]
		if !strings.Contains(cut, "\n") {
			line = p.line + line
		}
		return strings.Count(line+p.rest, string(q))%2 == 0 && strings.Count(line+tail+p.rest, string(q))%2 == 1
	}
	return letters(tail) >= fewLetters-1 || all && letters(tail) > 0 || strings.Trim(tail, ";,") == ""
}

// imbalance is how many brackets do not match in the block around the place, with a text
// there and so much of what is behind it on its line.
func (p *site) imbalance(text, rest string) int {
	top := func(line string) bool {
		return !blank(line) && indentOf(line) == "" && strings.IndexByte(")]}", line[0]) < 0
	}
	from := len(p.above)
	if !top(p.line) {
		for from > 0 && !top(p.above[from-1]) {
			from--
		}
		from = max(from-1, 0)
	}
	to := slices.IndexFunc(p.below, top)
	if to < 0 {
		to = len(p.below)
	}
	all := strings.Join(p.above[from:], "\n") + "\n" + p.line + text + rest + "\n" + strings.Join(p.below[:to], "\n")
	n := 0
	for _, k := range bracketKinds(all) {
		n += max(k, -k)
	}
	return n
}

// repeatsBelow reports whether the line that an insertion makes is the next one of the
// document.
func (p *site) repeatsBelow(text string) bool {
	first, _, several := strings.Cut(text, "\n")
	if !several {
		first += p.rest
	}
	line := strings.TrimSpace(p.line + first)
	i := slices.IndexFunc(p.below, func(l string) bool { return !blank(l) })
	return i >= 0 && i < 3 && len(line) > 3 && line == strings.TrimSpace(p.below[i])
}

// partedFromRest puts the closing bracket behind a block on a line of its own. A last line of
// the text that is this bracket goes.
func (p *site) partedFromRest(text string) string {
	rest := strings.TrimSpace(p.rest)
	at := strings.LastIndexByte(text, '\n')
	if at < 0 || rest == "" || strings.IndexByte(")]}", rest[0]) < 0 || strings.TrimSpace(text[:strings.IndexByte(text, '\n')]) != "" {
		return text
	}
	indent := indentOf(p.line)
	last := text[at+1:]
	if blank(last) || IndentWidth(last) <= IndentWidth(indent) {
		return text
	}
	return text + "\n" + indent
}

// closesOver returns how many bytes behind it a text replaces: the closing brackets and quotes
// there, which an editor may have added, as far as the text's first line closes them itself.
// before is the line up to it.
func closesOver(before, text, after string) int {
	rest := strings.TrimRight(after, " \t")
	if strings.Trim(rest, " \t)]}>;,:\"'`") != "" {
		return 0
	}
	line, _, _ := strings.Cut(text, "\n")
	over, open := 0, []byte{}
	for i := 0; i < len(line) && over < len(rest); i++ {
		inner := byte(0)
		if len(open) > 0 {
			inner = open[len(open)-1]
		}
		switch ch := line[i]; {
		case ch == '\\':
			i++
		case inner != 0 && ch == inner:
			open = open[:len(open)-1]
		case strings.IndexByte("\"'`", inner) >= 0 && inner != 0:
		case inner == 0 && ch == rest[over] && (strings.IndexByte(")]}", ch) >= 0 || strings.Count(before, string(ch))%2 == 1):
			over++
		case ch == '(':
			open = append(open, ')')
		case ch == '[':
			open = append(open, ']')
		case ch == '{':
			open = append(open, '}')
		case strings.IndexByte("\"'`", ch) >= 0:
			open = append(open, ch)
		}
	}
	return over
}
