package main

import (
	"os"
	"strings"
	"testing"
)

// TestNoticesAreComplete requires that everything which the program links and the
// VS Code extension bundles is in the third-party notices, and that both ship
// with them.
func TestNoticesAreComplete(t *testing.T) {
	t.Chdir("../..")
	if err := missing(); err != nil {
		t.Error(err)
	}
	for file, want := range map[string]string{
		"Makefile":                     "cp LICENSE THIRD_PARTY_NOTICES.txt dist/",
		"tools/editors.mk":             "cp LICENSE THIRD_PARTY_NOTICES.txt $(VSCODE)/",
		"editors/vscode/.vscodeignore": "!THIRD_PARTY_NOTICES.txt",
	} {
		text, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s does not ship the notices: %q is not in it (%v)", file, want, err)
		}
	}
}
