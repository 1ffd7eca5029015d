package inline

import (
	"slices"
	"strings"
	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/workspace/language"
	"unicode"
)

// shape turns a model's answer for an infill site into the text to insert there, or ""
// when nothing is left of it. before is the cursor's line up to it, after the document
// below. It removes fences and echoes, ends after so many lines or with the block, and
// cuts text that repeats the text after the site.
func shape(before, after, answer string, lines int) string {
	text, _ := ended(before, after, answer, lines)
	restOfLine, below, _ := strings.Cut(strings.ReplaceAll(after, "\r\n", "\n"), "\n")
	text = dropRestOfLine(text, restOfLine)
	text = dropRepeatedLines(text, below)
	text = strings.TrimRightFunc(text, unicode.IsSpace)
	if strings.TrimSpace(text) == "" || repeatsBelow(before, text, restOfLine, below) {
		return ""
	}
	text, end := endBefore(before, text, restOfLine)
	return text + end
}

// endBefore is the line end that parts a text of several lines from the closing bracket
// which follows the cursor. A last line of the text that is this bracket goes.
func endBefore(linePrefix, text, restOfLine string) (kept, end string) {
	rest := strings.TrimSpace(restOfLine)
	at := strings.LastIndexByte(text, '\n')
	if at < 0 || rest == "" || strings.IndexByte(")]}", rest[0]) < 0 {
		return text, ""
	}
	indent := linePrefix[:len(linePrefix)-len(strings.TrimLeft(linePrefix, " \t"))]
	switch last := text[at+1:]; {
	case strings.TrimSpace(last) == rest:
		text = text[:at]
	case edits.IndentWidth(last) <= edits.IndentWidth(indent):
		return text, ""
	}
	return text, "\n" + indent
}

// ended returns what of an answer is worth showing, and whether what the model writes from
// here on is not.
func ended(before, after, answer string, lines int) (text string, done bool) {
	text = dropEcho(before, core.Unfence(strings.ReplaceAll(answer, "\r\n", "\n")))
	end, done := edits.CompletionEnd(before, strings.ReplaceAll(after, "\r\n", "\n"), text, lines)
	return text[:end], done
}

// dropEcho removes the part of the cursor's line that a model repeated at the start of
// its answer: all of its code, or the quote that it ends with.
func dropEcho(linePrefix, text string) string {
	if n := len(linePrefix); n > 0 && len(text) > 1 && strings.IndexByte("\"'`", text[0]) >= 0 && text[0] == linePrefix[n-1] &&
		strings.Count(linePrefix, text[:1])%2 == 1 && edits.IsWordByte(text[1]) {
		return text[1:]
	}
	if lead := strings.TrimLeft(linePrefix, " \t"); len(lead) >= 3 {
		if rest, ok := strings.CutPrefix(strings.TrimLeft(text, " \t"), lead); ok {
			return rest
		}
	}
	if strings.TrimSpace(linePrefix) == "" {
		return strings.TrimPrefix(text, linePrefix)
	}
	return text
}

// midLine reports whether code follows the cursor on its line; closing
// brackets, quotes and separators that an editor inserted do not count.
func midLine(restOfLine string) bool {
	return strings.Trim(restOfLine, " \t\r)]}>;,:\"'`") != ""
}

// dropRestOfLine removes from the end of text what the line already has after the
// cursor, so that an accepted text does not repeat it.
func dropRestOfLine(text, restOfLine string) string {
	rest := strings.TrimSpace(restOfLine)
	if rest == "" {
		return text
	}
	first, more, multi := strings.Cut(text, "\n")
	for n := len(rest); n > 0; n-- {
		if cut, ok := strings.CutSuffix(strings.TrimRight(first, " \t"), rest[:n]); ok && closes(cut, rest[:n]) {
			if multi && n == len(rest) {
				return text[:len(cut)]
			}
			first = cut
			break
		}
	}
	if multi {
		return first + "\n" + more
	}
	return first
}

// closes reports whether tail, at the end of head+tail, belongs to the text
// after the cursor: it closes a bracket or a quote that head+tail never opened,
// or it is no closing character at all.
func closes(head, tail string) bool {
	if strings.ContainsAny(tail, ")]}") {
		return language.BracketDepth(head+tail) < 0
	}
	if strings.ContainsAny(tail, "\"'`") {
		return strings.Count(head+tail, tail[:1])%2 == 1
	}
	return true
}

// dropRepeatedLines cuts the longest run of lines at the end of text that
// is also directly below the cursor's line.
func dropRepeatedLines(text, below string) string {
	lines := strings.Split(text, "\n")
	next := nonBlank(strings.SplitN(below, "\n", model.MostLines))
	for k := min(len(lines)-1, len(next)); k >= 1; k-- {
		if sameLines(lines[len(lines)-k:], next[:k]) {
			return strings.Join(lines[:len(lines)-k], "\n")
		}
	}
	return text
}

func nonBlank(lines []string) []string {
	out := make([]string, 0, len(lines))
	for _, line := range lines {
		if strings.TrimSpace(line) != "" {
			out = append(out, line)
		}
	}
	return out
}

func sameLines(a, b []string) bool {
	for i := range a {
		if strings.TrimRight(a[i], " \t\r") != strings.TrimRight(b[i], " \t\r") {
			return false
		}
	}
	return true
}

// repeatsBelow reports whether the line that an accepted suggestion would make equals
// the next line of the file: such a suggestion only repeats existing code.
func repeatsBelow(linePrefix, text, restOfLine, below string) bool {
	next := nonBlank(strings.SplitN(below, "\n", 4))
	if len(next) == 0 {
		return false
	}
	first, _, multi := strings.Cut(text, "\n")
	if !multi {
		first += restOfLine
	}
	line := strings.TrimSpace(linePrefix + first)
	return len(line) > 3 && line == strings.TrimSpace(next[0])
}

// closers are the brackets that close what a line opens, the innermost first; "" for more than
// a line.
func closers(line string) string {
	if strings.Contains(line, "\n") {
		return ""
	}
	var open []byte
	for i := range len(line) {
		switch at := strings.IndexByte("([{", line[i]); {
		case at >= 0:
			open = append(open, ")]}"[at])
		case len(open) > 0 && line[i] == open[len(open)-1]:
			open = open[:len(open)-1]
		}
	}
	slices.Reverse(open)
	return string(open)
}

// closesOver returns how many bytes after the cursor a text replaces: the closing
// brackets and quotes there, which an editor may have added, as far as the text's first
// line closes them itself. before is the cursor's line up to it.
func closesOver(before, text, after string) int {
	rest, _, _ := strings.Cut(after, "\n")
	if rest = strings.TrimRight(rest, " \t\r"); midLine(rest) {
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
