package model

import (
	"slices"
	"sync"
)

// Bounds of what is kept in memory of the requests that left.
const (
	maxPayloads     = 16
	maxPayloadBytes = 8 << 20
)

// payloads are the last requests that left, for their author to look at.
type payloads struct {
	mu    sync.Mutex // guards all below
	list  []Sent     // oldest first
	bytes int
}

// add keeps a request and lets go of the oldest ones; the newest always stays.
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

// Payloads are the last n requests that left, newest first, exactly as they
// did. They are in memory alone, a bounded number of them.
func (l *Lanes) Payloads(n int) []Sent {
	l.payloads.mu.Lock()
	defer l.payloads.mu.Unlock()
	out := slices.Clone(l.payloads.list)
	slices.Reverse(out)
	return out[:min(max(n, 0), len(out))]
}
