package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"tandem/cmd/tandem/config"
	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/model/assist/inline"
	"tandem/model/local"
	"tandem/workspace"
	"tandem/workspace/git"
	"tandem/workspace/run"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
)

// An evalRow is the result of one model with one budget on the repository's history.
type evalRow struct {
	Model   string  `json:"model"`
	Budget  int     `json:"budget"` // tokens of context; 0 is the configured one
	Lines   int     `json:"lines"`
	Shown   int     `json:"shown"`
	Exact   int     `json:"exact"` // suggestions whose first line is the committed line
	P50     float64 `json:"p50_ms"`
	P95     float64 `json:"p95_ms"`
	CostUSD float64 `json:"cost_usd"`
	Failed  string  `json:"failed,omitempty"` // the last reason why nothing was shown
}

// An evalPlan holds the arguments of `tandem eval`.
type evalPlan struct {
	commits, perCommit int
	models             []string
	budgets            []int
	nextEdits, edits   bool
	asJSON             bool
}

// evalCommand replays the repository's own history as typing.
func evalCommand(g *globals) *cobra.Command {
	var p evalPlan
	c := &cobra.Command{
		Use:   "eval",
		Short: "Replay the repository's history as typing against each model and budget: exactness, latency, dollars",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if p.commits < 1 || p.perCommit < 1 {
				return exit(exitUsage, errors.New("ask for one commit and one line or more: --commits 20 --lines 10"))
			}
			return evaluate(c, g, p)
		},
	}
	f := c.Flags()
	f.IntVar(&p.commits, "commits", 20, "how many of the last commits to replay")
	f.IntVar(&p.perCommit, "lines", 10, "at most so many lines of each commit")
	f.StringSliceVar(&p.models, "models", nil, "configured models, by `NAMES`; local is the built-in engine (default: all)")
	f.IntSliceVar(&p.budgets, "budgets", []int{0}, "context budgets in `TOKENS` to compare; 0 is the configured one")
	f.BoolVar(&p.nextEdits, "next-edits", false, "replay commits hunk by hunk and judge the next edits instead: right, noise, latency, dollars")
	f.BoolVar(&p.edits, "edits", false, "have each model edit functions of what the commits touched, in each format, and recommend its edit_format; nothing is written")
	f.BoolVar(&p.asJSON, "json", false, "print JSON, one row a line")
	return c
}

