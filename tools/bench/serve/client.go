package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

type object = map[string]any

// A client is one editor with its server.
type client struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers chan answer
	asked   int
}

type answer struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// start starts a server for a user whose home is a folder.
func start(tandem, home, root string) (*client, error) {
	c := &client{cmd: exec.Command(tandem, "serve", "--stdio"), answers: make(chan answer, 4096)}
	c.cmd.Dir = root
	c.cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home+"/config", "XDG_STATE_HOME="+home+"/state",
		"XDG_CACHE_HOME="+home+"/cache", "XDG_DATA_HOME="+home+"/data", "DBUS_SESSION_BUS_ADDRESS=")
	c.cmd.Stderr = os.Stderr
	in, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.in = in
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("%s does not start, run make build: %w", tandem, err)
	}
	go c.read(bufio.NewReaderSize(out, 1<<16))
	_, err = c.request("initialize", object{"processId": nil, "rootUri": "file://" + root, "initializationOptions": object{"trusted": true}, "capabilities": object{
		"window":       object{"workDoneProgress": true},
		"textDocument": object{"inlineCompletion": object{}},
		"experimental": object{"tandem": object{"proposals": true, "status": true, "tasks": true, "inline": true}},
	}})
	c.notify("initialized", object{})
	return c, err
}

func (c *client) read(r *bufio.Reader) {
	defer close(c.answers)
	for {
		header, err := r.ReadString('\n')
		if err != nil {
			return
		}
		length, err := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(header, "Content-Length: ")))
		if err != nil {
			return
		}
		body := make([]byte, 2+length)
		if _, err := io.ReadFull(r, body); err != nil {
			return
		}
		var m answer
		if json.Unmarshal(body, &m) != nil {
			return
		}
		switch {
		case m.Method != "" && m.ID != nil:
			c.send(object{"jsonrpc": "2.0", "id": m.ID, "result": nil})
		case m.Method == "":
			c.answers <- m
		}
	}
}

func (c *client) send(m any) {
	body, err := json.Marshal(m)
	if err == nil {
		_, _ = fmt.Fprintf(c.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
	}
}

func (c *client) notify(method string, params any) {
	c.send(object{"jsonrpc": "2.0", "method": method, "params": params})
}

// request waits for the answer to a request.
func (c *client) request(method string, params any) (json.RawMessage, error) {
	c.asked++
	id := c.asked
	c.send(object{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	for {
		select {
		case m, ok := <-c.answers:
			switch {
			case !ok:
				return nil, fmt.Errorf("the server ended before it answered %s", method)
			case string(m.ID) != strconv.Itoa(id):
			case m.Error != nil:
				return nil, fmt.Errorf("%s: %s", method, m.Error.Message)
			default:
				return m.Result, nil
			}
		case <-time.After(2 * time.Minute):
			return nil, fmt.Errorf("no answer to %s in two minutes", method)
		}
	}
}

// A document is an open document. Its client is the only one that changes it.
type document struct {
	c       *client
	uri     string
	version int
	line    int // of the cursor
	column  int
}

func (c *client) open(uri, text string, line int) *document {
	c.notify("textDocument/didOpen", object{"textDocument": object{"uri": uri, "languageId": "go", "version": 1, "text": text}})
	return &document{c: c, uri: uri, version: 1, line: line}
}

// replace replaces a part of a line.
func (d *document) replace(line, from, to int, text string) {
	d.version++
	d.c.notify("textDocument/didChange", object{"textDocument": object{"uri": d.uri, "version": d.version},
		"contentChanges": []object{{"range": object{"start": object{"line": line, "character": from}, "end": object{"line": line, "character": to}}, "text": text}}})
}

// suggested asks for suggestions; invoked is whether the user asked for them.
func (d *document) suggested(invoked bool) (int, error) {
	kind := 2
	if invoked {
		kind = 1
	}
	result, err := d.c.request("textDocument/inlineCompletion", object{"textDocument": object{"uri": d.uri}, "position": object{"line": d.line, "character": d.column}, "context": object{"triggerKind": kind}})
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
	d.c.notify("textDocument/didClose", object{"textDocument": object{"uri": d.uri}})
}

// stop ends the server.
func (c *client) stop() {
	_, _ = c.request("shutdown", nil)
	c.notify("exit", nil)
	_ = c.in.Close()
	for range c.answers {
	}
	_ = c.cmd.Wait()
}

// memory is a line of /proc/PID/status in MB: RssAnon, VmRSS.
func (c *client) memory(what string) float64 {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.cmd.Process.Pid))
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, what+":"); ok {
			kb, _ := strconv.Atoi(strings.Fields(rest)[0])
			return float64(kb) / 1000
		}
	}
	return 0
}

// processor is the processor time of the server so far, of all its threads.
func (c *client) processor() time.Duration {
	total := time.Duration(0)
	tasks, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", c.cmd.Process.Pid))
	for _, t := range tasks {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/schedstat", c.cmd.Process.Pid, t.Name()))
		if f := strings.Fields(string(data)); err == nil && len(f) > 0 {
			ns, _ := strconv.ParseInt(f[0], 10, 64)
			total += time.Duration(ns)
		}
	}
	return total
}
