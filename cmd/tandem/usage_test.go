package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tandem/workspace/platformtest"
)

// internalTerms match errors that are written for a programmer.
var internalTerms = regexp.MustCompile(`arg\(s\)|json:|Go (struct|value)|(stat|open|read) /|%!|<nil>|unmarshal|: .*: .*: `)

// sentence requires that an error is one line that a person understands.
func sentence(t *testing.T, stderr string) {
	t.Helper()
	if line := strings.TrimSuffix(stderr, "\n"); line == "" || strings.Contains(line, "\n") || internalTerms.MatchString(line) {
		t.Errorf("stderr %q", stderr)
	}
}

// TestWrongUsage: wrong arguments end with exit code 2, an error of one sentence
// with what to write, and nothing on stdout.
func TestWrongUsage(t *testing.T) {
	h := newHome(t)
	h.write("a.go", "package a\n\nfunc F() {}\n")
	for command, want := range map[string]string{
		"complet":                     "did you mean complete",
		"complete":                    "tandem complete FILE:LINE:COL",
		"complete a.go:1:1 -n 0":      "one suggestion or more",
		"complete none.go:1:1":        "none.go cannot be read: " + platformtest.NotThere,
		"complete a.go:9:1":           "no line 9",
		"complete a.go:1:99":          "no column 99",
		"edit a.go":                   `edit FILE[:START[-END]] "INSTRUCTION"`,
		"edit a.go ":                  "what to change",
		"ask ":                        "what you want to know",
		"index x":                     "tandem index",
		"index --jsn":                 "--help lists the flags",
		"key lost":                    `no command "lost"`,
		"key set":                     "alone",
		"tasks lost":                  `no command "lost"`,
		"tasks steer 1":               `steer ID "TEXT"`,
		"replay lost":                 "tandem replay was removed in version 0.2.0; `tandem serve --log FILE`",
		"review":                      "name the files",
		"tokens lost":                 "lost cannot be read",
		"window":                      "--jsonl",
		"window a.go:1:1 --budget 3":  "256 is the least",
		"window a.go:1:1 --purpose x": "it is one of complete",
		"window lost.go:1:1":          "lost.go",
		"index --workspace lost":      "lost is no folder",
	} {
		code, out, stderr := h.run(strings.Split(command, " ")...)
		if code != exitUsage || out != "" || !strings.Contains(stderr, want) {
			t.Errorf("tandem %s: exit %d, printed %q, stderr %q, want %q", command, code, out, stderr, want)
		}
		sentence(t, stderr)
	}
}

// TestMissingCommandsPrintHelp: a command that only groups others prints them.
func TestMissingCommandsPrintHelp(t *testing.T) {
	h := newHome(t)
	for _, args := range [][]string{{}, {"key"}} {
		if code, out, stderr := h.run(args...); code != exitDone || !strings.Contains(out, "Available Commands") || stderr != "" {
			t.Errorf("tandem %v: exit %d, printed %q, stderr %q", args, code, out, stderr)
		}
	}
}

// TestBadLines: a line that is not a request is answered with an error in JSON
// terms, with its id if it has one, and does not end the command.
func TestBadLines(t *testing.T) {
	for _, command := range []string{"apply", "tokens", "window"} {
		h := newHome(t)
		h.stdin = strings.NewReader("junk\n[]\n\n{\"id\":7,\"patch\":5,\"text\":5,\"file\":5}\n{\"id\":\"8\"}\n")
		code, out, stderr := h.run(command, "--jsonl")
		if code != exitDone {
			t.Errorf("%s: exit %d, stderr %q", command, code, stderr)
		}
		for i, want := range []string{"", "", "7", `"8"`} {
			line, rest, _ := strings.Cut(out, "\n")
			out = rest
			var answer failedLine
			if err := json.Unmarshal([]byte(line), &answer); err != nil {
				t.Fatalf("%s, line %d: %v in %q", command, i, err, line)
			}
			if id := string(bytes.TrimPrefix(answer.ID, []byte("null"))); id != want || answer.Error.Code != "parse" {
				t.Errorf("%s, line %d: id %s, code %q, want %s", command, i, id, answer.Error.Code, want)
			}
			sentence(t, answer.Error.Message+"\n")
		}
	}
}

// TestWindowRefusals: a place outside the workspace has no window, also when its
// text comes with the request.
func TestWindowRefusals(t *testing.T) {
	h := newHome(t)
	h.write("a.go", "package a\n")
	h.write("b.txt", "x\x00y")
	for request, want := range map[string]string{
		`{"id":"1","file":"../b.go"}`:                                                                      "outside",
		`{"id":"1","file":"../b.go","overlay":{"../b.go":"package b\n"}}`:                                  "outside",
		`{"id":"1","file":"` + filepath.ToSlash(platformtest.Abs("/etc/hosts")) + `","line":1,"column":1}`: "outside",
		`{"id":"1","file":"b.txt","line":1,"column":1}`:                                                    "binary",
		`{"id":"1","file":"a.go","overlay":{"a.go":"x\u0000y"}}`:                                           "binary",
		`{"id":"1","file":"lost.go","line":1,"column":1}`:                                                  "not_found",
		`{"id":"1","file":"a.go","line":1,"column":1,"budget":255}`:                                        "budget",
		`{"id":"1","file":"a.go","line":1,"column":1,"purpose":"x"}`:                                       "parse",
		`{"id":"1","file":"a.go","line":9,"column":9,"budget":256}`:                                        "",
		`{"id":"1","file":"new.go","line":1,"overlay":{"new.go":"package a\n"}}`:                           "",
	} {
		h.stdin = strings.NewReader(request + "\n")
		code, out, stderr := h.run("window", "--jsonl")
		var answer failedLine
		if err := json.Unmarshal([]byte(out), &answer); err != nil || code != exitDone {
			t.Fatalf("%s: exit %d, %v, printed %q, stderr %q", request, code, err, out, stderr)
		}
		if answer.Error.Code != want || string(answer.ID) != `"1"` {
			t.Errorf("%s: %s, want %q", request, out, want)
		}
	}
}
