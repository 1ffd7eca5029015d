package format

import (
	"slices"
	"strings"
	"unicode"
)

// An Answer is what a model wrote, without what it added around it.
type Answer struct {
	Region string // the new text of the region
	None   bool   // nothing is to be changed
}

// Answer reads a model's answer about a region. after is the text that follows the
// region in the file.
func (f *Format) Answer(region, after, answer string) Answer {
	answer = strings.ReplaceAll(answer, "\r\n", "\n")
	for _, stop := range f.Stops {
		answer, _, _ = strings.Cut(answer, stop)
	}
	answer = strings.TrimSuffix(answer, "\n>>>>>>> UPDATED")
	answer = unfence(region, withoutEnd(region, answer))
	if none(region, answer) {
		return Answer{Region: region, None: true}
	}
	if f.Name == Mercury {
		if _, marked, ok := strings.Cut(answer, "<|code_to_edit|>"); ok {
			answer = strings.TrimPrefix(marked, "\n")
		}
		answer, _, _ = strings.Cut(answer, "<|/code_to_edit|>")
	}
	if f.cursor != "" {
		answer = strings.ReplaceAll(answer, f.cursor, "")
	}
	if f.Forges(answer) != "" {
		return Answer{Region: region, None: true}
	}
	text := endAs(region, withLastLine(region, after, answer))
	return Answer{Region: text, None: text == region}
}

// none reports whether an answer says that nothing is to be changed: with nothing, or with
// the word of any format, since models mix them up.
func none(region, answer string) bool {
	word := strings.Trim(answer, " \t\n.`")
	return word == "" || word != strings.TrimSpace(region) && (word == "NO_EDITS" || strings.EqualFold(word, "none"))
}

// withoutEnd removes a token with which models end an answer, where a server passes it on.
func withoutEnd(region, answer string) string {
	for _, token := range []string{"<|endoftext|>", "<|im_end|>", "<[end▁of▁sentence]>"} {
		if rest, ended := strings.CutSuffix(strings.TrimRight(answer, " \n"), token); ended && !strings.Contains(region, token) {
			return rest
		}
	}
	return answer
}

// endAs returns an answer with the line end that the region has: models drop the last
// one or write another.
func endAs(region, answer string) string {
	blank := len(region) - len(strings.TrimRight(region, "\n"))
	answer = strings.TrimRight(answer, "\n")
	return answer + strings.Repeat("\n", blank)
}

// withLastLine puts the last line of the region back if an answer ends with the line
// before it, and takes the line after the region away if an answer goes on to it:
// where a region ends is not seen in the code, so models miss it by a line.
func withLastLine(region, after, answer string) string {
	was, is := lines(region), lines(answer)
	next := lines(after)
	if len(was) < 2 || len(is) < 2 {
		return answer
	}
	last, end := was[len(was)-1], is[len(is)-1]
	switch {
	case end == was[len(was)-2] && end != last && (len(is) < len(was) || is[len(is)-2] == was[max(len(was)-3, 0)]):
		return strings.Join(append(is, last), "\n") + "\n"
	case end != was[len(was)-2] && strings.HasPrefix(was[len(was)-2], end):
		return answer // it stops in a line
	case len(is) == len(was)-1 && end != last && mostlyEqual(was, is) && !joined(last, end):
		return strings.Join(append(is, last), "\n") + "\n"
	case len(next) > 0 && end == next[0] && end != last && (is[len(is)-2] == last || len(is) == len(was)+1 && mostlyEqual(was, is)):
		return strings.Join(is[:len(is)-1], "\n") + "\n"
	}
	return answer
}

// joined reports whether a line was written into another one: all of its words are there.
func joined(line, into string) bool {
	words := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	}
	list, has := words(line), words(into)
	return len(list) > 0 && !slices.ContainsFunc(list, func(w string) bool { return !slices.Contains(has, w) })
}

// mostlyEqual reports whether two lists of lines are the same but for a few of those that
// both have: lines were rewritten, and none of them removed or added.
func mostlyEqual(was, is []string) bool {
	n, equal := min(len(was), len(is)), 0
	for i := range n {
		if was[i] == is[i] {
			equal++
		}
	}
	return equal*3 >= n*2
}

// lines are the lines of a text without blank ones at its end.
func lines(text string) []string {
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// unfence returns the code of an answer in a fence. A fence with which the region begins is
// the user's own.
func unfence(region, answer string) string {
	const fence = "```"
	trimmed := strings.Trim(answer, "\n ")
	if !strings.HasPrefix(trimmed, fence) {
		return answer
	}
	_, body, ok := strings.Cut(trimmed, "\n")
	if !ok || strings.HasPrefix(strings.TrimLeft(region, "\n "), fence) && !strings.HasPrefix(strings.TrimLeft(body, "\n "), fence) {
		return answer
	}
	i := strings.LastIndex(body, fence)
	switch {
	case i < 0:
		return body
	case strings.Trim(body[i:], "` \n") == "":
		return body[:i]
	}
	return answer // what follows the fence is not in it: the fence is part of the text
}
