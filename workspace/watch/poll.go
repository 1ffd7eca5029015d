package watch

import (
	"context"
	"io/fs"
	"slices"
	"sync/atomic"
	"time"

	"tandem/workspace/rel"
)

// Polling slows down while nothing changes, and never takes more than a
// twentieth of one processor.
const (
	pollFirst = time.Second
	pollLast  = time.Minute
	pollShare = 20
)

// A poller scans the directories of a folder that are not watched, again and
// again.
type poller struct {
	watcher *Watcher
	root    string
	wakeup  chan struct{} // receives a value when the user is active: scan soon
	seen    map[rel.Path]stamp
	scanned atomic.Bool // seen is filled
}

func newPoller(w *Watcher, root string) *poller {
	return &poller{watcher: w, root: root, wakeup: make(chan struct{}, 1)}
}

func (p *poller) run(ctx context.Context) {
	p.scan(ctx)
	p.watcher.host.Covered(p.root)
	wait := pollFirst
	for p.sleep(ctx, wait) && slices.Contains(p.watcher.host.Roots(), p.root) {
		began := time.Now()
		changed := p.scan(ctx)
		wait = nextWait(wait, time.Since(began), len(changed) > 0)
		p.watcher.host.Changed(changed...)
	}
}

// sleep waits, less long after a wake, and is false when the session ended.
func (p *poller) sleep(ctx context.Context, wait time.Duration) bool {
	due := time.Now().Add(wait)
	for {
		timer := time.NewTimer(time.Until(due))
		select {
		case <-ctx.Done():
			timer.Stop()
			return false
		case <-timer.C:
			return true
		case <-p.wakeup:
			timer.Stop()
			if soon := time.Now().Add(pollFirst); soon.Before(due) {
				due = soon
			}
		}
	}
}

// nextWait is how long to wait after a scan that took as long as took.
func nextWait(wait, took time.Duration, changed bool) time.Duration {
	wait *= 2
	if changed {
		wait = pollFirst
	}
	return max(min(wait, pollLast), pollShare*took)
}

// scan returns the files that are new, changed or removed since the last scan.
func (p *poller) scan(ctx context.Context) []Place {
	now := map[rel.Path]stamp{}
	if !p.watcher.host.EachDir(Place{Root: p.root}, func(dir rel.Path, entries []fs.DirEntry) error {
		if !p.watcher.Watched(Place{p.root, dir}) {
			stampAll(dir, entries, now)
		}
		return ctx.Err()
	}) {
		return nil
	}
	var changed []Place
	for _, at := range differences(p.seen, now) {
		changed = append(changed, Place{p.root, at})
	}
	first := p.seen == nil
	p.scanned.Store(true)
	if p.seen = now; first {
		return nil // the index has just read it all
	}
	return changed
}

// A stamp distinguishes two states of a file without reading it.
type stamp struct {
	size     int64
	modified time.Time
}

// wake makes the next scan start soon.
func (p *poller) wake() {
	select {
	case p.wakeup <- struct{}{}:
	default:
	}
}

func stampAll(dir rel.Path, entries []fs.DirEntry, into map[rel.Path]stamp) {
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err == nil {
			into[dir.Join(e.Name())] = stamp{info.Size(), info.ModTime()}
		}
	}
}

// differences lists the paths whose stamps are not the same in both.
func differences(before, after map[rel.Path]stamp) []rel.Path {
	var out []rel.Path
	for path, now := range after {
		if was, ok := before[path]; !ok || was != now {
			out = append(out, path)
		}
	}
	for path := range before {
		if _, ok := after[path]; !ok {
			out = append(out, path)
		}
	}
	return out
}
