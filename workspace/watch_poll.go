package workspace

import (
	"context"
	"io/fs"
	"path/filepath"
	"sync/atomic"
	"time"
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
	watcher *watcher
	folder  *folder
	wakeup  chan struct{} // receives a value when the user is active: scan soon
	seen    map[string]stamp
	scanned atomic.Bool // seen is filled
}

func newPoller(w *watcher, f *folder) *poller {
	return &poller{watcher: w, folder: f, wakeup: make(chan struct{}, 1)}
}

func (p *poller) run(ctx context.Context) {
	p.scan(ctx)
	wait := pollFirst
	for p.sleep(ctx, wait) && p.watcher.session.Snapshot().viewOf(p.folder) != nil {
		began := time.Now()
		changed := p.scan(ctx)
		wait = nextPoll(wait, time.Since(began), len(changed) > 0)
		p.watcher.session.changedOnDisk(changed...)
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

// nextPoll is how long to wait after a scan that took as long as took.
func nextPoll(wait, took time.Duration, changed bool) time.Duration {
	wait *= 2
	if changed {
		wait = pollFirst
	}
	return max(min(wait, pollLast), pollShare*took)
}

// scan returns the files that are new, changed or removed since the last scan.
func (p *poller) scan(ctx context.Context) []string {
	view := p.watcher.session.Snapshot().viewOf(p.folder)
	if view == nil {
		return nil
	}
	now := map[string]stamp{}
	err := eachDir(ctx, view, "", nil, func(dir string, entries []fs.DirEntry) error {
		if !p.watcher.isWatched(view.Abs(dir)) {
			stampAll(view.Abs(dir), entries, now)
		}
		return ctx.Err()
	})
	if err != nil {
		return nil
	}
	changed := differences(p.seen, now)
	first := p.seen == nil
	p.scanned.Store(true)
	if p.seen = now; first {
		return nil // the index has just read it all
	}
	return changed
}

// wake makes the next scan start soon.
func (p *poller) wake() {
	select {
	case p.wakeup <- struct{}{}:
	default:
	}
}

func stampAll(dir string, entries []fs.DirEntry, into map[string]stamp) {
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err == nil {
			into[filepath.Join(dir, e.Name())] = stampOf(info)
		}
	}
}

// differences lists the paths whose stamps are not the same in both.
func differences(before, after map[string]stamp) []string {
	var out []string
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
