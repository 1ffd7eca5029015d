package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

type object = map[string]any

// An editor is the least of an LSP client: it types and asks for completions.
type editor struct {
	process *exec.Cmd
	in      io.WriteCloser
	out     *textproto.Reader
	next    int
	root    string
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

func startEditor(ctx context.Context, program, root, config, dir string, settle time.Duration) (*editor, error) {
	command := exec.CommandContext(ctx, program, "serve", "--stdio", "--config", config)
	command.Dir = root
	command.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(dir, "state"), "XDG_CACHE_HOME="+filepath.Join(dir, "cache"), "XDG_CONFIG_HOME="+filepath.Join(dir, "config"))
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	e := &editor{process: command, in: in, out: textproto.NewReader(bufio.NewReaderSize(out, 1<<20)), root: root}
	err = e.call("initialize", object{"processId": os.Getpid(), "rootUri": "file://" + root, "capabilities": object{
		"general": object{"positionEncodings": []string{"utf-8"}}, "experimental": object{"tandem": object{"status": true}}}})
	if err == nil {
		err = e.notify("initialized", object{})
	}
	select { // the tree is indexed and read meanwhile
	case <-time.After(settle):
	case <-ctx.Done():
		err = ctx.Err()
	}
	return e, err
}

func (e *editor) close() {
	_ = e.call("shutdown", nil) // it is about to end anyway
	_ = e.notify("exit", nil)
	_ = e.in.Close()
	_ = e.process.Wait()
}

func (e *editor) send(m object) error {
	m["jsonrpc"] = "2.0"
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return err
}

func (e *editor) notify(method string, params any) error {
	return e.send(object{"method": method, "params": params})
}

// call sends a request and waits for its answer.
func (e *editor) call(method string, params any) error {
	e.next++
	id := strconv.Itoa(e.next)
	if err := e.send(object{"id": e.next, "method": method, "params": params}); err != nil {
		return err
	}
	for {
		m, err := e.read()
		if err != nil {
			return err
		}
		if m.Method == "" && string(m.ID) == id {
			if m.Error != nil {
				return fmt.Errorf("%s: %s", method, m.Error.Message)
			}
			return nil
		}
	}
}

// read reads a message; a request of the server is answered with nothing.
func (e *editor) read() (*message, error) {
	header, err := e.out.ReadMIMEHeader()
	if err != nil {
		return nil, err
	}
	size, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		return nil, err
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(e.out.R, body); err != nil {
		return nil, err
	}
	m := &message{}
	if err := json.Unmarshal(body, m); err != nil {
		return nil, err
	}
	if m.Method != "" && len(m.ID) > 0 {
		return m, e.send(object{"id": m.ID, "result": nil})
	}
	return m, nil
}

// typeAt opens the file of a place without its run and types the run again, word by
// word, with a completion asked for after each.
func (e *editor) typeAt(ctx context.Context, p *place, steps int) error {
	uri := "file://" + filepath.Join(e.root, filepath.FromSlash(p.path))
	err := e.notify("textDocument/didOpen", object{"textDocument": object{"uri": uri, "languageId": p.language, "version": 1, "text": p.before + p.after}})
	line, column := strings.Count(p.before, "\n"), len(p.before)-strings.LastIndexByte(p.before, '\n')-1
	for i, piece := range pieces(p.run) {
		if i == steps || err != nil || ctx.Err() != nil {
			break
		}
		at := object{"line": line, "character": column}
		err = e.notify("textDocument/didChange", object{"textDocument": object{"uri": uri, "version": i + 2},
			"contentChanges": []any{object{"range": object{"start": at, "end": at}, "text": piece}}})
		if n := strings.Count(piece, "\n"); n > 0 {
			line, column = line+n, len(piece)-strings.LastIndexByte(piece, '\n')-1
		} else {
			column += len(piece)
		}
		if err == nil {
			err = e.call("textDocument/inlineCompletion", object{"textDocument": object{"uri": uri},
				"position": object{"line": line, "character": column}, "context": object{"triggerKind": 2}})
		}
	}
	if err != nil {
		return err
	}
	return e.notify("textDocument/didClose", object{"textDocument": object{"uri": uri}})
}

// pieces cuts a text after each word.
func pieces(run string) []string {
	var out []string
	from := 0
	for i := 1; i <= len(run); i++ {
		if i == len(run) || wordByte(run[i-1]) && !wordByte(run[i]) {
			out = append(out, run[from:i])
			from = i
		}
	}
	return out
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}
