package assist

import (
	"hash/fnv"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"tandem/edits"
	"tandem/model/accept"
	"tandem/workspace"
)

// The numbers by which an estimate is made: where each group begins. The first ones
// are about the place, the rest about the suggestion. None holds text: words are
// reduced to one of a few classes.
const (
	numberBias = iota
	numberEmpty
	numberPrefix
	numberWord
	numberComment
	numberString
	numberIndent
	numberDocument
	numberSeenLine                     // the cursor's line so far begins another line of the document
	numberRest                         // 3: nothing, closers or code after the cursor
	numberLast     = numberRest + 3    // 12 classes of the character before the cursor
	numberAbove    = numberLast + 12   // 4 classes of the line above
	numberLead     = numberAbove + 4   // 64 classes of the line's first word
	numberLeadUp   = numberLead + 64   // 32 classes of the first word of the line above
	numberLanguage = numberLeadUp + 32 // 16 classes of the language

	numberLength    = numberLanguage + 16
	numberLines     = numberLength + 1
	numberRepeats   = numberLines + 1   // the line is in the document already
	numberKnown     = numberRepeats + 1 // share of its words that are in the document
	numberNew       = numberKnown + 1   // how many are not
	numberUnchecked = numberNew + 1     // no check could judge its names
	numberImports   = numberUnchecked + 1
	numberOpens     = numberImports + 1 // it ends with an opening bracket
	numberFirst     = numberOpens + 1   // 12 classes of its first character
	numberProse     = numberFirst + 12  // it is mostly words

	// Of the place again.
	numberInside  = numberProse + 1   // in a comment or a string of several lines
	numberWords   = numberInside + 1  // words without punctuation between them before the cursor
	numberKnownUp = numberWords + 1   // share of the words before the cursor that are in the document
	numberRun     = numberKnownUp + 1 // 4 classes of the line above, where nothing is typed
	numberPair    = numberRun + 4     // 64 classes of the first word and the character before the cursor together
)

// How much of the document around the cursor is looked at.
const (
	lineSeen  = 400
	nearBytes = 16 << 10
)

// placeNumbers describes the place of a suggestion.
func placeNumbers(o *workspace.Overlay, at int) []accept.Number {
	line := o.Text.LineOf(at)
	start := o.Text.LineStart(line)
	before := o.Text.Slice(edits.Span{Start: max(start, o.Text.RuneStart(max(at-lineSeen, 0))), End: at})
	after := o.Text.Slice(edits.Span{Start: at, End: min(o.Text.LineEnd(line), o.Text.RuneStart(min(at+lineSeen, o.Text.Len())))})
	typed := strings.TrimLeft(before, " \t")
	out := []accept.Number{{Index: numberBias, Value: 1}}
	add := func(index int, value float64) {
		if value != 0 {
			out = append(out, accept.Number{Index: index, Value: value})
		}
	}
	word := len(typed) - len(strings.TrimRightFunc(typed, isWordRune))
	add(numberEmpty, truth(typed == ""))
	add(numberPrefix, math.Log1p(float64(len(typed)))/4)
	add(numberWord, math.Log1p(float64(word))/3)
	add(numberComment, truth(commented(typed)))
	add(numberString, truth(strings.Count(typed, `"`)%2 == 1 || strings.Count(typed, "`")%2 == 1))
	add(numberIndent, float64(indentOf(before))/32)
	add(numberDocument, math.Log1p(float64(o.Text.LineCount()))/8)
	rest := 2
	if strings.TrimSpace(after) == "" {
		rest = 0
	} else if !midLine(after) {
		rest = 1
	}
	add(numberRest+rest, 1)
	add(numberLast+classOfLast(typed), 1)
	above := lineAbove(o.Text, line)
	add(numberAbove+classOfLine(above), 1)
	add(numberLead+bucket(lead(typed), 64), 1)
	add(numberLeadUp+bucket(lead(above), 32), 1)
	add(numberLanguage+bucket(o.Language, 16), 1)
	near := around(o.Text, start, at)
	upTo, _, _ := strings.Cut(near, "\x00")
	add(numberInside, truth(strings.Count(upTo, `"""`)%2 == 1 || strings.LastIndex(upTo, "/*") > strings.LastIndex(upTo, "*/")))
	add(numberWords, math.Log1p(float64(spacedWords(typed)))/2)
	add(numberKnownUp, knownShare(typed, near))
	if typed == "" {
		add(numberRun+classOfLine(above), 1)
	}
	add(numberPair+bucket(lead(typed)+string(rune('a'+classOfLast(typed))), 64), 1)
	if len(typed) > 3 {
		add(numberSeenLine, truth(strings.Contains(near, "\n"+before)))
	}
	return out
}

// siteNumbers are what a place's estimate is made from, rounded as they are kept: a history
// leads to the same estimates as living it.
func siteNumbers(o *workspace.Overlay, at int) []accept.Number {
	out := placeNumbers(o, at)
	for i := range out {
		if out[i].Index != numberBias {
			out[i].Value = rounded(out[i].Value)
		}
	}
	return out
}

