package main

import (
	"fmt"
	"strings"

	"github.com/sourcegraph/go-diff/diff"
)

// A line is one line of a hunk: ' ' kept, '-' removed, '+' added. Bare lines are
// written without that sign.
type line struct {
	op   byte
	text string
	bare bool
}

// A hunk is one change of a file with the lines around it, as a unified diff has it.
type hunk struct {
	oldStart, newStart int // 1-based; the line before it where the side has no line
	section            string
	lines              []line
}

// count is how many of the hunk's lines the side without op has.
func (h *hunk) count(without byte) int {
	n := 0
	for _, l := range h.lines {
		if l.op != without {
			n++
		}
	}
	return n
}

// A change is what one commit did to one file: at most maxHunks hunks of it.
type change struct {
	name          string // of the repository and commit, for a report
	path          string
	before, after string
	created       bool
	hunks         []hunk
}

const maxHunks = 3

// readHunks reads the body of a file's diff as git prints it, which is well formed.
func readHunks(text string) ([]hunk, error) {
	if strings.Contains(text, "\n\\ ") {
		return nil, fmt.Errorf("a file without final newline")
	}
	parsed, err := diff.ParseHunks([]byte(text))
	if err != nil {
		return nil, err
	}
	var out []hunk
	for _, p := range parsed {
		h := hunk{oldStart: int(p.OrigStartLine), newStart: int(p.NewStartLine), section: p.Section}
		for l := range strings.Lines(string(p.Body)) {
			h.lines = append(h.lines, line{op: l[0], text: strings.TrimSuffix(l[1:], "\n")})
		}
		out = append(out, h)
	}
	return out, nil
}

// newChange keeps the first hunks of a diff and works out the text after them,
// by line number alone: nothing of the code under test is used.
func newChange(name, path, before string, hunks []hunk) (change, error) {
	c := change{name: name, path: path, before: before, hunks: hunks[:min(len(hunks), maxHunks)]}
	var old []string
	if before != "" {
		old = strings.Split(strings.TrimSuffix(before, "\n"), "\n")
	}
	var out []string
	next := 0
	for i := range c.hunks {
		h := &c.hunks[i]
		start := h.oldStart - 1
		if h.count('+') == 0 {
			start++
		}
		if start < next || start > len(old) {
			return change{}, fmt.Errorf("%s: %s: hunk %d starts at line %d", name, path, i+1, h.oldStart)
		}
		out = append(out, old[next:start]...)
		h.newStart = len(out) + 1
		next = start
		for _, l := range h.lines {
			if l.op != '+' {
				if next >= len(old) || old[next] != l.text {
					return change{}, fmt.Errorf("%s: %s: hunk %d does not fit line %d", name, path, i+1, next+1)
				}
				next++
			}
			if l.op != '-' {
				out = append(out, l.text)
			}
		}
	}
	out = append(out, old[next:]...)
	c.after = joined(out)
	if !strings.HasSuffix(before, "\n") && before != "" { // no hunk is near its end, or git had said so
		c.after = strings.TrimSuffix(c.after, "\n")
	}
	return c, nil
}

func joined(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}
