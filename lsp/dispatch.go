package lsp

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"tandem/lsp/wire"
	"tandem/model"
	"tandem/workspace/run"
)

// A method is how one method of the protocol is served.
type method struct {
	early        bool // may come before initialize and after shutdown
	notification bool // has no answer

	// begin runs on the read loop, where it takes the snapshot it needs. It returns the
	// result, or the work that runs concurrently with later messages.
	begin func(ctx context.Context, params jsonrpc2.RawMessage) (any, work, error)
}

// A work is the second half of a request.
type work func(ctx context.Context) (any, error)

func decoded[P any](begin func(context.Context, *P) (any, work, error)) method {
	return method{begin: func(ctx context.Context, raw jsonrpc2.RawMessage) (any, work, error) {
		p, err := decode[P](raw)
		if err != nil {
			return nil, nil, err
		}
		return begin(ctx, p)
	}}
}

// notification handles a notification, on the read loop.
func notification[P any](f func(*P) error) method {
	m := decoded(func(_ context.Context, p *P) (any, work, error) { return nil, nil, f(p) })
	m.notification = true
	return m
}

// inOrder answers a request on the read loop: it must be quick.
func inOrder[P any](f func(context.Context, *P) (any, error)) method {
	return decoded(func(ctx context.Context, p *P) (any, work, error) {
		result, err := f(ctx, p)
		return result, nil, err
	})
}

// async answers a request in two halves, or in the first one if that has the result.
func async[P any](f func(*P) (any, work, error)) method {
	return decoded(func(_ context.Context, p *P) (any, work, error) { return f(p) })
}

// none is the params of a method that has none; anything is accepted for it.
type none struct{}

// mayBeMissing marks params of which every member has a default.
type mayBeMissing interface{ mayBeMissing() }

func decode[P any](raw jsonrpc2.RawMessage) (*P, error) {
	p := new(P)
	if _, ok := any(p).(*none); ok {
		return p, nil
	}
	if _, ok := any(p).(mayBeMissing); ok && len(raw) == 0 {
		return p, nil
	}
	if len(raw) == 0 {
		return nil, invalid("The request has no params.")
	}
	if err := protocol.Unmarshal(raw, p); err != nil {
		return nil, invalid("The params have the wrong shape%s.", shapeText(err))
	}
	return p, nil
}

// shapeText is where in the params a decoder stopped, if the error names it.
func shapeText(err error) string {
	_, where, ok := strings.Cut(err.Error(), ` within "`)
	where, _, _ = strings.Cut(where, `"`)
	if !ok {
		return ""
	}
	return " at " + printable(where)
}

// handle serves one message. It runs on the connection's read loop until the
// message is released with jsonrpc2.Async.
func (s *Server) handle(conn context.Context, req *jsonrpc2.Request) (any, error) {
	if !req.IsCall() {
		s.notified(req)
		return nil, nil
	}
	call := s.wire.Call(req.ID())
	defer call.Done()
	m, ok := s.methods[req.Method()]
	switch err := s.phaseError(m); {
	case err != nil:
		return nil, err
	case !ok || m.notification:
		return nil, jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "tandem %s does not know the method %q.", s.version, printable(req.Method()))
	}
	ctx := call.Context(s.group.Context())
	if ctx.Err() != nil {
		return nil, toWire(ctx, ctx.Err(), nil)
	}
	var result any
	var err error
	name := req.Method()
	p := run.Call(name, func() {
		var second work
		var params []byte
		var outward func([]byte) []byte
		if params, outward, err = s.ofClient(name, req.Params()); err == nil {
			result, second, err = m.begin(ctx, params)
		}
		if second != nil && err == nil {
			jsonrpc2.Async(conn)
			s.features.statuses.statusChanged()
			result, err = second(ctx)
			s.features.statuses.statusChanged()
		}
		if outward != nil && err == nil {
			var raw []byte
			if raw, err = protocol.Marshal(result); err == nil {
				result = jsonrpc2.RawMessage(outward(raw))
			}
		}
	})
	if p != nil {
		s.panicked(p)
		return nil, jsonrpc2.Errorf(jsonrpc2.InternalError, "tandem made an error in %s; the log has the details. Other requests go on.", name)
	}
	if ctx.Err() != nil && errors.Is(context.Cause(ctx), wire.ErrCancelled) {
		err = errCancelled // whatever came of it: nobody waits for it
	}
	if err != nil {
		if failed, ok := errors.AsType[*model.Error](err); ok && name == protocol.MethodWorkspaceExecuteCommand {
			s.reports.again(sentence(failed.Error()), 0) // editors show the error of a command
		}
		return nil, toWire(ctx, err, s.reports.asNotice)
	}
	return s.client.Result(result), nil
}

// notified handles a notification. An error in it is logged and never ends the
// connection.
func (s *Server) notified(req *jsonrpc2.Request) {
	m, ok := s.methods[req.Method()]
	if !ok || !m.notification || s.phaseError(m) != nil {
		s.log.Debug("notification ignored", "method", printable(req.Method()))
		return
	}
	var err error
	if p := run.Call(req.Method(), func() {
		var params []byte
		if params, _, err = s.ofClient(req.Method(), req.Params()); err == nil {
			_, _, err = m.begin(s.group.Context(), params)
		}
	}); p != nil {
		s.panicked(p)
	}
	if err != nil {
		s.log.Warn("notification refused", "method", req.Method(), "reason", err.Error())
	}
}

// phaseError is the error of a request that comes too early or too late.
func (s *Server) phaseError(m method) error {
	switch {
	case m.early:
		return nil
	case s.life.phase.Load() == phaseNew:
		return errNotInitialized
	case s.life.phase.Load() == phaseShutDown:
		return errShutDown
	}
	return nil
}

// panicked logs a recovered panic without the text of documents: the
// panic's value may contain such text, so only errors of the runtime are printed.
func (to *peer) panicked(p *run.Panic) {
	what := fmt.Sprintf("%T", p.Value)
	if err, ok := p.Value.(runtime.Error); ok {
		what = err.Error()
	}
	to.log.Error("internal error", "in", p.Work, "what", what, "stack", string(p.Stack))
}

// printable keeps control characters out of the log and of messages.
func printable(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return '?'
		}
		return r
	}, name)
	return name[:min(len(name), 80)]
}
