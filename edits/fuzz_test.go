package edits

import (
	"errors"
	"strings"
	"testing"
)

// hasMarkers reports whether a line of the text could be read as part of an edit format.
func hasMarkers(text string) bool {
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if trimmed == "..." || trimmed == "…" {
			return true
		}
		for _, prefix := range []string{"<", "=", ">", "-", "+", "*", "@", `\`, "`", ":", "#", "/"} {
			if strings.HasPrefix(trimmed, prefix) {
				return true
			}
		}
	}
	return strings.ContainsAny(text, "\r\u0085\u2028\u2029") || strings.Contains(text, "...")
}

// FuzzBytesOutside demands that an edit changes no byte outside the lines at which
// its old text was found, by whatever tier.
func FuzzBytesOutside(f *testing.F) {
	f.Add("a()\r\n\tb()\nc()", "b()\n", "B()\n")
	f.Add("one\ntwo\nthree\n", "one\nTWO\nthree", "one\n2\nthree")
	f.Add("\ufeffx\n\n  y\n  z", "y\nz\n", "y\nq\nz\n")
	f.Fuzz(func(t *testing.T, text, old, new string) {
		if strings.TrimSpace(old) == "" || hasMarkers(old+"\n"+new) {
			return
		}
		old, new = strings.TrimSuffix(old, "\n")+"\n", strings.TrimSuffix(new, "\n")+"\n"
		after, tiers, err := applyAnswer(FormatSearchReplace, map[string]string{"f": text}, searchFor(old, new), Options{})
		var refusal *Error
		if errors.As(err, &refusal) {
			return
		}
		if err != nil {
			t.Fatalf("%v is no refusal", err)
		}
		at, tier, err := locateText(text, old, 0)
		if err != nil || string(tier) != tiers[0] {
			return // the new text decided which reading of the old one fits
		}
		if got := after["f"]; !strings.HasPrefix(got, text[:at.Start]) || !strings.HasSuffix(got, text[at.End:]) {
			t.Fatalf("%s, found at %v of %q: %q became %q", tier, at, text, text[at.Start:at.End], got)
		}
	})
}

// FuzzRendered writes the difference of two texts in each format and demands that
// what is read from it makes the second text of the first, or is refused.
func FuzzRendered(f *testing.F) {
	f.Add("a\nb\nc\nd\ne\nf\ng\nh\n", "a\nB\nc\nd\ne\nf\nG\nh\n")
	f.Add("x\nx\nx\nx\nx\nx\n", "x\nx\nx\ny\nx\nx\nx\n")
	f.Add("  a\n\n\n  b\n", "  a\n\n  b\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		if strings.Contains(before+after, "\t") { // what is in one style among others may be put into theirs
			return
		}
		if before == after || before == "" || after == "" || hasMarkers(before+"\n"+after) || !strings.HasSuffix(before, "\n") || !strings.HasSuffix(after, "\n") {
			return
		}
		diff := Unified("f", before, after)
		for format, answer := range map[Format]string{
			FormatUnifiedDiff: diff, FormatApplyPatch: patchOf(diff), FormatSearchReplace: blocksOf(diff),
		} {
			got, _, err := applyAnswer(format, map[string]string{"f": before}, answer, Options{})
			var refusal *Error
			switch {
			case err == nil && got["f"] == after:
			case errors.As(err, &refusal) && format != FormatUnifiedDiff:
			default:
				t.Errorf("%s: %v, %q, want %q\n%s", format, err, got["f"], after, answer)
			}
		}
	})
}

// patchOf writes a unified diff as a patch.
func patchOf(diff string) string {
	var s strings.Builder
	s.WriteString("*** Begin Patch\n*** Update File: f\n")
	for line := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(line, "@@"):
			s.WriteString("@@\n")
		case !strings.HasPrefix(line, "--- ") && !strings.HasPrefix(line, "+++ "):
			s.WriteString(line)
		}
	}
	s.WriteString("*** End Patch\n")
	return s.String()
}

// blocksOf writes a unified diff as SEARCH/REPLACE blocks.
func blocksOf(diff string) string {
	var s strings.Builder
	for _, hunk := range strings.Split(diff, "\n@@ ")[1:] {
		var old, new strings.Builder
		_, body, _ := strings.Cut(hunk, "\n")
		for line := range strings.Lines(strings.TrimSuffix(body, "\n") + "\n") {
			if line[0] != '+' {
				old.WriteString(line[1:])
			}
			if line[0] != '-' {
				new.WriteString(line[1:])
			}
		}
		s.WriteString(searchFor(old.String(), new.String()))
	}
	return s.String()
}
