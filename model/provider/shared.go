package provider

import (
	"context"
	"slices"
	"sync"
	"time"

	"tandem/model"
)

// Shared is what the clients of one program know together about their
// providers: parameters that models refused, rate limits that are being waited
// for, addresses that are down, servers that take no sockets.
type Shared struct {
	mu      sync.Mutex // guards the maps and what is in them
	refused map[string][]string
	gates   map[string]*gate
	down    map[string]time.Time // base URL -> when to use it again
	next    map[string]int       // provider -> turn of the next base URL
	noSock  map[string]time.Time // base URL -> when to try a socket again
}

// NewShared returns an empty memory.
func NewShared() *Shared {
	return &Shared{refused: map[string][]string{}, gates: map[string]*gate{}, down: map[string]time.Time{}, next: map[string]int{}, noSock: map[string]time.Time{}}
}

// How long what went wrong is remembered.
const (
	downFor     = 30 * time.Second
	noSocketFor = 10 * time.Minute
)

// refuse remembers a parameter that a model does not take, and reports whether
// it was new.
func (s *Shared) refuse(provider, model, param string) bool {
	key := provider + "\x00" + model
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.Contains(s.refused[key], param) {
		return false
	}
	s.refused[key] = append(s.refused[key], param)
	return true
}

func (s *Shared) refusedBy(provider, model string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.refused[provider+"\x00"+model])
}

// endpoint chooses a base URL: in turn among those that work and were not
// tried yet, else the one that was down the longest.
func (s *Shared) endpoint(provider string, urls, tried []string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	turn := s.next[provider]
	s.next[provider]++
	best := ""
	for i := range urls {
		u := urls[(turn+i)%len(urls)]
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

// fell remembers that a base URL is down; rose that it works.
func (s *Shared) fell(url string) {
	s.mu.Lock()
	s.down[url] = time.Now().Add(downFor)
	s.mu.Unlock()
}

func (s *Shared) rose(url string) {
	s.mu.Lock()
	delete(s.down, url)
	s.mu.Unlock()
}

func (s *Shared) isDown(url string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Now().Before(s.down[url])
}

// A socketState says whether a server takes sockets.
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

func (s *Shared) setSockets(url string, work bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if work {
		delete(s.noSock, url)
		return
	}
	s.noSock[url] = time.Now().Add(noSocketFor)
}

// gate is the one for a provider's key.
func (s *Shared) gate(provider, model string) *gate {
	key := provider + "\x00" + model
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.gates[key]
	if g == nil {
		g = &gate{}
		s.gates[key] = g
	}
	return g
}

// A gate holds requests back while a server has asked to wait, and then lets
// one through to see whether the wait was long enough.
type gate struct {
	mu      sync.Mutex // guards the rest
	until   time.Time  // zero: open
	probe   chan struct{}
	because *model.Error
}

// pass waits until a request may leave, at most limit. done must be called
// with how the request ended.
func (g *gate) pass(ctx context.Context, limit time.Duration) (done func(*failure), refused *failure) {
	for {
		wait, probe, why := g.ask()
		if probe == nil && wait == 0 {
			return g.report, nil
		}
		if wait > limit {
			return nil, &failure{Error: why}
		}
		var expired <-chan time.Time
		if wait > 0 {
			t := time.NewTimer(wait)
			defer t.Stop()
			expired = t.C
		}
		select {
		case <-ctx.Done():
			return func(*failure) {}, nil
		case <-expired:
		case <-probe:
		}
	}
}

// ask says how long to wait, or what for; nothing of both is to go. The first
// to ask after the wait goes as the probe.
func (g *gate) ask() (time.Duration, <-chan struct{}, *model.Error) {
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

// report closes the gate after a 429 and opens it after anything else.
func (g *gate) report(f *failure) {
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
