package model

import (
	"cmp"
	"time"
)

// A LaneState is whether a lane works.
type LaneState string

// The states of a lane.
const (
	LaneReady         LaneState = "ready"
	LaneBuiltIn       LaneState = "built-in"      // no model of its own
	LaneLimited       LaneState = "limited"       // rate limit, quota or daily limit
	LaneUnreachable   LaneState = "unreachable"   // network or server
	LaneDisabled      LaneState = "disabled"      // key or access
	LaneMisconfigured LaneState = "misconfigured" // names no model
)

// LaneStatus is the current status of a lane.
type LaneStatus struct {
	Lane            Lane
	For             Purpose // complete or next_edit: of a model of the fast lane that answers only that; "" of the lane's own
	Provider, Model string  // configured
	Asked, Served   string  // the model requested from the provider, and the one that it named as answering
	State           LaneState
	Reason          string // why it is not ready, as a sentence
	UsedPercent     float64
	ResetsAt        time.Time
	Priced          bool
	Totals          Totals
	Uncached        bool    // it is paid, and has read nothing of many prompts from a cache
	DayUSD          float64 // what a normal day costs with a model of the fast lane; 0 where no price is known
}

// Name is the lane, or the purpose of a model that answers only that.
func (s LaneStatus) Name() string { return cmp.Or(string(s.For), string(s.Lane)) }

// Status is every lane, the models of the fast lane that answer one purpose alone, and
// the cost of today.
type Status struct {
	Lanes    []LaneStatus
	SpentUSD float64
}

// Status returns a snapshot of the lanes.
func (l *Lanes) Status() Status {
	now := l.parts.Now()
	setup := l.current()
	spent, _ := l.budget.spent(now) // a lane that this stops gives the reason
	s := Status{SpentUSD: spent}
	for _, lane := range []Lane{Fast, Deep} {
		s.Lanes = append(s.Lanes, l.status(lane, setup.Name(lane), now))
	}
	for _, p := range []Purpose{Complete, NextEdit} {
		if name := setup.For(p); name != setup.Name(Fast) {
			row := l.status(Fast, name, now)
			row.For = p
			s.Lanes = append(s.Lanes, row)
		}
	}
	return s
}

// status is the status of a model that a lane uses.
func (l *Lanes) status(lane Lane, name string, now time.Time) LaneStatus {
	l.mu.Lock()
	setup := l.setup
	cfg, configured := setup.Models[name]
	ch, unopened, provider := l.channels[name], l.unopened[name], l.setup.Providers[cfg.Provider]
	l.mu.Unlock()
	s := LaneStatus{Lane: lane, Provider: cfg.Provider, Model: name, Asked: cfg.Model, Priced: Paid(cfg), State: LaneReady}
	switch {
	case name == "":
		s.State = LaneBuiltIn
		return s
	case !configured:
		s.State, s.Reason = LaneMisconfigured, "no [models."+name+"] table describes its model"
		return s
	}
	if lane == Fast {
		s.DayUSD = setup.DayCost(name)
	}
	if refused := l.disallowed(lane, cfg); refused != nil {
		s.State, s.Reason = LaneDisabled, refused.Error()
		return s
	}
	switch {
	case ch != nil:
		ch.fill(&s, now)
	case unopened != nil:
		s.State, s.Reason = LaneMisconfigured, unopened.Error()
	}
	if s.State != LaneReady {
		return s
	}
	if err := l.budget.priced(cfg, provider); err != nil {
		s.State, s.Reason = LaneMisconfigured, err.Error()
	} else if _, err := l.budget.percent(now); s.Priced && err != nil {
		s.State, s.Reason, s.ResetsAt = LaneLimited, err.Error(), err.ResetsAt
	} else if factor, _ := l.backoff(name); factor == 0 {
		s.State, s.Reason = LaneLimited, "its quota or the daily limit is nearly used up, so it answers only when asked"
	}
	return s
}

func (c *channel) fill(s *LaneStatus, now time.Time) {
	s.UsedPercent, s.ResetsAt = c.limiter.usage(now)
	c.limiter.mu.Lock()
	trouble := c.limiter.trouble
	c.limiter.mu.Unlock()
	switch blocked, until := c.limiter.blocked(now); {
	case blocked != nil:
		s.State, s.Reason = stateFor(blocked.Code), blocked.Error()
		if !until.IsZero() {
			s.ResetsAt = until
		}
	case trouble != nil:
		s.State, s.Reason = stateFor(trouble.Code), trouble.Error()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s.Served, s.Totals = c.served, c.total
	s.Uncached = Paid(c.config) && c.unshared >= cachedNothing && c.total.Cached == 0
}

func stateFor(code Code) LaneState {
	switch code {
	case CodeAuth, CodeForbidden, CodeNotFound, CodeNotConfigured:
		return LaneDisabled
	case CodeQuota, CodeRateLimit:
		return LaneLimited
	}
	return LaneUnreachable
}
