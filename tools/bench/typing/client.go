package main

import (
	"bufio"
	"encoding/json"
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

type object = map[string]any

// A message is one frame from the server.
type message struct {
	ID     *int            `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
	at time.Time
}

// An editor drives one `tandem serve` as an editor does.
type editor struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	dir string // the user's home, removed at the end

	mu      sync.Mutex // guards all below
	next    int
	waiting map[int]chan message
	notify  func(message)
}

// A model is the scripted server.
type scriptedServer struct {
	cmd     *exec.Cmd
	address string
}

func startModel(program string, args ...string) (*scriptedServer, error) {
	s := &scriptedServer{cmd: exec.Command(program, args...)}
	s.cmd.Stderr = os.Stderr
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("%s has not started: %w", program, err)
	}
	s.address = strings.TrimSpace(strings.TrimPrefix(line, "listening "))
	return s, nil
}

func (s *scriptedServer) stop() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}

// home makes a user's home with a configuration, and returns the environment in which a
// command runs as that user.
func home(config string) (dir string, env []string, err error) {
	if dir, err = os.MkdirTemp("", "tandem-typing"); err != nil {
		return "", nil, err
	}
	if err = os.MkdirAll(filepath.Join(dir, "config", "tandem"), 0o700); err == nil {
		err = os.WriteFile(filepath.Join(dir, "config", "tandem", "config.toml"), []byte(config), 0o600)
	}
	return dir, append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir+"/config", "XDG_STATE_HOME="+dir+"/state", "XDG_CACHE_HOME="+dir+"/cache"), err
}

// configure is a configuration whose fast model is the scripted one.
func configure(address, more string) string {
	return fmt.Sprintf("fast = \"m\"\n%s\n[models.m]\nprovider = \"p\"\nmodel = \"scripted-fast\"\ntokenizer = \"o200k_base\"\ncontext_window = 128000\nmax_output_tokens = 256\ninput_price = 0.35\noutput_price = 0.75\n"+
		"[providers.p]\nbase_url = \"%s/v1\"\nwire_api = \"chat\"\n", more, address)
}

// startEditor starts a server for a folder. knows says whether the client announces the
// notifications of tandem.
func startEditor(program, config, folder string, knows bool, notify func(message)) (*editor, error) {
	dir, env, err := home(config)
	if err != nil {
		return nil, err
	}
	e := &editor{cmd: exec.Command(program, "serve", "--stdio"), dir: dir, waiting: map[int]chan message{}, notify: notify}
	e.cmd.Env = env
	if e.in, err = e.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := e.cmd.Start(); err != nil {
		return nil, err
	}
	go e.read(bufio.NewReaderSize(out, 1<<16))
	capabilities := object{"general": object{"positionEncodings": []string{"utf-8"}}}
	if knows {
		capabilities["experimental"] = object{"tandem": object{"inline": true, "status": true, "proposals": true}}
	}
	if _, err := e.call("initialize", object{"processId": os.Getpid(), "rootUri": uriOf(folder), "capabilities": capabilities}); err != nil {
		return nil, err
	}
	return e, e.send("initialized", object{})
}

func uriOf(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }

func (e *editor) close() {
	_ = e.in.Close()
	done := make(chan struct{})
	go func() { _ = e.cmd.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		_ = e.cmd.Process.Kill()
		<-done
	}
	_ = os.RemoveAll(e.dir)
}

func (e *editor) read(in *bufio.Reader) {
	for {
		length := 0
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				return
			}
			if line = strings.TrimSpace(line); line == "" {
				break
			}
			if n, ok := strings.CutPrefix(line, "Content-Length: "); ok {
				length, _ = strconv.Atoi(n)
			}
		}
		body := make([]byte, length)
		if _, err := io.ReadFull(in, body); err != nil {
			return
		}
		m := message{at: time.Now()}
		if json.Unmarshal(body, &m) != nil {
			continue
		}
		switch {
		case m.Method != "" && m.ID != nil:
			_ = e.write(object{"jsonrpc": "2.0", "id": *m.ID, "result": nil})
		case m.Method != "":
			e.notify(m)
		case m.ID != nil:
			e.mu.Lock()
			back := e.waiting[*m.ID]
			delete(e.waiting, *m.ID)
			e.mu.Unlock()
			if back != nil {
				back <- m
			}
		}
	}
}

func (e *editor) write(o object) error {
	raw, err := json.Marshal(o)
	if err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	_, err = fmt.Fprintf(e.in, "Content-Length: %d\r\n\r\n%s", len(raw), raw)
	return err
}

func (e *editor) send(method string, params any) error {
	return e.write(object{"jsonrpc": "2.0", "method": method, "params": params})
}

// request sends a request and returns its number and where its response will come.
func (e *editor) request(method string, params any) (int, <-chan message, error) {
	e.mu.Lock()
	e.next++
	id, back := e.next, make(chan message, 1)
	e.waiting[id] = back
	e.mu.Unlock()
	return id, back, e.write(object{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

func (e *editor) call(method string, params any) (json.RawMessage, error) {
	_, back, err := e.request(method, params)
	if err != nil {
		return nil, err
	}
	select {
	case m := <-back:
		if m.Error != nil {
			return nil, fmt.Errorf("%s: %s", method, m.Error.Message)
		}
		return m.Result, nil
	case <-time.After(time.Minute):
		return nil, fmt.Errorf("%s was not answered", method)
	}
}

// first is the text of the first item of an inline completion, "" for none.
func first(result json.RawMessage) string {
	var list struct {
		Items []struct {
			InsertText string `json:"insertText"`
		} `json:"items"`
	}
	if json.Unmarshal(result, &list) != nil || len(list.Items) == 0 {
		return ""
	}
	return list.Items[0].InsertText
}
