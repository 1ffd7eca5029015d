package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestVerdictIsObeyedOnEveryRoad: what fails its checks is on disk by force alone, and what
// is not judged only where the user allows it, whichever command writes it and as the first
// request of its process.
func TestVerdictIsObeyedOnEveryRoad(t *testing.T) {
	const sound, invented, broken = "\treturn 2 - 1", "\treturn inventedName()", "\treturn (1"
	edit := func(line string) answer { return answer{"Count", block("\treturn 1", line)} }
	deep := func(line string) []answer {
		return []answer{{"Do step", block("\treturn 1", line)}, {"Count", "1. [FAST] Count in lib.go | write: lib.go"}}
	}
	for _, c := range []struct {
		name    string
		answers []answer
		args    []string
		want    string // of the file
		code    int
		says    string
	}{
		{"edit, sound", []answer{edit(sound)}, []string{"edit", "lib.go", "Count", "--write"}, sound, exitDone, "wrote 1 file"},
		{"edit, invented", []answer{edit(invented)}, []string{"edit", "lib.go", "Count", "--write"}, "\treturn 1", exitFailed, "inventedName is declared nowhere"},
		{"edit, broken", []answer{edit(broken)}, []string{"edit", "lib.go", "Count", "--write"}, "\treturn 1", exitFailed, "--force"},
		{"edit, by force", []answer{edit(invented)}, []string{"edit", "lib.go", "Count", "--write", "--force"}, invented, exitDone, "failed: inventedName"},
		{"a task, sound", deep(sound), []string{"edit", "lib.go", "Count", "--deep", "--write", "--yes"}, sound, exitDone, "wrote 1 file"},
		{"a task, invented", deep(invented), []string{"edit", "lib.go", "Count", "--deep", "--write", "--yes"}, "\treturn 1", exitFailed, "inventedName is declared nowhere"},
		{"apply, sound", nil, []string{"apply", "--write"}, sound, exitDone, "wrote 1 file"},
		{"apply, invented", nil, []string{"apply", "--write"}, "\treturn 1", exitFailed, "inventedName is declared nowhere"},
		{"apply, broken", nil, []string{"apply", "--write"}, "\treturn 1", exitFailed, "--force"},
		{"apply, an import lacks", nil, []string{"apply", "--write"}, "import \"strings\"", exitDone, "wrote 1 file"},
		{"apply, by force", nil, []string{"apply", "--write", "--force"}, broken, exitDone, "failed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, _ := withModel(t, c.answers...)
			if c.args[0] == "apply" {
				line := map[string]string{"apply, sound": sound, "apply, invented": invented, "apply, an import lacks": "\treturn strings.Count(\"\", \"\")"}[c.name]
				if line == "" {
					line = broken
				}
				h.stdin = strings.NewReader(block("\treturn 1", line))
			}
			code, _, problems := h.run(c.args...)
			if code != c.code || !strings.Contains(problems, c.says) {
				t.Errorf("exit %d: %s", code, problems)
			}
			if now, err := os.ReadFile("lib.go"); err != nil || !strings.Contains(string(now), c.want) {
				t.Errorf("the file is %s, %v", now, err)
			}
		})
	}
}

// TestNotJudgedIsSaidAndRefused: a name of a package that is not on this machine cannot be
// judged; a script is told so, and can have it written. A language without a check has
// nothing that could fail.
func TestNotJudgedIsSaidAndRefused(t *testing.T) {
	const missing = "package lib\n\nimport \"example.com/missing/thing\"\n\nfunc One() int {\n\treturn 1\n}\n"
	for _, c := range []struct {
		name, file, text, answer string
		flags                    []string
		code                     int
		says                     string
	}{
		{"no terminal", "lib.go", missing, block("\treturn 1", "\treturn thing.Count()"), nil, exitFailed, "--require-judged=false"},
		{"allowed", "lib.go", missing, block("\treturn 1", "\treturn thing.Count()"), []string{"--require-judged=false"}, exitDone, "not judged: "},
		{"a whole text without its end", "lib.go", "package lib\n\nfunc One() int {\n\treturn 1\n}\n\nfunc Two() int {\n\treturn 2\n}\n", "lib.go\n```go\npackage lib\n\nfunc One() int {\n\treturn 2 - 1\n}\n```\n", nil, exitFailed, "it takes away Two, which the request does not name"},
		{"shell", "run.sh", "echo 1\n", strings.ReplaceAll(block("echo 1", "echo 2"), "lib.go", "run.sh"), nil, exitDone, "wrote 1 file"},
		{"markdown", "a.md", "one\n", strings.ReplaceAll(block("one", "two"), "lib.go", "a.md"), nil, exitDone, "wrote 1 file"},
		{"plain text", "a.txt", "one\n", strings.ReplaceAll(block("one", "two"), "lib.go", "a.txt"), nil, exitDone, "wrote 1 file"},
		{"java", "A.java", "class A {\n  int one;\n}\n", strings.ReplaceAll(block("  int one;", "  int two;"), "lib.go", "A.java"), nil, exitDone, "wrote 1 file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, _ := withModel(t, answer{"Count", c.answer})
			h.write("go.mod", "module example.com/lib\n\ngo 1.24\n\nrequire example.com/missing v1.0.0\n")
			h.write(c.file, c.text)
			code, _, problems := h.run(append([]string{"edit", c.file, "Count", "--write"}, c.flags...)...)
			if code != c.code || !strings.Contains(problems, c.says) {
				t.Errorf("exit %d: %s", code, problems)
			}
			if now, err := os.ReadFile(c.file); err != nil || (string(now) == c.text) != (c.code != exitDone) {
				t.Errorf("the file is %s, %v", now, err)
			}
		})
	}
}

