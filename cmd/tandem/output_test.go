package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"tandem/edits"
	"tandem/workspace/state"
)

// evil is what a file, a title, a model or a sentence of a server is called: it colours, reorders,
// quotes, ends a cell, and begins a line that a CI obeys.
const evil = "e\x1b[31m\u202e\u009b2J\x7f\u2066`|<b>\u2028\n::error ::canary"

// hostileTo returns what is wrong with a text that a person or a CI reads, "" if nothing.
func hostileTo(text string) string {
	if !utf8.ValidString(text) {
		return "bytes that are no UTF-8"
	}
	for _, r := range text {
		if kind := edits.HiddenKind(r); kind != "" {
			return fmt.Sprintf("%U, %s", r, kind)
		}
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "::error ::canary") {
			return "a line that a CI obeys"
		}
	}
	return ""
}

// hostile is a repository whose files, configuration and servers have evil names and words, with a
// change and a task.
func hostile(t *testing.T) (h *home, file, id string) {
	t.Helper()
	quoted := func(s string) string {
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			fmt.Fprintf(w, `{"object":"list","data":[{"id":%s,"object":"model","owned_by":%[1]s},{"id":"m","object":"model"}]}`, quoted(evil))
			return
		}
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"error":{"message":%s,"type":%[1]s,"code":%[1]s,"param":%[1]s}}`, quoted("no "+evil))
	}))
	t.Cleanup(s.Close)
	h = newHome(t)
	h.write(h.config, bothLanes(s.URL))
	h.setKey()
	file = evil + ".py"
	h.write("go.mod", "module example.com/lib\n\ngo 1.26\n")
	h.write("lib.go", lib)
	h.write(file, "import os\n")
	h.git("init", "-q")
	h.git("add", ".")
	h.git("commit", "-qm", "one "+evil)
	h.write(file, "import os\nimport made_up_here\n\nprint(os.path.joined(1))\n")
	h.write("lib.go", strings.Replace(lib, "return 2", "return Made() // "+strings.ReplaceAll(evil, "\n", " "), 1))
	tasks := h.store().Tasks()
	defer tasks.Close()
	id = "canary01"
	if err := tasks.Save(state.Task{ID: id, Root: h.workspace, Title: evil, State: "failed", Error: evil, Review: "ok",
		Steps: []state.Step{{Title: evil, Lane: evil, State: evil, Error: evil}}}); err != nil {
		t.Fatal(err)
	}
	return h, file, id
}

// ownStreams are the commands whose streams are a protocol, which others test.
var ownStreams = []string{"tandem serve", "tandem mcp"}

// TestOutputIsData drives every command that the program has through a hostile repository, as text
// and in each format that it has: nothing that it prints controls a terminal, reorders a line or
// is a line of its own making.
func TestOutputIsData(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such names of files")
	}
	h, file, id := hostile(t)
	at := file + ":1:1"
	given := map[string][][]string{
		"tandem apply":        {{}, {"--write"}},
		"tandem ask":          {{"what is " + evil}, {"what", at}, {"what", evil + "/none"}},
		"tandem check":        {{"--diff", "HEAD"}, {"--diff", "HEAD", "-v"}, {"--diff", evil}, {file}, {"."}, {evil}, {"--hook", "claude"}, {"--staged"}},
		"tandem complete":     {{at}, {evil}},
		"tandem config":       {{}, {"--profile", evil}, {"--config", evil}},
		"tandem demo":         {{}, {"--workspace", evil}},
		"tandem doctor":       {{}, {"--offline"}, {"--bundle", evil + "/none"}},
		"tandem edit":         {{file, evil}, {evil, evil}, {file, evil, "--deep", "--yes"}, {file + ":1-2", evil, "--write"}},
		"tandem eval":         {{}, {evil}},
		"tandem hook install": {{"claude", "--dry-run"}, {evil}},
		"tandem hook remove":  {{"claude", "--dry-run"}, {evil}},
		"tandem index":        {{}, {"--workspace", evil}},
		"tandem key delete":   {{evil}},
		"tandem key list":     {{}},
		"tandem key set":      {{evil}},
		"tandem ledger":       {{}, {"--summary"}, {"--verify"}},
		"tandem models":       {{}, {"own"}, {evil}},
		"tandem purge":        {{"--workspace", evil}},
		"tandem review":       {{file}, {"--diff", "HEAD"}, {evil}},
		"tandem setup":        {{}},
		"tandem status":       {{}},
		"tandem tasks":        {{}},
		"tandem tasks apply":  {{id}, {evil}},
		"tandem tasks revert": {{id}, {evil}},
		"tandem tasks cancel": {{evil}},
		"tandem tasks list":   {{}},
		"tandem tasks resume": {{evil}, {id}},
		"tandem tasks show":   {{id}, {evil}},
		"tandem tasks steer":  {{id, evil}, {evil, evil}},
		"tandem tokens":       {{file}, {file, "lib.go"}, {evil}},
		"tandem window":       {{at}, {at, "--purpose", evil}, {evil}},
	}
	printed := 0
	run := func(words []string) {
		h.stdin = strings.NewReader("--- a/" + evil + "\n+++ b/" + evil + "\n@@ -1 +1 @@\n-x\n+y\n")
		_, out, problems := h.run(words...)
		for stream, text := range map[string]string{"stdout": out, "stderr": problems} {
			if wrong := hostileTo(text); wrong != "" {
				t.Errorf("tandem %q, on %s: %s: %q", words, stream, wrong, text)
			}
		}
		if strings.Contains(out+problems, "canary") {
			printed++
		}
	}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for _, child := range c.Commands() {
			walk(child)
		}
		name := c.CommandPath()
		if c.Hidden || c.RunE == nil || !c.HasParent() || c.HasSubCommands() && given[name] == nil || slices.Contains(ownStreams, name) {
			return
		}
		if given[name] == nil {
			t.Errorf("%s is driven by nothing here", name)
		}
		forms := [][]string{nil}
		for flag, values := range map[string][]string{"json": {""}, "format": {"json", "sarif", "github"}, "estimate": {""}} {
			for _, value := range values {
				if c.Flags().Lookup(flag) != nil {
					forms = append(forms, []string{strings.TrimSuffix("--"+flag+"="+value, "=")})
				}
			}
		}
		for _, words := range given[name] {
			for _, form := range forms {
				run(slices.Concat(strings.Fields(name)[1:], words, form))
			}
		}
		run(append(strings.Fields(name)[1:], "--"+evil))
	}
	walk(newRoot())
	run([]string{evil})
	if printed < 40 {
		t.Errorf("only %d of the runs print what is evil", printed)
	}
}

// TestScreenShowsPieces: a character that comes in two pieces is one, and what is none in the end
// is shown as what it is.
func TestScreenShowsPieces(t *testing.T) {
	var out strings.Builder
	s := newScreen(&out)
	for _, b := range []byte("ä\u202e🙂\r\nx\ry\x9b") {
		if n, err := s.Write([]byte{b}); n != 1 || err != nil {
			t.Fatal(n, err)
		}
	}
	s.flush()
	if want := "ä\\u202e🙂\r\nx\\u000dy\\x9b"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// TestOutputOfAgentsIsData: what a hook and a tool tell an agent is shown on its terminal.
func TestOutputOfAgentsIsData(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such names of files")
	}
	h, file, _ := hostile(t)
	a := h.agent("")
	for tool, all := range map[string][]args{
		"check":   {{}, {"files": []string{file}}, {"files": []string{evil}}, {"texts": args{file: "import nothing_like_it\n"}}, {"patch": evil}},
		"context": {{"words": evil + " made_up_here"}, {"file": file, "line": 1}, {"file": evil}, {"words": "x", "purpose": evil}},
		"edit":    {{"instruction": evil, "files": []string{file}}, {"instruction": evil, "files": []string{evil}}, {"instruction": "x", "files": []string{file}, "range": evil}},
	} {
		for _, one := range all {
			if text, _ := a.use(tool, one); hostileTo(text) != "" {
				t.Errorf("%s %q: %s: %q", tool, one, hostileTo(text), text)
			}
		}
	}
	event, err := json.Marshal(map[string]any{"session_id": "s", "cwd": h.workspace, "hook_event_name": "PostToolUse", "tool_name": "Write",
		"tool_input": map[string]string{"file_path": filepath.Join(h.workspace, file), "content": readFile(t, h.workspace, file)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []string{string(event), strings.Replace(string(event), "PostToolUse", "Stop", 1)} {
		h.stdin = strings.NewReader(e)
		_, out, problems := h.run("check", "--hook", "claude")
		var told any
		if out != "" && json.Unmarshal([]byte(out), &told) != nil {
			t.Errorf("no JSON: %s", out)
		}
		if hostileTo(problems) != "" || controlInJSON(told) != 0 || hostileTo(fmt.Sprint(told)) != "" {
			t.Errorf("the hook says %q %q", told, problems)
		}
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
}
