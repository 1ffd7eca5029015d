package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"tandem/tools/client"
)

// An editor is one editor with its server.
type editor struct{ *client.Server }

// start starts a server for a user whose home is a folder.
func start(tandem, home, root string) (*editor, error) {
	command := exec.Command(tandem, "serve", "--stdio")
	command.Dir, command.Env, command.Stderr = root, client.Home(home), os.Stderr
	server, err := client.Start(command, nil)
	if err != nil {
		return nil, err
	}
	return &editor{server}, server.Initialize(root, true, client.Object{
		"window":       client.Object{"workDoneProgress": true},
		"textDocument": client.Object{"inlineCompletion": client.Object{}},
		"experimental": client.Knows("proposals", "status", "tasks", "inline"),
	})
}

// A document is an open document. Its client is the only one that changes it.
type document struct {
	e       *editor
	uri     string
	version int
	line    int // of the cursor
	column  int
}

func (e *editor) open(uri, language, text string, line int) *document {
	_ = e.Open(uri, language, 1, text)
	return &document{e: e, uri: uri, version: 1, line: line}
}

// replace replaces a part of a line.
func (d *document) replace(line, from, to int, text string) {
	d.version++
	_ = d.e.Replace(d.uri, d.version, client.Range{Start: client.Position{Line: line, Character: from}, End: client.Position{Line: line, Character: to}}, text)
}

// suggested asks for suggestions at the cursor, and returns how many there are.
func (d *document) suggested(trigger int) (int, error) {
	result, err := d.e.Call(client.AskInline(d.uri, client.Position{Line: d.line, Character: d.column}, trigger))
	if err != nil {
		return 0, err
	}
	list, err := client.Suggestions(result)
	return len(list), err
}

func (d *document) close() { _ = d.e.Closed(d.uri) }

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
func (e *editor) processor() time.Duration { return client.ProcessorTime(e.Pid()) }
