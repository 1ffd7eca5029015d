package lsp

import (
	"strings"

	"tandem/edits"
)

// leaders are what comments of most languages begin with, longest first.
var leaders = []string{"<!--", "///", "//!", "/**", "//", "/*", "--", ";;", "#", ";", "%", "*"}

// comment returns the words of a line that is a comment and nothing else.
func comment(line string) (string, bool) {
	line = strings.TrimSpace(line)
	for _, leader := range leaders {
		if words, ok := strings.CutPrefix(line, leader); ok {
			words = strings.TrimSpace(words)
			words = strings.TrimSuffix(strings.TrimSuffix(words, "*/"), "-->")
			return strings.TrimSpace(words), true
		}
	}
	return "", false
}

// lineText is a line without its end.
func lineText(t edits.Text, line int) string {
	return t.Slice(edits.Span{Start: t.LineStart(line), End: t.LineEnd(line)})
}

// instructionAt returns the instruction that stands in a comment at a place:
// the comment that the span begins with, or the one on or right above its line.
func instructionAt(t edits.Text, span edits.Span) string {
	first := t.LineOf(span.Start)
	for _, line := range []int{first, first - 1} {
		if line < 0 {
			continue
		}
		if words := commentBlock(t, line); isInstruction(words) {
			return words
		}
	}
	return ""
}

// commentBlock joins the comment lines around a line, or is "".
func commentBlock(t edits.Text, line int) string {
	if _, ok := comment(lineText(t, line)); !ok {
		return ""
	}
	start := line
	for start > 0 && line-start < 10 {
		if _, ok := comment(lineText(t, start-1)); !ok {
			break
		}
		start--
	}
	var words []string
	for at := start; at < t.LineCount() && at-start < 20; at++ {
		text, ok := comment(lineText(t, at))
		if !ok {
			break
		}
		words = append(words, text)
	}
	return strings.TrimSpace(strings.Join(words, " "))
}

// isInstruction reports whether a comment's words could be asked of a model.
func isInstruction(words string) bool {
	return len(strings.Fields(words)) >= 2 && !strings.HasPrefix(words, questionMark)
}

// questionMark begins a comment that is a question.
const questionMark = "??"

// questionAt returns the question of the ?? comment on a line, which may go on
// in the comment lines below it, and the span of the lines it stands on.
func questionAt(t edits.Text, line int) (string, edits.Span, bool) {
	start := line
	for ; ; start-- {
		words, ok := trailingComment(lineText(t, start))
		if !ok {
			return "", edits.Span{}, false
		}
		if strings.HasPrefix(words, questionMark) {
			break
		}
		if _, whole := comment(lineText(t, start)); start == 0 || line-start > 10 || !whole {
			return "", edits.Span{}, false
		}
	}
	words, _ := trailingComment(lineText(t, start))
	parts := []string{strings.TrimSpace(strings.TrimPrefix(words, questionMark))}
	end := start
	for next := start + 1; next < t.LineCount() && next-start < 10; next++ {
		more, ok := comment(lineText(t, next))
		if !ok || strings.HasPrefix(more, questionMark) {
			break
		}
		parts = append(parts, more)
		end = next
	}
	question := strings.TrimSpace(strings.Join(parts, " "))
	return question, edits.Span{Start: t.LineStart(start), End: t.LineEnd(end)}, question != "" && line <= end
}

// trailingComment is the comment of a line: all of it, or a question behind code.
func trailingComment(line string) (string, bool) {
	if words, ok := comment(line); ok {
		return words, true
	}
	for _, leader := range leaders[:len(leaders)-1] {
		for _, gap := range []string{" ", ""} {
			if i := strings.Index(line, leader+gap+questionMark); i >= 0 {
				return comment(line[i:])
			}
		}
	}
	return "", false
}
