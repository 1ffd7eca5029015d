package edits

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// A ChangedHunk is whole lines of a file in place of those of its base, counted from 0.
// With ends of lines, nothing of either text is lost.
type ChangedHunk struct {
	ID            string // of these lines at this place of the base: where either changes, it is another hunk
	Lines         LineChange
	Before, After string
}

// ChangedHunks are the changes from a base to the text now, in order. A file that is not
// there before or after is one hunk. An id is a hash of the lines as stored makes them, since it
// is stored itself; stored leaves the number of lines as it is.
func ChangedHunks(path string, c FileChange, stored func(string) string) []ChangedHunk {
	base, now := textLines(c.Before), textLines(c.After)
	keptBase, keptNow := textLines(stored(c.Before)), textLines(stored(c.After))
	list := DiffLines(base, now)
	if c.AbsentBefore || c.AbsentAfter {
		list = []LineChange{{0, len(base), 0, len(now)}}
	}
	var out []ChangedHunk
	for _, l := range list {
		h := ChangedHunk{Lines: l, Before: strings.Join(base[l.Start:l.End], ""), After: strings.Join(now[l.NewStart:l.NewEnd], "")}
		sum := sha256.Sum256(fmt.Appendf(nil, "%q %d %t %t %q %q", path, l.Start, c.AbsentBefore, c.AbsentAfter, strings.Join(keptBase[l.Start:l.End], ""), strings.Join(keptNow[l.NewStart:l.NewEnd], "")))
		h.ID = hex.EncodeToString(sum[:12])
		out = append(out, h)
	}
	return out
}

// Undo is the edit of the text now that brings the base's lines back.
func (h ChangedHunk) Undo(now Text) Edit {
	lineStart := func(line int) int {
		if line >= now.LineCount() {
			return now.Len()
		}
		return now.LineStart(line)
	}
	return Edit{Span: Span{lineStart(h.Lines.NewStart), lineStart(h.Lines.NewEnd)}, New: h.Before}
}

// textLines are the lines of a text with their ends.
func textLines(text string) []string { return slices.Collect(strings.Lines(text)) }
