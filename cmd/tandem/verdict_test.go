package main

import (
	"os"
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
		{"apply, by force", nil, []string{"apply", "--write", "--force"}, broken, exitDone, "failed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, _ := withModel(t, c.answers...)
			if c.args[0] == "apply" {
				line := map[string]string{"apply, sound": sound, "apply, invented": invented}[c.name]
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
