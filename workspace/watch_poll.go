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

// A poller looks at the directories of a folder that are not watched, again
// and again.
type poller struct {
	watcher *watcher
	folder  *folder
	poked   chan struct{} // the user is active: look soon
	seen    map[string]stamp
	looked  atomic.Bool // seen is filled
}

func newPoller(w *watcher, f *folder) *poller {
	return &poller{watcher: w, folder: f, poked: make(chan struct{}, 1)}
}

func (p *poller) run(ctx context.Context) {
	p.look(ctx)
	wait := pollFirst
	for p.pause(ctx, wait) && p.watcher.session.Snapshot().viewOf(p.folder) != nil {
		began := time.Now()
		changed := p.look(ctx)
		wait = nextPoll(wait, time.Since(began), len(changed) > 0)
		p.watcher.session.changedOnDisk(changed...)
	}
}

// pause waits, less long when it is poked, and is false when the session ended.
func (p *poller) pause(ctx context.Context, wait time.Duration) bool {
	due := time.Now().Add(wait)
	for {
		timer := time.NewTimer(time.Until(due))
		select {
		case <-ctx.Done():
			timer.Stop()
			return false
		case <-timer.C:
			return true
		case <-p.poked:
			timer.Stop()
			if soon := time.Now().Add(pollFirst); soon.Before(due) {
				due = soon
			}
		}
	}
}

// nextPoll is how long to wait after a look that took took.
func nextPoll(wait, took time.Duration, changed bool) time.Duration {
	wait *= 2
	if changed {
		wait = pollFirst
	}
	return max(min(wait, pollLast), pollShare*took)
}

// look returns the files that are new, changed or gone since the last look.
func (p *poller) look(ctx context.Context) []string {
	view := p.watcher.session.Snapshot().viewOf(p.folder)
	if view == nil {
		return nil
	}
	now := map[string]stamp{}
	err := eachDir(view, "", nil, func(dir string, entries []fs.DirEntry) error {
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
	p.looked.Store(true)
	if p.seen = now; first {
		return nil // the index has just read it all
	}
	return changed
}

// poke makes the next look come soon.
func (p *poller) poke() {
	select {
	case p.poked <- struct{}{}:
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
