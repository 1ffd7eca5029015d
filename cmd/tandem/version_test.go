package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestVersionIsSaidOnce: what is released carries the version of the program, and the list of
// changes begins with it.
func TestVersionIsSaidOnce(t *testing.T) {
	for file, line := range map[string]string{
		"editors/vscode/package.json":                    `(?m)^\t"version": "(.*)"`,
		"editors/vscode/package-lock.json":               `(?m)^\t\t\t"version": "(.*)"`,
		"editors/claude-code/.claude-plugin/plugin.json": `(?m)^  "version": "(.*)"`,
		"CHANGELOG.md": `(?m)^## ([0-9.]*)`,
	} {
		data, err := os.ReadFile("../../" + file)
		if err != nil {
			t.Fatal(err)
		}
		if m := regexp.MustCompile(line).FindStringSubmatch(string(data)); m == nil || m[1] != version() {
			t.Errorf("%s says %q, and cmd/tandem/VERSION %s", file, m, version())
		}
	}
	if !regexp.MustCompile(`^0\.\d+\.\d+$`).MatchString(version()) {
		t.Errorf("%q is no version", version())
	}
}

// TestVersionOfABuild: tandem --version prints the commit and the date that the Makefile sets.
func TestVersionOfABuild(t *testing.T) {
	defer func() { commit, date = "", "" }()
	commit, date = "1234567890ab", "2026-11-28"
	if code, out, _ := newHome(t).run("--version"); code != exitDone || strings.TrimSpace(out) != "tandem version "+version()+" (commit 1234567890ab, 2026-11-28)" {
		t.Errorf("%d %q", code, out)
	}
}
