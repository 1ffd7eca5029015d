package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"tandem/edits"
	"tandem/workspace/window"
)

// limits are the most milliseconds of a window, by budget: in the function of the
// window before it, and at a new place.
var limits = []struct {
	budget    int
	same, new float64
}{{3_000, 1, 5}, {8_000, 2, 8}, {128_000, 10, 20}}

// measureTimes builds windows at places of different files, and again with a letter
// typed there.
func (t *tree) measureTimes(ctx context.Context, out io.Writer, seed uint64, places int) error {
	o, err := openTree(ctx, t.root)
	if err != nil {
		return err
	}
	defer o.session.Close()
	samples := draw(t, seed, places)
	for _, s := range samples[:min(len(samples), 10)] { // caches of the first windows
		if _, _, err := o.timed(ctx, s, limits[0].budget, "", nil); err != nil {
			return err
		}
	}
	all := sha256.New()
	for _, l := range limits {
		var same, other times
		for _, s := range samples {
			w, err := o.measured(ctx, s, l.budget, "", nil, &other)
			if err != nil {
				return err
			}
			next, err := o.measured(ctx, s, l.budget, "x", w, &same)
			if err != nil {
				return err
			}
			for _, w := range []*window.Window{w, next} {
				fmt.Fprintf(all, "%d %s %+v", w.Tokens, w.Text(), w.Fragments)
			}
		}
		same.print(out, fmt.Sprintf("window of %d tokens, same function", l.budget), l.same)
		other.print(out, fmt.Sprintf("window of %d tokens, new place", l.budget), l.new)
	}
	fmt.Fprintf(out, "the windows' hash: %.12x\n", all.Sum(nil))
	return nil
}

// times are how long windows took, and the processor's time for them.
type times struct{ took, cpu []time.Duration }

func (t *times) print(out io.Writer, what string, limit float64) {
	slices.Sort(t.took)
	slices.Sort(t.cpu)
	p50, verdict := quantile(t.took, 0.5), "pass"
	if p50 > limit {
		verdict = "MISS"
	}
	fmt.Fprintf(out, "%-45s p50 %6.2f ms  p95 %6.2f ms  CPU p50 %6.2f ms  bar ≤ %g ms  %s\n", what, p50, quantile(t.took, 0.95), quantile(t.cpu, 0.5), limit, verdict)
}

func (o *opened) measured(ctx context.Context, s sample, budget int, typed string, last *window.Window, to *times) (*window.Window, error) {
	before := cpuTime()
	w, took, err := o.timed(ctx, s, budget, typed, last)
	to.took, to.cpu = append(to.took, took), append(to.cpu, cpuTime()-before)
	return w, err
}

// timed builds the window at a sample's line with some text typed at its end.
func (o *opened) timed(ctx context.Context, s sample, budget int, typed string, last *window.Window) (*window.Window, time.Duration, error) {
	view := o.session.Snapshot().Views()[0]
	abs := filepath.Join(view.Root, s.path)
	text := strings.Join(s.lines, "\n")
	at := min(len(strings.Join(s.lines[:s.line], "\n")), len(text))
	snap := o.session.Snapshot().Supposing(map[string]edits.Text{abs: edits.NewText(text[:at] + typed + text[at:])})
	at += len(typed)
	snap.Views()[0].Index() // the index of the open document is measured by itself
	start := time.Now()
	w, err := window.Build(ctx, snap, window.Request{URI: abs, Budget: budget, Span: edits.Span{Start: at, End: at}, Previous: last})
	return w, time.Since(start), err
}

// cpuTime is what this process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
