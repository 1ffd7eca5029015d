package main

import (
	"context"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tandem/workspace"
	"tandem/workspace/redact"
	"tandem/workspace/redact/redacttest"
	"tandem/workspace/run"
	"tandem/workspace/state"
)

// extensionOf is that of a file of a kind of secret.
func extensionOf(kind string) string {
	first, _, _ := strings.Cut(kind, ",")
	for ext, kinds := range map[string]string{"py": "python", "ts": "javascript typescript", "go": "go", "java": "java", "kt": "kotlin", "rs": "rust", "rb": "ruby chef puppet", "php": "php", "c": "c", "cpp": "c++", "cs": "c#",
		"sh": "shell", "json": "json postman", "tf": "hcl", "toml": "toml", "xml": "xml plist android maven", "sql": "sql", "md": "markdown", "lua": "lua", "swift": "swift", "dart": "dart", "properties": "properties", "ini": "ini"} {
		for k := range strings.FieldsSeq(kinds) {
			if k == first {
				return ext
			}
		}
	}
	return "yaml"
}

// planted writes a file for each kind of secret and returns the values that are hidden from models.
func (h *home) planted(seed uint64) (hidden []string) {
	h.t.Helper()
	if err := os.Mkdir("kinds", 0o700); err != nil {
		h.t.Fatal(err)
	}
	for i, s := range redacttest.All(seed) {
		name := fmt.Sprintf("kinds/k%03d.%s", i, extensionOf(s.Kind))
		h.write(name, s.Text)
		if !strings.Contains(new(redact.Redactor).Redact(s.Text).String(), s.Value) {
			hidden = append(hidden, s.Value)
		}
	}
	return hidden
}

// tracesOf are the forms in which a secret could be found again: itself, and what is made of it.
func tracesOf(secret string) []string {
	two, one, five := sha256.Sum256([]byte(secret)), sha1.Sum([]byte(secret)), md5.Sum([]byte(secret))
	return []string{secret, fmt.Sprintf("%x", two), fmt.Sprintf("%x", one), fmt.Sprintf("%x", five), string(two[:]), string(one[:]), string(five[:]),
		base64.StdEncoding.EncodeToString([]byte(secret)), base64.StdEncoding.EncodeToString(two[:])}
}

// TestNothingOfASecretIsWritten: after work with a repository that holds secrets of each kind, no file
// of the state folder, no log and no message of the server has one of them, or a hash of one.
func TestNothingOfASecretIsWritten(t *testing.T) {
	const inCode, inWords, inSteering, rotated = "Winter_kitten4821", "Rainbow!falcon77", "Coffee-panther58", "Summer.dragon1966"
	secretLib := strings.Replace(lib, "\treturn 1\n", "\tconst password = \""+inCode+"\"\n\treturn 1\n", 1)
	h, _ := withModel(t, deepAnswers(answer{"moved", block("\tconst password = \"⟦redacted-1⟧\"\n\treturn 1", "\treturn 1")})...)
	hidden := append(h.planted(uint64(os.Getpid())), inCode, inWords, inSteering)
	h.git("init", "-q")
	h.git("add", "-A")
	h.git("commit", "-qm", "first")
	h.write("lib.go", secretLib)
	said := h.workedIn(secretLib, inWords)
	code, out, problems := h.run("edit", "lib.go", `larger numbers, with password = "`+inWords+`"`, "--deep", "--json")
	var task taskReport
	if err := json.Unmarshal([]byte(out), &task); err != nil || code != exitDone {
		t.Fatalf("%d %v %s%s", code, err, out, problems)
	}
	running := h.store().Tasks()
	defer running.Close()
	if err := running.Save(state.Task{ID: "run1", State: "running", Root: h.workspace}); err != nil {
		t.Fatal(err)
	}
	if code, _, problems := h.run("tasks", "steer", "run1", `and password = "`+inSteering+`"`); code != exitDone {
		t.Errorf("%d %s", code, problems)
	}
	if code, out, problems := h.run("tasks", "show", task.ID); code != exitDone || !strings.Contains(out, "+\treturn 11") || !strings.Contains(out, inCode) {
		t.Errorf("the result of the task: %d %s%s", code, out, problems)
	}
	h.stdin = strings.NewReader(fmt.Sprintf(`{"session_id":"s","cwd":%q,"hook_event_name":"PostToolUse","tool_name":"Write","tool_input":{"file_path":%q,"content":%q},"tool_response":{}}`, h.workspace, filepath.Join(h.workspace, "lib.go"), secretLib))
	if code, out, problems := h.run("check", "--hook", "claude"); code != exitDone {
		t.Errorf("the hook: %d %s%s", code, out, problems)
	}

	files := map[string]string{"the messages of the server": said}
	above := filepath.Dir(h.workspace)
	err := filepath.WalkDir(above, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil, path == h.workspace, path == filepath.Dir(filepath.Dir(h.config)):
			if d != nil && d.IsDir() && err == nil {
				return filepath.SkipDir
			}
			return err
		case d.Type().IsRegular():
			files[path] = readFile(t, filepath.Dir(path), filepath.Base(path))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]bool{}
	for path, text := range files {
		rel, _ := filepath.Rel(filepath.Join(above, "state", "tandem"), path)
		parts[strings.Split(filepath.ToSlash(rel), "/")[0]] = true
		for _, secret := range hidden {
			for _, form := range tracesOf(secret) {
				if at := strings.Index(text, form); at >= 0 {
					t.Errorf("%s has %q of the secret %q: %q", path, form, secret, text[max(0, at-120):min(len(text), at+len(form)+40)])
				}
			}
		}
	}
	for _, part := range []string{"index", "tasks", "changes", "agents", "previews"} {
		if !parts[part] {
			t.Errorf("nothing was written into %s: the test shows less than it should; %v", part, parts)
		}
	}
	t.Logf("%d secrets of %d kinds, %d files", len(hidden), len(redacttest.Syntaxes), len(files))

	// The result is applied while the file is as it was, and of a file that changed no edit beside the secret.
	h.write("lib.go", strings.Replace(secretLib, inCode, rotated, 1))
	code, _, problems = h.run("tasks", "apply", task.ID)
	if now := readFile(t, h.workspace, "lib.go"); !strings.Contains(now, rotated) || strings.Contains(now, "redacted") {
		t.Errorf("%d %s: the file became\n%s", code, problems, now)
	}
	h.write("lib.go", secretLib)
	if code, _, problems = h.run("tasks", "apply", task.ID); code != exitDone || !strings.Contains(readFile(t, h.workspace, "lib.go"), inCode+"\"\n\treturn 11") {
		t.Errorf("%d %s: the file became\n%s", code, problems, readFile(t, h.workspace, "lib.go"))
	}
}

