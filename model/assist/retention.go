package assist

import (
	"context"
	"slices"
	"sync"
	"time"

	"tandem/edits"
	"tandem/workspace/run"
	"tandem/workspace/state"
)

// When the share of an accepted text that is left is looked at, beside the next commit.
var retentionTimes = []struct {
	after time.Duration
	name  string
}{{30 * time.Second, "30s"}, {5 * time.Minute, "5m"}}

const (
	retentionTick = 5 * time.Second
	headTick      = time.Minute
	retentionLife = 8 * time.Hour // without a commit
	maxRetained   = 64
	sinceCommit   = "commit"
)

// A retained is an accepted text that is followed in its document.
type retained struct {
	key, uri string
	id       string // of its outcome
	at       time.Time
	total    int
	left     []edits.Span // what is left of it
	next     int          // in retentionTimes
	head     string       // the commit when it was accepted
}

// retention follows accepted texts, to see how much of them is left.
type retention struct {
	outcomes *outcomes

	mu      sync.Mutex // guards all below
	list    []*retained
	running bool
}

// retain begins to follow an accepted text.
func (r *retention) retain(d *document, id string, span edits.Span) {
	if r.outcomes.core.Outcomes == nil || id == "" || span.Len() == 0 {
		return
	}
	t := &retained{key: d.key, uri: d.uri, id: id, at: time.Now(), total: span.Len(), left: []edits.Span{span}}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.list) >= maxRetained {
		return
	}
	r.list = append(r.list, t)
	if !r.running {
		r.running = r.outcomes.core.Group.Go("follow accepted suggestions", r.watch)
	}
}

// follow moves what is left over edits of a document.
func (r *retention) follow(key string, list []edits.Edit) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, t := range r.list {
		if t.key == key {
			for _, e := range list {
				t.edited(e)
			}
		}
	}
}

// edited moves what is left over one edit: what it replaces is gone, what it inserts is
// not part of the suggestion.
func (t *retained) edited(e edits.Edit) {
	shift := len(e.New) - e.Len()
	var out []edits.Span
	for _, s := range t.left {
		if s.Start < e.Start {
			out = append(out, edits.Span{Start: s.Start, End: min(s.End, e.Start)})
		}
		if s.End > e.End {
			out = append(out, edits.Span{Start: max(s.Start, e.End) + shift, End: s.End + shift})
		}
	}
	t.left = out
}

// share is how much of the text is left.
func (t *retained) share() float64 {
	n := 0
	for _, s := range t.left {
		n += s.Len()
	}
	return float64(n) / float64(t.total)
}

// forget ends following in a document that is closed.
func (r *retention) forget(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = slices.DeleteFunc(r.list, func(t *retained) bool { return t.key == key })
}

// watch records what is left at each time, until nothing is followed.
func (r *retention) watch(ctx context.Context) {
	heads := time.Time{}
	for run.Sleep(ctx, retentionTick) {
		readHeads := time.Since(heads) >= headTick
		if readHeads {
			heads = time.Now()
		}
		if !r.look(ctx, readHeads) {
			return
		}
	}
}

// look compares every text once and reports whether any is still followed.
func (r *retention) look(ctx context.Context, readHeads bool) bool {
	head := map[string]string{}
	for _, uri := range r.uris() {
		if readHeads && r.outcomes.core.Commit != nil {
			head[uri] = r.outcomes.core.Commit(ctx, uri)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var kept []*retained
	for _, t := range r.list {
		for t.next < len(retentionTimes) && time.Since(t.at) >= retentionTimes[t.next].after {
			r.outcomes.record(state.Outcome{Time: time.Now(), ID: t.id, Since: retentionTimes[t.next].name, Left: t.share()})
			t.next++
		}
		now := head[t.uri]
		if t.head == "" {
			t.head = now
		}
		if now != "" && now != t.head {
			r.outcomes.record(state.Outcome{Time: time.Now(), ID: t.id, Since: sinceCommit, Left: t.share()})
			t.head = "done"
		}
		over := t.next == len(retentionTimes) && (t.head == "done" || t.head == "")
		if !over && time.Since(t.at) < retentionLife {
			kept = append(kept, t)
		}
	}
	r.list = kept
	r.running = len(kept) > 0
	return r.running
}

func (r *retention) uris() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []string
	for _, t := range r.list {
		if !slices.Contains(out, t.uri) {
			out = append(out, t.uri)
		}
	}
	return out
}