func evaluate(c *cobra.Command, g *globals, p evalPlan) error {
	settings, err := g.settings()
	if err != nil {
		return err
	}
	root, err := g.root()
	if err != nil {
		return err
	}
	names, err := evalModels(settings, p.models)
	if err != nil {
		return exit(exitUsage, err)
	}
	repo, err := git.Open(c.Context(), root)
	if err != nil {
		return exit(exitFailed, fmt.Errorf("there is no history to replay in %s: %w", root, err))
	}
	defer repo.Close()
	commits, err := repo.Log(c.Context(), p.commits)
	if err != nil {
		return exit(exitFailed, fmt.Errorf("read the history: %w", err))
	}
	if p.edits {
		return evaluateEdits(c, settings, repo.Root, names, commits, p.asJSON)
	}
	if p.nextEdits {
		return evaluateNextEdits(c, settings, repo.Root, names, commits, p.asJSON)
	}
	typed := typedLines(commits, p.perCommit)
	if len(typed) == 0 {
		return exit(exitFailed, fmt.Errorf("the last %d commits of %s add no line of text to a file; ask for more with --commits", p.commits, repo.Root))
	}
	fmt.Fprintf(c.ErrOrStderr(), "%d lines of %d commits\n", len(typed), len(commits))
	var rows []evalRow
	for _, name := range names {
		for _, budget := range evalBudgets(name, p.budgets) {
			row, err := evalOne(c.Context(), settings, repo.Root, name, budget, typed, c.ErrOrStderr())
			if err != nil {
				return err
			}
			rows = append(rows, row)
		}
	}
	if p.asJSON {
		for _, row := range rows {
			if err := printJSON(c, row); err != nil {
				return err
			}
		}
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

// evalBudgets returns one budget for the built-in engine, which does not use it.
func evalBudgets(name string, budgets []int) []int {
	if name == config.Local {
		return []int{0}
	}
	return budgets
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

// evalOne replays the lines against one model with one budget.
func evalOne(ctx context.Context, settings *config.Config, root, name string, budget int, typed []typedLine, progress io.Writer) (evalRow, error) {
	own := *settings
	own.Fast, own.Deep, own.NextEdit, own.Complete = name, "", "", ""
	if budget > 0 {
		own.Budgets = maps.Clone(settings.Budgets)
		if own.Budgets == nil {
			own.Budgets = map[string]int{}
		}
		own.Budgets[string(model.Complete)] = budget
	}
	row := evalRow{Model: name, Budget: budget}
	err := evaluated(ctx, &own, host{folders: []string{root}, onNotice: func(s string) { row.Failed = s }, wrap: row.price}, func(a *app) error {
		return a.replayLines(ctx, root, typed, &row, progress)
	})
	return row, err
}

// evaluated runs do with one configuration on a workspace that is indexed.
func evaluated(ctx context.Context, own *config.Config, h host, do func(*app) error) error {
	h.waitForTraining, h.onWorkspace, h.onEngine = true, func(workspace.Event) {}, func(core.Event) {}
	group := run.NewGroup(ctx, nil)
	a, err := newApp(group, func() *config.Config { return own }, h)
	if err != nil {
		group.Close()
		return err
	}
	if err = a.indexed(ctx); err == nil || errors.Is(err, context.DeadlineExceeded) {
		err = do(a)
	}
	group.Close()
	return errors.Join(err, a.Close())
}

// replayLines requests a completion for every line and counts the results.
func (a *app) replayLines(ctx context.Context, root string, typed []typedLine, row *evalRow, progress io.Writer) error {
	var times []time.Duration
	for i, line := range typed {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if isTerminal(progress) {
			fmt.Fprintf(progress, "\r%s: %d of %d ", row.Model, i+1, len(typed))
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

// price wraps a client to add up the cost of its answers.
func (r *evalRow) price(m model.ModelConfig, c model.Client) model.Client {
	return &pricedClient{c, m, r}
}

// A pricedClient adds the cost of every answer to a row.
type pricedClient struct {
	model.Client
	config model.ModelConfig
	row    *evalRow
}

// Stream implements model.Client.
func (p *pricedClient) Stream(ctx context.Context, req *model.Request) model.Stream {
	return func(yield func(model.Delta, error) bool) {
		for delta, err := range p.Client.Stream(ctx, req) {
			if delta.Final != nil {
				p.row.CostUSD += model.Cost(p.config, delta.Final.Usage)
			}
			if !yield(delta, err) {
				return
			}
		}
	}
}

// printEval prints the table a person reads.
func printEval(out io.Writer, rows []evalRow) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "model\tbudget\tlines\tshown\texact of shown\texact of all\tp50 ms\tp95 ms\tUSD\tUSD/1000 lines\t")
	for _, r := range rows {
		budget, name := "configured", r.Model
		if r.Budget > 0 {
			budget = strconv.Itoa(r.Budget)
		}
		if name == config.Local {
			budget, name = "-", local.Name
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\t%.1f\t%.1f\t%.4f\t%.2f\t\n", name, budget, r.Lines, percent(r.Shown, r.Lines), percent(r.Exact, r.Shown), percent(r.Exact, r.Lines),
			r.P50, r.P95, r.CostUSD, 1000*r.CostUSD/float64(max(r.Lines, 1)))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, r := range rows {
		if r.Shown == 0 && r.Failed != "" {
			fmt.Fprintf(out, "%s showed nothing: %s\n", r.Model, clean(r.Failed))
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
