package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tandem/workspace"
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

// TestProgramsOfAnotherVersion: an editor, an agent or a script that is older or newer than this
// tandem is answered: what is not known is left out, or refused in a sentence that names this
// version; what it does know goes on.
func TestProgramsOfAnotherVersion(t *testing.T) {
	h, _ := withModel(t, answer{"", "ready"})
	here := "tandem " + version()
	for _, args := range [][]string{{"glow"}, {"check", "--glow"}, {"setup", "--json", "--glow"}, {"tasks", "glow"}} {
		if code, _, problems := h.run(args...); code != exitUsage || !strings.Contains(problems, here) {
			t.Errorf("%q: %d %s", args, code, problems)
		}
	}
	t.Run("editor", func(t *testing.T) {
		const later = `"capabilities":{"glow":{"support":true},"experimental":{"tandem":{"glow":true,"status":true}}},"initializationOptions":{"trusted":true,"glow":[1]},"glow":1`
		h.session(later, nil, nil, func(e *editor) {
			uri := workspace.URIOf(filepath.Join(h.workspace, "lib.go"))
			e.send(`{"jsonrpc":"2.0","method":"tandem/glow","params":{"x":1}}`)
			e.send(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"tandem":{"editor.glow":true}}}}`)
			e.send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"languageId":"go","version":1,"text":%q,"glow":1}}}`, uri, lib)
			for id, request := range map[int]string{2: `"tandem/glow","params":{}`, 3: `"workspace/executeCommand","params":{"command":"tandem.glow","arguments":[{}]}`} {
				e.send(`{"jsonrpc":"2.0","id":%d,"method":%s}`, id, request)
				if r := e.answer(id); !strings.Contains(string(r.Error), here) {
					t.Errorf("%s: %s%s", request, r.Result, r.Error)
				}
			}
			e.send(`{"jsonrpc":"2.0","id":4,"method":"tandem/ask","params":{"question":"what is One?","glow":1,"textDocument":{"uri":%q},"position":{"line":2,"character":6}}}`, uri)
			if r := e.answer(4); !strings.Contains(string(r.Result), "ready") {
				t.Errorf("a question: %s%s", r.Result, r.Error)
			}
		})
	})
	t.Run("agent", func(t *testing.T) {
		a := h.agent("")
		if text, failed := a.use("context", args{"words": "Two", "glow": true}); failed || !strings.Contains(text, "func Two") {
			t.Errorf("an argument that is not known: %s", text)
		}
		if _, failed := a.use("glow", args{}); !failed {
			t.Error("a tool that is not known has a result")
		}
		if text, failed := h.agentOf("", "2025-03-26").use("context", args{"words": "Two"}); failed || !strings.Contains(text, "func Two") {
			t.Errorf("an earlier protocol: %s", text)
		}
	})
	t.Run("set up", func(t *testing.T) {
		h.stdin = strings.NewReader(`{"answer":"later"}` + "\n" + `{"answer":"built-in","glow":{"by":"a later editor"}}` + "\n")
		if code, out, problems := h.run("setup", "--json"); code != exitDone || !strings.Contains(out, `\"later\" is none of the answers`) {
			t.Errorf("%d %s%s", code, out, problems)
		}
	})
	t.Run("hook", func(t *testing.T) {
		h.stdin = strings.NewReader(fmt.Sprintf(`{"session_id":"s","cwd":%q,"hook_event_name":"PostGlow","glow":1}`, h.workspace))
		if code, out, problems := h.run("check", "--hook", "claude"); code != exitDone || out != "" {
			t.Errorf("an event that is not known: %d %q %s", code, out, problems)
		}
	})
}
