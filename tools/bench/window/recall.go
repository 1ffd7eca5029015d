package main

import (
	"context"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/tokens"
	"tandem/workspace/window"
)

// A tally counts hits among trials.
type tally struct{ hits, trials int }

func (t *tally) count(hit bool) {
	t.trials++
	if hit {
		t.hits++
	}
}

func (t tally) percent() float64 { return 100 * float64(t.hits) / float64(max(1, t.trials)) }

// A recall counts what the windows of one budget contained.
type recall struct {
	line, usable, first tally
	took                []time.Duration
}

// windows is the implementation under measurement.
type windows interface {
	// window builds a window for a line of a file with the given lines.
	window(ctx context.Context, file string, lines []string, line, budget int) (*window.Window, time.Duration, error)
	close() error
}

// An opened workspace is ready to build windows.
type opened struct{ session *workspace.Session }

// openTree indexes a folder and waits until it is ready.
func openTree(ctx context.Context, root string) (*opened, error) {
	ready := make(chan struct{}, 1)
	s, err := workspace.Open(ctx, workspace.Options{Folders: []string{root}, Trusted: true, ClientWatches: true, Patient: true, Notify: func(e workspace.Event) {
		select {
		case ready <- struct{}{}:
		default:
		}
	}})
	if err != nil {
		return nil, err
	}
	for !s.Snapshot().Views()[0].Ready() {
		<-ready
	}
	return &opened{s}, nil
}

func (o *opened) close() error { return o.session.Close() }

func (o *opened) window(ctx context.Context, file string, lines []string, line, budget int) (*window.Window, time.Duration, error) {
	text := strings.Join(lines, "\n")
	at := len(strings.Join(lines[:line-1], "\n"))
	if line > 1 {
		at++
	}
	view := o.session.Snapshot().Views()[0]
	abs := filepath.Join(view.Root, file)
	over := map[string]edits.Text{abs: edits.NewText(text)}
	start := time.Now()
	snap := o.session.Snapshot().Supposing(over)
	w, err := window.Build(ctx, snap, window.Request{URI: abs, Budget: budget, Span: edits.Span{Start: at, End: at}, Purpose: "complete"})
	return w, time.Since(start), err
}

// measure draws lines of a tree and reports how many of the definitions they need
// are in the windows.
func (t *tree) measure(ctx context.Context, out, misses io.Writer, windows windows, seed uint64, count int, budgets []int) error {
	samples := draw(t, seed, count)
	results := make([]recall, len(budgets))
	targets := 0
	for _, s := range samples {
		targets += len(s.targets)
		for i, budget := range budgets {
			w, took, err := windows.window(ctx, s.path, s.lines, s.line, budget)
			if err != nil {
				return fmt.Errorf("%s:%d: %w", s.path, s.line, err)
			}
			results[i].took = append(results[i].took, took)
			t.judge(&results[i], misses, s, w)
		}
	}
	fmt.Fprintf(out, "%s, seed %d: %d lines, %d names\n", path.Base(t.root), seed, len(samples), targets)
	for i, budget := range budgets {
		r := results[i]
		slices.Sort(r.took)
		fmt.Fprintf(out, "  %7d tokens: line %5.1f %%  usable %5.1f %%  first use %5.1f %% of %d  p50 %.2f ms  p95 %.2f ms\n", budget,
			r.line.percent(), r.usable.percent(), r.first.percent(), r.first.trials, quantile(r.took, 0.5), quantile(r.took, 0.95))
	}
	return nil
}

// typed is the length of the typed text in a typing trace, in bytes.
const typed = 240

// measureTyping types parts of real files, a byte at a time, and reports how
// much of its start each window shares with the one before.
func (t *tree) measureTyping(ctx context.Context, out io.Writer, seed uint64, traces int, budgets []int) error {
	o, err := openTree(ctx, t.root)
	if err != nil {
		return err
	}
	defer o.session.Close()
	for _, budget := range budgets {
		shared, total := 0, 0
		for _, s := range draw(t, seed, traces) {
			a, b, err := o.typing(ctx, s, budget)
			if err != nil {
				return err
			}
			shared, total = shared+a, total+b
		}
		fmt.Fprintf(out, "  %7d tokens: consecutive windows of %d typing traces share %.1f %% of the tokens before the cursor\n", budget, traces, 100*float64(shared)/float64(max(1, total)))
	}
	return nil
}

// typing removes text from a sample's line on and types it again. It returns the
// number of tokens that consecutive windows share at their start, and of all
// their tokens.
func (o *opened) typing(ctx context.Context, s sample, budget int) (shared, total int, err error) {
	view := o.session.Snapshot().Views()[0]
	abs := filepath.Join(view.Root, s.path)
	text := strings.Join(s.lines, "\n")
	from := len(strings.Join(s.lines[:s.line-1], "\n"))
	to := min(from+typed, len(text))
	var last *window.Window
	for at := from; at <= to; at++ {
		now := map[string]edits.Text{abs: edits.NewText(text[:at] + text[to:])}
		w, err := window.Build(ctx, o.session.Snapshot().Supposing(now), window.Request{URI: abs, Budget: budget, Span: edits.Span{Start: at, End: at}, Previous: last})
		if err != nil {
			return 0, 0, err
		}
		if last != nil {
			before, ids := tokens.Encode(last.Text().String()), tokens.Encode(strings.TrimSuffix(w.Text().String(), w.After.String()))
			n := 0
			for n < min(len(ids), len(before)) && ids[n] == before[n] {
				n++
			}
			shared, total = shared+n, total+len(ids)
		}
		last = w
	}
	return shared, total, nil
}

// quantile returns a quantile of sorted durations, in milliseconds.
func quantile(sorted []time.Duration, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return float64(sorted[int(q*float64(len(sorted)-1))].Microseconds()) / 1000
}

// judge counts which of a sample's targets a window defines.
func (t *tree) judge(r *recall, misses io.Writer, s sample, w *window.Window) {
	covered := map[string][][2]int{}
	for _, f := range w.Fragments {
		if f.Kind != window.FragmentRecentEdit && f.Kind != window.FragmentDiagnostic {
			covered[f.Path] = append(covered[f.Path], [2]int{f.StartLine, f.EndLine})
		}
	}
	for _, g := range s.targets {
		line, usable := false, false
		for _, d := range g.defs {
			l, u := t.covers(covered[d.path], d)
			line, usable = line || l, usable || u
		}
		r.line.count(line)
		r.usable.count(usable)
		if g.firstUse {
			r.first.count(line)
		}
		if !line || !usable {
			d := g.defs[0]
			fmt.Fprintf(misses, "budget %d line=%v first=%v %s at %s:%d; %d definitions, %s at %s:%d\n", w.Budget, line, g.firstUse, g.name, s.path, s.line, len(g.defs), d.kind, d.path, d.line)
		}
	}
}

// covers reports whether line ranges hold a definition's line, and all that is
// needed to use it.
func (t *tree) covers(ranges [][2]int, d tag) (line, usable bool) {
	end := t.usable(d)
	for _, r := range ranges {
		if r[0] <= d.line && d.line <= r[1] {
			line = true
			usable = usable || end <= r[1]
		}
	}
	return line, usable
}
