package edits

import (
	"slices"
	"strings"
	"unicode"
)

// CompletionEnd returns how much of what a model has written after a cursor is worth
// showing, and whether that is decided: done means that nothing which the model writes from
// here on belongs to it. prefix and suffix are the text around the cursor, and lines is how
// many lines may be shown, besides what the model repeats of the text before it.
//
// One line ends at its end. More lines are a block: they end where the indentation falls
// below that of the cursor's line, where what the first of them has opened is closed, at a
// blank line before its level, before a line that follows the cursor already, and where its lines,
// or the pieces of a line, begin to repeat, as a small model's do without end. What does not end within so many lines is
// shown up to its last whole statement, or else its first line. Where code follows the cursor on
// its own line there is only that line.
func CompletionEnd(prefix, suffix, text string, lines int) (end int, done bool) {
	p := siteIn(prefix, suffix)
	echoed, settled := p.settledEcho(text)
	end, done = p.completionEnd(text[echoed:], lines)
	return echoed + end, done && settled
}

// How much of a text is read to find what it repeats: lines, and bytes of a line behind the
// text that it could repeat.
const (
	echoedLines = 3
	echoedSlack = 64
)

// settledEcho is echo of a text that is still being written. It is settled once enough of the
// text is there, so that what comes later changes nothing.
func (p *site) settledEcho(text string) (n int, settled bool) {
	longest := len(p.line) + echoedSlack
	for _, line := range p.above[max(0, len(p.above)-2):] {
		longest += len(line) + 1
	}
	for at, line := 0, 0; line < echoedLines; line++ {
		length := strings.IndexByte(text[at:], '\n') + 1
		long := length > longest || length == 0 && len(text)-at > longest
		switch {
		case long:
			at += longest
		case length == 0:
			n, _ = p.echo(text)
			return n, false
		default:
			at += length
		}
		n, doubt := p.echo(text[:at])
		more := line < echoedLines-1 && p.hasAbove(text)
		switch {
		case n > 0, doubt == nil && !more:
			return n, true
		case long:
			return 0, true
		}
	}
	return 0, true
}

// hasAbove reports whether a text begins with one of the two lines before its own, so that the
// lines behind it tell what it repeats.
func (p *site) hasAbove(text string) bool {
	first, _, _ := strings.Cut(text, "\n")
	return slices.ContainsFunc(p.above[max(0, len(p.above)-2):], func(line string) bool { return sameFolded(first, line) && !blank(line) })
}

// completionEnd is CompletionEnd of a text that repeats nothing of what is before it.
func (p *site) completionEnd(text string, lines int) (end int, done bool) {
	if strings.Trim(p.rest, " \t\r)]}>;,:\"'`") != "" {
		line, _, whole := strings.Cut(text, "\n")
		if circles(line) {
			return 0, true
		}
		return len(line), whole
	}
	b := block{most: max(lines, 1), base: -1}
	if i := nonBlank(p.below); i >= 0 {
		b.next = strings.TrimRight(p.below[i], " \t\r")
	}
	if !blank(p.line) {
		b.base = IndentWidth(p.line)
	}
	var read []string // lines
	var starts []int  // of them in text
	for at := 0; ; {
		line, _, whole := strings.Cut(text[at:], "\n")
		length := len(line)
		cursor := at == 0 && strings.TrimSpace(line) != ""
		if cursor {
			line = p.line + line
		}
		if circles(line) {
			return len(strings.TrimRight(text[:at], " \t\r\n")), true
		}
		read, starts = append(read, line), append(starts, at)
		if n := repeated(read); whole && n > 0 {
			return len(strings.TrimRight(text[:starts[len(starts)-n]], " \t\r\n")), true
		}
		switch b.read(line, whole, cursor) {
		case endsBefore:
			return len(strings.TrimRight(text[:at], " \t\r\n")), true
		case endsEarlier:
			return len(strings.TrimRight(text[:starts[b.statement]], " \t\r\n")), true
		case endsWith:
			return len(strings.TrimRight(text[:at+length], " \t\r")), true
		}
		if !whole {
			return len(text), false
		}
		at += length + 1
	}
}

// mostRepeated is how many lines may be repeated as one.
const mostRepeated = 6

