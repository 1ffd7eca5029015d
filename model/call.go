package model

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"tandem/edits"
)

// Stream asks a lane's model: through its gate and within the daily limit. It
// ends with Final or one *Error, and what it took is in Usage, the ledger and
// the status, also when the caller stops listening. A Request that names a
// model goes to that one.
func (l *Lanes) Stream(ctx context.Context, lane Lane, req *Request) Stream {
	return func(yield func(Delta, error) bool) {
		ch, failed := l.channel(lane, req.Model)
		if failed != nil {
			yield(Delta{}, failed)
			return
		}
		c := l.begin(lane, ch, req)
		if err := c.start(ctx); err != nil {
			yield(Delta{}, c.refused(err))
			return
		}
		c.run(ctx, ch.client.Stream(ctx, c.req), yield)
	}
}

// A call is one request on its way through a lane.
type call struct {
	lanes    *Lanes
	lane     Lane
	channel  *channel
	req      *Request
	input    int     // tokens, estimated
	estimate float64 // USD held back from the daily limit
	started  time.Time

	mu     sync.Mutex // guards what the client's goroutines report
	sent   int
	served string

	first, last time.Time // text
	output      int       // bytes of text
	final       *Final
}

func (l *Lanes) begin(lane Lane, ch *channel, req *Request) *call {
	own := *req
	own.Model = ch.config.Name
	own.scrub()
	l.mu.Lock()
	defer l.mu.Unlock()
	if own.ID == "" {
		l.serial++
		own.ID = "r" + strconv.Itoa(l.serial)
	}
	c := &call{lanes: l, lane: lane, channel: ch, req: &own, input: EstimateTokens(&own)}
	c.estimate = Cost(ch.config, Usage{Input: c.input})
	l.calls[own.ID] = c
	return c
}

// start takes the request through gate, limit and queue.
func (c *call) start(ctx context.Context) *Error {
	l, now := c.lanes, c.lanes.parts.Now()
	if Paid(c.channel.config) {
		if err := l.budget.admit(now, c.estimate); err != nil {
			return err
		}
	}
	wait, err := c.channel.gate.admit(now, c.req.Purpose, c.input)
	if err == nil {
		if err = c.queue(ctx, wait); err != nil {
			c.channel.gate.release()
		}
	}
	if err != nil && Paid(c.channel.config) {
		l.budget.settle(now, c.estimate, 0)
	}
	return err
}

// queue waits as the gate said, then for a place among those under way.
func (c *call) queue(ctx context.Context, wait time.Duration) *Error {
	if wait > 0 {
		if err := pause(ctx, wait); err != nil {
			return err
		}
	}
	if c.channel.enter(ctx) != nil {
		return cancelled(ctx)
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) *Error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return cancelled(ctx)
	}
}

func cancelled(ctx context.Context) *Error {
	return &Error{Code: CodeCancelled, Message: "The request was cancelled.", Err: ctx.Err()}
}

// refused ends a call that never reached its client.
func (c *call) refused(err *Error) *Error {
	c.lanes.forget(c.req.ID)
	if err.Provider == "" {
		err.Provider, err.Model = c.channel.config.Provider, c.channel.config.Name
	}
	if err.Code == CodeDailyLimit {
		c.lanes.once.say("limit "+dayOf(c.lanes.parts.Now()), Notice{NoticeLimit, c.lane, c.channel.config.Name, err.Message})
	}
	return err
}

func (l *Lanes) forget(id string) {
	l.mu.Lock()
	delete(l.calls, id)
	l.mu.Unlock()
}

// run passes the client's stream on and accounts for it, however it ends.
func (c *call) run(ctx context.Context, stream Stream, yield func(Delta, error) bool) {
	c.started = c.lanes.parts.Now()
	ended := &Error{Code: CodeCancelled} // unless something better is known
	defer func() { c.account(ended) }()
	for delta, err := range stream {
		if err != nil {
			ended = c.describe(ctx, err)
			yield(Delta{}, ended)
			return
		}
		c.note(delta)
		if delta.Final != nil {
			ended = nil
		}
		if !yield(delta, nil) || ended == nil {
			return
		}
	}
	ended = &Error{Code: CodeInterrupted, Provider: c.channel.config.Provider, Model: c.channel.config.Name,
		Message: "The model's answer ended without an end; ask again.", Delivered: c.output > 0}
	yield(Delta{}, ended)
}

// describe is a client's error with what the lane knows about it.
func (c *call) describe(ctx context.Context, err error) *Error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return cancelled(ctx)
	}
	e := AsError(err)
	if e.Provider == "" {
		e.Provider = c.channel.config.Provider
	}
	if e.Model == "" {
		e.Model = c.channel.config.Name
	}
	return e
}

