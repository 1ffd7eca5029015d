package edits

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// closed drops what an insertion repeats of the text behind it, and returns how many bytes
// behind it the insertion replaces, since it closes itself what an editor has closed.
func (p *site) closed(text string) (string, int, *Error) {
	text, refusal := p.withoutBelow(text)
	if refusal != nil {
		return text, 0, refusal
	}
	if text, refusal = p.withoutRest(text); refusal != nil {
		return text, 0, refusal
	}
	if p.repeatsBelow(text) || p.closesNothing(text) {
		return text, 0, uncertain(text)
	}
	text = p.partedFromRest(text)
	line, over := p.line+text, closesOver(p.line, text, p.rest)
	worse := func(faults func(line string) int) bool { return faults(line+p.rest[over:]) > faults(line+p.rest) }
	switch {
	case over == 0, p.needs(text, p.rest[over:], text, p.rest) < 0, tripled(line + p.rest):
		return text, 0, nil
	case !strings.Contains(text, "\n") && (worse(oddQuotes) || worse(unmatched)):
		return text, 0, nil
	}
	return text, over, nil
}

// closesNothing reports whether an insertion of signs alone unbalances a line that is balanced.
func (p *site) closesNothing(text string) bool {
	if letters(text) > 0 || p.imbalance("", p.rest) != 0 {
		return false
	}
	return p.needs(text, p.rest, "", p.rest) < 0
}

// tripled reports whether a line has three quotes in a row.
func tripled(line string) bool {
	return strings.Contains(line, "\"\"\"") || strings.Contains(line, "'''") || strings.Contains(line, "```")
}

// oddQuotes is how many kinds of quotes a line has an odd number of.
func oddQuotes(line string) int {
	return strings.Count(line, "\"")%2 + strings.Count(line, "'")%2 + strings.Count(line, "`")%2
}

// withoutBelow cuts the lines at the end of a text that are also directly below it.
func (p *site) withoutBelow(text string) (string, *Error) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	below := 0
	for below < len(p.below) && blank(p.below[below]) {
		below++
	}
	next := p.below[below:]
	if strings.TrimSpace(p.rest) != "" {
		return text, nil
	}
	for k := min(len(lines)-1, len(next)); k > 0; k-- {
		last := lines[len(lines)-k:]
		if !slices.EqualFunc(last, next[:k], func(a, b string) bool { return strings.TrimRight(a, " \t\r") == strings.TrimRight(b, " \t\r") }) {
			continue
		}
		kept := strings.Join(lines[:len(lines)-k], "\n")
		before := lines[len(lines)-k-1]
		if k == len(lines)-1 {
			before = p.line + before
		}
		needed := p.needs(text, p.rest, kept, p.rest)
		words := strings.TrimSpace(strings.Join(last, ""))
		closes := closesBlock(words) && !strings.HasPrefix(words, "{") && !endsDirective(words) // tags of templates and directives are indented in any way
		if letters(words) > 0 && strings.TrimSpace(before) == strings.TrimSpace(last[k-1]) {
			return text, uncertain(last[0])
		}
		switch {
		case endsDirective(words):
			return text, uncertain(last[0])
		case below > 0 && (closesBlock(words) || letters(words) < fewLetters):
			continue // it closes another block
		case closes && needed > 0 && last[0] == next[0]:
			return text, uncertain(last[0]) // its indentation says that it is there, its brackets that it is another
		case needed > 0 && letters(words) < fewLetters:
			return text, nil
		case closes && closesOwnTag(strings.Join(lines, "\n"), words):
			return text, uncertain(last[0])
		case closes && last[0] == next[0] && (indentOf(last[0]) != "" || indentOf(before) != ""):
			return kept, nil
		case needed > 0:
		case needed < 0, p.onlyEcho(last[k-1]):
			return kept, nil
		}
		return text, uncertain(last[0])
	}
	return text, nil
}

// closesOwnTag reports whether a line closes a tag, and a text that it ends opens that tag as often
// as it closes it.
func closesOwnTag(text, line string) bool {
	name, ok := strings.CutPrefix(line, "</")
	name = name[:wordLen(name)]
	return ok && name != "" && strings.Count(text, "<"+name) == strings.Count(text, "</"+name)
}

// withoutRest cuts from the end of a text what its line has behind it already.
func (p *site) withoutRest(text string) (string, *Error) {
	rest := strings.TrimSpace(p.rest)
	head := strings.TrimRight(text, " \t")
	for n := len(rest); n > 0; n-- {
		cut, ok := strings.CutSuffix(head, rest[:n])
		if !ok || n < len(rest) && inWord(rest, n) || p.rest[0] <= ' ' && inWord(head, len(cut)) {
			continue
		}
		switch p.ends(head, cut, rest[:n], n == len(rest)) {
		case isEcho:
			if again, twice := strings.CutSuffix(strings.TrimRight(cut, " \t"), rest[:n]); twice && p.ends(cut, again, rest[:n], n == len(rest)) != noEcho {
				return text, uncertain(rest[:n])
			}
			if p.rest[0] == ' ' || p.rest[0] == '\t' {
				return strings.TrimRight(cut, " \t"), nil
			}
			return cut, nil
		case mayBeEcho:
			return text, uncertain(rest[:n])
		}
	}
	return text, nil
}

