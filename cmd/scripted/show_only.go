package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// An edit is what a rule's model would write: lines of one file and their
// replacement. An empty Old creates the file.
type edit struct {
	Path string `toml:"path"`
	Old  string `toml:"old"`
	New  string `toml:"new"`
}

// A shown is the code that a request shows: for each path, its lines in order.
type shown map[string][]string

// showOnly answers as a model that knows only what it was shown: the rule holds
// what it would write, the request decides whether it can. Without a rule it
// completes with the shown line that best continues the line at the cursor, and
// edits nothing.
func showOnly(req *request, r *rule) string {
	if req.Fill {
		return continueLine(req.Prefix, req.Suffix, strings.Split(extraText(req.Extra)+"\n"+req.Suffix, "\n"))
	}
	p := readPage(req)
	code := shownIn(p)
	switch {
	case r.Plan != nil:
		return *r.Plan
	case len(r.Edits) > 0:
		return code.edited(p, r.Edits, req.Instructions+p.system)
	case r.Quote != "":
		return code.quote(r.Quote)
	case p.cursor:
		return continueLine(p.before, p.after, append(code.all(), strings.Split(p.after, "\n")...))
	}
	return "No rule of the script says what to answer, so nothing is changed.\n"
}

// numbered is the number that a window puts before a line where answers cite lines.
var numbered = regexp.MustCompile(`^\d+\t`)

func shownIn(p *page) shown {
	out := shown{}
	for _, at := range p.places() {
		line := strings.TrimSuffix(at.text, "\r") // a model sees a line and how it ends apart
		out[at.path] = append(out[at.path], numbered.ReplaceAllString(line, ""))
	}
	return out
}

// all returns every shown line.
func (s shown) all() []string {
	var out []string
	for _, path := range slices.Sorted(maps.Keys(s)) {
		out = append(out, s[path]...)
	}
	return out
}

// edited writes the edits in the format that the instructions ask for, or names the
// first line that was not shown.
func (s shown) edited(p *page, list []edit, instructions string) string {
	for _, e := range list {
		if e.Old == "" {
			continue
		}
		for line := range strings.Lines(e.Old) {
			if line = strings.TrimSuffix(line, "\n"); !slices.Contains(s[e.Path], line) {
				return fmt.Sprintf("I was not shown %s: %s\n", e.Path, line)
			}
		}
	}
	switch {
	case strings.Contains(instructions, "Begin Patch") && !strings.Contains(instructions, "<<<<<<< SEARCH"):
		return asPatch(list)
	case strings.Contains(instructions, "<<<<<<< SEARCH"):
		return asBlocks(list)
	}
	return asRewrite(p, list)
}

func asBlocks(list []edit) string {
	var b strings.Builder
	for _, e := range list {
		fmt.Fprintf(&b, "%s\n<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n\n", e.Path, lineEnded(e.Old), lineEnded(e.New))
	}
	return b.String()
}

func asPatch(list []edit) string {
	var b strings.Builder
	b.WriteString("*** Begin Patch\n")
	for _, e := range list {
		if e.Old == "" {
			fmt.Fprintf(&b, "*** Add File: %s\n%s", e.Path, prefixed("+", e.New))
			continue
		}
		fmt.Fprintf(&b, "*** Update File: %s\n@@\n%s%s", e.Path, prefixed("-", e.Old), prefixed("+", e.New))
	}
	b.WriteString("*** End Patch\n")
	return b.String()
}

// asRewrite writes the whole selection, or the file, with the edits made.
func asRewrite(p *page, list []edit) string {
	text := p.region
	for _, e := range list {
		if e.Path != p.path || !strings.Contains(text, strings.TrimSuffix(e.Old, "\n")) {
			return fmt.Sprintf("I was not shown %s: %s\n", e.Path, strings.SplitN(e.Old, "\n", 2)[0])
		}
		text = strings.Replace(text, strings.TrimSuffix(e.Old, "\n"), strings.TrimSuffix(e.New, "\n"), 1)
	}
	return "```\n" + lineEnded(text) + "```\n"
}

func prefixed(mark, text string) string {
	var b strings.Builder
	for line := range strings.Lines(lineEnded(text)) {
		b.WriteString(mark + line)
	}
	return b.String()
}

func lineEnded(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

// quote returns the shown lines from the one that defines name to its end.
func (s shown) quote(name string) string {
	for _, path := range slices.Sorted(maps.Keys(s)) {
		for i, line := range s[path] {
			if m := declares.FindStringSubmatch(line); m != nil && m[1] == name {
				return path + ":\n" + strings.Join(definition(s[path][i:]), "\n") + "\n"
			}
		}
	}
	return "I was not shown " + name + "\n"
}

// definition is the first lines of a definition's text: the line that defines and
// what is indented below it, to the line that closes it.
func definition(lines []string) []string {
	indent := indentOf(lines[0])
	end := 1
	for ; end < len(lines); end++ {
		line := lines[end]
		switch {
		case strings.TrimSpace(line) == "":
			continue
		case len(indentOf(line)) > len(indent):
			continue
		case indentOf(line) == indent && strings.ContainsAny(line[len(indent):len(indent)+1], "})]"):
			end++
		}
		break
	}
	for end > 1 && strings.TrimSpace(lines[end-1]) == "" {
		end--
	}
	return lines[:end]
}

// continueLine is the rest of the shown line that begins with the line before the
// cursor; at the start of an empty line, the line that follows one like the line above.
func continueLine(before, after string, lines []string) string {
	cut := strings.LastIndexByte(before, '\n') + 1
	begun := strings.TrimLeft(before[cut:], " \t")
	lines = append(lines, strings.Split(before[:cut], "\n")...)
	if rest, _, _ := strings.Cut(after, "\n"); begun == "" && strings.TrimSpace(rest) != "" {
		return ""
	}
	if begun == "" {
		previous := lastLine(before)
		for i := 0; i+1 < len(lines) && previous != ""; i++ {
			if strings.TrimSpace(lines[i]) == previous && strings.TrimSpace(lines[i+1]) != "" {
				return strings.TrimSpace(lines[i+1])
			}
		}
		return ""
	}
	best, count := "", map[string]int{}
	for _, line := range lines {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), begun); ok && rest != "" {
			if count[rest]++; best == "" || count[rest] > count[best] {
				best = rest
			}
		}
	}
	return best
}

func indentOf(line string) string {
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// lastLine is the last line that is not blank, trimmed.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimRight(text, " \t\n"), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

func extraText(list []extra) string {
	var b strings.Builder
	for _, e := range list {
		b.WriteString(e.Text + "\n")
	}
	return b.String()
}
