package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
)

// An answer is what a scripted server sends to a request whose last message holds a text.
type answer struct{ holds, text string }

// answering serves chat completions: a request gets the first answer that fits its last
// message, with NUMBER in it as the number of the request, and an error if none does. asked
// counts the requests.
func answering(t *testing.T, answers ...answer) (url string, asked *atomic.Int32) {
	t.Helper()
	asked = new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		number := fmt.Sprint(asked.Add(1))
		var body struct {
			Messages []struct {
				Content string `json:"content"`
			} `json:"messages"`
		}
		raw, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(raw, &body); err != nil || len(body.Messages) == 0 {
			http.Error(w, "no messages of text", http.StatusBadRequest)
			return
		}
		last := body.Messages[len(body.Messages)-1].Content
		for _, a := range answers {
			if strings.Contains(last, a.holds) {
				text, _ := json.Marshal(strings.ReplaceAll(a.text, "NUMBER", number))
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprintf(w, `data: {"id":"1","object":"chat.completion.chunk","created":1,"model":"gpt-9","choices":[{"index":0,"delta":{"content":%s},"finish_reason":null}]}`+"\n\n", text)
				_, _ = io.WriteString(w, `data: {"id":"1","object":"chat.completion.chunk","created":1,"model":"gpt-9","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":100,"completion_tokens":10,"total_tokens":110}}`+"\n\ndata: [DONE]\n\n")
				return
			}
		}
		http.Error(w, `{"error":{"message":"overloaded"}}`, http.StatusBadRequest)
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

// bothLanes is a configuration with one model for both lanes that writes edits as blocks.
func bothLanes(url string) string {
	return strings.Replace(oneModel(url), "[models.m]\n", "deep = \"m\"\n[models.m]\nedit_format = \"search_replace\"\n", 1)
}

// lib is a file that the tests change.
const lib = "package lib\n\nfunc One() int {\n\treturn 1\n}\n\nfunc Two() int {\n\treturn 2\n}\n"

// block replaces a line of lib.go, as models write it.
func block(old, new string) string {
	return "lib.go\n<<<<<<< SEARCH\n" + old + "\n=======\n" + new + "\n>>>>>>> REPLACE\n"
}

// withModel is a home with lib.go and a model that answers.
func withModel(t *testing.T, answers ...answer) (*home, *atomic.Int32) {
	t.Helper()
	url, asked := answering(t, answers...)
	h := newHome(t)
	h.write(h.config, bothLanes(url))
	h.setKey()
	h.write("go.mod", "module example.com/lib\n")
	h.write("lib.go", lib)
	return h, asked
}

// git runs git in the workspace.
func (h *home) git(args ...string) string {
	h.t.Helper()
	if _, err := exec.LookPath("git"); err != nil && runtime.GOOS == "windows" {
		h.t.Skip("there is no git for Windows here")
	}
	c := exec.Command("git", append([]string{"-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "commit.gpgsign=false", "-c", "init.defaultBranch=main"}, args...)...)
	c.Dir = h.workspace
	out, err := c.CombinedOutput()
	if err != nil {
		h.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// TestEditPrintsAndWrites: an edit is printed as a diff with its candidates and prices,
// and changes the file only with --write.
func TestEditPrintsAndWrites(t *testing.T) {
	h, asked := withModel(t, answer{"return more", block("\treturn 1", "\treturn 1NUMBER")})
	code, out, problems := h.run("edit", "lib.go:3-5", "return more", "--dry-run", "-n", "2")
	var counted int
	var price float64
	if _, err := fmt.Sscanf(out, "about %d tokens, $%f", &counted, &price); code != exitDone || err != nil || counted < 100 || price <= 0 || asked.Load() != 0 {
		t.Fatalf("an estimate: %d, %d requests, %q%s", code, asked.Load(), out, problems)
	}
	code, out, problems = h.run("edit", "lib.go:3-5", "return more", "-n", "2")
	if code != exitDone || strings.Count(out, "-\treturn 1\n+\treturn 1") != 2 || !strings.Contains(out, "+\treturn 11\n") || !strings.Contains(out, "+\treturn 12\n") || asked.Load() != 2 {
		t.Errorf("two candidates: %d, %d requests:\n%s%s", code, asked.Load(), out, problems)
	}
	if !strings.Contains(problems, "· m · 100 + ") || !strings.Contains(problems, "· $0.000") {
		t.Errorf("where they come from: %s", problems)
	}
	if now := readFile(t, h.workspace, "lib.go"); now != lib {
		t.Errorf("without --write the file is %q", now)
	}
	if code, _, problems = h.run("edit", "lib.go", "return more", "--write"); code != exitDone || !strings.Contains(problems, "wrote 1 file(s)") {
		t.Errorf("%d %s", code, problems)
	}
	if now := readFile(t, h.workspace, "lib.go"); now != strings.Replace(lib, "return 1\n", "return 13\n", 1) {
		t.Errorf("the file is %q", now)
	}
	code, out, problems = h.run("edit", "lib.go", "something else", "--write")
	if code != exitNoModel && code != exitUsage || out != "" || problems == "" {
		t.Errorf("a server that refuses: %d %q %q", code, out, problems)
	}
}

// deepAnswers are those of a task with one step for each function.
func deepAnswers(more ...answer) []answer {
	return append(more,
		answer{"now and nothing else: make One", block("\treturn 1", "\treturn 11")},
		answer{"now and nothing else: make Two", block("\treturn 2", "\treturn 22")},
		answer{"larger numbers", "1. [DEEP] make One return 11 | write: lib.go\n2. [DEEP] make Two return 22 | write: lib.go | after: 1\n"})
}

// TestDeepEditReports: a task is followed to its end, reported with its steps, checks,
// costs and the patch, and written on request; afterwards it is among the tasks.
func TestDeepEditReports(t *testing.T) {
	h, asked := withModel(t, deepAnswers()...)
	if code, out, problems := h.run("edit", "lib.go", "larger numbers", "--deep", "--dry-run"); code != exitDone || !strings.HasPrefix(out, "about ") || asked.Load() != 0 {
		t.Fatalf("an estimate: %d %q %s", code, out, problems)
	}
	if code, _, problems := h.run("edit", "lib.go", "larger numbers", "--deep", "--tests"); code != exitConfig || !strings.Contains(problems, "tasks.test_command") || asked.Load() != 0 {
		t.Errorf("no test command: %d %s", code, problems)
	}
	code, out, problems := h.run("edit", "lib.go", "larger numbers", "--deep", "--json")
	var got taskReport
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitDone {
		t.Fatalf("%d %v %s%s", code, err, out, problems)
	}
	if got.State != "done" || len(got.Steps) != 2 || got.Steps[0].State != "done" || got.Steps[0].Lane != "deep" || strings.Join(got.Steps[1].Files, " ") != "lib.go" || len(got.Checks) == 0 || len(got.Conflicts) != 0 {
		t.Errorf("%+v", got)
	}
	if got.CostUSD <= 0 || got.Tokens < 300 || got.DeepUSD > got.CostUSD || got.Estimate.Tokens == 0 {
		t.Errorf("what it has used: %+v", got)
	}
	for _, want := range []string{"+\treturn 11", "+\treturn 22"} {
		if !strings.Contains(got.Patch, want) {
			t.Errorf("the patch lacks %q:\n%s", want, got.Patch)
		}
	}
	if !strings.Contains(problems, "2 of 2 steps done") {
		t.Errorf("progress: %s", problems)
	}
	if now := readFile(t, h.workspace, "lib.go"); now != lib {
		t.Errorf("without --write the file is %q", now)
	}
	if code, out, _ := h.run("tasks", "show", got.ID); code != exitDone || !strings.Contains(out, got.Patch) {
		t.Errorf("%d %s", code, out)
	}
	code, out, problems = h.run("edit", "lib.go", "larger numbers", "--deep", "--write")
	if code != exitDone || !strings.Contains(out, "+\treturn 22") || !strings.Contains(problems, "wrote 1 file(s)") || !strings.Contains(problems, "prompt tokens") {
		t.Errorf("%d %s%s", code, out, problems)
	}
	if now := readFile(t, h.workspace, "lib.go"); !strings.Contains(now, "return 11\n") || !strings.Contains(now, "return 22\n") {
		t.Errorf("the file is %q", now)
	}
}

// TestTaskGoesOn: a task that a model's failure stopped has the exit code of that failure,
// keeps what is done, and goes on when it is resumed or steered.
func TestTaskGoesOn(t *testing.T) {
	h, _ := withModel(t, deepAnswers(answer{"now and nothing else: make Two", "I would rather not."})...)
	code, out, problems := h.run("edit", "lib.go", "larger numbers", "--deep", "--json")
	var stopped taskReport
	if err := json.Unmarshal([]byte(out), &stopped); err != nil || code == exitDone || stopped.State == "done" || stopped.Error == "" {
		t.Fatalf("%d %v %+v %s", code, err, stopped, problems)
	}
	if !strings.Contains(problems, stopped.Error) || stopped.Steps[0].State != "done" || stopped.Steps[1].State == "done" || stopped.Steps[1].Error == "" {
		t.Errorf("%+v %s", stopped, problems)
	}
	url, _ := answering(t, deepAnswers(answer{"also three", "1. [DEEP] make Two return 22 | write: lib.go\n"})...)
	h.write(h.config, bothLanes(url))
	h.setKey()
	code, out, problems = h.run("tasks", "resume", stopped.ID, "--json")
	var got taskReport
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitDone || got.ID != stopped.ID || got.State != "done" || !strings.Contains(got.Patch, "+\treturn 22") {
		t.Fatalf("resumed: %d %v %s%s", code, err, out, problems)
	}
	if code, out, problems = h.run("tasks", "steer", stopped.ID, "also three"); code != exitDone || !strings.Contains(out, "+\treturn 11") {
		t.Errorf("steered: %d %s%s", code, out, problems)
	}
	if code, _, problems = h.run("tasks", "steer", stopped.ID, " "); code != exitUsage {
		t.Errorf("steered with nothing: %d %s", code, problems)
	}
	if code, out, problems = h.run("tasks", "apply", stopped.ID, "--step", "9"); code != exitUsage || !strings.Contains(problems, "no step 9") {
		t.Errorf("%d %s%s", code, out, problems)
	}
	if code, out, _ = h.run("tasks", "show", stopped.ID, "--json"); code != exitDone || !strings.Contains(out, `"patch"`) || !strings.Contains(out, "also three") {
		t.Errorf("%d %s", code, out)
	}
}

// TestReviewOfFilesAndChanges: findings are printed as compilers print them, with the
// repair below; --diff reviews what changed since a revision and nothing else.
func TestReviewOfFilesAndChanges(t *testing.T) {
	h, asked := withModel(t, answer{"lib.go", "lib.go:4:2: warning: one is too small\nfix: return eleven\n"}, answer{"", "none"})
	h.write("other.go", "package lib\n")
	h.write("gone.go", "package lib\n\nvar Gone = 1\n")
	h.git("init", "-q")
	h.git("add", ".")
	h.git("commit", "-qm", "begin")
	const want = "lib.go:4:2: warning: one is too small\n\tfix: return eleven\n"
	if code, out, problems := h.run("review", "lib.go"); code != exitDone || out != want {
		t.Errorf("%d %q %s", code, out, problems)
	}
	if code, out, problems := h.run("review", "other.go"); code != exitDone || out != "" {
		t.Errorf("nothing to find: %d %q %s", code, out, problems)
	}
	before := asked.Load()
	if code, out, problems := h.run("review", "--diff", "HEAD"); code != exitDone || out != "" || asked.Load() != before {
		t.Errorf("no change: %d %q %s", code, out, problems)
	}
	h.write("lib.go", strings.Replace(lib, "return 2", "return 3", 1))
	h.write("other.go", "package lib\n\nvar New int\n")
	if err := os.Remove("gone.go"); err != nil {
		t.Fatal(err)
	}
	if code, out, problems := h.run("review", "--diff", "HEAD"); code != exitDone || out != want || asked.Load() != before+2 {
		t.Errorf("two changes, %d requests: %d %q %s", asked.Load()-before, code, out, problems)
	}
	if code, out, problems := h.run("review", "--diff", "HEAD", "other.go"); code != exitDone || out != "" || asked.Load() != before+3 {
		t.Errorf("one of the changes, %d requests: %d %q %s", asked.Load()-before, code, out, problems)
	}
	if code, _, problems := h.run("review", "--diff", "lost"); code != exitUsage || !strings.Contains(problems, "lost") {
		t.Errorf("an unknown revision: %d %s", code, problems)
	}
	h.write("logo.go", "\x00")
	lost := h.git("rev-parse", "HEAD:lib.go")
	if err := os.Remove(filepath.Join(".git", "objects", lost[:2], lost[2:])); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"review", "check"} {
		if code, out, problems := h.run(command, "--diff", "HEAD"); code != exitUnchecked || out != "" || !strings.Contains(problems, "lib.go was not "+command+"ed: ") || !strings.Contains(problems, "not in the repository") {
			t.Errorf("%s of a file that git lost: %d %q %s", command, code, out, problems)
		}
	}
	if code, _, problems := h.run("review", "--diff", "HEAD", "other.go"); code != exitDone {
		t.Errorf("another file is lost: %d %s", code, problems)
	}
	if err := os.RemoveAll(".git"); err != nil {
		t.Fatal(err)
	}
	if code, _, problems := h.run("review", "--diff", "HEAD"); code != exitUsage || problems == "" {
		t.Errorf("no repository: %d %s", code, problems)
	}
}

// TestEvalReplaysHistory: the lines of the repository's commits are replayed
// against the built-in engine and a model, as rows for a program and a table for a person.
func TestEvalReplaysHistory(t *testing.T) {
	h, asked := withModel(t, answer{"", "\treturn 22\n"})
	if code, _, problems := h.run("eval"); code != exitFailed || !strings.Contains(problems, "no history") {
		t.Errorf("no repository: %d %s", code, problems)
	}
	h.git("init", "-q")
	h.git("add", ".")
	h.git("commit", "-qm", "begin")
	h.write("lib.go", strings.NewReplacer("One", "First", "return 2\n", "return 22\n").Replace(lib)+"\nfunc Three() int {\n\treturn 22\n}\n")
	h.git("commit", "-qam", "change")
	if code, _, problems := h.run("eval", "--models", "lost"); code != exitUsage || !strings.Contains(problems, "there are: local, m") {
		t.Errorf("an unknown model: %d %s", code, problems)
	}
	if code, _, problems := h.run("eval", "--commits", "0"); code != exitUsage {
		t.Errorf("no commit: %d %s", code, problems)
	}
	code, out, problems := h.run("eval", "--commits", "1", "--json")
	var rows []evalRow
	for decoder := json.NewDecoder(strings.NewReader(out)); decoder.More(); {
		var row evalRow
		if err := decoder.Decode(&row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	if code != exitDone || len(rows) != 2 || rows[0].Model != "local" || rows[1].Model != "m" || asked.Load() == 0 {
		t.Fatalf("%d, %d requests: %s%s", code, asked.Load(), out, problems)
	}
	for _, row := range rows {
		if row.Lines != rows[0].Lines || row.Lines < 3 || row.Shown > row.Lines || row.Exact > row.Shown {
			t.Errorf("%+v", row)
		}
	}
	if rows[1].CostUSD <= 0 || rows[0].CostUSD != 0 {
		t.Errorf("the model cost $%v, the built-in engine $%v", rows[1].CostUSD, rows[0].CostUSD)
	}
	if code, out, problems = h.run("eval", "--models", "local", "--commits", "1"); code != exitDone || !strings.Contains(out, "exact of shown") || !strings.Contains(out, "%") {
		t.Errorf("%d %s%s", code, out, problems)
	}
	h.write("new.txt", "")
	h.git("add", ".")
	h.git("commit", "-qm", "nothing to type")
	if code, _, problems := h.run("eval", "--commits", "1", "--edits"); code != exitFailed || !strings.Contains(problems, "--commits") || !strings.Contains(problems, "--edits was removed") {
		t.Errorf("%d %s", code, problems)
	}
}
