package assist

import "time"

// The pace of typing decides how long to wait for a pause before a request to a
// model. The lower bound is a wait that the user does not notice, the upper bound one
// that the user would notice.
const (
	minDebounce     = 20 * time.Millisecond
	defaultDebounce = 75 * time.Millisecond
	maxDebounce     = 300 * time.Millisecond
	keyGap          = time.Second // a longer gap does not count for the pace
)

// A pace measures how fast the user types in one document.
type pace struct {
	last     time.Time
	interval time.Duration // moving average between keys; 0 while unknown
}

// key records that a key was typed at now.
func (p *pace) key(now time.Time) {
	gap := now.Sub(p.last)
	p.last = now
	switch {
	case gap <= 0 || gap > keyGap:
	case p.interval == 0:
		p.interval = gap
	default:
		p.interval += (gap - p.interval) / 4
	}
}

// debounce returns how long no key must be typed before a request to a model: 1.5
// times the interval between two keys, so that steady typing sends no request.
// backoff grows when most of a quota is used.
func (p *pace) debounce(backoff float64) time.Duration {
	wait := defaultDebounce
	if p.interval > 0 {
		wait = min(max(p.interval*3/2, minDebounce), maxDebounce)
	}
	return time.Duration(float64(wait) * max(backoff, 1))
}
