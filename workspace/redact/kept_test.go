package redact_test

import (
	"strings"
	"testing"

	"tandem/workspace/redact"
)

const (
	settings = "host=db\npassword = \"hunter22xyz\"\nport=5\n"
	mark     = "⟦redacted-0⟧"
)

// TestSealedTextComesBackWhileItsFileIsTheSame: what is stored has no secret, and the file gives it back;
// from another file it does not come.
func TestSealedTextComesBackWhileItsFileIsTheSame(t *testing.T) {
	t.Parallel()
	var r redact.Redactor
	sealed := r.Seal("/w/a.env", settings)
	if strings.Contains(sealed, "hunter22") {
		t.Fatalf("%s", sealed)
	}
	alone := r.Redact(`token = "aK8s2LmP9xQ4vT7zB1nC"`).String()
	now := settings
	resumed := func() *redact.Redactor {
		return redact.Resumed(r.References(), func(path string) (string, bool) { return now, path == "/w/a.env" })
	}
	if got := resumed().Restore(sealed); got != settings {
		t.Errorf("%q", got)
	}
	if got := resumed().Restore(alone); got != alone || resumed().Lost(got) != 1 {
		t.Errorf("a secret of no file: %q", got)
	}
	now = strings.Replace(settings, "port=5", "port=6", 1)
	if got := resumed().Restore(sealed); got != sealed || resumed().Lost(got) != 1 {
		t.Errorf("of a file that changed: %q", got)
	}
	if got := resumed().Redact(sealed).String(); got != sealed {
		t.Errorf("a lost placeholder became %q", got)
	}
	if again := resumed().Seal("/w/a.env", now); again == sealed || strings.Contains(again, "hunter22") {
		t.Errorf("the new text is stored as %q", again)
	}
}

// TestKeptTextIsCompletedByItsFile: a line that is as it was gets its secret from the file.
func TestKeptTextIsCompletedByItsFile(t *testing.T) {
	t.Parallel()
	kept := redact.Kept(settings)
	if want := strings.Replace(settings, "hunter22xyz", mark, 1); kept != want || redact.Kept(kept) != kept || redact.Marks(kept) != 1 {
		t.Fatalf("%q", kept)
	}
	for now, want := range map[string]string{
		settings: settings,
		strings.Replace(settings, "port=5", "port=6", 1):                      settings,
		"new=1\n" + strings.Replace(settings, "hunter22xyz", "0ther33abc", 1): strings.Replace(settings, "hunter22xyz", "0ther33abc", 1),
		"host=db\nport=5\n": kept,
		"":                  kept,
	} {
		if got := redact.Completed(kept, now); got != want {
			t.Errorf("with %q: %q", now, got)
		}
	}
	lines := "<password>\n  hunter22xyz\n</password>\n"
	if got := redact.Kept(lines); strings.Count(got, "\n") != 3 {
		t.Errorf("%q has other lines", got)
	}
	if got := redact.Masked(settings); got != strings.Replace(settings, "hunter22xyz", "xxxxxxxxxxx", 1) {
		t.Errorf("%q", got)
	}
}
