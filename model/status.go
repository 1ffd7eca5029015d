package model

import "time"

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
	Provider, Model string // configured
	Asked, Served   string // the model requested from the provider, and the one that it named as answering
	Family          string
	State           LaneState
	Reason          string // why it is not ready, as a sentence
	Pool            string
	UsedPercent     float64
	ResetsAt        time.Time
	Queued, Running int
	Priced          bool
	Totals          Totals
}

// Status is every lane and the cost of today.
type Status struct {
	Lanes      []LaneStatus
	SpentUSD   float64
	DailyLimit *float64
}

// Status returns a snapshot of both lanes.
func (l *Lanes) Status() Status {
	now := l.parts.Now()
	l.mu.Lock()
	limit := l.setup.DailyLimit
	l.mu.Unlock()
	s := Status{SpentUSD: l.budget.spent(now), DailyLimit: limit}
	for _, lane := range []Lane{Fast, Deep} {
		s.Lanes = append(s.Lanes, l.status(lane, now))
	}
	return s
}

func (l *Lanes) status(lane Lane, now time.Time) LaneStatus {
	l.mu.Lock()
	name := l.setup.Name(lane)
	cfg, known := l.setup.Models[name]
	ch := l.channels[name]
	l.mu.Unlock()
	s := LaneStatus{Lane: lane, Provider: cfg.Provider, Model: name, Asked: cfg.Model, Priced: Paid(cfg), State: LaneReady}
	switch {
	case name == "":
		s.State = LaneBuiltIn
		return s
	case !known:
		s.State, s.Reason = LaneMisconfigured, "no [models."+name+"] table describes its model"
		return s
	}
	s.Family = FamilyOf(cfg)
	if refused := l.disallowed(lane, cfg); refused != nil {
		s.State, s.Reason = LaneDisabled, refused.Error()
		return s
	}
	if ch != nil {
		ch.fill(&s, now)
	}
	if s.State == LaneReady && s.Priced && l.budget.percent(now) >= 100 {
		s.State, s.Reason, s.ResetsAt = LaneLimited, "the daily limit is reached", midnight(now)
	}
	return s
}

func (c *channel) fill(s *LaneStatus, now time.Time) {
	s.UsedPercent, s.ResetsAt = c.limiter.usage(now)
	c.limiter.mu.Lock()
	s.Pool = c.limiter.pool
	c.limiter.mu.Unlock()
	if blocked, until := c.limiter.blocked(now); blocked != nil {
		s.State, s.Reason = stateFor(blocked.Code), blocked.Error()
		if !until.IsZero() {
			s.ResetsAt = until
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s.Served, s.Queued, s.Running, s.Totals = c.served, c.queued, c.running, c.total
}

func stateFor(code Code) LaneState {
	switch code {
	case CodeAuth, CodeForbidden, CodeNotFound:
		return LaneDisabled
	case CodeQuota, CodeRateLimit:
		return LaneLimited
	}
	return LaneUnreachable
}
