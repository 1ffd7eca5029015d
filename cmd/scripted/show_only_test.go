package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// shownRequest is a conversation as tandem renders it: instructions, a context of
// fragments, and the file at hand with the request.
func shownRequest(t *testing.T, instructions, window, file string) *request {
	t.Helper()
	body, err := json.Marshal(map[string]any{"model": "m", "messages": []map[string]string{
		{"role": "system", "content": instructions},
		{"role": "user", "content": "<context>\n" + window + "\n</context>"},
		{"role": "user", "content": file},
	}})
	if err != nil {
		t.Fatal(err)
	}
	req, err := parseRequest("/v1/chat/completions", body)
	if err != nil {
		t.Fatal(err)
	}
	return req
}

const (
	blocksAsked = "Write every edit as a block:\n<<<<<<< SEARCH"
	patchAsked  = "*** Begin Patch"
	fenceAsked  = "Answer with one fenced code block that holds the whole new text of the selection"
	window      = "# a.go\n1\tpackage a\n2\t\n3\tfunc Gamma() int {\n4\t\tx := 7\n5\t\treturn x\n6\t}\n# lib/c.py\ndef delta():\n    return 1\n\n\ndef other():\n    pass\n"
	fileAsked   = "<file path=\"b.go\">\nfunc B() int {\n<selection>\treturn Gamma()\n</selection>}\n\n</file>\nRequest: change it"
)

func TestShowOnly(t *testing.T) {
	for _, c := range []struct{ name, instructions, script, want string }{
		{"quotes a definition to its end", "", `quote = "Gamma"`, "a.go:\nfunc Gamma() int {\n\tx := 7\n\treturn x\n}\n"},
		{"quotes without braces", "", `quote = "delta"`, "lib/c.py:\ndef delta():\n    return 1\n"},
		{"does not know a name", "", `quote = "Omega"`, "I was not shown Omega\n"},
		{"plans", "", "plan = '''\n[FAST] do it\n'''", "[FAST] do it\n"},
		{"edits in blocks", blocksAsked, "[[rule.edit]]\npath = \"b.go\"\nold = \"\\treturn Gamma()\"\nnew = \"\\treturn 8\"",
			"b.go\n<<<<<<< SEARCH\n\treturn Gamma()\n=======\n\treturn 8\n>>>>>>> REPLACE\n\n"},
		{"edits a file of the context", patchAsked, "[[rule.edit]]\npath = \"a.go\"\nold = \"\\tx := 7\\n\"\nnew = \"\\tx := 8\\n\"",
			"*** Begin Patch\n*** Update File: a.go\n@@\n-\tx := 7\n+\tx := 8\n*** End Patch\n"},
		{"rewrites", fenceAsked, "[[rule.edit]]\npath = \"b.go\"\nold = \"return Gamma()\"\nnew = \"return 8\"", "I was not shown b.go: return Gamma()\n"},
		{"rewrites the selection", fenceAsked, "[[rule.edit]]\npath = \"b.go\"\nold = \"\\treturn Gamma()\"\nnew = \"\\treturn 8\"", "```\n\treturn 8\n```\n"},
		{"creates", blocksAsked, "[[rule.edit]]\npath = \"n.go\"\nnew = \"package n\\n\"", "n.go\n<<<<<<< SEARCH\n=======\npackage n\n>>>>>>> REPLACE\n\n"},
		{"was not shown a line", blocksAsked, "[[rule.edit]]\npath = \"a.go\"\nold = \"\\tx := 7\\n\\ty := 8\\n\"\nnew = \"\"", "I was not shown a.go: \ty := 8\n"},
		{"was not shown a file", blocksAsked, "[[rule.edit]]\npath = \"z.go\"\nold = \"package z\"\nnew = \"package y\"", "I was not shown z.go: package z\n"},
		{"edits nothing without a rule", blocksAsked, "", "No rule of the script says what to answer, so nothing is changed.\n"},
	} {
		sc, err := parseScript("[server]\nshow_only = true\n[[rule]]\n" + c.script)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		req := shownRequest(t, c.instructions, window, fileAsked)
		if got, _ := answer(req, sc.match("/v1/chat/completions", "m", req.text())); got != c.want {
			t.Errorf("%s:\n%q\nwant\n%q", c.name, got, c.want)
		}
	}
}

// TestShowOnlyReadsCRLF: how the lines of a file end is no part of them.
func TestShowOnlyReadsCRLF(t *testing.T) {
	sc, err := parseScript("[server]\nshow_only = true\n[[rule]]\n[[rule.edit]]\npath = \"b.go\"\nold = \"\\treturn Gamma()\"\nnew = \"\\treturn 8\"")
	if err != nil {
		t.Fatal(err)
	}
	req := shownRequest(t, blocksAsked, window, strings.Replace(fileAsked, "\treturn Gamma()\n", "\treturn Gamma()\r\n", 1))
	if got, _ := answer(req, sc.match("", "m", req.text())); !strings.Contains(got, "=======\n\treturn 8\n") {
		t.Errorf("%q", got)
	}
}

func TestShowOnlyCompletes(t *testing.T) {
	for _, c := range []struct{ before, want string }{
		{"func B() {\n\tret", "urn x"},
		{"func B() {\n\tzzz", ""},
		{"\tx := 7\n\t", "return x"},
	} {
		file := "<after>\n\n}\n\n</after>\n<file path=\"b.go\">\n" + c.before + "<|cursor|>\n</file>"
		req := shownRequest(t, "", window, file)
		if got, _ := answer(req, &rule{}); got != c.want {
			t.Errorf("after %q: %q, want %q", c.before, got, c.want)
		}
	}
	fill, err := parseRequest("/infill", []byte(`{"input_prefix":"ret","input_suffix":"\n","input_extra":[{"filename":"context","text":`+quoted(t, window)+`}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := answer(fill, &rule{}); !strings.HasPrefix(got, "urn ") {
		t.Errorf("infill: %q", got)
	}
}

func quoted(t *testing.T, s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
