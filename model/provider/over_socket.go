package provider

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"time"

	"tandem/model"
	"tandem/model/provider/dialect"
	"tandem/model/provider/socket"
)

// overSocket sends the request over a socket and reads the answer.
func (x *exchange) overSocket(ctx context.Context, base *url.URL, key model.Secret) *dialect.Failure {
	c := x.client
	ec := x.client.errorContext(base, key)
	none := &dialect.Failure{Error: &model.Error{}, Kind: dialect.KindNoSocket}
	if c.pool == nil || x.dialect != c.dialect {
		return none
	}
	raw := base.String()
	//exhaustive:enforce
	switch c.options.Shared.sockets(raw) {
	case socketsUntried: // it is tried now
	case socketsOff:
		return none
	case socketsProbe:
		c.pool.Probe(base, key, func() { c.options.Shared.setSockets(raw, true) })
		return none
	}
	body, f := x.body(ec)
	if f != nil {
		return f
	}
	ec.Sent = body
	resp, f := c.pool.Begin(ctx, base, key, &socket.Request{
		Input: x.req.Input, Body: body, Fresh: x.fresh, Typing: typed(x.req.Purpose), Connect: x.deadlines.Connect, FirstByte: x.deadlines.FirstByte,
		Sent: func(message []byte, continued bool) { x.sent(base.Host, body, message, continued) },
	})
	if f != nil {
		if resp != nil {
			(&socketCall{x, resp, ec}).abandon()
		}
		if f.Kind == dialect.KindNoSocket {
			c.options.Shared.setSockets(raw, false)
		}
		return f
	}
	x.answer.served = resp.Served
	return (&socketCall{x, resp, ec}).listen(ctx)
}

// firstFrame is how long a socket may take to say that a request has arrived, which servers
// say at once.
const firstFrame = 10 * time.Second

// A socketCall is one attempt over a socket.
type socketCall struct {
	*exchange
	resp *socket.Response
	ec   dialect.ErrorContext
}

// listen delivers a response as it arrives.
func (x *socketCall) listen(ctx context.Context) *dialect.Failure {
	limit, phase := min(x.deadlines.FirstByte, firstFrame), "first"
	timer := time.NewTimer(limit)
	defer timer.Stop()
	b := &dialect.Batch{}
	gather := gathered(x.req.Purpose)
	for {
		gather.Wait(ctx)
		began := time.Now()
		select {
		case <-ctx.Done():
			x.abandon()
			return x.ec.Stopped(ctx)
		case <-timer.C:
			x.resp.CloseSocket()
			if phase == "first" { // the server takes sockets, and says nothing there
				x.client.options.Shared.silent(x.resp.Base().String())
				return &dialect.Failure{Error: &model.Error{}, Kind: dialect.KindNoSocket}
			}
			return x.ec.TimedOut(phase, limit)
		case <-x.resp.Arrived():
		}
		gather.Read(time.Since(began), 0)
		done, err := x.resp.Take(b)
		if err != nil {
			return x.lost(err, b)
		}
		active := b.Active
		stop, f := x.answer.deliver(b, x.ec)
		if stop || f != nil || done {
			if !done {
				x.abandon()
			}
			return f
		}
		if active {
			limit, phase = x.idleDeadline(), "stall"
			timer.Reset(limit)
		}
	}
}

// lost delivers what arrived before a fault, then returns the fault. The socket
// is closed if the fault means that the server's state on it is lost.
func (x *socketCall) lost(err error, b *dialect.Batch) *dialect.Failure {
	b.Final = nil
	if stop, f := x.answer.deliver(b, x.ec); stop {
		return f
	}
	if closed, ok := errors.AsType[*socket.ClosedError](err); ok {
		return x.ec.Fail(model.CodeProtocol, dialect.KindOther, err, "ask again, or set supports_websockets = false in [providers.%s]: its server ended the connection (%d).", x.ec.Provider, closed.Code)
	}
	f := x.ec.Streamed(err, x.client.options.Clock())
	switch {
	case f.Kind == dialect.KindChainLost, f.Kind == dialect.KindSocketLimit, errors.Is(err, dialect.ErrGap), errors.Is(err, dialect.ErrTooLarge), errors.Is(err, dialect.ErrLostText):
		x.resp.CloseSocket()
	}
	return f
}

// longTail is the number of output tokens above which an abandoned response is
// not read to its end: the socket is closed, which ends the generation.
const longTail = 512

// abandon abandons a response whose caller has stopped.
func (x *socketCall) abandon() {
	x.resp.Abandon()
	if x.maxTokens() > longTail && x.resp.Alone() {
		x.resp.CloseSocket()
	}
}

func (x *socketCall) maxTokens() int {
	return cmp.Or((&dialect.Encoder{Req: x.req, Model: &x.client.model}).MaxTokens(), longTail+1)
}
