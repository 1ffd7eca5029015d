package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tandem/cmd/tandem/config"
	"tandem/edits"
	"tandem/model/assist/core"
	"tandem/model/assist/inline"
	"tandem/model/local"
	"tandem/workspace"
	"tandem/workspace/git"
	"tandem/workspace/run"
)

// An evalRow is the result of one model on the repository's history.
type evalRow struct {
	Model   string  `json:"model"`
	Lines   int     `json:"lines"`
	Shown   int     `json:"shown"`
	Exact   int     `json:"exact"` // suggestions whose first line is the committed line
	P50     float64 `json:"p50_ms"`
	P95     float64 `json:"p95_ms"`
	CostUSD float64 `json:"cost_usd"`
	Failed  string  `json:"failed,omitempty"` // the last reason why nothing was shown
}

// evalLines bounds how many lines of each commit are replayed.
const evalLines = 10

// evalCommand replays the repository's own history as typing.
func evalCommand(g *globals) *cobra.Command {
	var commits int
	var models []string
	var asJSON bool
	c := &cobra.Command{
		Use:   "eval",
		Short: "Replay the repository's history as typing against each model: exact lines, latency, dollars",
		Args:  takes(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			if commits < 1 {
				return exit(exitUsage, errors.New("ask for one commit or more: --commits 20"))
			}
			return evaluate(c, g, commits, models, asJSON)
		},
	}
	f := c.Flags()
	f.IntVar(&commits, "commits", 20, fmt.Sprintf("how many of the last commits to replay, at most %d lines of each", evalLines))
	f.StringSliceVar(&models, "models", nil, "configured models, by `NAMES`; local is the built-in engine (default: all)")
	f.BoolVar(&asJSON, "json", false, "print JSON, one row a line")
	return c
}

func evaluate(c *cobra.Command, g *globals, last int, models []string, asJSON bool) error {
	settings, err := g.settings()
	if err != nil {
		return err
	}
	root, err := g.root()
	if err != nil {
		return err
	}
	names, err := evalModels(settings, models)
	if err != nil {
		return exit(exitUsage, err)
	}
	repo, err := git.Open(c.Context(), root)
	if err != nil {
		return exit(exitFailed, fmt.Errorf("there is no history to replay in %s: %w", root, err))
	}
	defer repo.Close()
	commits, err := repo.Log(c.Context(), last)
	if err != nil {
		return exit(exitFailed, fmt.Errorf("read the history: %w", err))
	}
	typed := typedLines(commits, evalLines)
	if len(typed) == 0 {
		return exit(exitFailed, fmt.Errorf("the last %d commits of %s add no line of text to a file; ask for more with --commits", last, repo.Root))
	}
	fmt.Fprintf(c.ErrOrStderr(), "%d lines of %d commits\n", len(typed), len(commits))
	var rows []evalRow
	for _, name := range names {
		row, err := evalOne(c.Context(), settings, repo.Root, name, typed, c.ErrOrStderr())
		if err != nil {
			return err
		}
		if asJSON {
			if err := printJSON(c, row); err != nil {
				return err
			}
		}
		rows = append(rows, row)
	}
	if asJSON {
		return nil
	}
	return printEval(c.OutOrStdout(), rows)
}

// evalModels returns the models to compare: the named ones, else all, the
// built-in engine first.
func evalModels(settings *config.Config, named []string) ([]string, error) {
	all := append([]string{config.Local}, slices.Sorted(maps.Keys(settings.Models))...)
	if len(named) == 0 {
		return all, nil
	}
	for _, name := range named {
		if !slices.Contains(all, name) {
			return nil, fmt.Errorf("no model %s is configured; there are: %s", name, strings.Join(all, ", "))
		}
	}
	return named, nil
}

// A typedLine is a line of a commit at the moment before its author wrote it.
type typedLine struct {
	path, before, after string
	want                string // the line's text
}

// typedLines takes lines out of commits' changes. In each run of new lines, the
// lines before the chosen one exist; the chosen one and those after it do not.
func typedLines(commits []git.Commit, perCommit int) []typedLine {
	var out []typedLine
	for _, commit := range commits {
		var all []typedLine
		for _, change := range commit.Changes {
			if change.Unread == nil && !change.AbsentAfter && !change.Outside {
				all = append(all, linesTyped(change)...)
			}
		}
		step := max(1, (len(all)+perCommit-1)/perCommit)
		for i := 0; i < len(all); i += step {
			out = append(out, all[i])
		}
	}
	return out
}

