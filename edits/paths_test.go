package edits_test

import (
	"testing"

	"tandem/edits"
)

func TestOutside(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		"", ".", "./", "..", "../a", "a/../../b", "a/..", "/etc/passwd", `\windows`, `C:\a`, "c:a", `\\host\share`, "//host/a",
		"file:///a", "https://a/b", "~/a", "%2e%2e/a", "%2E%2E%2Fa", "..%2fa", "%252e%252e/a", `..\a`, `a\..\..\b`, "a\x00b", "a%00b", ".. /a", "... /a", "vscode-remote://a",
	} {
		if !edits.Outside(path) {
			t.Errorf("%q is not outside", path)
		}
	}
}
