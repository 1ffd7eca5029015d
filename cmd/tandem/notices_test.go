package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoticesAreComplete requires that everything which the program links and the
// VS Code extension bundles is in the third-party notices, and that both ship
// with them.
func TestNoticesAreComplete(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	check := exec.Command("go", "run", "./tools/notices", "-check")
	check.Dir = root
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	for file, want := range map[string]string{
		"Makefile":                     "cp LICENSE THIRD_PARTY_NOTICES.txt dist/",
		"tools/editors.mk":             "cp LICENSE THIRD_PARTY_NOTICES.txt $(VSCODE)/",
		"editors/vscode/.vscodeignore": "!THIRD_PARTY_NOTICES.txt",
	} {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s does not ship the notices: %q is not in it (%v)", file, want, err)
		}
	}
}
