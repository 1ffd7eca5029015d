package model

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"tandem/edits"
	"tandem/workspace/run"
)

// Stream sends a request to a lane's model, within its rate limits and the daily
// limit. It ends with Final or one *Error. What the request used is in Usage, the
// ledger and the status, also when the caller stops reading. A Request that names
// a model goes to that one.
func (l *Lanes) Stream(ctx context.Context, lane Lane, req *Request) Stream {
	return func(yield func(Delta, error) bool) {
		ch, failed := l.channel(lane, req.Model)
		if failed != nil {
			l.announce(cmp.Or(req.Model, string(lane)), failed)
			yield(Delta{}, failed)
			return
		}
		if req.Purpose == Complete {
			l.reportCost(ch.config.Name)
		}
		c := l.begin(lane, ch, req)
		ctx, done := c.bounded(ctx)
		defer done()
		if err := c.start(ctx); err != nil {
			yield(Delta{}, c.refused(err))
			return
		}
		c.run(ctx, ch.client.Stream(ctx, c.req), yield)
	}
}

// A call is one running request of a lane.
type call struct {
	lanes    *Lanes
	lane     Lane
	channel  *channel
	req      *Request
	input    int     // tokens, estimated
	estimate float64 // USD reserved from the daily limit
	started  time.Time

	mu     sync.Mutex // guards sent and served, which the client's goroutines report
	sent   dispatch
	served string

	first, last     time.Time // text
	text, reasoning strings.Builder
	final           *Final
}

func (l *Lanes) begin(lane Lane, ch *channel, req *Request) *call {
	own := *req
	own.Model = ch.config.Name
	l.mu.Lock()
	defer l.mu.Unlock()
	if own.ID == "" {
		l.serial++
		own.ID = "r" + strconv.Itoa(l.serial)
	}
	c := &call{lanes: l, lane: lane, channel: ch, req: &own, input: EstimateTokens(&own)}
	own.Deadline.Slack = ch.slack(l.parts.Rates, c.input)
	c.estimate = counted(Cost(ch.config, Usage{Input: c.input}))
	l.calls[own.ID] = c
	return c
}

// start checks the daily limit and the rate limiter, then waits in the queue.
func (c *call) start(ctx context.Context) *Error {
	l, now := c.lanes, c.lanes.parts.Now()
	if err := l.budget.priced(c.channel.config, c.channel.provider); err != nil {
		return err
	}
	if Paid(c.channel.config) {
		if err := l.budget.admit(now, c.estimate); err != nil {
			return err
		}
	}
	wait, err := c.channel.limiter.admit(now, c.req.Purpose, c.input)
	if err == nil {
		if err = c.queue(ctx, wait); err != nil {
			c.channel.limiter.release()
		}
	}
	if err != nil && Paid(c.channel.config) {
		l.budget.charge(now, c.estimate, 0)
	}
	return err
}

// queue waits as long as the limiter requires, then for a free slot.
func (c *call) queue(ctx context.Context, wait time.Duration) *Error {
	if wait > 0 && !run.Sleep(ctx, wait) || c.channel.acquire(ctx) != nil {
		return cancelled(ctx)
	}
	return nil
}

func cancelled(ctx context.Context) *Error {
	if late := overdue(ctx); late != nil {
		return late
	}
	return &Error{Code: CodeCancelled, Message: "The request was cancelled.", Err: ctx.Err()}
}

// refused ends a call that never reached its client.
func (c *call) refused(err *Error) *Error {
	c.lanes.forget(c.req.ID)
	own := err.Provider == "" // what a provider says of its key was announced with it
	if own {
		err.Provider, err.Model = c.channel.config.Provider, c.channel.config.Name
	}
	switch err.Code {
	case CodeDailyLimit:
		c.lanes.announce(c.channel.config.Name, err)
	case CodeNotConfigured:
		if !own {
			break
		}
		c.lanes.once.report(topic{"priced", c.channel.config.Name}, Notice{NoticeLimit, err.Message, err})
	}
	return err
}