// answerNumbers describes a suggestion.
func answerNumbers(o *workspace.Overlay, item Completion) []accept.Number {
	var out []accept.Number
	add := func(index int, value float64) {
		if value != 0 {
			out = append(out, accept.Number{Index: index, Value: value})
		}
	}
	first, _, _ := strings.Cut(item.Text, "\n")
	first = strings.TrimRight(first, "\r")
	near := around(o.Text, item.Replace.Start, item.Replace.End)
	words := strings.FieldsFunc(first, func(r rune) bool { return !isWordRune(r) })
	known := 0
	for _, w := range words {
		if strings.Contains(near, w) {
			known++
		}
	}
	add(numberLength, math.Log1p(float64(len(first)))/4)
	add(numberLines, math.Log1p(float64(strings.Count(item.Text, "\n")))/2)
	add(numberRepeats, truth(len(first) > 3 && strings.Contains(near, first)))
	add(numberKnown, float64(known)/float64(max(len(words), 1)))
	add(numberNew, math.Log1p(float64(len(words)-known)))
	add(numberUnchecked, truth(!judged(item.Checks)))
	add(numberImports, truth(item.Imports))
	add(numberOpens, truth(strings.HasSuffix(first, "{") || strings.HasSuffix(first, "(") || strings.HasSuffix(first, ":")))
	r, _ := utf8.DecodeRuneInString(first)
	add(numberFirst+classOf(r), 1)
	add(numberProse, truth(len(words) > 4 && len(first)-len(strings.Join(words, "")) <= len(words)+1))
	return out
}

// spacedWords counts the words of a line that only a space follows, as in prose.
func spacedWords(typed string) int {
	n := 0
	for i := 1; i+1 < len(typed); i++ {
		if typed[i] == ' ' && isWordRune(rune(typed[i-1])) && isWordRune(rune(typed[i+1])) {
			n++
		}
	}
	return n
}

// knownShare is the share of the words of a line that the document around it has.
func knownShare(line, near string) float64 {
	words := strings.FieldsFunc(line, func(r rune) bool { return !isWordRune(r) })
	known := 0
	for _, w := range words {
		if strings.Contains(near, w) {
			known++
		}
	}
	return float64(known) / float64(max(len(words), 1))
}

// judged reports whether a check looked at the names of a suggestion.
func judged(checks []edits.Check) bool {
	for _, c := range checks {
		if c.Kind == edits.CheckNames {
			return true
		}
	}
	return false
}

func truth(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// around is the document near a place, without the cursor's line.
func around(text edits.Text, start, end int) string {
	from := text.RuneStart(max(start-nearBytes, 0))
	to := text.RuneStart(min(end+nearBytes, text.Len()))
	return text.Slice(edits.Span{Start: from, End: start}) + "\x00" + text.Slice(edits.Span{Start: end, End: to})
}

// lineAbove is the nearest line above with text on it.
func lineAbove(text edits.Text, line int) string {
	for i := line - 1; i >= max(line-3, 0); i-- {
		if l := strings.TrimSpace(text.Line(i)); l != "" {
			return l
		}
	}
	return ""
}

func commented(typed string) bool {
	for _, mark := range []string{"//", "#", "*", "/*", "--", ";", "<!--", `"""`} {
		if strings.HasPrefix(typed, mark) {
			return true
		}
	}
	return strings.Contains(typed, " // ") || strings.Contains(typed, " # ")
}

// lead is the first word of a line, or its first character.
func lead(line string) string {
	if end := strings.IndexFunc(line, func(r rune) bool { return !isWordRune(r) }); end > 0 {
		return line[:end]
	} else if end < 0 {
		return "" // it is not whole
	}
	_, n := utf8.DecodeRuneInString(line)
	return line[:n]
}

func bucket(s string, n int) int {
	if s == "" {
		return 0
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(s))
	return 1 + int(h.Sum32()%uint32(n-1))
}

// classOfLine is whether a line opens a block, is a comment, goes on, or none of these.
func classOfLine(line string) int {
	switch {
	case commented(line):
		return 1
	case strings.HasSuffix(line, "{") || strings.HasSuffix(line, ":") || strings.HasSuffix(line, "("):
		return 2
	case strings.HasSuffix(line, ","):
		return 3
	}
	return 0
}

func classOfLast(typed string) int {
	r, n := utf8.DecodeLastRuneInString(typed)
	if n == 0 {
		return 11
	}
	return classOf(r)
}

func classOf(r rune) int {
	switch {
	case isWordRune(r):
		return 0
	case unicode.IsSpace(r):
		return 1
	case r == '.':
		return 2
	case r == '(' || r == '[':
		return 3
	case r == '{':
		return 4
	case r == ')' || r == ']' || r == '}':
		return 5
	case r == ',' || r == ';':
		return 6
	case r == '=':
		return 7
	case r == ':':
		return 8
	case r == '"' || r == '\'' || r == '`':
		return 9
	}
	return 10
}

func isWordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
