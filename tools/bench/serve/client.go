package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"tandem/tools/client"
)

type object = map[string]any

// An editor is one editor with its server.
type editor struct {
	*client.Server
	cmd *exec.Cmd
}

// start starts a server for a user whose home is a folder.
func start(tandem, home, root string) (*editor, error) {
	e := &editor{cmd: exec.Command(tandem, "serve", "--stdio")}
	e.cmd.Dir = root
	e.cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home+"/config", "XDG_STATE_HOME="+home+"/state",
		"XDG_CACHE_HOME="+home+"/cache", "XDG_DATA_HOME="+home+"/data", "DBUS_SESSION_BUS_ADDRESS=")
	e.cmd.Stderr = os.Stderr
	var err error
	if e.Server, err = client.Start(e.cmd, nil); err != nil {
		return nil, err
	}
	if _, err := e.Call("initialize", object{"processId": nil, "rootUri": "file://" + root, "initializationOptions": object{"trusted": true}, "capabilities": object{
		"window":       object{"workDoneProgress": true},
		"textDocument": object{"inlineCompletion": object{}},
		"experimental": object{"tandem": object{"proposals": true, "status": true, "tasks": true, "inline": true}},
	}}); err != nil {
		return nil, err
	}
	return e, e.Notify("initialized", object{})
}

// A document is an open document. Its client is the only one that changes it.
type document struct {
	e       *editor
	uri     string
	version int
	line    int // of the cursor
	column  int
}

func (e *editor) open(uri, text string, line int) *document {
	return e.openAs(uri, "go", text, line)
}

// openAs opens a document of a language.
func (e *editor) openAs(uri, language, text string, line int) *document {
	_ = e.Notify("textDocument/didOpen", object{"textDocument": object{"uri": uri, "languageId": language, "version": 1, "text": text}})
	return &document{e: e, uri: uri, version: 1, line: line}
}

// replace replaces a part of a line.
func (d *document) replace(line, from, to int, text string) {
	d.version++
	_ = d.e.Notify("textDocument/didChange", object{"textDocument": object{"uri": d.uri, "version": d.version},
		"contentChanges": []object{{"range": object{"start": object{"line": line, "character": from}, "end": object{"line": line, "character": to}}, "text": text}}})
}

// suggested asks for suggestions; invoked is whether the user asked for them.
func (d *document) suggested(invoked bool) (int, error) {
	kind := 2
	if invoked {
		kind = 1
	}
	result, err := d.e.Call("textDocument/inlineCompletion", object{"textDocument": object{"uri": d.uri}, "position": object{"line": d.line, "character": d.column}, "context": object{"triggerKind": kind}})
	if err != nil {
		return 0, err
	}
	var list struct {
		Items []json.RawMessage `json:"items"`
	}
	if bytes.HasPrefix(result, []byte("[")) {
		err = json.Unmarshal(result, &list.Items)
	} else if len(result) > 0 {
		err = json.Unmarshal(result, &list)
	}
	return len(list.Items), err
}

func (d *document) close() {
	_ = d.e.Notify("textDocument/didClose", object{"textDocument": object{"uri": d.uri}})
}

// stop ends the server.
func (e *editor) stop() { _ = e.Quit() }

// memory is a line of /proc/PID/status in MB: RssAnon, VmRSS.
func (e *editor) memory(what string) float64 {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", e.Pid()))
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, what+":"); ok {
			kb, _ := strconv.Atoi(strings.Fields(rest)[0])
			return float64(kb) / 1000
		}
	}
	return 0
}

// processor is the processor time of the server so far, of all its threads.
func (e *editor) processor() time.Duration {
	total := time.Duration(0)
	tasks, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", e.Pid()))
	for _, t := range tasks {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/schedstat", e.Pid(), t.Name()))
		if f := strings.Fields(string(data)); err == nil && len(f) > 0 {
			ns, _ := strconv.ParseInt(f[0], 10, 64)
			total += time.Duration(ns)
		}
	}
	return total
}
