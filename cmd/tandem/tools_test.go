package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"tandem/workspace/state"
)

// TestTokensAreCounted: of stdin, of files with their sum, as ids, and line by line.
func TestTokensAreCounted(t *testing.T) {
	h := newHome(t)
	h.write("a", "hello world")
	h.write("b", "")
	for command, want := range map[string]string{
		"tokens":           "2\n",
		"tokens a":         "2 a\n",
		"tokens a b":       "2 a\n0 b\n2 total\n",
		"tokens --ids":     "24912 2375\n",
		"tokens --ids a b": "24912 2375\n\n",
	} {
		h.stdin = strings.NewReader("hello world")
		if code, out, problems := h.run(strings.Fields(command)...); code != exitDone || out != want {
			t.Errorf("tandem %s: %d, printed %q, want %q; %s", command, code, out, want, problems)
		}
	}
	h.stdin = strings.NewReader(`{"id":1,"text":"hello world"}` + "\n")
	if code, out, problems := h.run("tokens", "--jsonl"); code != exitDone || out != `{"id":1,"count":2,"ids":[24912,2375]}`+"\n" {
		t.Errorf("%d %q %s", code, out, problems)
	}
	for _, name := range []string{"lost", "estimate"} {
		if code, out, problems := h.run("tokens", "--encoding", name); code != exitUsage || out != "" || problems == "" {
			t.Errorf("the encoding %s: %d %q %s", name, code, out, problems)
		}
	}
}

// TestIndexIsCounted: what is indexed and what is left out, for a person and as JSON.
func TestIndexIsCounted(t *testing.T) {
	h := newHome(t)
	if err := os.Mkdir("sub", 0o700); err != nil {
		t.Fatal(err)
	}
	h.write("a.go", "package a\n\nfunc F() {}\n")
	h.write("sub/b.go", "package b\n")
	h.write("c.txt", "x\x00y")
	h.write(".gitignore", "*.log\n")
	h.write("d.log", "noise\n")
	code, out, problems := h.run("index", "--json")
	var got indexReport
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitDone {
		t.Fatalf("%d %v %s%s", code, err, out, problems)
	}
	if got.Files != 3 || got.Definitions != 1 || got.Lines != 5 || got.Skipped["binary"] != 1 || got.Skipped["ignored"] != 1 || got.RSSMB <= 0 {
		t.Errorf("%+v", got)
	}
	code, out, problems = h.run("index")
	if want := fmt.Sprintf("%d files in %d folders, %d lines", got.Files, got.Dirs, got.Lines); code != exitDone || !strings.Contains(out, want) || !strings.Contains(out, "1 definitions\nskipped: 1 ignored, 1 binary, 0 too large\n") {
		t.Errorf("%d %s%s", code, out, problems)
	}
}