// linesTyped returns the new lines of one file.
func linesTyped(change git.Change) []typedLine {
	f := edits.ProposedFile{Path: change.Path, Base: edits.NewText(change.Before), Edits: edits.Diff(change.Before, change.After)}
	var out []typedLine
	shift := 0
	for _, h := range f.Hunks() {
		delta := 0
		for _, e := range h.Edits {
			delta += e.Delta()
		}
		start, end := h.Span.Start+shift, h.Span.End+shift+delta
		shift += delta
		start = strings.LastIndexByte(change.After[:start], '\n') + 1
		if i := strings.IndexByte(change.After[end:], '\n'); i >= 0 && (end == start || change.After[end-1] != '\n') {
			end += i
		}
		out = append(out, runTyped(change, start, end)...)
	}
	return out
}

// runTyped returns the lines of one run of new text.
func runTyped(change git.Change, start, end int) []typedLine {
	var out []typedLine
	for at := start; at < end; {
		line, _, _ := strings.Cut(change.After[at:end], "\n")
		body := strings.TrimLeft(line, " \t")
		if len(strings.TrimSpace(body)) > 2 {
			cursor := at + len(line) - len(body)
			rest := change.After[end:]
			if !strings.HasPrefix(rest, "\n") && rest != "" {
				rest = "\n" + rest
			}
			out = append(out, typedLine{change.Path, change.After[:cursor], rest, strings.TrimRight(body, " \t\r")})
		}
		at += len(line) + 1
	}
	return out
}

// evalOne replays the lines against one model.
func evalOne(ctx context.Context, settings *config.Config, root, name string, typed []typedLine, progress io.Writer) (evalRow, error) {
	own := *settings
	own.Fast, own.Deep, own.NextEdit, own.Complete = name, "", "", ""
	row := evalRow{Model: name}
	var said atomic.Pointer[string] // the last notice
	group := run.NewGroup(ctx, nil)
	h := withoutEditor(root, func(s string) { said.Store(&s) })
	h.asker = func() string { return "tandem eval" }
	a, err := newApp(group, func() *config.Config { return &own }, h)
	if err != nil {
		group.Close()
		return row, err
	}
	if err = a.indexed(ctx); err == nil {
		err = a.replayLines(ctx, root, typed, &row, progress)
	}
	group.Close()
	if last := said.Load(); last != nil && row.Failed == "" {
		row.Failed = *last
	}
	row.CostUSD = a.lanes.Status().Lanes[0].Totals.CostUSD
	return row, errors.Join(err, a.Close())
}

// replayLines requests a completion for every line and counts the results.
func (a *app) replayLines(ctx context.Context, root string, typed []typedLine, row *evalRow, progress io.Writer) error {
	var times []time.Duration
	for i, line := range typed {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if isTerminal(progress) {
			redraw(progress, "%s: %d of %d ", row.Model, i+1, len(typed))
		}
		uri := workspace.URIOf(root + "/" + line.path)
		snap := a.session.Update(workspace.Opened{URI: uri, Version: int32(i + 1), Language: languageOf(line.path), Text: edits.NewText(line.before + line.after)})
		a.engine.Opened(snap, uri)
		start := time.Now()
		found, err := a.engine.Completer.Complete(ctx, snap, inline.Request{Place: core.Place{URI: uri, Offset: len(line.before)}, Invoked: true, N: 1})
		if i > 0 || row.Model != config.Local { // the first one waits until the built-in engine is trained
			times = append(times, time.Since(start))
		}
		row.score(line, found, err)
		a.session.Update(workspace.Closed{URI: uri})
		a.engine.Closed(uri)
	}
	slices.Sort(times)
	if n := len(times); n > 0 {
		row.P50, row.P95 = milliseconds(times[n/2]), milliseconds(times[n*95/100])
	}
	return nil
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// score counts one answer. A fallback's answer does not count for the model.
func (r *evalRow) score(line typedLine, found inline.Completions, err error) {
	r.Lines++
	switch {
	case err != nil:
		r.Failed = err.Error()
	case len(found.Items) == 0 || r.Model != config.Local && found.Items[0].From.Lane == core.BuiltIn:
		r.Failed = found.Reason
	default:
		r.Shown++
		first, _, _ := strings.Cut(found.Items[0].Text, "\n")
		if strings.TrimRight(first, " \t\r") == line.want {
			r.Exact++
		}
	}
}

// printEval prints the table a person reads.
func printEval(out io.Writer, rows []evalRow) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "model\tlines\tshown\texact of shown\texact of all\tp50 ms\tp95 ms\tUSD\tUSD/1000 lines\t")
	for _, r := range rows {
		name := r.Model
		if name == config.Local {
			name = local.Name
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%.1f\t%.1f\t%.4f\t%.2f\t\n", name, r.Lines, percent(r.Shown, r.Lines), percent(r.Exact, r.Shown), percent(r.Exact, r.Lines),
			r.P50, r.P95, r.CostUSD, 1000*r.CostUSD/float64(max(r.Lines, 1)))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, r := range rows {
		if r.Shown == 0 && r.Failed != "" {
			fmt.Fprintf(out, "%s showed nothing: %s\n", r.Model, edits.OneLine(r.Failed))
		}
	}
	return nil
}

func percent(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}
