// Package client drives a language server as the tools do that measure, show and test
// tandem: it starts the program and speaks to it over its standard input and output.
//
// **Invariant**: each request gets one reply, in whatever order they come; what the server
// sends by itself is handled in its order, before the next message is read. What an editor
// keeps of its documents is not here: each tool has what it needs of them.
package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
)

// patience is how long a reply and the end of the server may take.
const patience = 2 * time.Minute

// ErrEnded means that the server ended before it replied.
var ErrEnded = errors.New("the server has ended")

// A Handler handles what the server sends by itself. What it returns is the reply to a
// request. It may notify the server and must not wait for a reply of it.
type Handler func(method string, params json.RawMessage) (reply any)

// A Reply is the server's reply to a request, and when it came.
type Reply struct {
	Result json.RawMessage
	Err    error
	At     time.Time
}

// A Server is a running server. Its methods may be called by any goroutine.
type Server struct {
	command *exec.Cmd
	stream  jsonrpc2.Stream
	handle  Handler
	ended   chan struct{}

	mu      sync.Mutex // guards all below
	next    int64
	waiting map[int64]chan Reply // nil once the server has ended
}

// pipes are the server's input and output as one connection.
type pipes struct {
	io.Reader
	io.WriteCloser
}

// Start starts a server. handle may be nil: requests of the server are then answered with
// null.
func Start(command *exec.Cmd, handle Handler) (*Server, error) {
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("%s does not start, run make build: %w", command.Path, err)
	}
	if handle == nil {
		handle = func(string, json.RawMessage) any { return nil }
	}
	s := &Server{command: command, stream: jsonrpc2.NewHeaderStream(pipes{out, in}), handle: handle, ended: make(chan struct{}), waiting: map[int64]chan Reply{}}
	go s.read()
	return s, nil
}

// Request sends a request; its reply will come on the channel, which is closed without one
// if the server ends.
func (s *Server) Request(method string, params any) (id int64, reply <-chan Reply, err error) {
	body, err := encode(params)
	if err != nil {
		return 0, nil, err
	}
	back := make(chan Reply, 1)
	s.mu.Lock()
	if s.waiting == nil {
		s.mu.Unlock()
		return 0, nil, fmt.Errorf("%s: %w", method, ErrEnded)
	}
	s.next++
	id = s.next
	s.waiting[id] = back
	s.mu.Unlock()
	_, err = s.stream.Write(context.Background(), jsonrpc2.NewCall(jsonrpc2.NewNumberID(id), method, body))
	return id, back, err
}

// Call sends a request and waits for its reply.
func (s *Server) Call(method string, params any) (json.RawMessage, error) {
	_, back, err := s.Request(method, params)
	if err != nil {
		return nil, err
	}
	select {
	case r, ok := <-back:
		if !ok {
			return nil, fmt.Errorf("%s: %w", method, ErrEnded)
		}
		return r.Result, r.Err
	case <-time.After(patience):
		return nil, fmt.Errorf("%s was not answered in %v", method, patience)
	}
}

// Notify sends a notification.
func (s *Server) Notify(method string, params any) error {
	body, err := encode(params)
	if err != nil {
		return err
	}
	_, err = s.stream.Write(context.Background(), jsonrpc2.NewNotification(method, body))
	return err
}

// Ended is closed when the server's output has ended.
func (s *Server) Ended() <-chan struct{} { return s.ended }

// Pid is the server's process.
func (s *Server) Pid() int { return s.command.Process.Pid }

// Quit ends the server as editors do, and kills it if it does not end.
func (s *Server) Quit() error {
	_, _ = s.Call("shutdown", nil) // it is about to end anyway
	_ = s.Notify("exit", nil)
	_ = s.stream.Close()
	late := time.AfterFunc(patience, func() { _ = s.command.Process.Kill() })
	defer late.Stop()
	<-s.ended
	return s.command.Wait()
}

// Kill ends the server as kill -9 does. A program that it started with its own input and
// output, as a script that starts the server proper does, ends with its input.
func (s *Server) Kill() {
	_ = s.command.Process.Kill()
	_ = s.stream.Close()
	<-s.ended
	_ = s.command.Wait()
}

func encode(params any) (jsonrpc2.RawMessage, error) {
	if params == nil {
		return nil, nil
	}
	body, err := json.Marshal(params)
	return jsonrpc2.RawMessage(body), err
}

func (s *Server) read() {
	defer s.end()
	for {
		message, _, err := s.stream.Read(context.Background())
		if err != nil {
			return
		}
		switch m := message.(type) {
		case *jsonrpc2.Response:
			s.replied(m)
		case *jsonrpc2.Notification:
			s.handle(m.Method(), json.RawMessage(m.Params()))
		case *jsonrpc2.Call:
			id := m.ID()
			body, err := json.Marshal(s.handle(m.Method(), json.RawMessage(m.Params())))
			_, _ = s.stream.Write(context.Background(), jsonrpc2.NewResponse(id, body, err))
		}
	}
}

func (s *Server) replied(m *jsonrpc2.Response) {
	id, _ := m.ID().Number()
	s.mu.Lock()
	back := s.waiting[id]
	delete(s.waiting, id)
	s.mu.Unlock()
	if back != nil {
		back <- Reply{Result: json.RawMessage(m.Result()), Err: sentence(m.Err()), At: time.Now()}
	}
}

// sentence is an error with the words alone that a user reads.
func sentence(err error) error {
	var known *jsonrpc2.Error
	if errors.As(err, &known) {
		return errors.New(known.Message)
	}
	return err
}

func (s *Server) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, back := range s.waiting {
		close(back)
	}
	s.waiting = nil
	close(s.ended)
}
