package edits

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/sourcegraph/go-diff/diff"
)

// contextLines is how many unchanged lines a unified diff shows around a change.
const contextLines = 3

// Unified prints the difference between two states of a file as a unified
// diff, "" if there is none. UnifiedChange prints created and deleted files.
func Unified(path, before, after string) string {
	return UnifiedChange(FileChange{Path: path, Before: before, After: after})
}

// UnifiedChange prints one file's change as a unified diff. A file that does
// not exist on one side is /dev/null there.
func UnifiedChange(f FileChange) string {
	a, b := splitLF(f.Before), splitLF(f.After)
	d := diff.FileDiff{OrigName: quotePath("a/" + f.Path), NewName: quotePath("b/" + f.Path)}
	git := "diff --git " + d.OrigName + " " + d.NewName
	switch {
	case f.AbsentBefore && f.AbsentAfter:
		return ""
	case f.AbsentBefore:
		d.OrigName, d.Extended = "/dev/null", []string{git, "new file mode " + f.Form.Mode.String()}
	case f.AbsentAfter:
		d.NewName, d.Extended = "/dev/null", []string{git, "deleted file mode 100644"}
	case f.Form.Mode != Unsaid:
		d.Extended = []string{git, "old mode " + f.Form.Mode.other().String(), "new mode " + f.Form.Mode.String()}
	}
	for _, group := range nearby(DiffLines(a, b)) {
		d.Hunks = append(d.Hunks, printHunk(a, b, group, contextLines))
	}
	return printed(diff.PrintFileDiff(&d))
}

// LinesAt are lines of a text, with their ends; First numbers the first of them, from 0.
type LinesAt struct {
	First int
	Lines []string
}

// UnifiedHunk prints the difference between lines of two texts as one hunk, with all that
// are equal as context; "" if there is none.
func UnifiedHunk(before, after LinesAt) string {
	ds := DiffLines(before.Lines, after.Lines)
	if len(ds) == 0 {
		return ""
	}
	h := printHunk(before.Lines, after.Lines, ds, len(before.Lines))
	h.OrigStartLine += int32(before.First)
	h.NewStartLine += int32(after.First)
	return printed(diff.PrintHunks([]*diff.Hunk{h}))
}

func printed(out []byte, err error) string {
	if err != nil { // it prints to memory
		panic("edits: printing a diff: " + err.Error())
	}
	return string(out)
}

// splitLF divides s after each "\n", which alone ends a line of a unified diff.
func splitLF(s string) []string {
	lines := strings.SplitAfter(s, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// quotePath writes a path as git does: in quotes, with escapes, if it holds what would break the
// line, control a terminal or read as something else.
func quotePath(path string) string {
	if !strings.ContainsAny(path, "\"\\") && OneLine(path) == path && !strings.Contains(path, "\t") {
		return path
	}
	out := []byte{'"'}
	for _, b := range []byte(path) {
		switch {
		case b == '"' || b == '\\':
			out = append(out, '\\', b)
		case b >= '\a' && b <= '\r':
			out = append(out, '\\', "abtnvfr"[b-'\a'])
		case b < ' ' || b >= 0x7f:
			out = fmt.Appendf(out, "\\%03o", b)
		default:
			out = append(out, b)
		}
	}
	return string(append(out, '"'))
}

// nearby groups differences whose context overlaps or touches.
func nearby(ds []LineChange) [][]LineChange {
	var out [][]LineChange
	for i, d := range ds {
		if i > 0 && d.Start-ds[i-1].End <= 2*contextLines {
			out[len(out)-1] = append(out[len(out)-1], d)
			continue
		}
		out = append(out, []LineChange{d})
	}
	return out
}

// printHunk makes a hunk of a group of differences between the lines a and b, with so many
// lines of context.
func printHunk(a, b []string, group []LineChange, context int) *diff.Hunk {
	first, last := group[0], group[len(group)-1]
	lead := min(context, first.Start)
	tail := min(context, len(a)-last.End)
	var p hunkPrinter
	at := first.Start - lead
	for _, d := range group {
		p.write(' ', a[at:d.Start])
		p.write('-', a[d.Start:d.End])
		p.write('+', b[d.NewStart:d.NewEnd])
		at = d.End
	}
	p.write(' ', a[at:last.End+tail])
	h := &p.hunk
	h.OrigStartLine, h.NewStartLine = startLine(first.Start-lead, h.OrigLines), startLine(first.NewStart-lead, h.NewLines)
	h.Body = p.body.Bytes()
	return h
}

// startLine is the 1-based number of a hunk's first line; an empty side names
// the line before.
func startLine(at int, lines int32) int32 {
	if lines == 0 {
		return int32(at)
	}
	return int32(at) + 1
}

type hunkPrinter struct {
	hunk diff.Hunk
	body bytes.Buffer
}

func (p *hunkPrinter) write(sign byte, lines []string) {
	for _, line := range lines {
		p.body.WriteByte(sign)
		p.body.WriteString(line)
		if sign == '-' && !strings.HasSuffix(line, "\n") {
			p.body.WriteByte('\n')
			p.hunk.OrigNoNewlineAt = int32(p.body.Len())
		}
	}
	if sign != '+' {
		p.hunk.OrigLines += int32(len(lines))
	}
	if sign != '-' {
		p.hunk.NewLines += int32(len(lines))
	}
}

// Unified prints what a proposal does to the file.
func (f ProposedFile) Unified() (string, error) {
	change, err := f.Change()
	if err != nil {
		return "", err
	}
	return UnifiedChange(change), nil
}
