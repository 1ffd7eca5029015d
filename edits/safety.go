package edits

import (
	"fmt"
	"strings"
)

// The bounds of a deletion that is out of proportion: so many lines, so much
// of the file, and so few new lines in return.
const (
	manyLines     = 40
	mostOfFile    = 2 // one part in two
	littleInstead = 5 // one new line for five
)

// Safety is the check of what no parser sees: files that may not be written, deletions out of
// proportion, and characters that hide or reorder text or control a terminal and were not
// there before. refuse is asked about each file, and answers as Options.Refuse does; with nil, who writes
// the files asks. The check fails on any finding of severity error.
func Safety(files []FileChange, refuse func(path string) (Code, string)) Check {
	c := Check{Kind: CheckSafety}
	for _, f := range files {
		c.Findings = append(c.Findings, pathFindings(f, refuse)...)
		c.Findings = append(c.Findings, deletionFindings(f)...)
		c.Findings = append(c.Findings, hiddenFindings(f)...)
		c.Findings = append(c.Findings, mixedFindings(f)...)
	}
	return c
}

func pathFindings(change FileChange, refuse func(path string) (Code, string)) []Finding {
	path := change.Path
	f := Finding{Path: path, Severity: "error", Name: path}
	hides := func(r rune) bool {
		return r == '\n' || r == '\r' || r == '\t' || HiddenKind(r) != "" || VariationSelector(r)
	}
	if change.AbsentBefore && strings.ContainsFunc(path, hides) {
		f.Kind, f.Message = string(CodeOutside), fmt.Sprintf("The name %q holds a character that cannot be seen; name the file without it.", path)
		return []Finding{f}
	}
	if refuse == nil {
		return nil
	}
	code, why := refuse(path)
	if code == "" {
		return nil
	}
	f.Kind, f.Message = string(code), fmt.Sprintf("%q %s.", path, why)
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
	for _, d := range DiffLines(splitKeepEnds(f.Before[start:endBefore]), splitKeepEnds(f.After[start:endAfter])) {
		removed += d.End - d.Start
		added += d.NewEnd - d.NewStart
	}
	if !emptied && (removed < manyLines || removed*mostOfFile < before || added*littleInstead > removed) {
		return nil
	}
	return []Finding{{
		Path: f.Path, Kind: "deletion", Severity: "error",
		Message: fmt.Sprintf("%s would lose %d of %d lines for %d new ones, more than an edit should; ask for less at once, or delete them yourself.", f.Path, removed, before, added),
	}}
}

// changedSpans is where f.After differs from f.Before.
func changedSpans(f FileChange) []Span {
	var out []Span
	for _, e := range Invert(NewText(f.Before), Diff(f.Before, f.After)) {
		out = append(out, e.Span)
	}
	return out
}
