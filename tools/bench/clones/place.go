package clones

import (
	"slices"
	"strings"

	"tandem/workspace/language"
)

// A place is a file as after a commit without the run of lines that somebody
// is about to write; the cursor stands where the run began.
type Place struct {
	Path         string
	Text         string // with an empty, indented line for the run
	Line, Column int    // from 1
	Run          string // what was taken out
}

func newPlace(after string, r run) *Place {
	lines := strings.Split(after, "\n")
	end := min(r.first+r.count, len(lines))
	if r.first < 0 || r.first >= end {
		return nil
	}
	taken := lines[r.first:end]
	indent := ""
	for _, line := range taken {
		if code := strings.TrimLeft(line, " \t"); strings.TrimSpace(code) != "" {
			indent = line[:len(line)-len(code)]
			break
		}
	}
	left := append(append(append([]string{}, lines[:r.first]...), indent), lines[end:]...)
	p := &Place{Path: r.path, Line: r.first + 1, Column: len(indent) + 1,
		Text: strings.Join(left, "\n"), Run: strings.Join(taken, "\n")}
	upTo := strings.Join(lines[:end], "\n")
	if !hasNewName(Names(p.Path, upTo, len(upTo)-len(p.Run)), p.Text) {
		return nil
	}
	return p
}

// shortestName is the shortest identifier that counts.
const shortestName = 3

// hasNewName reports whether there is a name that the rest of the file does not have.
func hasNewName(names [][]string, rest string) bool {
	here := map[string]bool{}
	EachWord(rest, func(w string) { here[w] = true })
	return slices.ContainsFunc(slices.Concat(names...), func(w string) bool { return len(w) >= shortestName && !here[w] })
}

// Family is the family of the file's language.
func (p *Place) Family() string { return language.Family(LanguageOf(p.Path)) }

// Before is the file up to the line of the place.
func (p *Place) Before() string {
	lines := strings.SplitAfter(p.Text, "\n")
	return strings.Join(lines[:p.Line-1], "")
}

// Typed is the file with the beginning of the run in it, and where the cursor
// stands then, from 1.
func (p *Place) Typed(part string) (text string, line, column int) {
	lines := strings.SplitAfter(p.Text, "\n")
	after := ""
	if p.Line < len(lines) {
		after = "\n" + strings.Join(lines[p.Line:], "")
	}
	line = p.Line + strings.Count(part, "\n")
	column = len(part) - strings.LastIndexByte(part, '\n')
	return p.Before() + part + after, line, column
}

// around is how many lines above and below a place make the query: 41 in all.
const around = 20

// Query is the text round a place.
func (p *Place) Query() string {
	lines := strings.Split(p.Text, "\n")
	return strings.Join(lines[max(0, p.Line-1-around):min(len(lines), p.Line+around)], "\n")
}
