package inline

import (
	"slices"
	"strings"
	"unicode"

	"tandem/edits"
	"tandem/model/assist/core"
)

// ended returns what of an answer is worth showing, and whether what the model writes from
// here on is not. before and after are the text around the cursor.
func ended(before, after, answer string, lines int) (text string, done bool) {
	text = core.Unfence(strings.ReplaceAll(answer, "\r\n", "\n"))
	end, done := edits.CompletionEnd(before, after, text, lines)
	return text[:end], done
}

// shape turns a model's answer for a place in a document into the edit to show, or returns why
// nothing is left of it.
func shape(doc edits.Text, at int, answer string, lines int, s edits.Style, known edits.Names) (edits.Edit, error) {
	before, after := around(doc, at)
	text, _ := ended(before, after, answer, lines)
	return edits.Fit(doc, edits.Edit{Span: edits.Span{Start: at, End: at}, New: strings.TrimRightFunc(text, unicode.IsSpace)}, s, known)
}

// aroundLines is how many lines before the cursor say how an answer begins.
const aroundLines = 40

// around returns some of the text before and after a place, with plain line ends.
func around(doc edits.Text, at int) (before, after string) {
	from := doc.LineStart(max(doc.LineOf(at)-aroundLines, 0))
	before = doc.Slice(edits.Span{Start: from, End: at})
	after = doc.Slice(edits.Span{Start: at, End: min(at+shapeAfter, doc.Len())})
	return strings.ReplaceAll(before, "\r\n", "\n"), strings.ReplaceAll(after, "\r\n", "\n")
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