// repeated returns how many of the last lines are the same as the lines before them, 0 if none.
// Brackets alone repeat in any code.
func repeated(lines []string) int {
	for n := 1; n <= min(mostRepeated, len(lines)/2); n++ {
		last := lines[len(lines)-n:]
		if slices.Equal(last, lines[len(lines)-2*n:len(lines)-n]) && strings.ContainsFunc(strings.Join(last, ""), unicode.IsLetter) {
			return n
		}
	}
	return 0
}

// Bounds on a line that goes in circles, in bytes: so much of it is one piece again and again,
// since short rows of the same value are code, and that begins in its first kilobyte.
const (
	leastCircle = 80
	mostCircled = 1024
)

// circles reports whether a piece of a line is written again and again.
func circles(line string) bool {
	line = line[:min(len(line), mostCircled)]
	for n := 1; n <= len(line)/2; n++ {
		wanted, same := max(n, leastCircle-n), 0 // bytes that are as those a piece before
		for i := n; i < len(line); i++ {
			if same++; line[i] != line[i-n] {
				same = 0
			}
			if same >= wanted && strings.ContainsFunc(line[i-n:i], unicode.IsLetter) {
				return true
			}
		}
	}
	return false
}

// A block is the lines of a completion as far as they were read.
type block struct {
	next      string // the first line below the cursor that is not blank
	most      int    // lines
	base      int    // indentation of the line that it begins with; -1: not known yet
	lines     int    // that were read
	shown     int    // lines that are not blank
	blank     int    // lines since the last one that is not
	statement int    // the line with which the last statement at the base begins, or the second line
	inside    bool   // that one is indented more than the base
	opened    bool   // by the first line, and not closed
}

// An ending is what a line means for the block.
type ending int

const (
	goesOn ending = iota
	endsBefore
	endsWith
	endsEarlier // before the last statement
)

// mostBlank is how many blank lines a completion may begin with.
const mostBlank = 2

// read takes in the next line. Of one that is not whole yet only its beginning is known.
func (b *block) read(line string, whole, cursor bool) ending {
	code := strings.TrimSpace(line)
	if whole {
		b.lines++
	}
	if code == "" {
		if !whole {
			return goesOn
		}
		if b.blank++; !b.inside && (b.shown > 0 || b.blank > mostBlank) {
			return endsBefore
		}
		return goesOn
	}
	width := IndentWidth(line)
	if b.base < 0 {
		b.base = width
	}
	switch {
	case cursor:
	case width < b.base,
		whole && b.next != "" && strings.TrimRight(line, " \t\r") == b.next,
		width == b.base && (b.opened || b.inside && b.blank > 0) && !goesWith(code, whole || !strings.HasSuffix(line, code)):
		return endsBefore
	}
	if !whole {
		return goesOn
	}
	if b.inside = width > b.base; b.inside && b.shown <= 1 {
		b.opened = true
	}
	b.blank = 0
	b.shown++
	if b.shown == 2 || b.shown > 1 && width == b.base && !goesWith(code, true) {
		b.statement = b.lines - 1
	}
	switch {
	case width == b.base && (b.opened || b.shown == 1) && closing(code) && !opens(code):
		return endsWith
	case b.shown < b.most:
		return goesOn
	case b.shown > 1 && (b.inside || opens(code)):
		return endsEarlier
	}
	return endsWith
}

// closing reports whether a line closes what lines above it have opened.
func closing(code string) bool {
	return strings.IndexByte(")]}", code[0]) >= 0 || closes.is(firstWord(code))
}

// goesWith reports whether a line at the level of the block's first line belongs to it:
// it closes it, or goes on with it. A word that has not ended may still become one that does.
func goesWith(code string, ended bool) bool {
	word := firstWord(code)
	if closing(code) || strings.IndexByte("{.", code[0]) >= 0 || (clause | onward).is(word) {
		return true
	}
	return !ended && word == code && (closes | clause | onward).mayBecome(word)
}

// opens reports whether lines after this one belong to it.
func opens(code string) bool {
	return strings.IndexByte("{([:,", code[len(code)-1]) >= 0 || strings.HasSuffix(code, "=>") || strings.HasSuffix(code, "->") || opensLast.is(lastWord(code))
}

// IndentWidth is the width of a line's leading space, a tab counting as eight.
func IndentWidth(line string) int {
	n := 0
	for _, c := range []byte(line) {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 8
		default:
			return n
		}
	}
	return n
}
