//go:build reliability && linux

package reliability

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// The programs under test.
var binary, scripted string

// TestMain builds the programs once, unless TANDEM and SCRIPTED name them.
func TestMain(m *testing.M) {
	flag.Parse()
	go machine.watch()
	binary, scripted = os.Getenv("TANDEM"), os.Getenv("SCRIPTED")
	if binary != "" && scripted != "" {
		os.Exit(m.Run())
	}
	dir, err := os.MkdirTemp("", "tandem")
	if err != nil {
		panic(err)
	}
	if out, err := exec.Command("go", "build", "-trimpath", "-o", dir+"/", "tandem/cmd/tandem", "tandem/cmd/scripted").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%s%v\n", out, err)
		os.Exit(1)
	}
	binary, scripted = filepath.Join(dir, "tandem"), filepath.Join(dir, "scripted")
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// A server is the real program as a process, with a client that reads strictly:
// any byte on stdout that is not part of a frame fails the test (row A16).
type server struct {
	t         testing.TB
	cmd       *exec.Cmd
	in        io.WriteCloser
	stderr    bytes.Buffer
	exited    chan struct{}
	onMessage func(m reply, bytes int) // nil, or called for every message

	writing  sync.Mutex // one frame at a time
	mu       sync.Mutex // guards all below
	readable *sync.Cond
	held     bool
	replies  map[string]reply
	order    []string
	arrived  chan struct{}
}

type reply struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int
		Message string
	} `json:"error"`
}

type object = map[string]any

// launch starts a server for a user who has configured nothing.
func launch(t testing.TB) *server {
	t.Helper()
	h := newHome(t)
	h.workspace = h.dir
	return h.launch(nil)
}

// launch starts a server for this user; onMessage may be nil.
func (h *home) launch(onMessage func(reply, int), args ...string) *server {
	t := h.t
	t.Helper()
	s := &server{t: t, cmd: h.command(append([]string{"serve", "--stdio"}, args...)...), exited: make(chan struct{}), onMessage: onMessage, replies: map[string]reply{}, arrived: make(chan struct{})}
	s.readable = sync.NewCond(&s.mu)
	s.cmd.Stderr = &s.stderr
	in, err := s.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.in = in
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() { defer close(read); s.read(bufio.NewReaderSize(out, 1<<16)) }()
	go func() {
		<-read
		_ = s.cmd.Wait()
		close(s.exited)
	}()
	t.Cleanup(func() {
		s.holdReading(false)
		_ = s.cmd.Process.Kill()
		<-s.exited
		if panicked(s.stderr.String()) {
			t.Errorf("stderr: %s", s.stderr.String())
		}
	})
	return s
}

// panicked reports whether the output of a program has a panic, recovered or
// not. The dump of a process that was sent SIGQUIT has none, although its stacks
// may name runtime/panic.go.
func panicked(output string) bool {
	return strings.Contains(output, "internal error") || regexp.MustCompile(`(?m)^(panic|fatal error): `).MatchString(output)
}

func (s *server) read(r *bufio.Reader) {
	for {
		s.mu.Lock()
		for s.held {
			s.readable.Wait()
		}
		s.mu.Unlock()
		header, err := r.ReadString('\n')
		if err != nil {
			if header != "" {
				s.t.Errorf("stdout ended with %q", header)
			}
			return
		}
		length, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(header, "Content-Length: "), "\r\n"))
		if err != nil || !strings.HasPrefix(header, "Content-Length: ") {
			s.t.Errorf("stdout has a stray line %q", header)
			return
		}
		body := make([]byte, 2+length)
		if _, err := io.ReadFull(r, body); err != nil {
			return
		}
		var m reply
		if err := json.Unmarshal(body[2:], &m); string(body[:2]) != "\r\n" || err != nil {
			s.t.Errorf("stdout has a stray frame %q", body)
			return
		}
		if s.onMessage != nil {
			s.onMessage(m, len(header)+len(body))
		}
		s.take(m)
	}
}

func (s *server) take(m reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m.Method != "" {
		if m.ID != nil { // granted, as an editor would
			go s.send(frame(object{"jsonrpc": "2.0", "id": m.ID, "result": nil}))
		}
		return
	}
	s.replies[string(m.ID)] = m
	s.order = append(s.order, string(m.ID))
	close(s.arrived)
	s.arrived = make(chan struct{})
}

// holdReading makes the client stop reading, or continue.
func (s *server) holdReading(held bool) {
	s.mu.Lock()
	s.held = held
	s.mu.Unlock()
	s.readable.Broadcast()
}

func frame(m any) string {
	body, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
}

func (s *server) send(frames string) {
	s.writing.Lock()
	defer s.writing.Unlock()
	_, _ = io.WriteString(s.in, frames)
}

func request(id any, method string, params any) string {
	return frame(object{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

func notification(method string, params any) string {
	return frame(object{"jsonrpc": "2.0", "method": method, "params": params})
}

// wait returns the reply to an id, or fails after timeout.
func (s *server) wait(id string, timeout time.Duration) reply {
	s.t.Helper()
	deadline := time.After(timeout)
	for {
		s.mu.Lock()
		m, ok := s.replies[id]
		arrived := s.arrived
		s.mu.Unlock()
		if ok {
			return m
		}
		select {
		case <-arrived:
		case <-s.exited: // after all that it wrote was read
			s.mu.Lock()
			m, ok := s.replies[id]
			s.mu.Unlock()
			if ok {
				return m
			}
			s.t.Fatalf("the server ended before it answered %s: %s", id, s.stderr.String())
		case <-deadline:
			s.t.Fatalf("no answer to %s within %v", id, timeout)
		}
	}
}

func (s *server) answered() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.replies)
}

// initialize does the handshake of a client without capabilities.
func (s *server) initialize(processID any, root string) {
	s.t.Helper()
	s.handshake(object{"processId": processID, "capabilities": object{}}, root)
}

// handshake initializes the server with these parameters and a root, unless it is "".
func (s *server) handshake(params object, root string) {
	s.t.Helper()
	params["rootUri"] = nil
	if root != "" {
		params["rootUri"] = "file://" + root
	}
	s.send(request("init", "initialize", params))
	if m := s.wait(`"init"`, patience); m.Error != nil {
		s.t.Fatal(m.Error.Message)
	}
	s.send(notification("initialized", object{}))
}

// ends waits for the exit and returns its code and how long it took.
func (s *server) ends(timeout time.Duration) (code int, took time.Duration) {
	s.t.Helper()
	start := time.Now()
	select {
	case <-s.exited:
		return s.cmd.ProcessState.ExitCode(), time.Since(start)
	case <-time.After(timeout):
		s.t.Fatalf("the server is alive after %v", timeout)
		return 0, 0
	}
}

// memory reads a line of /proc/PID/status in MiB: VmRSS or VmHWM.
func (s *server) memory(what string) float64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		s.t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, what+":"); ok {
			kb, _ := strconv.Atoi(strings.Fields(rest)[0])
			return float64(kb) / 1024
		}
	}
	s.t.Fatalf("no %s", what)
	return 0
}

// processorTime is utime + stime so far.
func (s *server) processorTime() time.Duration {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		s.t.Fatal(err)
	}
	f := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	user, _ := strconv.Atoi(f[11])
	system, _ := strconv.Atoi(f[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

func (s *server) signal(sig syscall.Signal) { _ = s.cmd.Process.Signal(sig) }