func (l *Lanes) forget(id string) {
	l.mu.Lock()
	delete(l.calls, id)
	l.mu.Unlock()
}

// run forwards the client's stream and accounts for it, however it ends.
func (c *call) run(ctx context.Context, stream Stream, yield func(Delta, error) bool) {
	c.started = c.lanes.parts.Now()
	ended := &Error{Code: CodeCancelled} // unless a more exact reason is known
	defer func() { c.account(ended) }()
	slow := c.watchSlow()
	defer slow()
	for delta, err := range stream {
		slow()
		if err != nil {
			ended = c.describe(ctx, err)
			if delta.Final = (&Final{End: EndBy(ended)}); !c.judged(delta.Final.End).Whole() {
				yield(Delta{}, ended)
				return
			}
		}
		if delta.Final != nil {
			final := *delta.Final
			final.End = c.judged(final.End)
			delta.Final = &final
		}
		c.record(delta)
		if delta.Final != nil {
			ended = nil
		}
		if !yield(delta, nil) || ended == nil {
			if ctx.Err() == nil {
				ended = nil // its caller has all that it wants
			}
			return
		}
	}
	ended = &Error{Code: CodeInterrupted, Provider: c.channel.config.Provider, Model: c.channel.config.Name,
		Message: "Ask again: the model broke off before its answer was whole.", Delivered: c.text.Len() > 0}
	yield(Delta{}, ended)
}

// judged is how an answer ended by what is known of its server and its request. A suggestion that
// reaches the bound that tandem set for it has all that is shown.
func (c *call) judged(end End) End {
	end = c.lanes.parts.Ends.of(c.channel.address(), end)
	if end.Why == WhyLength && c.req.Purpose == Complete && c.req.MaxOutputTokens > 0 {
		end.Why = WhyShown
	}
	return end
}

// slowAfter is how long a fast model may take to begin without a word to the user about it.
const slowAfter = 4 * time.Second

// watchSlow says that the fast model has not begun to answer after slowAfter, unless the
// function that it returns is called before. What nobody waits for while typing may take longer.
func (c *call) watchSlow() (begun func() bool) {
	if typed := c.req.Purpose == Complete || c.req.Purpose == NextEdit; c.lane != Fast || !typed || c.req.Ahead {
		return func() bool { return false }
	}
	name := c.channel.config.Name
	format := "choose a smaller or faster model than %s: it has not begun to answer after %v."
	if rate, _ := c.lanes.parts.Rates.Of(c.channel.rateKey()); c.channel.provider.Plain() && rate.Evaluated == 0 {
		format = "wait a moment, and choose a smaller model if this stays: %s has not begun to answer after %v, and may still be loading or reading its first prompt."
	}
	return time.AfterFunc(slowAfter, func() {
		c.lanes.Failing(name, &Error{Code: CodeTimeout, Provider: c.channel.config.Provider, Model: name, Message: fmt.Sprintf(format, name, slowAfter)})
	}).Stop
}

