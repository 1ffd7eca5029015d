package lsp

import (
	"context"
	"errors"
	"io"
	"time"

	"go.lsp.dev/jsonrpc2"

	"tandem/lsp/wire"
	"tandem/workspace"
	"tandem/workspace/run"
)

// How long the end may take: writing the responses that are ready, and waiting
// for work whose context has ended.
const (
	flushTimeout = 200 * time.Millisecond
	stopTimeout  = 200 * time.Millisecond
)

// A Server is one editor's connection: the loop that reads messages and starts what
// they ask for. What outlives a message is stored by the feature that it belongs to.
type Server struct {
	*scope
	wire     *wire.Stream
	features *features
	methods  map[string]method
}

// A scope is what a connection works on: the client, the session that it opened and the
// use cases on that session. Its fields are set at initialize, on the read loop, and only
// read afterwards, except those that have their own lock.
type scope struct {
	*peer
	session *workspace.Session
	use     UseCases
}

// Run serves one connection until it ends and returns the program's exit code:
// 0 after shutdown and exit, after the end of input and when ctx ends; 1 when
// the input cannot be read any further, when exit came without shutdown and when
// the client's process is gone.
func Run(ctx context.Context, d Deps, in io.ReadCloser, out io.Writer) int {
	return newServer(d, in, out).run(ctx)
}

func (s *Server) run(ctx context.Context) int {
	transport := run.NewGroup(context.Background(), s.panicked)
	transport.Go("read ahead", s.ahead)
	s.conn.Go(context.Background(), s.handle)
	code := s.wait(ctx)
	s.stop(transport)
	return code
}

// ahead reads while the connection's loop is busy.
func (s *Server) ahead(context.Context) {
	if p := run.Call("read ahead", s.wire.Ahead); p != nil {
		s.panicked(p)
		s.life.end(1)
	}
}

func newServer(d Deps, in io.ReadCloser, out io.Writer) *Server {
	p := newPeer(&d)
	on := &scope{peer: p}
	s := &Server{scope: on, features: newFeatures(&d, on)}
	s.methods = s.features.methods()
	s.group = run.NewGroup(context.Background(), s.panicked)
	s.wire = wire.New(in, out, func(reason string) { s.log.Warn("message refused", "reason", reason) }, d.Trace)
	s.conn = jsonrpc2.NewConn(s.wire, jsonrpc2.WithCodec(codec{&p.names, &p.notebooks}))
	s.notifications = newNotificationQueue(s.notify, s.panicked)
	s.group.Go("send notifications", s.notifications.run)
	return s
}

// wait returns the exit code when something ends the connection.
func (s *Server) wait(ctx context.Context) int {
	select {
	case code := <-s.life.exit:
		return code
	case <-ctx.Done():
		return 0
	case <-s.wire.Over():
		return s.inputOver()
	case <-s.conn.Done():
		s.log.Error("the connection to the editor broke", "reason", s.conn.Err())
		return 1
	}
}

// inputOver is the exit code after the end of input.
func (s *Server) inputOver() int {
	select { // messages before the end are handled; their work is not waited for
	case <-s.wire.Ended():
	case <-time.After(stopTimeout):
	}
	select {
	case code := <-s.life.exit: // exit was the last message
		return code
	default:
	}
	err := s.wire.End()
	if errors.Is(err, io.EOF) {
		return 0
	}
	if header, ok := errors.AsType[*wire.HeaderError](err); ok {
		s.log.Error(header.Error())
	} else {
		s.log.Error("the editor's messages stopped in the middle of one; tandem ends", "reason", err)
	}
	return 1
}

// stop ends all work and waits a limited time for it. The session belongs to
// the code that opened it.
func (s *Server) stop(transport *run.Group) {
	s.wire.Flush(flushTimeout)
	stopped := make(chan struct{})
	transport.Go("stop", func(context.Context) {
		defer close(stopped)
		s.group.Close()
	})
	if err := s.wire.Close(); err != nil && !errors.Is(err, io.ErrClosedPipe) {
		s.log.Debug("closing the connection", "reason", err.Error())
	}
	select {
	case <-stopped:
	case <-time.After(stopTimeout):
	}
}