// ends decides whether the end of a text, tail, belongs to what is behind it, of which it may
// be all: it closes a bracket or a quote that the text around it does not leave open, or is
// words.
func (p *site) ends(text, cut, tail string, all bool) echoVerdict {
	said := letters(tail)
	needed := p.needs(text, p.rest, cut, p.rest)
	line := p.line + text + p.rest
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		line = text[i+1:] + p.rest
	}
	parity := func(q string) bool { return strings.Count(line, q)%2 == 1 && !tripled(line) }
	depth := func(text string) int { return depthOf(p.line + text + p.rest) }
	apart := strings.TrimLeft(p.rest, " \t") == p.rest || strings.TrimRight(cut, " \t") != cut
	verdict := noEcho
	switch quote := strings.IndexAny(tail, "\"'`"); {
	case said == 0 && cut == "" && strings.Trim(tail, "()[]{}") != "":
		return noEcho // it begins or ends a run of signs
	case all && p.opensAgain(tail) && p.has(tail+p.gap()+tail):
		return mayBeEcho
	case all && p.opensAgain(tail):
		return isEcho // whatever strings and comments make of the brackets around it
	case tail[0] == '/' && said > 0 && (p.rest[0] != ' ' || !apart || said < fewLetters):
		return mayBeEcho // a path may well have a part twice
	case all && said >= fewLetters-1 && apart:
		verdict = isEcho
	case strings.ContainsAny(tail, "()[]{}") && (needed < 0 || needed == 0 && depth(text) < 0 && depth(cut) == 0), quote >= 0 && parity(tail[quote:quote+1]), strings.Trim(tail, ";,") == "" && !p.has(tail+p.gap()+tail) && !mayBeEmpty(p.line+cut, tail):
		return isEcho
	case strings.ContainsAny(tail, "()[]{}") && needed > 0, quote >= 0 && len(tail) == 1 && !tripled(line) && strings.Count(p.line+cut, tail)%2 == 1:
		return noEcho
	case strings.Trim(tail, "/>") == "" && strings.Contains(line, "<") && strings.Count(line, ">")-strings.Count(line, "->")-strings.Count(line, "=>") > strings.Count(line, "<"):
		return isEcho
	}
	if joined := p.line + text + tail; all && inWord(joined, len(p.line+text)) && p.isKnown(p.wordAcross(text, tail)) {
		return mayBeEcho // the word that both make is one
	}
	switch {
	case !all || verdict == isEcho:
		return verdict
	case said == 0:
		return p.runs(cut, text, tail)
	case said > 0 && len(tail) > 2 && apart, len(tail) == 2 && p.rest[0] == ' ' && apart && !p.has(tail+" "+tail), inWord(p.line+cut+tail, len(p.line+cut)) && p.isKnown(p.wordAcross(cut, tail)):
		return isEcho
	}
	return mayBeEcho
}

// mayBeEmpty reports whether what a sign ends may be empty: a part of a loop's head, in brackets.
func mayBeEmpty(before, sign string) bool { return sign == ";" && leavesOpen(before) }

// runs decides by the document whether signs at the end of a text are those behind it: the row of
// signs that they make together is not there elsewhere, and the one without them is.
func (p *site) runs(cut, text, tail string) echoVerdict {
	gap := p.gap()
	switch sign := tail[:1]; {
	case gap == "" && strings.Trim(tail, sign) == "" && strings.HasSuffix(p.line+cut, sign) && strings.Trim(p.line+cut, sign) == "":
		return p.underlines(len(p.line+cut+tail), len(tail))
	case tail == "*" && strings.HasSuffix(p.line+cut, "/"):
		return mayBeEcho // a comment begins with one or with two
	case tail == sign && gap == "" && strings.Contains("&|+-<!", sign):
		return mayBeEcho // a sign that is doubled
	}
	if gap != "" && strings.Trim(tail, ":=,;\\+|&?<>") != "" || strings.ContainsAny(tail, "\"'`") {
		return mayBeEcho // a word of its own, or the end of a text
	}
	if p.hasRun(lastSigns(p.line+cut)+tail) && !p.hasRun(lastSigns(p.line+text)+gap+tail) {
		return isEcho
	}
	return mayBeEcho
}

// gap is the white space directly behind the place.
func (p *site) gap() string { return p.rest[:len(p.rest)-len(strings.TrimLeft(p.rest, " \t"))] }

// lastSigns are the signs that a text ends with.
func lastSigns(text string) string { return text[len(strings.TrimRightFunc(text, isSign)):] }

