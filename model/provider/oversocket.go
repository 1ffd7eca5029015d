package provider

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"time"

	"tandem/model"
)

// overSocket sends the request over a socket and reads the answer.
func (x *exchange) overSocket(ctx context.Context, base *url.URL, key model.Secret) *failure {
	c := x.client
	ec := x.errorContext(base, key)
	none := &failure{Error: &model.Error{}, kind: kindNoSocket}
	if c.pool == nil {
		return none
	}
	raw := base.String()
	switch c.options.Shared.sockets(raw) {
	case socketsOff:
		return none
	case socketsProbe:
		c.pool.probe(base, key, func() { c.options.Shared.setSockets(raw, true) })
		return none
	}
	body, f := x.body(ec)
	if f != nil {
		return f
	}
	resp, f := c.pool.begin(ctx, base, key, &socketRequest{
		input: x.req.Input, body: body, fresh: x.fresh, connect: x.deadlines.Connect, firstByte: x.deadlines.FirstByte,
		sent: func(message []byte, continued bool) { x.sent(base.Host, body, message, continued) },
	})
	if f != nil {
		if resp != nil {
			x.abandonResponse(resp)
		}
		if f.kind == kindNoSocket {
			c.options.Shared.setSockets(raw, false)
		}
		return f
	}
	x.served = resp.served
	c.track(x.req.ID, resp)
	defer c.untrack(x.req.ID, resp)
	return x.listen(ctx, resp, ec)
}

// listen delivers a response as it arrives.
func (x *exchange) listen(ctx context.Context, resp *activeResponse, ec errorContext) *failure {
	limit, phase := x.deadlines.FirstByte, "first"
	timer := time.NewTimer(limit)
	defer timer.Stop()
	b := &batch{}
	for {
		select {
		case <-ctx.Done():
			x.abandonResponse(resp)
			return ec.streamed(context.Cause(ctx), time.Time{})
		case <-timer.C:
			resp.closeSocket()
			return ec.timedOut(phase, limit)
		case <-resp.arrived():
		}
		done, err := resp.take(b)
		if err != nil {
			return x.lost(err, resp, b, ec)
		}
		active := b.active
		stop, f := x.deliver(b, ec)
		if stop || f != nil || done {
			if !done {
				x.abandonResponse(resp)
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
func (x *exchange) lost(err error, resp *activeResponse, b *batch, ec errorContext) *failure {
	b.final = nil
	if stop, f := x.deliver(b, ec); stop {
		return f
	}
	var closed *closedError
	if errors.As(err, &closed) {
		return ec.fail(model.CodeProtocol, kindOther, err, "%s ended the connection (close code %d); ask again, or set supports_websockets = false for it.", ec.at(), closed.code)
	}
	f := ec.streamed(err, x.client.options.Clock())
	switch {
	case f.kind == kindChainLost, f.kind == kindSocketLimit, errors.Is(err, errGap), errors.Is(err, errTooLarge), errors.Is(err, errLostText):
		resp.closeSocket()
	}
	return f
}

// longTail is the number of output tokens above which an abandoned response is
// not read to its end: the socket is closed, which ends the generation.
const longTail = 512

// abandonResponse abandons a response whose caller has stopped.
func (x *exchange) abandonResponse(resp *activeResponse) {
	resp.abandon()
	if x.maxTokens() > longTail && resp.alone() {
		resp.closeSocket()
	}
}

func (x *exchange) maxTokens() int {
	return cmp.Or((&encoder{req: x.req, model: &x.client.model}).maxTokens(), longTail+1)
}

func (c *client) track(id string, resp *activeResponse) {
	c.mu.Lock()
	c.active[id] = resp
	c.mu.Unlock()
}

func (c *client) untrack(id string, resp *activeResponse) {
	c.mu.Lock()
	if c.active[id] == resp {
		delete(c.active, id)
	}
	c.mu.Unlock()
}

// Steer adds the user's text to a running answer. See model.Steerer.
func (c *client) Steer(ctx context.Context, requestID, text string) (model.Stream, bool) {
	c.mu.Lock()
	resp := c.active[requestID]
	c.mu.Unlock()
	if resp == nil {
		return nil, false
	}
	next, ok := resp.steerWith(ctx, text, func(body []byte) {
		c.observeSent(requestID, resp.base().Host, body, 0, true)
	})
	if !ok {
		return nil, false
	}
	return c.successor(ctx, requestID, next), true
}

// successor is the stream of the response that follows a steered one.
func (c *client) successor(outer context.Context, requestID string, resp *activeResponse) model.Stream {
	return func(yield func(model.Delta, error) bool) {
		req := &model.Request{ID: requestID, Purpose: model.Task}
		x := &exchange{client: c, req: req, yield: yield, deadlines: c.deadlines(req), stops: &stopper{}, tries: map[string]int{}}
		c.track(requestID, resp)
		defer c.untrack(requestID, resp)
		f := x.listen(outer, resp, x.errorContext(resp.base(), model.Secret{}))
		if f != nil && !x.ended && !x.stopped {
			x.fail(f)
		}
	}
}
