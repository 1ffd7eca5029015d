package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// drawnSettings are settings as people have them, drawn: entries in some order, with comments, trailing
// commas, another indentation, line end and byte order mark.
func drawnSettings(r *rand.Rand) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	indent, comment, last := pick("  ", "\t", "    ", ""), pick("", "", " // mine", " /* kept */"), pick("", "", ",")
	entries := []string{`"model": "opus"`, `"permissions": {"allow": ["Bash(make test)", "Read"], "deny": []}`, `"env": {"A": "\u00e9", "N": "1.50"}`, `"includeCoAuthoredBy": false`,
		`"statusLine": {"type": "command", "command": "~/bin/line"}`, `"unknown" : [ 1 , 2e3 ]`,
		`"hooks": {"PostToolUse": [{"matcher": "Write", "hooks": [{"type": "command", "command": "` + pick("prettier --write", "gofmt -l .", "mytandem check --hook claude", "npx eslint") + `"}]}]}`}
	r.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	var out strings.Builder
	out.WriteString(pick("", "", "// settings of this project\n") + "{\n")
	kept := entries[:1+r.IntN(len(entries))]
	for i, e := range kept {
		comma := ","
		if i == len(kept)-1 {
			comma = last
		}
		out.WriteString(indent + e + comma + comment + "\n")
	}
	out.WriteString("}" + pick("\n", ""))
	return pick("", "", "\ufeff") + strings.ReplaceAll(out.String(), "\n", pick("\n", "\n", "\r\n"))
}

// TestHooksOnDrawnSettings: of 30 settings of agents, tandem's own entry comes and goes and every other byte
// stays; what cannot be edited so is refused and stays as it is.
func TestHooksOnDrawnSettings(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 30))
	settings := map[string]string{
		"duplicates":     `{"hooks":{},"a":1,"hooks":{}}` + "\n",
		"what is no map": "[]\n",
		"an empty file":  "",
	}
	for n := len(settings); n < 30; n++ {
		settings[fmt.Sprint("drawn ", n)] = drawnSettings(r)
	}
	installed := 0
	for name, old := range settings {
		h := newHome(t)
		file := filepath.Join(h.workspace, ".claude", "settings.json")
		writeFile(t, h.workspace, ".claude/settings.json", old)
		code, _, stderr := h.run("hook", "install", "claude")
		with := readFile(t, h.workspace, ".claude/settings.json")
		if code != 0 {
			if with != old || strings.Count(stderr, "\n") != 1 {
				t.Errorf("%s: refused with %q, and the file is %q", name, stderr, with)
			}
			continue
		}
		installed++
		if !strings.Contains(with, "check --hook claude") {
			t.Errorf("%s: not installed: %s", name, with)
		}
		if code, _, stderr := h.run("hook", "remove", "claude"); code != 0 {
			t.Errorf("%s: not removed: %s", name, stderr)
		}
		left := readFile(t, h.workspace, ".claude/settings.json")
		if _, err := os.Stat(file); os.IsNotExist(err) {
			left = ""
		}
		if left != old && emptyContainer.ReplaceAllString(left, "$1$2") != emptyContainer.ReplaceAllString(old, "$1$2") && (old != "" || strings.Join(strings.Fields(left), "") != "{}") {
			t.Errorf("%s:\nbefore %q\nafter  %q", name, old, left)
		}
	}
	t.Logf("installed in %d of %d", installed, len(settings))
	if installed < 28 {
		t.Errorf("installed in %d of %d", installed, len(settings))
	}
}
