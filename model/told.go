package model

import (
	"fmt"
	"time"
)

// write puts the end of a request that left into the ledger.
func (c *call) write(u Usage, cost float64, ended *Error, now time.Time) {
	c.mu.Lock()
	sent, served := c.sent, c.served
	c.mu.Unlock()
	if c.lanes.parts.Ledger == nil || sent == 0 {
		return
	}
	d := Done{RequestID: c.req.ID, Lane: c.lane, Model: c.channel.config.Name, Served: served, Usage: u, CostUSD: cost, Time: now}
	if ended != nil {
		d.Code = ended.Code
	}
	c.lanes.recorded(c.lanes.parts.Ledger.Done(d))
}

// recorded says once that the ledger cannot be written.
func (l *Lanes) recorded(err error) {
	if err != nil {
		l.once.say("ledger", Notice{Kind: NoticeLedger, Text: "The ledger cannot be written, so requests are not listed: " + err.Error() + "."})
	}
}

// announce says once what every further request would run into.
func (l *Lanes) announce(c *call, ended *Error) {
	if ended == nil {
		return
	}
	switch ended.Code {
	case CodeAuth, CodeForbidden, CodeNotFound:
		l.once.say("key "+c.channel.config.Name, Notice{NoticeKey, c.lane, c.channel.config.Name, ended.Error()})
	case CodeQuota:
		l.once.say("quota "+c.channel.config.Name+ended.ResetsAt.String(), Notice{NoticeQuota, c.lane, c.channel.config.Name, ended.Error()})
	}
}

// Sent implements Observer.
func (l *Lanes) Sent(s Sent) {
	l.payloads.add(s)
	l.mu.Lock()
	c := l.calls[s.RequestID]
	l.mu.Unlock()
	var lane Lane
	var purpose Purpose
	if c != nil {
		c.mu.Lock()
		c.sent++
		c.mu.Unlock()
		lane, purpose = c.lane, c.req.Purpose
	}
	if l.parts.Ledger != nil {
		l.recorded(l.parts.Ledger.Sent(lane, purpose, s))
	}
}

// Limits implements Observer.
func (l *Lanes) Limits(limits Limits) {
	l.mu.Lock()
	ch := l.channels[limits.Model]
	l.mu.Unlock()
	if ch != nil {
		ch.gate.limits(l.parts.Now(), limits)
	}
}

// Dropped implements Observer.
func (l *Lanes) Dropped(model, param string) {
	l.once.say("dropped "+model+" "+param, Notice{Kind: NoticeParameter, Model: model, Text: fmt.Sprintf(
		"%s does not take %s, so it is left out from now on; add it to omit in [models.%s].", model, param, model)})
}
