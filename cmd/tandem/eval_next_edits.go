package main

import (
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"tandem/cmd/tandem/config"
	"tandem/edits"
	"tandem/edits/hunks"
	"tandem/model/assist/core"
	"tandem/model/assist/next"
	"tandem/model/format"
	"tandem/model/local"
	"tandem/workspace"
	"tandem/workspace/git"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
)

// A nextEditRow is the result of one model's next edits on the repository's history.
type nextEditRow struct {
	Model  string  `json:"model"`
	Hunks  int     `json:"hunks"` // hunks after the first of their commit
	Shown  int     `json:"shown"`
	Right  int     `json:"right"`
	Partly int     `json:"partly"` // neither right nor wrong: nearer to the commit
	Wrong  int     `json:"wrong"`
	Single int     `json:"single"` // commits of one edit: nothing follows
	Noise  int     `json:"noise"`  // of them, those where an edit was shown
	P50    float64 `json:"p50_ms"`
	P95    float64 `json:"p95_ms"`
	// CostUSD is the price of all requests.
	CostUSD float64 `json:"cost_usd"`
	Failed  string  `json:"failed,omitempty"` // the last reason why nothing was shown
}

// Bounds of a replayed commit: larger ones are imports or renames of folders.
const (
	maxEvalHunks = 40
	maxEvalFile  = 400 << 10
)

// A replayed commit is its hunks, and its files before and after it.
type replayedCommit struct {
	steps         []hunks.Step // none where the commit is not replayed, but only undone
	before, after map[string]string
	undone        map[string]string // all of its files as they were before it, "" where there was none
}

// replayedCommits are commits as sequences of edits, and how many of them edit texts in
// place: the others have no steps.
func replayedCommits(commits []git.Commit) (out []replayedCommit, inPlace int) {
	for _, c := range commits {
		r := replayedCommit{before: map[string]string{}, after: map[string]string{}, undone: map[string]string{}}
		for _, f := range c.Changes {
			if f.Unread != nil || f.Outside || max(len(f.Before), len(f.After)) > maxEvalFile {
				continue
			}
			r.undone[f.Path] = f.Before
			if !f.AbsentBefore && !f.AbsentAfter {
				r.before[f.Path], r.after[f.Path] = f.Before, f.After
			}
		}
		if r.steps = hunks.Steps(r.before, r.after); len(r.steps) > maxEvalHunks {
			r.steps = nil
		}
		if len(r.steps) > 0 {
			inPlace++
		}
		out = append(out, r)
	}
	return out, inPlace
}

