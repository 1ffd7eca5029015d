package main

import (
	"strings"
	"unicode"
)

// maxBlock is how many lines a continuation has at most.
const maxBlock = 8

// continuation guesses the text between prefix and suffix from the text itself:
// what followed the same words elsewhere, what followed a line like the one
// before, the rest of a begun name.
func continuation(prefix, suffix, other string) string {
	corpus := other + "\n" + prefix
	for _, guess := range []func(string, string) string{afterSameWords, afterSimilarLine, restOfName, restOfBlock} {
		if text := guess(corpus, prefix); useful(text, suffix) {
			return text
		}
	}
	return ""
}

// useful reports whether a continuation adds something to what follows.
func useful(text, suffix string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if strings.Trim(first, " \t)]};,") == "" {
		return false
	}
	return !strings.HasPrefix(strings.TrimSpace(suffix), strings.TrimSpace(text))
}

// minMatch is how many bytes before the cursor must have occurred before.
const minMatch = 5

// afterSameWords finds the longest end of the prefix that occurs earlier, and
// returns what followed it there.
func afterSameWords(corpus, prefix string) string {
	line := prefix[strings.LastIndexByte(prefix, '\n')+1:]
	if len(strings.TrimSpace(line)) < 2 || len(prefix) < minMatch {
		return ""
	}
	tail := prefix[len(prefix)-minMatch:]
	best, bestLen := -1, 0
	limit := len(corpus) - 1
	for at := strings.LastIndex(corpus[:limit], tail); at >= 0; at = strings.LastIndex(corpus[:at+minMatch-1], tail) {
		n := commonEnd(corpus[:at], prefix[:len(prefix)-minMatch])
		rest := corpus[at+minMatch:]
		if n >= bestLen && rest != "" && rest[0] != '\n' && at+minMatch < len(corpus)-len(line) {
			if n > bestLen || best < 0 {
				best, bestLen = at+minMatch, n
			}
		}
	}
	if best < 0 {
		return ""
	}
	return block(corpus[best:], indentOf(line))
}

func commonEnd(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && n < 200 && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

func indentOf(line string) string {
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// block is the rest of a line and, where that opens one, the block under it,
// moved to the indentation of the cursor's line.
func block(text, indent string) string {
	lines := strings.Split(text, "\n")
	out := []string{strings.TrimRight(lines[0], " \t")}
	if !opens(out[0]) || len(lines) < 2 {
		return out[0]
	}
	inner := indentOf(lines[1])
	outer := strings.TrimSuffix(inner, "\t")
	if outer == inner {
		outer = inner[:max(0, len(inner)-4)]
	}
	for _, line := range lines[1:min(len(lines), maxBlock)] {
		if strings.TrimSpace(line) == "" || !strings.HasPrefix(line, outer) {
			break
		}
		out = append(out, indent+line[len(outer):])
		if len(indentOf(line)) <= len(outer) {
			break
		}
	}
	return strings.Join(out, "\n")
}

func opens(line string) bool {
	t := strings.TrimSpace(line)
	return strings.HasSuffix(t, "{") || strings.HasSuffix(t, "(") || strings.HasSuffix(t, ":") || strings.HasSuffix(t, "[")
}

// afterSimilarLine applies at the start of a line: it returns what followed a
// line like the one before.
func afterSimilarLine(corpus, prefix string) string {
	cut := strings.LastIndexByte(prefix, '\n')
	if cut < 0 || strings.TrimSpace(prefix[cut+1:]) != "" {
		return ""
	}
	indent := prefix[cut+1:]
	previous := lastLine(prefix[:cut])
	if previous == "" {
		return ""
	}
	lines := strings.Split(corpus[:len(corpus)-len(indent)], "\n")
	for _, same := range []func(string) bool{
		func(l string) bool { return l == previous },
		func(l string) bool { return firstWord(l) == firstWord(previous) && opens(l) == opens(previous) },
	} {
		for i := len(lines) - 3; i >= 0; i-- {
			if next := strings.TrimSpace(lines[i+1]); next != "" && same(strings.TrimSpace(lines[i])) && strings.Trim(next, "})];,") != "" {
				return block(strings.TrimLeft(strings.Join(lines[i+1:], "\n"), " \t"), indent)
			}
		}
	}
	return ""
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimRight(text, " \t\n"), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

func firstWord(line string) string {
	return identifier.FindString(strings.TrimSpace(line))
}

// restOfName completes the name before the cursor with the one used most, and
// opens a call where that name is usually called.
func restOfName(corpus, prefix string) string {
	start := len(prefix)
	for start > 0 && (prefix[start-1] == '_' || prefix[start-1] < 0x80 && (unicode.IsLetter(rune(prefix[start-1])) || unicode.IsDigit(rune(prefix[start-1])))) {
		start--
	}
	begun := prefix[start:]
	if begun == "" {
		return ""
	}
	count, calls := map[string]int{}, map[string]int{}
	best := ""
	for _, at := range identifier.FindAllStringIndex(corpus, -1) {
		name := corpus[at[0]:at[1]]
		if !strings.HasPrefix(name, begun) || name == begun {
			continue
		}
		count[name]++
		if strings.HasPrefix(corpus[at[1]:], "(") {
			calls[name]++
		}
		if best == "" || count[name] > count[best] {
			best = name
		}
	}
	if best == "" {
		return ""
	}
	if calls[best]*2 > count[best] {
		return best[len(begun):] + "()"
	}
	return best[len(begun):]
}

// restOfBlock applies after the head of a block: it returns the body that such
// heads had elsewhere, else a return statement.
func restOfBlock(corpus, prefix string) string {
	line := prefix[strings.LastIndexByte(prefix, '\n')+1:]
	if !opens(line) {
		return ""
	}
	indent := indentOf(line)
	step := "\t"
	if strings.Contains(corpus, "\n    ") && !strings.Contains(corpus, "\n\t") {
		step = "    "
	}
	body := afterSimilarLine(corpus+"\n"+indent+step, prefix+"\n"+indent+step)
	if body == "" {
		body = "return"
	}
	text := "\n" + indent + step + body
	if strings.HasSuffix(strings.TrimSpace(line), "{") {
		text += "\n" + indent + "}"
	}
	return text
}
