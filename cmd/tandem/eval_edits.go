package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"tandem/cmd/tandem/config"
	"tandem/edits"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/workspace"
	"tandem/workspace/git"
	"tandem/workspace/language"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
)

// An editRow is how well one model obeys one format of edits.
type editRow struct {
	Model   string  `json:"model"`
	Format  string  `json:"format"`
	Asked   int     `json:"asked"`
	Read    int     `json:"read"`   // answers that could be used
	Obeyed  int     `json:"obeyed"` // of them, those that do what was asked and nothing else
	P50     float64 `json:"p50_ms"`
	CostUSD float64 `json:"cost_usd"`
	Failed  string  `json:"failed,omitempty"` // the last reason why an answer could not be used
}

// evalFormats are the formats that a model may be told to write edits in, those that need the
// least of it first.
var evalFormats = []string{"rewrite", "search_replace", "apply_patch"}

// evalInstruction asks for what can be judged in any code: the tokens stay, a comment comes.
const evalInstruction = "Write a comment above its first statement that says what it does; change nothing else"

// Bounds on the functions that are edited.
const (
	evalFunctions = 12
	leastFunction = 4 // lines
	mostFunction  = 60
)

// evaluateEdits has each model edit functions of the files that commits touched, in each format,
// and says which format suits it. Nothing is written.
func evaluateEdits(c *cobra.Command, settings *config.Config, root string, names []string, commits []git.Commit, asJSON bool) error {
	var rows []editRow
	for _, name := range names {
		if name == config.Local {
			continue // it makes no edit by instruction
		}
		for _, format := range evalFormats {
			row, err := evalEdits(c.Context(), settings, root, name, format, commits, c.ErrOrStderr())
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
	}
	switch {
	case len(rows) == 0:
		return exit(exitUsage, errors.New("only a configured model edits as it is told: configure one (tandem setup), or name it with --models"))
	case asJSON:
		return nil
	}
	return printEdits(c.OutOrStdout(), rows)
}

func evalEdits(ctx context.Context, settings *config.Config, root, name, format string, commits []git.Commit, progress io.Writer) (editRow, error) {
	own := *settings
	own.Fast, own.Deep, own.NextEdit, own.Complete = name, "", "", ""
	own.Models = maps.Clone(settings.Models)
	m := own.Models[name]
	m.EditFormat = format
	own.Models[name] = m
	row, cost := editRow{Model: name, Format: format}, evalRow{}
	err := evaluated(ctx, &own, host{folders: []string{root}, onNotice: func(s string) { row.Failed = s }, wrap: cost.price}, func(a *app) error {
		return a.editFunctions(ctx, root, commits, &row, progress)
	})
	row.CostUSD = cost.CostUSD
	return row, err
}

// editFunctions asks for an edit of one function of each file, the files of the newest commits
// first.
func (a *app) editFunctions(ctx context.Context, root string, commits []git.Commit, row *editRow, progress io.Writer) error {
	var times []time.Duration
	seen := map[string]bool{}
	for _, commit := range commits {
		for _, change := range commit.Changes {
			if row.Asked == evalFunctions || ctx.Err() != nil {
				break
			}
			if seen[change.Path] || change.Unread != nil || change.AbsentAfter || change.Outside || language.IsTest(change.Path) {
				continue
			}
			seen[change.Path] = true
			snap, o, err := a.openFile(path.Join(root, change.Path))
			if err != nil {
				continue // it is gone since
			}
			if span, ok := oneFunction(snap, o); ok {
				if isTerminal(progress) {
					fmt.Fprintf(progress, "\r%s, %s: %d of %d ", row.Model, row.Format, row.Asked+1, evalFunctions)
				}
				start := time.Now()
				p, err := a.engine.Editor.Edit(ctx, snap, edit.Request{URI: o.URI, Span: span, Instruction: evalInstruction})
				times = append(times, time.Since(start))
				row.score(o, p, err)
			}
			a.session.Update(workspace.Closed{URI: o.URI})
			a.engine.Closed(o.URI)
		}
	}
	slices.Sort(times)
	if n := len(times); n > 0 {
		row.P50 = milliseconds(times[n/2])
	}
	return ctx.Err()
}

// oneFunction is the first function of a document that is neither short nor long.
func oneFunction(snap *workspace.Snapshot, o *workspace.Overlay) (edits.Span, bool) {
	view := snap.View(o.URI)
	if view == nil {
		return edits.Span{}, false
	}
	file, known := view.Index().FileID(snap.Name(o.URI))
	for _, d := range view.Index().Between(file, 1, o.Text.LineCount()) {
		if n := d.EndLine - d.StartLine + 1; known && d.Kind.IsFunc() && n >= leastFunction && n <= mostFunction {
			return core.PartAt(snap, o.URI, o.Text.LineStart(d.StartLine-1)), true
		}
	}
	return edits.Span{}, false
}

// score counts one answer.
func (r *editRow) score(o *workspace.Overlay, p *edit.Proposal, err error) {
	r.Asked++
	if err == nil && p.Err != nil {
		err = p.Err
	}
	if err != nil {
		r.Failed = err.Error()
		return
	}
	r.Read++
	if len(p.Files) != 1 {
		return
	}
	after, err := edits.Apply(o.Text, p.Files[0].Edits)
	if err != nil {
		return
	}
	was, comments := codeOf(o.Language, o.Text.String())
	is, more := codeOf(o.Language, after.String())
	if more > comments && slices.Equal(was, is) {
		r.Obeyed++
	}
}

// codeOf are the tokens of a text without its comments, and how many comments it has.
func codeOf(lang, text string) (code []string, comments int) {
	for _, t := range language.Tokens(lang, text) {
		if t.Kind == language.Comment {
			comments++
			continue
		}
		code = append(code, text[t.Start:t.End])
	}
	return code, comments
}

// printEdits prints the table that a person reads, and what follows from it.
func printEdits(out io.Writer, rows []editRow) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "model\tformat\tasked\tread\tonly what was asked\tp50 ms\tUSD\t")
	best := map[string]editRow{}
	var models []string
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%.0f\t%.4f\t\n", r.Model, r.Format, r.Asked, percent(r.Read, r.Asked), percent(r.Obeyed, r.Asked), r.P50, r.CostUSD)
		old, known := best[r.Model]
		if !known {
			models = append(models, r.Model)
		}
		if !known || cmp.Or(cmp.Compare(r.Obeyed, old.Obeyed), cmp.Compare(r.Read, old.Read)) > 0 {
			best[r.Model] = r
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, name := range models {
		switch r := best[name]; {
		case r.Asked == 0:
			fmt.Fprintf(out, "%s: no function of %d to %d lines in what the commits touched; ask for more with --commits\n", name, leastFunction, mostFunction)
		case r.Read == 0:
			fmt.Fprintf(out, "%s: no answer could be used: %s\n", name, clean(strings.TrimSpace(r.Failed)))
		default:
			fmt.Fprintf(out, "%s: write edit_format = %q into [models.%s]\n", name, r.Format, name)
		}
	}
	return nil
}
