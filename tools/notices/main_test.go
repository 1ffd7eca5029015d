package main

import (
	"fmt"
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

// missing fails if the notices lack a dependency.
func missing() error {
	list, err := shipped()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(outFile)
	if err != nil {
		return err
	}
	var lacking []string
	for _, d := range list {
		title := d.title()
		if d.name == "Go standard library" { // its licence is the same in every version
			title = d.name
		}
		if !strings.Contains(string(text), "\n"+rule+"\n"+title) {
			lacking = append(lacking, d.title())
		}
	}
	if len(lacking) > 0 {
		return fmt.Errorf("%s lacks %s: run make notices", outFile, strings.Join(lacking, ", "))
	}
	return nil
}
