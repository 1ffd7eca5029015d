package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"tandem/tools/client"
)

// How the typed minute is typed: bursts with a rest after each, in which what is proposed is judged
// again.
const (
	minuteBursts = 60
	minuteKey    = 120 * time.Millisecond
	minuteRest   = 400 * time.Millisecond
)

// minute types for a minute in a user of a function that a proposal renames, which 77 other files of
// 100,000 lines use: the verdict on it is of what is typed as well.
func (o *options) minute(scratch string) error {
	const answer = "core/core.go\n```go\n<<<<<<< SEARCH\nfunc Shared(first int) int {\n=======\nfunc Common(first int) int {\n>>>>>>> REPLACE\n```\n"
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { client.Chat(w, r, answer) }))
	defer model.Close()
	root, home := filepath.Join(scratch, "tree"), filepath.Join(scratch, "home")
	texts := map[string]string{"go.mod": "module example.com/p\n\ngo 1.24\n", "core/core.go": "package core\n\n// Shared counts.\nfunc Shared(first int) int {\n\treturn first\n}\n"}
	for i := range 78 {
		texts[fmt.Sprintf("user%d/user.go", i)] = fmt.Sprintf("package user%d\n\nimport \"example.com/p/core\"\n\n// Use uses it.\nfunc Use(n int) int {\n\tn = n + %d\n\treturn core.Shared(n)\n}\n", i, i)
	}
	for i := range 480 { // of 208 lines each
		texts[fmt.Sprintf("other%d/other.go", i)] = strings.Replace(source("go", 4300), "package p", fmt.Sprintf("package other%d", i), 1)
	}
	lines := 0
	for path, text := range texts {
		lines += strings.Count(text, "\n")
		if err := client.Write(filepath.Join(root, path), text); err != nil {
			return err
		}
	}
	if err := client.Configure(home, client.Chatting(model.URL, "")); err != nil {
		return err
	}
	program, err := filepath.Abs(o.tandem)
	if err != nil {
		return err
	}
	command := exec.Command(program, "serve", "--stdio")
	command.Dir, command.Env = root, client.Home(home)
	var verdict atomic.Value // the state of the last one
	var verdicts atomic.Int64
	e, err := client.StartEditor(command, root, true, func(method string, params json.RawMessage) any {
		var p struct {
			Verdict struct{ State string }
		}
		if method == "tandem/proposal" && json.Unmarshal(params, &p) == nil {
			verdict.Store(p.Verdict.State)
			verdicts.Add(1)
		}
		return nil
	}, "proposals")
	if err != nil {
		return err
	}
	defer e.Kill()
	if err := e.AwaitIndex(); err != nil {
		return err
	}
	const path = "user7/user.go"
	for _, open := range []string{"core/core.go", path} {
		if err := e.Open(open, texts[open]); err != nil {
			return err
		}
	}
	if _, err := e.Call("tandem/edit", client.Object{"textDocument": client.Object{"uri": e.URI("core/core.go")}, "instruction": "rename Shared to Common",
		"range": client.Range{Start: client.Position{Line: 3}, End: client.Position{Line: 6}}}); err != nil {
		return err
	}
	settle(e.Pid())
	if verdict.Load() != "failed" {
		return fmt.Errorf("the verdict on the proposal is %q", verdict.Load())
	}
	first := verdicts.Load()
	at := strings.Index(texts[path], "\n\treturn")
	spent, began := client.ProcessorTime(e.Pid()), time.Now()
	for i := range minuteBursts {
		typed := fmt.Sprintf("\n\tn+=%d", i%10)
		for k := range len(typed) {
			if err := e.Replace(path, at, at, typed[k:k+1]); err != nil {
				return err
			}
			at++
			if _, _, err := e.AskInline(path, at, 2); err != nil {
				return err
			}
			time.Sleep(minuteKey)
		}
		time.Sleep(minuteRest)
	}
	took := time.Since(began)
	share := 100 * (client.ProcessorTime(e.Pid()) - spent).Seconds() / took.Seconds()
	o.say(fmt.Sprintf("%d lines, %.0f s typed beside a proposal that breaks 78 files, sent %d times", lines, took.Seconds(), verdicts.Load()-first), share, 10, "%")
	return e.Quit()
}