// workedIn runs an editor's session and returns what the server said.
func (h *home) workedIn(text, inWords string) string {
	var mu sync.Mutex
	var said strings.Builder
	logs := make([]*trace, 2)
	for i := range logs {
		var err error
		if logs[i], err = openTrace(filepath.Join(filepath.Dir(h.workspace), fmt.Sprintf("log%d", i)), i == 1); err != nil {
			h.t.Fatal(err)
		}
		defer logs[i].close()
	}
	uri := workspace.URIOf(filepath.Join(h.workspace, "lib.go"))
	asked := make(chan string, 100) // requests of the server
	h.session(`"capabilities":{"general":{"positionEncodings":["utf-8"]},"window":{"workDoneProgress":true,"showDocument":{"support":true}}},"initializationOptions":{"trusted":true}`, func(body []byte) {
		mu.Lock()
		defer mu.Unlock()
		said.Write(body)
		said.WriteByte('\n')
		var r struct {
			ID     json.RawMessage
			Method string
		}
		if json.Unmarshal(body, &r) == nil && r.Method != "" && len(r.ID) > 0 {
			asked <- string(r.ID)
		}
	}, func(fromClient bool, body []byte) {
		for _, l := range logs {
			l.message(fromClient, body)
		}
	}, func(e *editor) {
		answering := run.NewGroup(h.t.Context(), nil)
		defer answering.Close()
		answering.Go("client", func(ctx context.Context) {
			for {
				select {
				case id := <-asked:
					e.send(`{"jsonrpc":"2.0","id":%s,"result":null}`, id)
				case <-ctx.Done():
					return
				}
			}
		})
		ask := func(id int, method, params string) reply {
			e.send(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params)
			return e.answer(id)
		}
		place := fmt.Sprintf(`"textDocument":{"uri":%q},"position":{"line":3,"character":2}`, uri)
		words, _ := json.Marshal(`larger numbers with password = "` + inWords + `"`)
		e.send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"languageId":"go","version":1,"text":%q}}}`, uri, text)
		ask(1, "tandem/ask", fmt.Sprintf(`{"question":%s,%s}`, words, place))
		ask(2, "tandem/edit", fmt.Sprintf(`{"instruction":%s,"lane":"deep",%s,"range":{"start":{"line":2,"character":0},"end":{"line":5,"character":1}}}`, words, place))
		ask(3, "tandem/tasks", `{}`)
		for i, action := range []string{`{}`, `{"action":"moment"}`, `{"base":"moment"}`} {
			ask(4+i, "workspace/executeCommand", fmt.Sprintf(`{"command":"tandem.changes","arguments":[%s]}`, action))
		}
		ask(7, "tandem/window", fmt.Sprintf(`{%s}`, place))
		ask(8, "textDocument/inlineCompletion", fmt.Sprintf(`{%s,"context":{"triggerKind":1}}`, place))
		ask(9, "tandem/lastPayload", `{}`)
		ask(10, "workspace/executeCommand", fmt.Sprintf(`{"command":"tandem.showWindow","arguments":[{"uri":%q,"position":{"line":3,"character":2}}]}`, uri))
		ask(11, "workspace/executeCommand", fmt.Sprintf(`{"command":"tandem.escalate","arguments":[{"uri":%q,"instruction":%s}]}`, uri, words))
		for id := 12; id < 400 && !strings.Contains(string(ask(id, "tandem/tasks", `{}`).Result), `"state":"done"`); id++ {
			time.Sleep(50 * time.Millisecond)
		}
	})
	return said.String()
}