func isSign(r rune) bool { return r != utf8.RuneError && !wordRune(r) && !unicode.IsSpace(r) }

// hasRun reports whether the document has signs, between others than signs.
func (p *site) hasRun(signs string) bool {
	doc := p.content()
	for at := 0; ; {
		i := strings.Index(doc[at:], signs)
		if i < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(doc[:at+i])
		after, _ := utf8.DecodeRuneInString(doc[at+i+len(signs):])
		if !isSign(before) && !isSign(after) {
			return true
		}
		at += i + 1
	}
}

// opensAgain reports whether a tail is brackets, the last of which opens a block or, behind a
// blank, something else: no line has it twice.
func (p *site) opensAgain(tail string) bool {
	last := tail[len(tail)-1]
	return strings.Trim(tail, "()[]{} ") == "" && (last == '{' && len(p.gap()+tail) > 1 || p.rest[0] == ' ' && strings.IndexByte("([", last) >= 0)
}

// wordAcross is the word that the end of a text and the beginning of what follows it make.
func (p *site) wordAcross(text, rest string) string {
	before := p.line + text
	begin := strings.LastIndexFunc(before, func(r rune) bool { return !wordRune(r) }) + 1
	return before[begin:] + rest[:wordLen(rest)]
}

// quoted are texts on a line. An apostrophe behind a letter begins none, and one that has code in it
// has its end anywhere.
var quoted = regexp.MustCompile("[\"'`][^\"'`\n]*(?:\\\\\\(|[$#]\\{)[^\n]*|\"(?:\\\\.|[^\"\\\\\n])*\"|(?:\\B|\\b[bBfFrRuU]{1,2})'(?:\\\\.|[^'\\\\\n])*'|`[^`\n]*`")

// withoutQuoted is a text without the brackets that texts in it are made of.
func withoutQuoted(text string) string {
	return quoted.ReplaceAllStringFunc(text, func(s string) string {
		if inner := s[strings.IndexAny(s, "\"'`")+1 : len(s)-1]; inner != "" && strings.Trim(inner, "()[]{}") == "" {
			return ""
		}
		return s
	})
}

// imbalance is how many brackets have no partner in the block around the place, with a text there
// and so much of what is behind it on its line.
func (p *site) imbalance(text, rest string) int {
	top := func(line string) bool {
		return line != "" && strings.IndexByte(" \t()[]{}#/*\\~=-", line[0]) < 0 && !strings.HasSuffix(line, ":") && !closesBlock(line)
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
	block := strings.Join(p.above[from:], "\n") + "\n" + p.line + text + rest + "\n" + strings.Join(p.below[:to], "\n")
	return unmatched(withoutQuoted(block))
}

// needs reports how many more brackets of its block find a partner with one text at the place
// than with another, each with what is behind it on its line. Where some find none with either,
// strings or comments have brackets: then a line that closes what it opens decides, or nothing.
func (p *site) needs(text, rest, other, otherRest string) int {
	with, without := p.imbalance(text, rest), p.imbalance(other, otherRest)
	if with == 0 || without == 0 {
		return without - with
	}
	if strings.Contains(text, "\n") || strings.Contains(other, "\n") {
		return 0
	}
	own := selfContained(strings.TrimRight(p.line+text+rest, " \t{"))
	switch others := selfContained(strings.TrimRight(p.line+other+otherRest, " \t{")); {
	case own && !others:
		return 1
	case others && !own:
		return -1
	}
	return 0
}

// selfContained reports whether a text has brackets, all of which it opens and then closes.
func selfContained(text string) bool {
	depth, found := 0, false
	for i := range len(text) {
		switch {
		case strings.IndexByte("([{", text[i]) >= 0:
			depth, found = depth+1, true
		case strings.IndexByte(")]}", text[i]) >= 0:
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return found && depth == 0
}

// unmatched is how many brackets of a text have no partner in it, whatever their order.
func unmatched(text string) int {
	n := 0
	for _, k := range bracketKinds(text) {
		n += max(k, -k)
	}
	return n
}

// repeatsBelow reports whether the lines that an insertion makes are the next ones of the
// document.
func (p *site) repeatsBelow(text string) bool {
	made := strings.Split(p.line+text+p.rest, "\n")
	i := nonBlank(p.below)
	return i >= 0 && i < 3 && len(p.below) >= i+len(made) && len(strings.TrimSpace(made[0])) > 3 &&
		slices.EqualFunc(made, p.below[i:i+len(made)], func(a, b string) bool {
			return strings.TrimSpace(a) == strings.TrimSpace(b) && (indentOf(a) == indentOf(b) || !closesBlock(strings.TrimSpace(a)))
		})
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
		case inner == 0 && ch == rest[over] && (strings.IndexByte(")]}", ch) >= 0 || strings.IndexByte("\"'`", ch) >= 0 && strings.Count(before, string(ch))%2 == 1):
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