// describe returns a client's error with the details that the lane knows.
func (c *call) describe(ctx context.Context, err error) *Error {
	if late := overdue(ctx); late != nil {
		late.Delivered = c.text.Len() > 0
		return late
	}
	if ctx.Err() != nil { // whatever it came as
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

// record notes the time and length of a delta's text or call, the served model and the end.
func (c *call) record(d Delta) {
	text := d.Text
	if d.Call != nil {
		text = d.Call.Name + d.Call.Arguments.String()
	}
	if text != "" {
		now := c.lanes.parts.Now()
		if c.text.Len() == 0 {
			c.first = now
		}
		c.last = now
		c.text.WriteString(text)
	}
	c.reasoning.WriteString(d.Reasoning)
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
	if !Substituted(cfg.Model, served) {
		return
	}
	text := fmt.Sprintf("Check that your account at %s has access to %s: %s answered in its place.", cfg.Provider, cfg.Model, served)
	if c.channel.provider.Plain() || file.MatchString(bare(served)) { // who serves files has no accounts
		if cfg.Model == cfg.Name {
			return // no model was asked for by its name
		}
		text = fmt.Sprintf("Load %s in %s, or write %s as the model of [models.%s]: that is what it has loaded.", cfg.Model, cfg.Provider, bare(served), cfg.Name)
	}
	c.lanes.once.report(topic{"served " + served, cfg.Name}, Notice{NoticeServed, text, nil})
}

// account records the end of a call: limiter, daily limit, ledger, status.
func (c *call) account(ended *Error) {
	l, now := c.lanes, c.lanes.parts.Now()
	l.forget(c.req.ID)
	usage := c.usage()
	cost := counted(Cost(c.channel.config, usage))
	if Paid(c.channel.config) {
		l.budget.charge(now, c.estimate, cost)
	}
	c.channel.release()
	c.updateLimiter(ended, now)
	l.announce(c.channel.config.Name, ended)
	p := c.provenance(usage, cost)
	c.channel.add(usage, cost)
	c.learnMargin()
	l.remember(c.req.ID, p)
	c.write(usage, cost, ended, now)
}

// updateLimiter reports to the limiter what the end of a call shows about the
// server: nothing if the caller stopped it, success if the request itself was
// wrong.
func (c *call) updateLimiter(ended *Error, now time.Time) {
	switch {
	case ended == nil:
		c.channel.limiter.done(now, nil)
	case ended.Code == CodeCancelled && c.text.Len() == 0, ended.Code == CodeInternal:
		c.channel.limiter.release()
	default:
		c.channel.limiter.done(now, serverFault(ended))
	}
}

// serverFault returns err, or nil if the server is not the cause.
func serverFault(err *Error) *Error {
	switch err.Code {
	case CodeCancelled, CodeBadRequest, CodeContextLength, CodeParameter, CodeRefused, CodeEmpty, CodeNeedsModel:
		return nil
	}
	return err
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

func (c *channel) add(u Usage, cost float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total.Input += u.Input
	c.total.Cached += u.Cached
	c.total.CostUSD += cost
	if u.Known && u.Input >= cacheable && c.total.Cached == 0 {
		c.unshared++
	}
}

// CachedPercent is the share of the prompts that the provider read from its cache.
func (t Totals) CachedPercent() float64 {
	if t.Input == 0 {
		return 0
	}
	return 100 * float64(t.Cached) / float64(t.Input)
}

// From when on a provider that reports no cached input is known to cache nothing: so
// many requests of so many tokens. Providers cache prompts from 1,024 tokens on.
const (
	cacheable     = 1024
	cachedNothing = 20
)

// EstimateTokens returns roughly how many tokens a request has. Limiters and
// reservations use it: they see every request and must cost nothing. Code that
// needs an exact count uses workspace/tokens.
func EstimateTokens(r *Request) int {
	bytes := r.Instructions.Len() + r.Prediction.Len() + max(r.Raw.Len(), r.conversation(), r.Fill.size())
	for _, t := range r.Tools {
		bytes += len(t.About) + len(t.Schema()) + 4*messageOverhead
	}
	return bytes/4 + 1
}

// conversation is the length of the input. Of Raw, Input and Fill one is sent, and they
// say the same.
func (r *Request) conversation() (bytes int) {
	for _, m := range r.Input {
		bytes += m.Text.Len() + m.Call.Arguments.Len() + 4*messageOverhead
	}
	return bytes
}

func (f *Infill) size() (bytes int) {
	if f == nil {
		return 0
	}
	for _, x := range f.Extra {
		bytes += x.Path.Len() + x.Text.Len()
	}
	return bytes + f.Prefix.Len() + f.Suffix.Len()
}

// messageOverhead is the most tokens that a conversation format adds to a message.
const messageOverhead = 6
