package lsp

import (
	"strings"

	"tandem/edits"
)

// commentPrefixes are the comment markers of most languages, longest first.
var commentPrefixes = []string{"<!--", "///", "//!", "/**", "//", "/*", "--", ";;", "#", ";", "%", "*"}

// comment returns the text of a line that is only a comment.
func comment(line string) (string, bool) {
	line = strings.TrimSpace(line)
	for _, prefix := range commentPrefixes {
		if text, ok := strings.CutPrefix(line, prefix); ok {
			text = strings.TrimSpace(text)
			text = strings.TrimSuffix(strings.TrimSuffix(text, "*/"), "-->")
			return strings.TrimSpace(text), true
		}
	}
	return "", false
}

// lineText is a line without its end.
func lineText(t edits.Text, line int) string {
	return t.Slice(edits.Span{Start: t.LineStart(line), End: t.LineEnd(line)})
}

// instructionAt returns the instruction in a comment at a place: the comment
// that the span begins with, or the one on or directly above its line.
func instructionAt(t edits.Text, span edits.Span) string {
	first := t.LineOf(span.Start)
	for _, line := range []int{first, first - 1} {
		if line < 0 {
			continue
		}
		if text := commentBlock(t, line); isInstruction(text) {
			return text
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
	var parts []string
	for at := start; at-start < 20; at++ { // behind the text is no comment
		text, ok := comment(lineText(t, at))
		if !ok {
			break
		}
		parts = append(parts, text)
	}
	return strings.TrimSpace(strings.Join(parts, " "))
}

// isInstruction reports whether a comment's text could be an instruction to a model.
func isInstruction(comment string) bool {
	return len(strings.Fields(comment)) >= 2 && !strings.HasPrefix(comment, questionMark)
}

// questionMark begins a comment that is a question.
const questionMark = "??"

// questionAt returns the question of the ?? comment on a line, which may continue
// in the comment lines below it, and the span of its lines.
func questionAt(t edits.Text, line int) (string, edits.Span, bool) {
	start := line
	for ; ; start-- {
		text, ok := trailingComment(lineText(t, start))
		if !ok {
			return "", edits.Span{}, false
		}
		if strings.HasPrefix(text, questionMark) {
			break
		}
		if _, whole := comment(lineText(t, start)); start == 0 || line-start > 10 || !whole {
			return "", edits.Span{}, false
		}
	}
	text, _ := trailingComment(lineText(t, start))
	parts := []string{strings.TrimSpace(strings.TrimPrefix(text, questionMark))}
	end := start
	for next := start + 1; next-start < 10; next++ {
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

// trailingComment is the comment of a line: the whole line, or a question after code.
func trailingComment(line string) (string, bool) {
	if text, ok := comment(line); ok {
		return text, true
	}
	for _, prefix := range commentPrefixes[:len(commentPrefixes)-1] {
		for _, gap := range []string{" ", ""} {
			if i := strings.Index(line, prefix+gap+questionMark); i >= 0 {
				return comment(line[i:])
			}
		}
	}
	return "", false
}
