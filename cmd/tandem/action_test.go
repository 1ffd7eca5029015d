package main

import (
	"regexp"
	"strings"
	"testing"
)

var (
	usesAction = regexp.MustCompile(`(?m)^\s*-? *uses: (\S+)`)
	pinned     = regexp.MustCompile(`@[0-9a-f]{40}$`)
)

// TestActionIsPinned: what runs in somebody's CI is named by its commit, and no input, branch or
// title becomes a part of a script.
func TestActionIsPinned(t *testing.T) {
	for _, file := range []string{"action.yml", ".github/workflows/test.yml"} {
		text := readFile(t, "../..", file)
		uses := usesAction.FindAllStringSubmatch(text, -1)
		for _, u := range uses {
			if !pinned.MatchString(u[1]) {
				t.Errorf("%s: %s is not pinned to a commit", file, u[1])
			}
		}
		if len(uses) == 0 {
			t.Errorf("%s uses nothing", file)
		}
		within := -1 // the indentation of the script's key
		for line := range strings.Lines(text) {
			indent := len(line) - len(strings.TrimLeft(line, " "))
			if within >= 0 && strings.TrimSpace(line) != "" && indent <= within {
				within = -1
			}
			if key := strings.TrimLeft(line, " -"); strings.HasPrefix(key, "run:") {
				within = len(line) - len(key)
			}
			if within >= 0 && strings.Contains(line, "${{") {
				t.Errorf("%s: a script has an expression: %s", file, line)
			}
		}
	}
}
