package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tandem/tools/client"
)

// An editor is a minimal LSP client that shows the main job: it opens a file,
// requests ghost text, escalates and receives the proposed edit.
type editor struct {
	*client.Server
	events chan event
}

// An event is a notification of the server.
type event struct {
	method string
	params json.RawMessage
}

func (d *demo) editor(ctx context.Context) error {
	command := exec.CommandContext(ctx, d.tandem, "serve", "--stdio", "--config", d.config)
	command.Dir, command.Env, command.Stderr = d.tree, d.env(), os.Stderr
	e := &editor{events: make(chan event, 256)}
	var err error
	if e.Server, err = client.Start(command, e.handle); err != nil {
		return err
	}
	if err := e.session(ctx, d.tree); err != nil {
		return err
	}
	return e.Quit()
}

func (e *editor) handle(method string, params json.RawMessage) any {
	select {
	case e.events <- event{strings.Clone(method), slices.Clone(params)}:
	default: // nobody follows a task now
	}
	return nil
}

func (e *editor) session(ctx context.Context, tree string) error {
	if err := e.Initialize(tree, false, client.Object{"general": client.UTF8, "workspace": client.Object{"applyEdit": true},
		"window": client.Object{"workDoneProgress": true}, "experimental": client.Knows("tasks", "proposals")}); err != nil {
		return err
	}
	uri := client.URI(filepath.Join(tree, editFile))
	content, err := os.ReadFile(filepath.Join(tree, editFile))
	if err != nil {
		return err
	}
	text := string(content) + "\n// Empty reports whether the span holds no byte.\nfunc (s Span) Empty() bool {\n\t\n}\n"
	line := strings.Count(text, "\n") - 2
	if err := e.Open(uri, "go", 1, text); err != nil {
		return err
	}
	if err := e.ghost(uri, line); err != nil {
		return err
	}
	return e.escalate(ctx, uri)
}

// ghost requests an inline completion inside the new function.
func (e *editor) ghost(uri string, line int) error {
	start := time.Now()
	result, err := e.Call(client.AskInline(uri, client.Position{Line: line, Character: 1}, client.Invoked))
	if err != nil {
		return err
	}
	list, err := client.Suggestions(result)
	if err != nil {
		return err
	}
	fmt.Printf("\ntextDocument/inlineCompletion, inside an empty function at the end of %s (%.0f ms)\n", editFile, float64(time.Since(start).Microseconds())/1000)
	if len(list) == 0 {
		fmt.Println("    no suggestion")
	}
	for _, item := range list {
		fmt.Print(indent(item.InsertText))
	}
	return nil
}

// escalate sends a task to the deep model and waits for its proposal, printing the
// progress as an editor would show it.
func (e *editor) escalate(ctx context.Context, uri string) error {
	start := time.Now()
	fmt.Println("\ntandem.escalate: \"Add a comment to the functions of this file that have none\"")
	if _, err := e.Call("workspace/executeCommand", client.Object{"command": "tandem.escalate", "arguments": []any{client.Object{
		"uri": uri, "position": client.Object{"line": 9, "character": 0}, "instruction": "Add a comment to the functions of this file that have none",
	}}}); err != nil {
		return err
	}
	for {
		select {
		case <-ctx.Done():
			return errors.New("the task did not end in time")
		case event := <-e.events:
			over, err := report(event, start)
			if over || err != nil {
				return err
			}
		}
	}
}

// report prints what a notification reports about the task. It returns true once
// the task has ended.
func report(event event, start time.Time) (bool, error) {
	switch event.method {
	case "tandem/task":
		var task struct {
			Title, State, Error string
			Steps               []struct{ Title, Lane, State string }
		}
		if err := json.Unmarshal(event.params, &task); err != nil {
			return true, err
		}
		fmt.Printf("    %5.2f s  %-9s", time.Since(start).Seconds(), task.State)
		for i, s := range task.Steps {
			fmt.Printf(" | %d [%s] %s: %s", i+1, s.Lane, s.Title, s.State)
		}
		fmt.Println()
		switch task.State {
		case "done":
			return true, nil
		case "failed", "cancelled":
			return true, fmt.Errorf("the task %s: %s", task.State, task.Error)
		}
	case "tandem/proposal":
		var p struct {
			State, Lane, Model string
			TokensPerSecond    float64
			Documents          []struct{ Edits []json.RawMessage }
		}
		if json.Unmarshal(event.params, &p) == nil && p.State == "ready" {
			fmt.Printf("    %5.2f s  one proposal is ready: %s · %s, %d file(s)\n", time.Since(start).Seconds(), p.Lane, p.Model, len(p.Documents))
		}
	}
	return false, nil
}
