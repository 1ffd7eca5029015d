package main

import (
	"fmt"
	"strconv"
	"strings"
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
func readHunks(diff []string) ([]hunk, error) {
	var out []hunk
	for _, text := range diff {
		switch {
		case strings.HasPrefix(text, "@@ -"):
			h, err := readHeader(text)
			if err != nil {
				return nil, err
			}
			out = append(out, h)
		case strings.HasPrefix(text, `\ `):
			return nil, fmt.Errorf("a file without final newline")
		case len(out) == 0 || text == "" || !strings.ContainsRune(" -+", rune(text[0])):
			return nil, fmt.Errorf("%q is no line of a hunk", text)
		default:
			h := &out[len(out)-1]
			h.lines = append(h.lines, line{op: text[0], text: text[1:]})
		}
	}
	return out, nil
}

func readHeader(text string) (hunk, error) {
	fields := strings.SplitN(text, " ", 5)
	if len(fields) < 4 {
		return hunk{}, fmt.Errorf("%q is no header of a hunk", text)
	}
	h := hunk{}
	for i, to := range []*int{&h.oldStart, &h.newStart} {
		number, _, _ := strings.Cut(fields[1+i][1:], ",")
		n, err := strconv.Atoi(number)
		if err != nil {
			return hunk{}, fmt.Errorf("%q is no header of a hunk", text)
		}
		*to = n
	}
	if len(fields) == 5 {
		h.section = fields[4]
	}
	return h, nil
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
