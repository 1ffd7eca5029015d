package tasks

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"tandem/tools/client"
)

// patience ends what waits for what never happens: it is no bound, and holds on a machine
// with much other work.
const patience = 2 * time.Minute

// A taskNote is what this program reads of tandem/task.
type taskNote struct {
	ID, State, Error, Question, Plan, ProposalID, Resolved, Review string
	Tokens                                                         int
	CostUSD                                                        float64
	Steps                                                          []struct {
		Title, Lane, State, Error string
		Files                     []string
	}
	Calls []struct {
		Tool, Args, Error string
		Tokens            int
	}
}

// An editor is a client of tandem serve: it has documents, applies the edits that the
// server sends, and remembers the last state of each task.
type editor struct {
	*client.Server
	home *home

	mu      sync.Mutex // guards all below
	changed *sync.Cond
	texts   map[string]string // open documents by name
	version map[string]int
	tasks   map[string]taskNote
	skips   map[string]bool // files whose edits are reported as applied, and are not
	ended   bool
}

// edit starts tandem serve on the home's workspace.
func (h *home) edit() (*editor, error) {
	e := &editor{home: h, texts: map[string]string{}, version: map[string]int{}, tasks: map[string]taskNote{}, skips: map[string]bool{}}
	e.changed = sync.NewCond(&e.mu)
	var err error
	if e.Server, err = client.Start(h.command("serve", "--stdio"), e.handle); err != nil {
		return nil, err
	}
	go e.end()
	return e, e.Initialize(h.workspace, true, client.Object{
		"general":      client.UTF8,
		"workspace":    client.Object{"applyEdit": true, "workspaceEdit": client.Object{"documentChanges": true, "resourceOperations": []string{"create", "delete"}}},
		"experimental": client.Knows("proposals", "tasks"),
	})
}

// end reports to who waits that the server has ended.
func (e *editor) end() {
	<-e.Ended()
	e.mu.Lock()
	e.ended = true
	e.mu.Unlock()
	e.changed.Broadcast()
}

// until waits for a condition, which is called with mu held.
func (e *editor) until(met func() bool) bool {
	late := time.AfterFunc(patience, e.changed.Broadcast)
	defer late.Stop()
	end := time.Now().Add(patience)
	e.mu.Lock()
	defer e.mu.Unlock()
	for !met() {
		if e.ended || time.Now().After(end) {
			return false
		}
		e.changed.Wait()
	}
	return true
}

func (e *editor) handle(method string, params json.RawMessage) any {
	defer e.changed.Broadcast()
	switch method {
	case "tandem/task":
		var t taskNote
		if json.Unmarshal(params, &t) == nil {
			e.mu.Lock()
			e.tasks[t.ID] = t
			e.mu.Unlock()
		}
	case "workspace/applyEdit":
		e.apply(params)
		return map[string]any{"applied": true}
	}
	return nil
}

// apply applies a workspace edit: to the open document, or to the file.
func (e *editor) apply(params json.RawMessage) {
	list, err := client.DocumentChanges(params)
	if err != nil {
		return
	}
	for _, c := range list {
		name := strings.TrimPrefix(c.TextDocument.URI+c.URI, client.URI(e.home.workspace)+"/")
		switch c.Kind {
		case "create":
			_ = e.home.write(name, "")
			continue
		case "delete": // the scenarios delete nothing
			continue
		}
		e.mu.Lock()
		text, open := e.texts[name]
		skip := e.skips[name]
		e.mu.Unlock()
		if skip {
			continue
		}
		if !open {
			text = e.home.read(name)
		}
		text = client.Edited(text, c.Edits)
		if open {
			e.change(name, text)
		} else {
			_ = e.home.write(name, text)
			_ = e.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": e.uri(name), "type": 2}}})
		}
	}
}

func (e *editor) uri(name string) string { return client.URI(filepath.Join(e.home.workspace, name)) }

// open opens a file in the editor.
func (e *editor) open(name string) error {
	text := e.home.read(name)
	e.mu.Lock()
	e.texts[name], e.version[name] = text, 1
	e.mu.Unlock()
	return e.Open(e.uri(name), "go", 1, text)
}

// change replaces the text of an open document, as one change of all of it.
func (e *editor) change(name, text string) {
	e.mu.Lock()
	e.texts[name] = text
	e.version[name]++
	version := e.version[name]
	e.mu.Unlock()
	_ = e.ReplaceAll(e.uri(name), version, text)
}

// text is a document as the editor has it, or a file.
func (e *editor) text(name string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if text, ok := e.texts[name]; ok {
		return text
	}
	return e.home.read(name)
}

// escalate starts a task and returns its id.
func (e *editor) escalate(name, instruction string, tests bool) (string, error) {
	arg := map[string]any{"instruction": instruction, "tests": tests}
	if name != "" {
		arg["uri"] = e.uri(name)
	}
	raw, err := e.Call("workspace/executeCommand", map[string]any{"command": "tandem.escalate", "arguments": []any{arg}})
	if err != nil {
		return "", err
	}
	var out struct{ TaskID string }
	return out.TaskID, json.Unmarshal(raw, &out)
}

// forget drops the last state of a task, so that await waits for the next one.
func (e *editor) forget(id string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.tasks, id)
}

// await waits until a task meets a condition, and returns it.
func (e *editor) await(id string, met func(taskNote) bool) (taskNote, bool) {
	var t taskNote
	ok := e.until(func() bool { t = e.tasks[id]; return t.ID != "" && met(t) })
	return t, ok
}
