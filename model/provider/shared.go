package provider

import (
	"context"
	"slices"
	"sync"
	"time"

	"tandem/model"
	"tandem/model/provider/dialect"
)

// Shared is the state about providers that the clients of one program share:
// parameters that models refused, rate limits that are being waited for,
// addresses that are down, servers that accept no sockets.
type Shared struct {
	// Load and Store keep the parameters that servers refused, for other processes and the next start:
	// by address and model, with the time at which each was refused. Nil keeps none. A refused suffix
	// is not kept: that the model cannot fill in is told to people at each start.
	Load  func() map[string]map[string]time.Time
	Store func(served, param string)

	mu       sync.Mutex          // guards the maps and what is in them
	refused  map[string][]string // by address and model; nil before it was loaded
	limiters map[string]*limiter
	down     map[string]time.Time // base URL -> time to use it again
	next     map[string]int       // provider -> round-robin counter of base URLs
	noSock   map[string]time.Time // base URL -> time to try a socket again
	habits   map[string]dialect.Habit
}

// NewShared returns an empty Shared.
func NewShared() *Shared {
	return &Shared{limiters: map[string]*limiter{}, down: map[string]time.Time{}, next: map[string]int{}, noSock: map[string]time.Time{}, habits: map[string]dialect.Habit{}}
}

// How long faults are remembered.
const (
	downFor     = 30 * time.Second
	noSocketFor = 10 * time.Minute
	silentFor   = 24 * time.Hour
	refusedFor  = 30 * 24 * time.Hour // a server may take what its last version refused
)

// refuse remembers a parameter that a served model does not accept, and reports whether it was new.
func (s *Shared) refuse(served, param string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loadRefused()
	if slices.Contains(s.refused[served], param) {
		return false
	}
	s.refused[served] = append(s.refused[served], param)
	if s.Store != nil && param != "suffix" {
		s.Store(served, param)
	}
	return true
}

// refusedBy lists the parameters that a served model does not accept.
func (s *Shared) refusedBy(served string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loadRefused()
	return slices.Clone(s.refused[served])
}

// loadRefused reads once what earlier processes were refused. It needs mu.
func (s *Shared) loadRefused() {
	if s.refused != nil {
		return
	}
	s.refused = map[string][]string{}
	if s.Load == nil {
		return
	}
	for served, params := range s.Load() {
		for param, at := range params {
			if time.Since(at) < refusedFor {
				s.refused[served] = append(s.refused[served], param)
			}
		}
		slices.Sort(s.refused[served]) // requests are the same bytes each time
	}
}

// habit is how a model's answers begin, as far as it is known.
func (s *Shared) habit(provider, model string) dialect.Habit {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.habits[provider+"\x00"+model]
}

// setHabit stores how an answer began. That thoughts lack their beginning is remembered: the
// model may think one time and not another.
func (s *Shared) setHabit(provider, model string, h dialect.Habit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if key := provider + "\x00" + model; s.habits[key] != dialect.HabitAlone {
		s.habits[key] = h
	}
}

// endpoint chooses a base URL: round-robin among those that work and were not
// tried yet, else the one that has been down the longest.
func (s *Shared) endpoint(provider string, urls, tried []string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	start := s.next[provider]
	s.next[provider]++
	best := ""
	for i := range urls {
		u := urls[(start+i)%len(urls)]
		if slices.Contains(tried, u) && len(tried) < len(urls) {
			continue
		}
		if !time.Now().Before(s.down[u]) {
			return u
		}
		if best == "" || s.down[u].Before(s.down[best]) {
			best = u
		}
	}
	return best
}

// markDown remembers that a base URL is down; markUp that it works.
func (s *Shared) markDown(url string) {
	s.mu.Lock()
	s.down[url] = time.Now().Add(downFor)
	s.mu.Unlock()
}

func (s *Shared) markUp(url string) {
	s.mu.Lock()
	delete(s.down, url)
	s.mu.Unlock()
}

func (s *Shared) isDown(url string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Now().Before(s.down[url])
}

// A socketState is whether a server accepts sockets.
type socketState int

const (
	socketsUntried socketState = iota
	socketsOff
	socketsProbe // they failed long enough ago to try again
)

func (s *Shared) sockets(url string) socketState {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := s.noSock[url]
	switch {
	case !ok:
		return socketsUntried
	case time.Now().Before(at):
		return socketsOff
	}
	s.noSock[url] = time.Now().Add(noSocketFor) // one probe at a time
	return socketsProbe
}

// silent remembers that a server answers nothing over its sockets. That it accepts them
// again, which is probed later, shows nothing.
func (s *Shared) silent(url string) {
	s.mu.Lock()
	s.noSock[url] = time.Now().Add(silentFor)
	s.mu.Unlock()
}

func (s *Shared) setSockets(url string, work bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if work {
		delete(s.noSock, url)
		return
	}
	s.noSock[url] = time.Now().Add(noSocketFor)
}

// limiter returns the limiter of one model of a provider.
func (s *Shared) limiter(provider, model string) *limiter {
	key := provider + "\x00" + model
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.limiters[key]
	if g == nil {
		g = &limiter{}
		s.limiters[key] = g
	}
	return g
}

// A limiter delays requests while a server has asked to wait, and then admits
// one as a probe to test whether the wait was long enough.
type limiter struct {
	mu      sync.Mutex // guards the rest
	until   time.Time  // zero: no limit
	probe   chan struct{}
	because *model.Error
}

// acquire waits until a request may be sent, at most limit. The caller must call
// done with the request's outcome.
func (g *limiter) acquire(ctx context.Context, limit time.Duration) (done func(*dialect.Failure), refused *dialect.Failure) {
	for {
		wait, probe, why := g.delay()
		if probe == nil && wait == 0 {
			return g.report, nil
		}
		if wait > limit {
			return nil, &dialect.Failure{Error: why}
		}
		var expired <-chan time.Time
		if wait > 0 {
			t := time.NewTimer(wait)
			defer t.Stop()
			expired = t.C
		}
		select {
		case <-ctx.Done():
			return func(*dialect.Failure) {}, nil
		case <-expired:
		case <-probe:
		}
	}
}

// delay returns how long to wait, or a channel to wait for; if both are zero,
// the request may be sent. The first caller after the wait is the probe.
func (g *limiter) delay() (time.Duration, <-chan struct{}, *model.Error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.until.IsZero() {
		return 0, nil, nil
	}
	if wait := time.Until(g.until); wait > 0 {
		why := *g.because
		why.RetryAfter = wait
		return wait, nil, &why
	}
	if g.probe == nil {
		g.probe = make(chan struct{})
		return 0, nil, nil
	}
	return 0, g.probe, nil
}

// report starts the limit after a 429 and ends it after any other outcome.
func (g *limiter) report(f *dialect.Failure) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.probe != nil {
		close(g.probe)
		g.probe = nil
	}
	if f != nil && f.Code == model.CodeRateLimit {
		g.until, g.because = time.Now().Add(f.RetryAfter), f.Error
		return
	}
	g.until, g.because = time.Time{}, nil
}