func asKnown(err error) (*Error, bool) {
	var known *Error
	if errors.As(err, &known) {
		return known, true
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return &Error{Code: CodeCancelled, Message: "The request was cancelled.", Err: err}, true
	}
	return nil, false
}

// note keeps what a delta tells besides its text.
func (c *call) note(d Delta) {
	if d.Text != "" {
		now := c.lanes.parts.Now()
		if c.output == 0 {
			c.first = now
		}
		c.last = now
		c.output += len(d.Text)
	}
	if d.Served != "" {
		c.servedBy(d.Served)
	}
	if d.Final != nil {
		c.final = d.Final
	}
}

func (c *call) servedBy(served string) {
	cfg := c.channel.config
	c.mu.Lock()
	c.served = served
	c.mu.Unlock()
	c.channel.mu.Lock()
	c.channel.served = served
	c.channel.mu.Unlock()
	if !SameModel(cfg.Model, served) {
		c.lanes.once.say("served "+cfg.Name+" "+served, Notice{NoticeServed, c.lane, cfg.Name, fmt.Sprintf(
			"%s was asked for %s, but %s answered; check that your account has access to it.", cfg.Provider, cfg.Model, served)})
	}
}

// account settles a call: gate, daily limit, ledger, status.
func (c *call) account(ended *Error) {
	l, now := c.lanes, c.lanes.parts.Now()
	l.forget(c.req.ID)
	usage := c.usage()
	cost := Cost(c.channel.config, usage)
	if Paid(c.channel.config) {
		l.budget.settle(now, c.estimate, cost)
	}
	c.channel.leave()
	c.judge(ended, now)
	l.announce(c, ended)
	p := c.provenance(usage, cost)
	c.channel.add(usage, p, ended)
	l.remember(c.req.ID, p)
	c.write(usage, cost, ended, now)
}

// judge tells the gate what an ending says about the server: nothing where
// it was the caller who stopped, all is well where the fault was the request's.
func (c *call) judge(ended *Error, now time.Time) {
	switch {
	case ended == nil:
		c.channel.gate.done(now, nil)
	case ended.Code == CodeCancelled && c.output == 0, ended.Code == CodeInternal:
		c.channel.gate.release()
	default:
		c.channel.gate.done(now, serverFault(ended))
	}
}

// serverFault is err, or nil where the server did its part.
func serverFault(err *Error) *Error {
	switch err.Code {
	case CodeCancelled, CodeBadRequest, CodeContextLength, CodeParameter, CodeRefused, CodeEmpty, CodeNeedsModel:
		return nil
	}
	return err
}

// usage is what the server said, or where it said nothing an estimate from
// what was sent and received.
func (c *call) usage() Usage {
	if c.final != nil && c.final.Usage.Known {
		return c.final.Usage
	}
	c.mu.Lock()
	sent := c.sent
	c.mu.Unlock()
	if sent == 0 && c.output == 0 {
		return Usage{}
	}
	return Usage{Input: c.input, Output: (c.output + 3) / 4}
}

func (c *call) provenance(u Usage, cost float64) edits.Provenance {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := edits.Provenance{Lane: string(c.lane), Model: c.channel.config.Name, ServedModel: c.served,
		PromptTokens: u.Input, OutputTokens: u.Output, CachedTokens: u.Cached, CostUSD: cost}
	if !c.first.IsZero() {
		p.FirstTokenMs = float64(c.first.Sub(c.started).Microseconds()) / 1000
	}
	if took := c.last.Sub(c.first).Seconds(); took > 0 {
		p.TokensPerSecond = float64(u.Output) / took
	}
	return p
}

func (c *channel) add(u Usage, p edits.Provenance, ended *Error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &c.total
	t.Requests++
	if ended != nil && ended.Code != CodeCancelled {
		t.Failed++
	}
	t.Input += u.Input
	t.Cached += u.Cached
	t.Output += u.Output
	t.CostUSD += p.CostUSD
	if p.FirstTokenMs > 0 {
		t.FirstTokenMs, t.TokensPerSecond = p.FirstTokenMs, p.TokensPerSecond
	}
}

// EstimateTokens is roughly how many tokens a request has. It is for gates and
// reservations, which see every request and must cost nothing; what has to be
// exact counts with workspace/tokens.
func EstimateTokens(r *Request) int {
	bytes := len(r.Instructions) + len(r.Prediction)
	for _, m := range r.Input {
		bytes += len(m.Text) + 4*messageOverhead
	}
	if r.Fill != nil {
		bytes += len(r.Fill.Prefix) + len(r.Fill.Suffix)
		for _, x := range r.Fill.Extra {
			bytes += len(x.Text)
		}
	}
	return bytes/4 + 1
}

// messageOverhead is the tokens that formats of conversation add to a message, at most.
const messageOverhead = 6
