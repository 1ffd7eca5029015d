package edits

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The bounds of a deletion that is out of proportion: so many lines, so much
// of the file, and so few new lines in return.
const (
	manyLines     = 40
	mostOfFile    = 2 // one part in two
	littleInstead = 5 // one new line for five
)

// Safety is the check of what no parser sees: files outside the workspace and
// protected ones, deletions out of proportion, and characters that hide or
// reorder text or control a terminal and were not there before. named holds the paths that the
// user's own request names, which may be protected files and documents of any
// scheme. The check fails on any finding of severity error.
func Safety(files []FileChange, named ...string) Check {
	c := Check{Kind: CheckSafety}
	for _, f := range files {
		if !slices.Contains(named, f.Path) {
			c.Findings = append(c.Findings, pathFindings(f.Path)...)
		}
		c.Findings = append(c.Findings, deletionFindings(f)...)
		c.Findings = append(c.Findings, hiddenFindings(f)...)
	}
	return c
}

func pathFindings(path string) []Finding {
	f := Finding{Path: path, Severity: "error", Name: path}
	switch {
	case Outside(path):
		f.Kind, f.Message = "outside", fmt.Sprintf("%q is not a path inside the workspace; no model may write there.", path)
	case Protected(path):
		f.Kind, f.Message = "protected", fmt.Sprintf("%q is a protected file; only your own request may name it.", path)
	default:
		return nil
	}
	return []Finding{f}
}

// deletionFindings compares what is deleted with what stays and what is added
// instead.
func deletionFindings(f FileChange) []Finding {
	if f.AbsentBefore || f.AbsentAfter { // a whole file is deleted only if the answer asks for it
		return nil
	}
	before := strings.Count(f.Before, "\n") + 1
	emptied := strings.TrimSpace(f.Before) != "" && strings.TrimSpace(f.After) == ""
	if before < manyLines && !emptied {
		return nil
	}
	removed, added := 0, 0
	start, endBefore, endAfter := middle(f.Before, f.After)
	for _, d := range diffLines(splitKeepEnds(f.Before[start:endBefore]), splitKeepEnds(f.After[start:endAfter])) {
		removed += d.End - d.Start
		added += d.ReplEnd - d.ReplStart
	}
	if !emptied && (removed < manyLines || removed*mostOfFile < before || added*littleInstead > removed) {
		return nil
	}
	return []Finding{{
		Path: f.Path, Kind: "deletion", Severity: "error",
		Message: fmt.Sprintf("%s would lose %d of %d lines for %d new ones, more than an edit should; ask for less at once, or delete them yourself.", f.Path, removed, before, added),
	}}
}

// hiddenFindings lists the characters of the new text that cannot be seen and
// that the text before did not have, or had less often.
func hiddenFindings(f FileChange) []Finding {
	if f.AbsentAfter || f.Before == f.After {
		return nil
	}
	var out []Finding
	if !f.AbsentBefore && strings.HasPrefix(f.After, byteOrderMark) && !strings.HasPrefix(f.Before, byteOrderMark) {
		out = append(out, hidden{Span: Span{0, len(byteOrderMark)}, char: 0xFEFF, kind: "invisible"}.finding(f.Path))
	}
	start, _, end := middle(f.Before, f.After)
	if len(hiddenIn(f.After[start:end])) == 0 {
		return out // nothing else that is hidden is in the lines that changed
	}
	had := map[rune]int{}
	for _, h := range hiddenIn(f.Before) {
		had[h.char]++
	}
	all := hiddenIn(f.After)
	more := map[rune]int{}
	for _, h := range all {
		more[h.char]++
	}
	changed := changedSpans(f)
	for _, h := range all {
		inChange := slices.ContainsFunc(changed, func(sp Span) bool { return sp.touches(h.Span) })
		if more[h.char] > had[h.char] && inChange {
			out = append(out, h.finding(f.Path))
		}
	}
	return out
}

// changedSpans is where f.After differs from f.Before.
func changedSpans(f FileChange) []Span {
	var out []Span
	for _, e := range Invert(NewText(f.Before), Diff(f.Before, f.After)) {
		out = append(out, e.Span)
	}
	return out
}

// A hidden character is one that is not visible, or that makes others appear in
// another place.
type hidden struct {
	Span
	char   rune
	kind   string // bidi, tag, invisible, control
	joiner bool   // between two emoji, where it is allowed
}

func (h hidden) finding(path string) Finding {
	f := Finding{
		Path: path, Span: h.Span, Kind: h.kind, Severity: "error", Name: fmt.Sprintf("U+%04X", h.char),
		Message: fmt.Sprintf("The new text of %s holds the hidden character U+%04X, which makes it read other than it is; remove it.", path, h.char),
	}
	if h.joiner {
		f.Severity = "warning"
	}
	return f
}

// hiddenIn lists the hidden characters of a text. A byte order mark at its
// start is none, and one variation selector alone is none.
func hiddenIn(s string) []hidden {
	var out []hidden
	var last rune
	for i := skipVisible(s, 0); i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if kind := hiddenKind(r, last); kind != "" && !(r == 0xFEFF && i == 0) {
			out = append(out, hidden{Span: Span{i, i + n}, char: r, kind: kind, joiner: r == 0x200D && last > 0x2000})
		}
		last = r
		if next := skipVisible(s, i+n); next > i+n {
			i, last = next, 0
		} else {
			i += n
		}
	}
	return out
}

func skipVisible(s string, i int) int {
	for i < len(s) && s[i] < utf8.RuneSelf && !control(rune(s[i])) {
		i++
	}
	return i
}

// control reports whether a character is one of control that no line of code needs.
func control(r rune) bool { return unicode.IsControl(r) && r != '\t' && r != '\n' && r != '\r' }

func hiddenKind(r, last rune) string {
	switch {
	case 0xE0000 <= r && r <= 0xE007F:
		return "tag"
	case r == 0x200E, r == 0x200F, 0x202A <= r && r <= 0x202E, 0x2066 <= r && r <= 0x2069:
		return "bidi"
	case 0x200B <= r && r <= 0x200D, 0x2060 <= r && r <= 0x2064, 0x206A <= r && r <= 0x206F, r == 0xFEFF, r == 0x00AD:
		return "invisible"
	case variation(r) && variation(last):
		return "invisible"
	case control(r):
		return "control"
	}
	return ""
}

func variation(r rune) bool {
	return 0xFE00 <= r && r <= 0xFE0F || 0xE0100 <= r && r <= 0xE01EF
}
