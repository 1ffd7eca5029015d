package main

import (
	"context"
	"errors"
	"iter"
	"os"
	"slices"
	"time"
)

// errCut ends an answer that a fault interrupts.
var errCut = errors.New("cut by the script")

// A frame is one event of an answer, before a transport has framed it.
type frame struct {
	name  string // event name, for SSE with names
	data  []byte // one JSON value
	token bool   // a piece of text: paced
}

// A sink frames events for one transport.
type sink interface {
	send(f frame) error
	flush() error
	// cut drops the connection.
	cut()
}

// play sends the frames of an answer at the rule's rate and with its faults.
func play(ctx context.Context, out sink, r *rule, frames iter.Seq[frame]) error {
	p := &player{ctx: ctx, out: out, rule: r, start: time.Now()}
	if err := p.noise(); err != nil {
		return err
	}
	for f := range frames {
		if err := p.step(f); err != nil {
			return err
		}
	}
	if p.held != nil {
		if err := p.out.send(*p.held); err != nil {
			return err
		}
	}
	return out.flush()
}

// A player sends one answer with the pacing and the faults of its rule.
type player struct {
	ctx    context.Context
	out    sink
	rule   *rule
	start  time.Time
	tokens int
	events int
	held   *frame // is sent after its successor
}

// step paces one frame and sends it, changed by the faults.
func (p *player) step(f frame) error {
	if f.token {
		if err := p.pace(); err != nil {
			return err
		}
	}
	p.events++
	if err := p.disturbed(f); err != nil {
		return err
	}
	if f.token && p.rule.TokensPerSecond > 0 {
		if err := p.out.flush(); err != nil {
			return err
		}
	}
	return p.broken()
}

// pace waits until the next token is due. Due times count from the start, so
// that a late token does not delay those after it.
func (p *player) pace() error {
	due := time.Duration(p.rule.DelayMS) * time.Millisecond
	if p.rule.TokensPerSecond > 0 {
		due += time.Duration(float64(p.tokens) / p.rule.TokensPerSecond * float64(time.Second))
	}
	p.tokens++
	if wait := time.Until(p.start.Add(due)); wait > 0 {
		if err := p.out.flush(); err != nil {
			return err
		}
		if err := sleep(p.ctx, wait); err != nil {
			return err
		}
	}
	if p.tokens > p.rule.HoldTokens {
		return p.hold()
	}
	return p.ctx.Err()
}

// holdPoll is how often a held answer looks for its file.
const holdPoll = 10 * time.Millisecond

// hold waits while the rule's file exists, so that a test decides what happens before
// the rest of an answer, however slow the machine is.
func (p *player) hold() error {
	if p.rule.HoldWhile == "" {
		return p.ctx.Err()
	}
	for {
		if _, err := os.Stat(p.rule.HoldWhile); err != nil {
			return p.ctx.Err()
		}
		if err := p.out.flush(); err != nil {
			return err
		}
		if err := sleep(p.ctx, holdPoll); err != nil {
			return err
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// disturbed sends a frame, or what the faults make of it.
func (p *player) disturbed(f frame) error {
	ft := &p.rule.Fault
	if slices.Contains(ft.Drop, p.events) {
		return nil
	}
	if slices.Contains(ft.BadJSON, p.events) {
		f.data = f.data[:len(f.data)/2]
	}
	if slices.Contains(ft.Reorder, p.events) {
		f.data = slices.Clone(f.data)
		p.held = &f
		return nil
	}
	if err := p.out.send(f); err != nil {
		return err
	}
	if slices.Contains(ft.Duplicate, p.events) {
		if err := p.out.send(f); err != nil {
			return err
		}
	}
	if held := p.held; held != nil {
		p.held = nil
		return p.out.send(*held)
	}
	return nil
}

// broken ends or stalls the answer if a fault requires it.
func (p *player) broken() error {
	ft := &p.rule.Fault
	switch p.events {
	case ft.CutEvents:
		_ = p.out.flush()
		p.out.cut()
		return errCut
	case ft.EndEvents:
		return errors.Join(p.out.flush(), errCut)
	case ft.StallEvents:
		_ = p.out.flush()
		<-p.ctx.Done()
		return p.ctx.Err()
	}
	return nil
}

// noise sends the extra events that may come before an answer.
func (p *player) noise() error {
	n := p.rule.Noise
	var extra []frame
	if n.RateLimits {
		extra = append(extra, frame{name: "codex.rate_limits", data: rateLimitsEvent()})
	}
	if n.Metadata {
		extra = append(extra, frame{name: "response.metadata", data: metadataEvent(p.rule)})
	}
	if n.UnknownEvents {
		extra = append(extra, frame{name: "weather.report", data: obj{{"type", "weather.report"}, {"delta", "not for you"}}.json()})
	}
	for _, f := range extra {
		if err := p.out.send(f); err != nil {
			return err
		}
	}
	return nil
}
