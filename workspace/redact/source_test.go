package redact_test

import (
	"strings"
	"testing"

	"tandem/workspace/redact"
)

// TestSourceKnowsItsLines clamps lines to the text's, with and without an end of the last one.
func TestSourceKnowsItsLines(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		count       int
		second, all string
	}{"": {0, "", ""}, "a": {1, "", "a"}, "a\n": {1, "", "a\n"}, "a\nb": {2, "b", "a\nb"}, "a\n\nc\n": {3, "\n", "a\n\nc\n"}} {
		s := redact.NewSource(text)
		if s.LineCount() != want.count || s.Raw(2, 2) != want.second || s.Raw(-1, 9) != want.all || s.Text() != text {
			t.Errorf("%q: %d lines, the second %q, all %q", text, s.LineCount(), s.Raw(2, 2), s.Raw(-1, 9))
		}
	}
	s := redact.NewSource("ab\ncd\n")
	for _, lines := range [][2]int{{2, 0}, {3, 1}, {9, 9}} {
		if got := s.Raw(lines[0], lines[1]); got != "" {
			t.Errorf("lines %v are %q, not empty", lines, got)
		}
	}
	for offset, want := range []int{1, 1, 1, 2, 2, 2, 2} {
		if got := s.LineAt(offset); got != want {
			t.Errorf("offset %d is in line %d, not %d", offset, got, want)
		}
	}
}

// TestSourceFindsSecretsAcrossLines finds a key whose middle lines alone look like no secret.
func TestSourceFindsSecretsAcrossLines(t *testing.T) {
	t.Parallel()
	const key = "-----BEGIN RSA PRIVATE KEY-----\nMIIBOgIBAAJBAKj34GkxFhD90vcNLYLInFEX6Ppy1tPf9Cnzj4p4WGeKLs1Pt8Qu\nKUpRKfFLfRYC9AIKjbJTWit+CqvjWYzvQwECAwEAAQ==\n-----END RSA PRIVATE KEY-----\n"
	s := redact.NewSource("before\n" + key)
	if alone := redact.Find(s.Raw(4, 4)); len(alone) != 0 {
		t.Fatalf("the line alone has the secrets %v: the test shows nothing", alone)
	}
	var r redact.Redactor
	if got := r.Lines(s, 4, 4).String(); got != "⟦redacted-1⟧\n" || r.Restore(got) != s.Raw(4, 4) {
		t.Errorf("line 4 is shown as %q", got)
	}
}

// TestLargeSourceIsSearchedAroundACut finds a key of which a cut of a large text shows a line,
// and which begins and ends outside of it.
func TestLargeSourceIsSearchedAroundACut(t *testing.T) {
	t.Parallel()
	const line = "MIIBOgIBAAJBAKj34GkxFhD90vcNLYLInFEX6Ppy1tPf9Cnzj4p4WGeKLs1Pt8Qu"
	key := "-----BEGIN RSA PRIVATE KEY-----\n" + strings.Repeat(line+"\n", 9) + "-----END RSA PRIVATE KEY-----\n"
	s := redact.NewSource(strings.Repeat("nothing to see\n", 30_000) + key + strings.Repeat("nothing to see\n", 30_000))
	for n := 30_002; n < 30_011; n++ {
		var r redact.Redactor
		if got := r.Lines(s, n, n).String(); strings.Contains(got, line[:20]) || r.Restore(got) != s.Raw(n, n) {
			t.Errorf("line %d is shown as %q", n, got)
		}
	}
}