// TestNobodySitsAtNoDevice: a script whose input is /dev/null has no terminal.
func TestNobodySitsAtNoDevice(t *testing.T) {
	none, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer none.Close()
	if isTerminal(none) {
		t.Error("the device of nothing counts as a terminal")
	}
}

// TestFirstAnswersInTheEditorAreJudged: the first suggestion after the start and the first
// edit wait for the check of names; what fails is not shown as a suggestion, and not applied
// without force.
func TestFirstAnswersInTheEditorAreJudged(t *testing.T) {
	const text = "package lib\n\nimport \"strings\"\n\nfunc Loud(s string) string {\n\treturn \n}\n\nfunc One() int {\n\treturn 1\n}\n"
	for _, c := range []struct {
		name, suggested, edited string
		shown                   bool
		verdict                 string
	}{
		{"sound", "strings.ToUpper(s)", "\treturn 2", true, "passed"},
		{"invented", "strings.ToLoud(s)", "\treturn strings.Count2(\"\", \"\")", false, "failed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, _ := withModel(t, answer{"Count", block("\treturn 1", c.edited)}, answer{"", c.suggested})
			h.write("lib.go", text)
			uri := "file://" + filepath.ToSlash(filepath.Join(h.workspace, "lib.go"))
			h.session(`"capabilities":{"experimental":{"tandem":{"proposals":true}}},"initializationOptions":{"trusted":true}`, nil, nil, func(e *editor) {
				e.send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"languageId":"go","version":1,"text":%q}}}`, uri, text)
				e.send(`{"jsonrpc":"2.0","id":2,"method":"textDocument/inlineCompletion","params":{"textDocument":{"uri":%q},"position":{"line":5,"character":8},"context":{"triggerKind":1}}}`, uri)
				if m := e.answer(2); m.Error != nil || strings.Contains(string(m.Result), c.suggested) != c.shown {
					t.Errorf("suggested: %s%s", m.Result, m.Error)
				}
				e.send(`{"jsonrpc":"2.0","id":3,"method":"tandem/edit","params":{"textDocument":{"uri":%q,"version":1},"range":{"start":{"line":8,"character":0},"end":{"line":10,"character":1}},"instruction":"Count"}}`, uri)
				m := e.answer(3)
				_, id, _ := strings.Cut(string(m.Result), `"proposalId":"`)
				id, _, _ = strings.Cut(id, `"`)
				e.send(`{"jsonrpc":"2.0","id":4,"method":"tandem/resolve","params":{"id":%q,"action":"accept"}}`, id)
				if got := e.answer(4); strings.Contains(string(got.Error), "failed_checks") != (c.verdict == "failed") || id == "" {
					t.Errorf("accepting %q of %s%s: %s%s", id, m.Result, m.Error, got.Result, got.Error)
				}
			})
		})
	}
}

// TestStepsThatRunAtOnceAreJudgedTogether: a step may use what another one of its level
// declares, also where the name was asked for before with another text of the same length.
func TestStepsThatRunAtOnceAreJudgedTogether(t *testing.T) {
	for name, c := range map[string]struct {
		called string
		code   int
		asked  int32
	}{
		"declared by the other": {"Three", exitDone, 3},
		"declared by none":      {"Thrum", exitRefused, 5}, // the plan, both steps, and the one that fails twice again
	} {
		t.Run(name, func(t *testing.T) {
			h, asked := withModel(t,
				answer{"Do step 1 now", "three.go\n<<<<<<< SEARCH\n=======\npackage lib\n\nfunc Three() int {\n\treturn 3\n}\n>>>>>>> REPLACE\n"},
				answer{"Do step 2 now", block("\treturn 1", "\treturn "+c.called+"()")},
				answer{"Count", "1. [FAST] Declare it | write: three.go\n2. [FAST] Call it | write: lib.go"})
			code, out, problems := h.run("edit", "lib.go", "Count", "--deep", "--yes", "--json")
			if code == exitDone != (c.code == exitDone) || asked.Load() < c.asked {
				t.Errorf("exit %d after %d requests: %s%s", code, asked.Load(), out, problems)
			}
			if want := map[bool]string{true: `"state": "passed"`, false: "Thrum is declared nowhere"}[c.code == exitDone]; !strings.Contains(out, want) {
				t.Errorf("%s is not in %s", want, out)
			}
		})
	}
}
