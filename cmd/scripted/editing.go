package main

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"tandem/edits"
)

var (
	renamePattern  = regexp.MustCompile("(?i)rename\\s+(?:the\\s+)?(?:\\w+\\s+)?[`'\"]?(\\w+)[`'\"]?\\s+(?:to|into|as)\\s+[`'\"]?(\\w+)")
	replacePattern = regexp.MustCompile("(?i)(?:replace|change)\\s+[`'\"]([^`'\"]+)[`'\"]\\s+(?:with|to|by)\\s+[`'\"]([^`'\"]*)[`'\"]")
	removePattern  = regexp.MustCompile("(?i)(?:remove|delete)\\s+(?:the\\s+|every\\s+|all\\s+)?(?:lines?\\s+)?(?:with|containing)?\\s*[`'\"]([^`'\"]+)[`'\"]")
	insertPattern  = regexp.MustCompile("(?i)(?:add|insert)[^`]*`([^`]+)`")
	commentPattern = regexp.MustCompile(`(?i)\b(?:comment|document|doc|docs|docstring|explain)\b`)
	undefined      = regexp.MustCompile(`(?i)(?:undefined|undeclared|unknown|cannot find|not defined|unresolved)[^A-Za-z_]*(?:name|symbol|identifier|reference|variable)?[^A-Za-z_]*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?)`)
)

// edited is the file after the request has been carried out on the region. If
// the region alone does not change, the whole file is tried.
func edited(p *page) string {
	if region := carryOut(p, p.region); region != p.region {
		return p.before + region + p.after
	}
	if m := renamePattern.FindStringSubmatch(p.request); m != nil {
		if file := carryOut(p, p.file()); file != p.file() {
			return file
		}
	}
	if commentPattern.MatchString(p.request) {
		if at := lastDeclaration(p.before); at >= 0 {
			return p.before[:at] + documented(p, p.before[at:]) + p.region + p.after
		}
	}
	return p.before + commented(p, strings.TrimSpace(p.request)) + p.after
}

// lastDeclaration is where the last declaring line of a text begins, or -1.
func lastDeclaration(text string) int {
	for end := len(text); end > 0; {
		start := strings.LastIndexByte(text[:end], '\n') + 1
		if declares.MatchString(text[start:end]) && indentOf(text[start:end]) == "" {
			return start
		}
		end = start - 1
	}
	return -1
}

// carryOut carries out the simple requests.
func carryOut(p *page, region string) string {
	request := p.request
	if m := renamePattern.FindStringSubmatch(request); m != nil && m[1] != m[2] {
		return wholeWord(m[1]).ReplaceAllString(region, m[2])
	}
	if m := replacePattern.FindStringSubmatch(request); m != nil {
		return strings.ReplaceAll(region, m[1], m[2])
	}
	if m := removePattern.FindStringSubmatch(request); m != nil {
		return withoutLines(region, m[1])
	}
	if fixed := repaired(p, region); fixed != region {
		return fixed
	}
	if m := insertPattern.FindStringSubmatch(request); m != nil {
		return inserted(region, m[1])
	}
	return documented(p, region)
}

func wholeWord(name string) *regexp.Regexp {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
}

