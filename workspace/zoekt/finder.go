package zoekt

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"tandem/workspace/run"
	"tandem/workspace/window"
)

const (
	rest      = 30 * time.Second // how long no request is sent to a server that failed
	fresh     = 5 * time.Minute  // how long an answer is used
	maxAsked  = 2000             // names whose answers are kept
	perName   = 2                // hits of one name
	shortName = 3                // bytes; shorter names occur everywhere
)

// A Finder keeps a server's answers about names, and searches new names in the
// background, so that a window gets what is known in time and the next one the
// rest. It implements window.Search.
type Finder struct {
	client  *Client
	group   *run.Group
	problem func(error)
	now     func() time.Time

	mu     sync.Mutex // guards what follows
	known  map[string]*found
	failed time.Time // when the server failed last
}

// found is what is known of a name; done is closed when the server has
// answered, or failed.
type found struct {
	at   time.Time
	done chan struct{}
	hits []window.SearchHit
}

// NewFinder returns a finder whose searches run in group. problem, which may be
// nil, is called when the server fails, once for each period without requests.
func NewFinder(c *Client, group *run.Group, problem func(error)) *Finder {
	if problem == nil {
		problem = func(error) {}
	}
	return &Finder{client: c, group: group, problem: problem, now: time.Now, known: map[string]*found{}}
}

// Hits returns what the server knows about names, in their order, as far as it
// answers before ctx ends.
func (f *Finder) Hits(ctx context.Context, names []string) []window.SearchHit {
	var out []window.SearchHit
	for _, k := range f.ask(names) {
		if run.Closed(ctx, k.done) {
			out = append(out, k.hits...)
		}
	}
	return out
}

// ask returns what is or will be known of names, and starts a search for those that
// were not requested yet.
func (f *Finder) ask(names []string) []*found {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.now()
	var all []*found
	missing := map[string]*found{}
	for _, name := range names {
		k := f.known[name]
		if k != nil && now.Sub(k.at) > fresh {
			k = nil
		}
		if k == nil && plainName(name) && now.Sub(f.failed) > rest {
			k = &found{at: now, done: make(chan struct{})}
			f.known[name], missing[name] = k, k
		}
		if k != nil {
			all = append(all, k)
		}
	}
	if len(missing) > 0 && !f.group.Go("search server", func(ctx context.Context) { f.search(ctx, missing) }) {
		f.drop(missing)
	}
	if len(f.known) > maxAsked {
		f.known = map[string]*found{}
	}
	return all
}

// plainName reports whether a name needs no quoting in a query.
func plainName(name string) bool {
	return len(name) >= shortName && strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// search requests the definitions of names or, from a server without symbols, their
// uses.
func (f *Finder) search(ctx context.Context, names map[string]*found) {
	sorted := make([]string, 0, len(names))
	for name := range names {
		sorted = append(sorted, name)
	}
	slices.Sort(sorted)
	hits, err := f.client.Search(ctx, "case:yes (sym:"+strings.Join(sorted, " or sym:")+")")
	if err == nil && len(hits) == 0 {
		hits, err = f.client.Search(ctx, "case:yes ("+strings.Join(sorted, " or ")+")")
	}
	f.mu.Lock()
	if err != nil {
		f.drop(names)
		if ctx.Err() == nil {
			f.failed = f.now()
		}
		f.mu.Unlock()
		if !errors.Is(err, context.Canceled) {
			f.problem(err)
		}
		return
	}
	for name, k := range names {
		k.hits = hitsOf(name, hits)
		close(k.done)
	}
	f.mu.Unlock()
}

// drop removes the requests for names; callers that wait get nothing. f.mu is held.
func (f *Finder) drop(names map[string]*found) {
	for name, k := range names {
		if f.known[name] == k {
			delete(f.known, name)
		}
		close(k.done)
	}
}

// hitsOf are the best hits that define, or else show, a name.
func hitsOf(name string, hits []Hit) []window.SearchHit {
	var defining, using []window.SearchHit
	for _, h := range hits {
		hit := window.SearchHit{Path: strings.Trim(h.Repository+"/"+h.File, "/"), Line: h.Line, Name: name, Text: h.Text}
		switch {
		case slices.Contains(h.Symbols, name):
			defining = append(defining, hit)
		case strings.Contains(h.Text, name):
			using = append(using, hit)
		}
	}
	all := append(defining, using...)
	return all[:min(len(all), perName)]
}