// evaluateNextEdits replays commits hunk by hunk against each model.
func evaluateNextEdits(c *cobra.Command, settings *config.Config, root string, names []string, commits []git.Commit, asJSON bool) error {
	list, inPlace := replayedCommits(commits)
	if inPlace == 0 {
		return exit(exitFailed, fmt.Errorf("the last %d commits of %s edit no text in place; ask for more with --commits", len(commits), root))
	}
	fmt.Fprintf(c.ErrOrStderr(), "%d commits that edit text in place\n", inPlace)
	var rows []nextEditRow
	for _, name := range names {
		row, err := evalNextEdits(c.Context(), settings, root, name, list, c.ErrOrStderr())
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	if asJSON {
		for _, row := range rows {
			if err := printJSON(c, row); err != nil {
				return err
			}
		}
		return nil
	}
	return printNextEdits(c.OutOrStdout(), rows)
}

// evalNextEdits replays commits against one model.
func evalNextEdits(ctx context.Context, settings *config.Config, root, name string, list []replayedCommit, progress io.Writer) (nextEditRow, error) {
	own := *settings
	own.Fast, own.Deep, own.NextEdit, own.Complete = name, "", "", ""
	if name != config.Local && !format.Chats(own.Models[name].Format) {
		own.Fast, own.NextEdit = config.Local, name
	}
	row, cost := nextEditRow{Model: name}, evalRow{}
	err := evaluated(ctx, &own, host{folders: []string{root}, onNotice: func(s string) { row.Failed = s }, wrap: cost.price}, func(a *app) error {
		return a.replayCommits(ctx, root, list, &row, progress)
	})
	row.CostUSD = cost.CostUSD
	return row, err
}

// replayCommits makes the edits of each commit in open documents, the newest commit first,
// and asks for the next edit after each but the last. Those of a commit with one edit are
// noise.
func (a *app) replayCommits(ctx context.Context, root string, list []replayedCommit, row *nextEditRow, progress io.Writer) error {
	var times []time.Duration
	for i, c := range list {
		if isTerminal(progress) {
			fmt.Fprintf(progress, "\r%s: %d of %d ", row.Model, i+1, len(list))
		}
		took, err := a.replayCommit(ctx, root, c, row)
		if err != nil {
			return err
		}
		times = append(times, took...)
		undo(a.session, root, c)
	}
	slices.Sort(times)
	if n := len(times); n > 0 {
		row.P50, row.P95 = milliseconds(times[n/2]), milliseconds(times[n*95/100])
	}
	return nil
}

func (a *app) replayCommit(ctx context.Context, root string, c replayedCommit, row *nextEditRow) (times []time.Duration, err error) {
	a.session.Update(workspace.OtherWork{}) // what another commit changed is no example for this one
	uri := func(p string) string { return workspace.URIOf(path.Join(root, p)) }
	texts, version := map[string]edits.Text{}, int32(1)
	for p, text := range c.before {
		texts[p] = edits.NewText(text)
		a.engine.Opened(a.session.Update(workspace.Opened{URI: uri(p), Version: version, Language: languageOf(p), Text: texts[p]}), uri(p))
	}
	defer func() {
		for p := range c.before {
			a.session.Update(workspace.Closed{URI: uri(p)})
			a.engine.Closed(uri(p))
		}
	}()
	for i, s := range c.steps {
		now, err := edits.Apply(texts[s.Path], []edits.Edit{s.Edit})
		if err != nil {
			return times, fmt.Errorf("replay an edit of %s: %w", s.Path, err)
		}
		texts[s.Path] = now
		version++
		made := []workspace.Step{{Edit: s.Edit, After: now}}
		snap := a.session.Update(workspace.Edited{URI: uri(s.Path), Version: version, Steps: made})
		a.engine.Changed(snap, uri(s.Path), made)
		if i == len(c.steps)-1 && i > 0 {
			break // nothing of the commit is left
		}
		start := time.Now()
		next, reason, err := a.engine.NextEdits.NextEdit(ctx, snap, next.Request{Place: core.Place{URI: uri(s.Path), Offset: min(s.Edit.Start+len(s.Edit.New), now.Len())}, Version: version})
		times = append(times, time.Since(start))
		if ctx.Err() != nil {
			return times, ctx.Err()
		}
		if row.score(snap, next, firstReason(reason, err), c) {
			a.engine.Rejected(next.ID) // as its user would
		}
	}
	return times, nil
}

// undo opens the files of a commit as they were before it, so that an older commit is
// replayed in the workspace that its author had. They stay open.
func undo(s *workspace.Session, root string, c replayedCommit) {
	for p, text := range c.undone {
		s.Update(workspace.Opened{URI: workspace.URIOf(path.Join(root, p)), Version: 1, Language: languageOf(p), Text: edits.NewText(text)})
	}
}

func firstReason(reason string, err error) string {
	if err != nil {
		return err.Error()
	}
	return reason
}

// score counts one answer, and reports whether it was wrong. The built-in engine's does
// not count for a model.
func (row *nextEditRow) score(snap *workspace.Snapshot, next *next.Offer, reason string, c replayedCommit) (wrong bool) {
	own := next != nil && (row.Model == config.Local) == (next.From.Lane == core.BuiltIn)
	if next == nil && reason != "" {
		row.Failed = reason
	}
	if len(c.steps) == 1 {
		row.Single++
		if own {
			row.Noise++
		}
		return false
	}
	row.Hunks++
	if !own {
		return false
	}
	row.Shown++
	verdict := hunks.Wrong
	if f, err := snap.File(next.URI); err == nil {
		if want, touched := c.after[snap.Name(next.URI)]; touched {
			verdict = hunks.Judge(f.Raw().String(), want, next.Edit)
		}
	}
	switch verdict {
	case hunks.Right:
		row.Right++
	case hunks.Partly:
		row.Partly++
	case hunks.Wrong:
		row.Wrong++
	}
	return verdict == hunks.Wrong
}

// printNextEdits prints the table a person reads.
func printNextEdits(out io.Writer, rows []nextEditRow) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "model\thunks\tshown\tright\tpartly\twrong\tnoise\tp50 ms\tp95 ms\tUSD\tUSD/1000 hunks\t")
	for _, r := range rows {
		name := r.Model
		if name == config.Local {
			name = local.Name
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%.1f\t%.1f\t%.4f\t%.2f\t\n", name, r.Hunks, percent(r.Shown, r.Hunks), percent(r.Right, r.Shown), percent(r.Partly, r.Shown), percent(r.Wrong, r.Shown),
			percent(r.Noise, r.Single), r.P50, r.P95, r.CostUSD, 1000*r.CostUSD/float64(max(r.Hunks+r.Single, 1)))
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