// TestApplyLines: a line of apply --jsonl applies an answer, lists its blocks, or rebases
// edits over those of a user.
func TestApplyLines(t *testing.T) {
	h := newHome(t)
	const search = `a.txt\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n`
	for _, c := range []struct{ name, request, want string }{
		{"an answer", `{"id":1,"format":"search_replace","before":{"a.txt":"one\ntwo\n"},"patch":"` + search + `"}`, `"after":{"a.txt":"one\n2\n"}`},
		{"in pieces", `{"id":1,"format":"search_replace","before":{"a.txt":"one\ntwo\n"},"patch":"` + search + `","chunks":[3,-1,20,999]}`, `"after":{"a.txt":"one\n2\n"}`},
		{"a list", `{"id":1,"format":"str_replace","before":{"a.txt":"one\ntwo\n"},"patch":"[{\"path\":\"a.txt\",\"old_str\":\"two\",\"new_str\":\"2\"}]"}`, `"after":{"a.txt":"one\n2\n"}`},
		{"a fenced entry", "{\"id\":1,\"format\":\"str_replace\",\"before\":{\"a.txt\":\"one\\ntwo\\n\"},\"patch\":\"```json\\n{\\\"file_path\\\":\\\"a.txt\\\",\\\"old\\\":\\\"two\\\",\\\"new\\\":\\\"2\\\"}\\n```\"}", `"after":{"a.txt":"one\n2\n"}`},
		{"a list that stops", `{"id":1,"format":"str_replace","before":{"a.txt":"two\n"},"patch":"[{\"path\":\"a.txt\",\"old_str\":\"two\""}`, `"code":"truncated"`},
		{"no list", `{"id":1,"format":"str_replace","before":{"a.txt":"two\n"},"patch":"[{\"old\" 1}]"}`, `"code":"parse"`},
		{"blocks", `{"id":1,"format":"parse","patch":"` + search + `"}`, `"edits":[["a.txt","two\n","2\n"]]`},
		{"blocks of a dialect", `{"id":1,"format":"parse","dialect":"unified_diff_x","patch":"--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-two\n+2\n"}`, `"edits":[["a.txt","two\n","2\n"]]`},
		{"a block without a file", `{"id":1,"format":"parse","dialect":"search_replace","patch":"<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n"}`, `names no file`},
		{"rebase", `{"id":1,"format":"rebase","before":{"a.txt":"one two"},"ours":[[4,7,"2"]],"user":[[0,3,"1"]]}`, `"after":{"a.txt":"1 2"}`},
		{"rebase, strict", `{"id":1,"format":"rebase","before":{"a.txt":"one two"},"ours":[[4,7,"2"]],"user":[[0,3,"1"]],"opts":{"resolution":"strict"}}`, `"code":"stale"`},
		{"rebase, lenient, outside the window", `{"id":1,"format":"rebase","before":{"a.txt":"one two"},"ours":[[4,7,"2"]],"user":[[0,3,"1"]],"opts":{"resolution":"lenient","window":[4,7],"selection":[[1,1]]}}`, `"error"`},
		{"rebase, both at one place", `{"id":1,"format":"rebase","before":{"a.txt":"one two"},"ours":[[4,7,"2"]],"user":[[4,7,"zwei"]]}`, `"error"`},
		{"rebase of two files", `{"id":1,"format":"rebase","before":{"a":"","b":""}}`, `the request has 2`},
		{"no triple", `{"id":1,"format":"rebase","before":{"a":"x"},"ours":[["x",1,2]]}`, `"code":"parse"`},
	} {
		h.stdin = strings.NewReader(c.request + "\n")
		code, out, problems := h.run("apply", "--jsonl")
		if code != exitDone || !strings.Contains(out, c.want) || strings.Count(out, "\n") != 1 {
			t.Errorf("%s: %d %s%s, want %s", c.name, code, out, problems, c.want)
		}
	}
}

// TestWindowIsShown: what a model would be shown at a place, as a table and as JSON.
func TestWindowIsShown(t *testing.T) {
	h := newHome(t)
	h.write("go.mod", "module example.com/a\n")
	h.write("a.go", "package a\n\nfunc f() { helper(\"x\", 1) }\n")
	h.write("b.go", "package a\n\n// helper repeats a name.\nfunc helper(name string, count int) (string, error) {\n\treturn name, nil\n}\n")
	code, out, problems := h.run("window", "a.go:3:26", "--budget", "1000")
	if code != exitDone || !strings.HasPrefix(out, "TOKENS") || !strings.Contains(out, "a.go:1-3") || !strings.Contains(out, "b.go:") || !strings.Contains(out, "of 1000 tokens (") {
		t.Errorf("%d %s%s", code, out, problems)
	}
	code, out, problems = h.run("window", "a.go:3:26", "--budget", "1000", "--json")
	var got windowAnswer
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitDone || got.Text == nil || !strings.Contains(*got.Text, "func helper(name string, count int)") || got.Tokens > got.Budget {
		t.Errorf("%d %v %s%s", code, err, out, problems)
	}
}

// TestCountsArePrinted: what the ledger's summary prints where there is nothing, and where
// there is something.
func TestCountsArePrinted(t *testing.T) {
	h := newHome(t)
	if code, out, problems := h.run("ledger", "--summary"); code != exitDone || !strings.HasPrefix(out, "No ") || problems != "" {
		t.Errorf("%d %s%s", code, out, problems)
	}
	s := h.store()
	now := time.Now()
	for _, e := range []state.Entry{
		{Event: state.EventSent, ID: "r", Time: now, Model: "m", Host: "h"},
		{Event: state.EventDone, ID: "r", Time: now, Model: "m", Host: "h", Input: 1000, Cached: 500, Output: 7, CostUSD: 0.25},
	} {
		if err := s.Ledger().Append(e); err != nil {
			t.Fatal(err)
		}
	}
	code, out, problems := h.run("ledger", "--summary")
	if fields := strings.Join(strings.Fields(out), " "); code != exitDone || !strings.Contains(fields, "m 1 0.0 % 0.0 % 1000 50.0 % 7 $0.2500") || !strings.Contains(out, "A month like the last 1 day(s) costs about $7.50.") {
		t.Errorf("%d %q %s", code, fields, problems)
	}
}
