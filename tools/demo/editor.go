package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// An editor is a minimal LSP client that shows the main job: it opens a file,
// requests ghost text, escalates and receives the proposed edit.
type editor struct {
	in      io.Writer
	replies sync.Map // id -> chan message
	events  chan message
	next    int
}

type message struct {
	ID     *json.RawMessage `json:"id"`
	Method string           `json:"method"`
	Params json.RawMessage  `json:"params"`
	Result json.RawMessage  `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

func (d *demo) editor(ctx context.Context) error {
	command := exec.CommandContext(ctx, d.tandem, "serve", "--stdio", "--config", d.config)
	command.Dir, command.Env, command.Stderr = d.tree, d.env(), os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		return err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	e := &editor{in: in, events: make(chan message, 256)}
	go e.read(bufio.NewReader(out))
	if err := e.session(ctx, d.tree); err != nil {
		return err
	}
	_, _ = e.call(ctx, "shutdown", nil)
	e.notify("exit", nil)
	return command.Wait()
}

func (e *editor) session(ctx context.Context, tree string) error {
	type m = map[string]any
	_, err := e.call(ctx, "initialize", m{"processId": os.Getpid(), "rootUri": fileURI(tree), "capabilities": m{
		"general":      m{"positionEncodings": []string{"utf-8"}},
		"workspace":    m{"applyEdit": true},
		"window":       m{"workDoneProgress": true},
		"experimental": m{"tandem": m{"tasks": true, "proposals": true}},
	}})
	if err != nil {
		return err
	}
	e.notify("initialized", m{})
	uri := fileURI(filepath.Join(tree, editFile))
	content, err := os.ReadFile(filepath.Join(tree, editFile))
	if err != nil {
		return err
	}
	text := string(content) + "\n// Empty reports whether the span holds no byte.\nfunc (s Span) Empty() bool {\n\t\n}\n"
	line := strings.Count(text, "\n") - 2
	e.notify("textDocument/didOpen", m{"textDocument": m{"uri": uri, "languageId": "go", "version": 1, "text": text}})
	if err := e.ghost(ctx, uri, line); err != nil {
		return err
	}
	return e.escalate(ctx, uri)
}

// ghost requests an inline completion inside the new function.
func (e *editor) ghost(ctx context.Context, uri string, line int) error {
	type m = map[string]any
	start := time.Now()
	result, err := e.call(ctx, "textDocument/inlineCompletion", m{
		"textDocument": m{"uri": uri}, "position": m{"line": line, "character": 1}, "context": m{"triggerKind": 1},
	})
	if err != nil {
		return err
	}
	var found struct {
		Items []struct {
			InsertText string `json:"insertText"`
		} `json:"items"`
	}
	if err := json.Unmarshal(result, &found); err != nil {
		return err
	}
	fmt.Printf("\ntextDocument/inlineCompletion, inside an empty function at the end of %s (%.0f ms)\n", editFile, float64(time.Since(start).Microseconds())/1000)
	if len(found.Items) == 0 {
		fmt.Println("    no suggestion")
	}
	for _, item := range found.Items {
		fmt.Print(indent(item.InsertText))
	}
	return nil
}

// escalate sends a task to the deep model and waits for its proposal, printing the
// progress as an editor would show it.
func (e *editor) escalate(ctx context.Context, uri string) error {
	type m = map[string]any
	start := time.Now()
	fmt.Println("\ntandem.escalate: \"Document the methods of Span\"")
	if _, err := e.call(ctx, "workspace/executeCommand", m{"command": "tandem.escalate", "arguments": []any{m{
		"uri": uri, "position": m{"line": 9, "character": 0}, "instruction": "Add a comment to the functions of this file that have none",
	}}}); err != nil {
		return err
	}
	for {
		select {
		case <-ctx.Done():
			return errors.New("the task did not end in time")
		case event := <-e.events:
			over, err := e.handle(event, start)
			if over || err != nil {
				return err
			}
		}
	}
}

// handle prints what a notification reports about the task. It returns true once
// the task has ended.
func (e *editor) handle(event message, start time.Time) (bool, error) {
	switch event.Method {
	case "tandem/task":
		var task struct {
			Title, State, Error string
			Steps               []struct{ Title, Lane, State string }
		}
		if err := json.Unmarshal(event.Params, &task); err != nil {
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
		if json.Unmarshal(event.Params, &p) == nil && p.State == "ready" {
			fmt.Printf("    %5.2f s  one proposal is ready: %s · %s, %d file(s)\n", time.Since(start).Seconds(), p.Lane, p.Model, len(p.Documents))
		}
	}
	return false, nil
}

// call sends a request and waits for its response.
func (e *editor) call(ctx context.Context, method string, params any) (json.RawMessage, error) {
	e.next++
	id := e.next
	reply := make(chan message, 1)
	e.replies.Store(id, reply)
	e.send(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	select {
	case <-ctx.Done():
		return nil, fmt.Errorf("%s was not answered: %w", method, ctx.Err())
	case m := <-reply:
		if m.Error != nil {
			return nil, fmt.Errorf("%s: %s", method, m.Error.Message)
		}
		return m.Result, nil
	}
}

func (e *editor) notify(method string, params any) {
	e.send(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

func (e *editor) send(v any) {
	body, err := json.Marshal(v)
	if err == nil {
		_, _ = fmt.Fprintf(e.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
	}
}

// read passes the server's responses to their callers and its notifications to
// events. Requests from the server get an empty result.
func (e *editor) read(r *bufio.Reader) {
	for {
		m, err := readMessage(r)
		if err != nil {
			return
		}
		switch {
		case m.ID != nil && m.Method != "":
			e.send(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": nil})
		case m.ID != nil:
			id, err := strconv.Atoi(string(*m.ID))
			if reply, ok := e.replies.LoadAndDelete(id); ok && err == nil {
				reply.(chan message) <- m
			}
		default:
			e.events <- m
		}
	}
}

func readMessage(r *bufio.Reader) (message, error) {
	length := 0
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return message{}, err
		}
		line = strings.TrimSpace(line)
		if line == "" {
			break
		}
		if value, ok := strings.CutPrefix(line, "Content-Length:"); ok {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return message{}, err
			}
		}
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(r, body); err != nil {
		return message{}, err
	}
	var m message
	return m, json.Unmarshal(body, &m)
}

func fileURI(path string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
}
