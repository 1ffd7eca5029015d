package model

import (
	"fmt"
	"maps"
	"sync"
	"time"
)

// A NoticeKind is the subject of a notice.
type NoticeKind string

// The kinds of notice.
const (
	NoticeServed    NoticeKind = "served_model"
	NoticeParameter NoticeKind = "parameter"
	NoticeLimit     NoticeKind = "daily_limit"
	NoticeQuota     NoticeKind = "quota"
	NoticeKey       NoticeKind = "key"
	NoticeLedger    NoticeKind = "ledger"
	NoticeUsage     NoticeKind = "usage"
	NoticePolicy    NoticeKind = "policy"
	NoticeServer    NoticeKind = "server"
)

// A Notice is a sentence that the user is shown once.
type Notice struct {
	Kind NoticeKind
	Text string
	Err  *Error // that it reports; may be nil
}

// A topic is what a notice is about.
type topic struct{ what, model string } // the model's configured name, "" where it is about none

// once passes the notices about a topic on only the first time.
type once struct {
	notify   func(Notice)
	mu       sync.Mutex // guards reported
	reported map[topic]bool
}

// forget lets the notices about some topics be reported again.
func (o *once) forget(which func(topic) bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	maps.DeleteFunc(o.reported, func(about topic, _ bool) bool { return which(about) })
}

// report passes n on unless a notice about the topic was reported before.
func (o *once) report(about topic, n Notice) {
	o.mu.Lock()
	if o.reported == nil {
		o.reported = map[topic]bool{}
	}
	wasReported := o.reported[about]
	o.reported[about] = true
	o.mu.Unlock()
	if !wasReported && o.notify != nil {
		o.notify(n)
	}
}

// write records the end of a request that was sent in the ledger.
func (c *call) write(u Usage, cost float64, ended *Error, now time.Time) {
	c.mu.Lock()
	sent, served := c.sent, c.served
	c.mu.Unlock()
	if c.lanes.parts.Ledger == nil || sent.bodies == 0 {
		return
	}
	d := Done{RequestID: c.req.ID, Lane: c.lane, Model: c.channel.config.Name, Served: served, Usage: u, CostUSD: cost, Time: now}
	if ended != nil {
		d.Code = ended.Code
	}
	c.lanes.reportLedger(c.lanes.parts.Ledger.Done(d))
}

// reportLedger reports once that the ledger cannot be written.
func (l *Lanes) reportLedger(err error) {
	if err != nil {
		l.once.report(topic{what: "ledger"}, Notice{Kind: NoticeLedger, Text: "Check the disk and the rights of the state folder: the ledger cannot be written, so requests are not listed (" + err.Error() + ")."})
	}
}

// announce reports once an error that every further request would also meet.
func (l *Lanes) announce(name string, ended *Error) {
	if ended == nil {
		return
	}
	switch ended.Code {
	case CodeAuth, CodeForbidden, CodeNotFound, CodeNotConfigured:
		l.once.report(topic{"key", name}, Notice{NoticeKey, ended.Error(), ended})
	case CodeQuota:
		l.once.report(topic{"quota " + ended.ResetsAt.String(), name}, Notice{NoticeQuota, ended.Error(), ended})
	case CodeDailyLimit:
		l.once.report(topic{what: "limit " + dayOf(l.parts.Now())}, Notice{NoticeLimit, ended.Message, ended})
	case CodePolicy:
		l.once.report(topic{what: "policy " + ended.Error()}, Notice{NoticePolicy, ended.Error(), ended})
	}
}

// KeysChanged lets models be asked again whose key was missing or refused.
func (l *Lanes) KeysChanged() {
	l.once.forget(func(t topic) bool { return t.what == "key" })
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, ch := range l.channels {
		ch.limiter.keysChanged()
	}
}

// Sent implements Observer.
func (l *Lanes) Sent(s Sent) {
	l.mu.Lock()
	c := l.calls[s.RequestID]
	l.mu.Unlock()
	var lane Lane
	var purpose Purpose
	if c != nil {
		c.mu.Lock()
		c.sent.add(s)
		c.mu.Unlock()
		lane, purpose = c.lane, c.req.Purpose
	}
	s.Texts = nil
	l.payloads.add(s)
	if l.parts.Ledger != nil {
		l.reportLedger(l.parts.Ledger.Sent(lane, purpose, s))
	}
}

// Limits implements Observer.
func (l *Lanes) Limits(limits Limits) {
	if ch := l.opened(limits.Model); ch != nil {
		ch.limiter.limits(l.parts.Now(), limits)
	}
}

// ParameterRefused implements Observer.
func (l *Lanes) ParameterRefused(model, param string) {
	text := fmt.Sprintf("Add %s to omit in [models.%s]: its server does not take it, so it is left out from now on.", param, model)
	if param == "suffix" {
		text = fmt.Sprintf("Name a model that fills in, such as qwen2.5-coder, in complete = for suggestions while you type: %s is one for chats, which answers later and less exactly.", model)
	}
	l.once.report(topic{"dropped " + param, model}, Notice{Kind: NoticeParameter, Text: text})
}

// Failing implements Observer.
func (l *Lanes) Failing(model string, err *Error) {
	if ch := l.opened(model); ch != nil {
		ch.limiter.failing(err)
	}
	l.once.report(topic{"failing", model}, Notice{Kind: NoticeServer, Text: err.Error(), Err: err})
}

// leastContext is the smallest context of a server that shows a model enough to guess well.
const leastContext = 4096

// Server implements Observer.
func (l *Lanes) Server(model string, s Server) {
	if s.ContextWindow > 0 && s.ContextWindow < leastContext {
		l.once.report(topic{"context", model}, Notice{Kind: NoticeServer, Text: fmt.Sprintf(
			"Give the server of %s a context of 4,096 tokens or more (llama.cpp: -c, LM Studio: Context Length, vLLM: --max-model-len, Ollama: context_window in [models.%[1]s]): %d show it too little of your code.", model, s.ContextWindow)})
	}
	if ch := l.opened(model); ch != nil {
		ch.mu.Lock()
		ch.server = s
		ch.mu.Unlock()
	}
}

// Measured implements Observer.
func (l *Lanes) Measured(model string, s Speed) {
	if ch := l.opened(model); ch != nil {
		key := ch.rateKey()
		if rate, changed := l.parts.Rates.Note(key, s); changed && l.parts.StoreRate != nil {
			l.parts.StoreRate(key, rate)
		}
	}
}
