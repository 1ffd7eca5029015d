package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// allowed are the files of a list in testdata/allowed: some of them, or all of them where TANDEM_ALL is set.
func allowed(t *testing.T, list string, one int) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "allowed", list+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	names := strings.Fields(string(text))
	if os.Getenv("TANDEM_ALL") != "" {
		one = 1
	}
	var out []string
	for i := 0; i < len(names); i += one {
		out = append(out, names[i])
	}
	return out
}

// creating answers the request for file number N with the change of a function and the new file, by an edit or
// as the only step of a task.
func creating(names []string) (out []answer) {
	for i, name := range names {
		made := block("\treturn 1", fmt.Sprintf("\treturn 1%d", i)) + name + "\n<<<<<<< SEARCH\n=======\n" + textOf(name) + ">>>>>>> REPLACE\n"
		step := fmt.Sprintf("do number %d, please", i)
		out = append(out, answer{"now and nothing else: " + step, made}, answer{fmt.Sprintf("plan number %d,", i), "1. [DEEP] " + step + " | write: lib.go, " + name + "\n"}, answer{fmt.Sprintf("make number %d,", i), made})
	}
	return out
}

// textOf is a text that parses as a file of that name.
func textOf(name string) string {
	switch filepath.Ext(name) {
	case ".json":
		return "{}\n"
	case ".go":
		return "package x\n"
	case ".mod":
		return "module x\n"
	case ".scss", ".css", ".yaml", ".yml", ".toml", ".md", ".txt", ".js", ".ts", ".tsx", ".mjs", ".cjs", ".py":
		return "\n"
	}
	return "x\n"
}

// TestNothingThatRunsIsWritten: a model's edit creates files that nobody named and that make programs run or
// decide what is seen, on each road that writes: none is written, and force does not change that.
func TestNothingThatRunsIsWritten(t *testing.T) {
	roads := map[string]func(h *home, names []string){
		"an agent": func(h *home, names []string) {
			a := h.agent("")
			for i := range names {
				text, _ := a.use("edit", args{"instruction": fmt.Sprintf("make number %d, in the only file", i), "files": []string{"lib.go"}, "write": true})
				if strings.Contains(text, "\nwritten: ") {
					t.Errorf("%s: %s", names[i], text)
				}
			}
		},
		"edit": func(h *home, names []string) {
			for i := range names {
				if code, _, problems := h.run("edit", "lib.go", fmt.Sprintf("make number %d, in the only file", i), "--write", "--force"); code != exitRefused && code != exitFailed {
					t.Errorf("%s: exit %d: %s", names[i], code, problems)
				}
			}
		},
		"apply": func(h *home, names []string) {
			for _, name := range names {
				if printed, code := runApply(h.t, h.workspace, name+"\n<<<<<<< SEARCH\n=======\n"+textOf(name)+">>>>>>> REPLACE\n", "--write", "--force"); code != exitRefused && code != exitFailed {
					t.Errorf("%s: exit %d: %s", name, code, printed)
				}
			}
		},
		"a task": func(h *home, names []string) {
			for i := range names {
				if code, out, problems := h.run("edit", "lib.go", fmt.Sprintf("plan number %d, in the only file", i), "--deep", "--write", "--force", "--yes"); code == exitDone {
					t.Errorf("%s: %s%s", names[i], out, problems)
				}
			}
			_, out, _ := h.run("tasks")
			for line := range strings.Lines(out) {
				if id, _, _ := strings.Cut(line, " "); strings.Contains(line, " done ") {
					if code, out, problems := h.run("tasks", "apply", id, "--force"); code == exitDone {
						t.Errorf("apply %s: %s%s", id, out, problems)
					}
				}
			}
		},
	}
	for road, take := range roads {
		t.Run(road, func(t *testing.T) {
			names := allowed(t, "steering", map[string]int{"an agent": 2, "edit": 12, "apply": 3, "a task": 20}[road])
			h, asked := withModel(t, creating(names)...)
			h.write(h.config, readFile(t, filepath.Dir(h.config), "config.toml")+"[mcp]\nwrite = true\n")
			take(h, names)
			if road != "apply" && asked.Load() < int32(len(names)) {
				t.Errorf("only %d of %d requests came", asked.Load(), len(names))
			}
			if got := readFile(t, h.workspace, "lib.go"); got != lib {
				t.Errorf("lib.go is %q", got)
			}
			for _, name := range names {
				if _, err := os.Lstat(filepath.Join(h.workspace, name)); err == nil && name != "go.mod" {
					t.Errorf("%s is written", name)
				}
			}
		})
	}
}

// TestWhatTheUserNamesIsWritten: the user's own words name a file that makes programs run; an agent's do not.
func TestWhatTheUserNamesIsWritten(t *testing.T) {
	h, _ := withModel(t, answer{"a Makefile", "Makefile\n<<<<<<< SEARCH\n=======\nall:\n>>>>>>> REPLACE\n"})
	h.write(h.config, readFile(t, filepath.Dir(h.config), "config.toml")+"[mcp]\nwrite = true\n")
	text, _ := h.agent("").use("edit", args{"instruction": "write a Makefile", "files": []string{"lib.go"}, "write": true})
	if _, err := os.Stat(filepath.Join(h.workspace, "Makefile")); err == nil || !strings.Contains(text, "not written: ") {
		t.Errorf("for an agent: %v, %s", err, text)
	}
	if code, _, problems := h.run("edit", "lib.go", "write a Makefile", "--write", "--require-judged=false"); code != exitDone || readFile(t, h.workspace, "Makefile") != "all:\n" {
		t.Errorf("exit %d: %s", code, problems)
	}
}

// TestHarmlessFilesAreWritten: new files that nothing reads by itself are part of a task's result, and written
// once a person has seen it.
func TestHarmlessFilesAreWritten(t *testing.T) {
	names := allowed(t, "harmless", 11)
	h, _ := withModel(t, creating(names)...)
	for i, name := range names {
		code, out, problems := h.run("edit", "lib.go", fmt.Sprintf("plan number %d, in the only file", i), "--deep", "--json", "--yes")
		if _, id, _ := strings.Cut(out, `"id": "`); code == exitDone || code == exitFailed {
			id, _, _ = strings.Cut(id, `"`)
			code, out, problems = h.run("tasks", "apply", id, "--force")
		}
		if _, err := os.Stat(filepath.Join(h.workspace, name)); code != exitDone || err != nil {
			t.Errorf("%s: exit %d, %v: %s%s", name, code, err, out, problems)
		}
		h.write("lib.go", lib)
	}
}