func withoutLines(text, part string) string {
	var kept []string
	for _, line := range strings.SplitAfter(text, "\n") {
		if !strings.Contains(line, part) {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

// inserted puts code before the last line of the region if that closes a
// block, else after the region.
func inserted(region, code string) string {
	lines := strings.SplitAfter(strings.TrimRight(region, "\n"), "\n")
	last := lines[len(lines)-1]
	if strings.HasPrefix(strings.TrimSpace(last), "}") && len(lines) > 1 {
		body := lines[len(lines)-2]
		return strings.Join(lines[:len(lines)-1], "") + indentOf(body) + code + "\n" + last + region[len(strings.TrimRight(region, "\n")):]
	}
	return strings.TrimRight(region, "\n") + "\n" + indentOf(last) + code + region[len(strings.TrimRight(region, "\n")):]
}

// repaired fixes diagnostics about unknown names: it uses the nearest known name.
func repaired(p *page, region string) string {
	for _, note := range append(p.notes, p.request) {
		m := undefined.FindStringSubmatch(note)
		if m == nil {
			continue
		}
		name := m[1][strings.LastIndexByte(m[1], '.')+1:]
		if near := nearest(name, p.file()+p.context); near != "" {
			region = wholeWord(name).ReplaceAllString(region, near)
		}
	}
	return region
}

// nearest is the identifier of the text that differs least from name, if one is
// similar enough.
func nearest(name, text string) string {
	best, least := "", len(name)/2+1
	for _, word := range identifier.FindAllString(text, -1) {
		if word == name || len(word) < 3 {
			continue
		}
		if d := edits.Distance(strings.ToLower(word), strings.ToLower(name), least); d < least {
			best, least = word, d
		}
	}
	return best
}

// documented writes a comment over the first declaration of the region.
func documented(p *page, region string) string {
	if !commentPattern.MatchString(p.request) && p.request != "" {
		return region
	}
	lines := strings.SplitAfter(region, "\n")
	for i, line := range lines {
		m := declares.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		comment := indentOf(line) + commentMark(p.path) + " " + m[1] + " " + sentence(m[1], line) + "\n"
		if i > 0 && lines[i-1] == comment {
			continue
		}
		return strings.Join(lines[:i], "") + comment + strings.Join(lines[i:], "")
	}
	return region
}

// sentence describes a declaration from the words of its name and from whether
// it has parameters.
func sentence(name, line string) string {
	words := splitName(name)
	text := "is the " + strings.Join(words, " ")
	if strings.Contains(line, "(") && len(words) > 0 {
		text = verb(words[0]) + " " + strings.Join(words[1:], " ")
		if len(words) == 1 {
			text = verb(words[0]) + " what it is given"
		}
	}
	return strings.TrimSpace(text) + "."
}

func verb(word string) string {
	if strings.HasSuffix(word, "s") {
		return word
	}
	if strings.HasSuffix(word, "h") || strings.HasSuffix(word, "x") {
		return word + "es"
	}
	return word + "s"
}

// splitName splits camelCase and snake_case into words.
func splitName(name string) []string {
	var words []string
	start := 0
	for i, r := range name {
		if i > start && (r == '_' || unicode.IsUpper(r) && !unicode.IsUpper(rune(name[i-1]))) {
			words = append(words, strings.ToLower(strings.Trim(name[start:i], "_")))
			start = i
		}
	}
	return append(words, strings.ToLower(strings.Trim(name[start:], "_")))
}

// commented writes a request that was not understood as a comment at its place.
func commented(p *page, request string) string {
	request, _, _ = strings.Cut(request, "\n")
	if request == "" {
		request = "checked"
	}
	first, _, _ := strings.Cut(p.region, "\n")
	if p.before != "" && !strings.HasSuffix(p.before, "\n") {
		return p.region + " " + commentMark(p.path) + " " + request
	}
	return indentOf(first) + commentMark(p.path) + " " + request + "\n" + p.region
}

// editAnswer carries out the request and writes the edit in the form that the
// instructions require.
func editAnswer(p *page, instructions string) string {
	after := edited(p)
	if strings.Contains(instructions, "<rewrite>") {
		text := after
		if p.chosen {
			text = after[len(p.before) : len(after)-len(p.after)]
		}
		return "<rewrite>\n" + strings.TrimSuffix(text, "\n") + "\n</rewrite>\n"
	}
	return written(p.path, p.file(), after, instructions)
}

// written formats the difference of two texts as blocks or as a patch.
func written(path, before, after, instructions string) string {
	old, now := strings.Split(before, "\n"), strings.Split(after, "\n")
	var b strings.Builder
	patch := strings.Contains(instructions, "Begin Patch") && !strings.Contains(instructions, "<<<<<<< SEARCH")
	if patch {
		fmt.Fprintf(&b, "*** Begin Patch\n*** Update File: %s\n", path)
	}
	for _, h := range hunks(old, now) {
		if patch {
			writePatchHunk(&b, old, now, h)
			continue
		}
		fmt.Fprintf(&b, "%s\n<<<<<<< SEARCH\n%s\n=======\n%s>>>>>>> REPLACE\n\n", path,
			strings.Join(old[h.from:h.to], "\n"), ended(now[h.newFrom:h.newTo]))
	}
	if patch {
		b.WriteString("*** End Patch\n")
	}
	return b.String()
}

func ended(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

func writePatchHunk(b *strings.Builder, old, now []string, h hunk) {
	b.WriteString("@@\n")
	head, tail := h.context(old, now)
	for _, line := range old[h.from : h.from+head] {
		b.WriteString(" " + line + "\n")
	}
	for _, line := range old[h.from+head : h.to-tail] {
		b.WriteString("-" + line + "\n")
	}
	for _, line := range now[h.newFrom+head : h.newTo-tail] {
		b.WriteString("+" + line + "\n")
	}
	for _, line := range old[h.to-tail : h.to] {
		b.WriteString(" " + line + "\n")
	}
}
