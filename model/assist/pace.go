package assist

import "time"

// The rhythm of typing decides how long to wait for a pause before a model is
// asked. The bounds are where a wait is not felt and where it would be.
const (
	minDebounce     = 20 * time.Millisecond
	defaultDebounce = 75 * time.Millisecond
	maxDebounce     = 300 * time.Millisecond
	keyGap          = time.Second // a longer gap is no typing rhythm
)

// A pace is the rhythm of the user's typing in one document.
type pace struct {
	last     time.Time
	interval time.Duration // moving average between keys; 0 while unknown
}

// key notes that a key was typed at now.
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

// debounce is how long the keys must rest before a model is asked: half as
// long again as between two keys, so that steady typing asks for nothing.
// stretch grows as a quota runs out.
func (p *pace) debounce(stretch float64) time.Duration {
	wait := defaultDebounce
	if p.interval > 0 {
		wait = min(max(p.interval*3/2, minDebounce), maxDebounce)
	}
	return time.Duration(float64(wait) * max(stretch, 1))
}
