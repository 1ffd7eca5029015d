package model

import (
	"slices"
	"sync"
)

// Bounds of the sent requests that are kept in memory.
const (
	maxPayloads     = 16
	maxPayloadBytes = 8 << 20
)

// payloads are the last requests that were sent, for the user to inspect.
type payloads struct {
	mu    sync.Mutex // guards all below
	list  []Sent     // oldest first
	bytes int
}

// add keeps a request and drops the oldest ones. The newest is always kept.
func (p *payloads) add(s Sent) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list = append(p.list, s)
	p.bytes += len(s.Body)
	for len(p.list) > maxPayloads || len(p.list) > 1 && p.bytes > maxPayloadBytes {
		p.bytes -= len(p.list[0].Body)
		p.list = slices.Delete(p.list, 0, 1)
	}
}

// Payloads returns the last n requests, newest first, exactly as they were sent. A
// bounded number of them is kept, in memory only.
func (l *Lanes) Payloads(n int) []Sent {
	l.payloads.mu.Lock()
	defer l.payloads.mu.Unlock()
	out := slices.Clone(l.payloads.list)
	slices.Reverse(out)
	return out[:min(max(n, 0), len(out))]
}
