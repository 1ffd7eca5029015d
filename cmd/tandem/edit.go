package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist"
	"tandem/workspace"
)

func editCommand(g *globals) *cobra.Command {
	var write, deep bool
	var n int
	c := &cobra.Command{
		Use:   `edit FILE[:START[-END]] "INSTRUCTION"`,
		Short: "Change a file as the instruction says: prints a unified diff, --write applies it",
		Args:  takes(2, 2),
		RunE: func(c *cobra.Command, args []string) error {
			if strings.TrimSpace(args[1]) == "" || n < 1 {
				return exit(exitUsage, errors.New("say in a sentence what to change, and ask for one candidate or more"))
			}
			return withApp(c, g, args[0], func(a *app, p place) error { return a.edit(c, p, args[1], n, deep, write) })
		},
	}
	c.Flags().BoolVar(&write, "write", false, "write the change to disk")
	c.Flags().BoolVar(&deep, "deep", false, "ask the deep model")
	c.Flags().IntVarP(&n, "number", "n", 1, "how many candidates, asked for at once; --write writes the first")
	return c
}

func (a *app) edit(c *cobra.Command, p place, instruction string, n int, deep, write bool) error {
	snap, o, err := a.openFile(p.file)
	if err != nil {
		return err
	}
	span, err := p.span(o.Text)
	if err != nil {
		return err
	}
	if p.line == 0 {
		span = edits.Span{End: o.Text.Len()}
	}
	req := assist.EditRequest{URI: o.URI, Span: span, Instruction: instruction, Alternatives: max(n-1, 0), Watch: progressOn(c)}
	if deep {
		req.Lane = model.Deep
	}
	first, err := a.engine.Editor.Edit(c.Context(), snap, req)
	if err != nil {
		return coded(err)
	}
	if err := a.print(c, first); err != nil {
		return err
	}
	for _, id := range first.Alternatives {
		if other, err := a.engine.Editor.Get(id); err == nil {
			fmt.Fprintln(c.OutOrStdout())
			if err := a.print(c, other); err != nil {
				return err
			}
		}
	}
	if !write {
		return nil
	}
	return a.write(c, snap, first)
}

// print prints a proposal as a unified diff, and its provenance on stderr.
func (a *app) print(c *cobra.Command, p *assist.Proposal) error {
	for _, f := range p.Files {
		diff, err := f.Unified()
		if err != nil {
			return fmt.Errorf("print the change of %s: %w", f.Path, err)
		}
		fmt.Fprint(c.OutOrStdout(), diff)
	}
	a.printProvenance(c, p.From, p.Checks)
	return nil
}

// write applies a proposal to the disk: all of it or nothing.
func (a *app) write(c *cobra.Command, snap *workspace.Snapshot, p *assist.Proposal) error {
	view := snap.View(p.Request.URI)
	if view == nil {
		return exit(exitRefused, fmt.Errorf("%s lies outside the workspace; name its folder with --workspace", p.Request.URI))
	}
	allowed := map[string]bool{snap.Name(p.Request.URI): true}
	if err := workspace.WriteProposal(view.Root, &p.Proposal, allowed); err != nil {
		return coded(err)
	}
	a.engine.Editor.Wrote(p.ID)
	fmt.Fprintf(c.ErrOrStderr(), "wrote %d file(s)\n", len(p.Files))
	return nil
}

// printProvenance prints on stderr which model answered, how fast, at what
// cost, and what the checks found.
func (a *app) printProvenance(c *cobra.Command, from edits.Provenance, checks []edits.Check) {
	asked := from.Model
	if cfg, ok := a.config().Models[from.Model]; ok {
		asked = cfg.Model
	}
	fmt.Fprintln(c.ErrOrStderr(), provenance(from, asked))
	for _, check := range checks {
		for _, f := range check.Findings {
			fmt.Fprintf(c.ErrOrStderr(), "%s: %s\n", f.Severity, f.Message)
		}
	}
}

// provenance formats one line about an answer: lane, model, speed and price,
// and the model that answered if it is not the requested one.
func provenance(from edits.Provenance, asked string) string {
	parts := []string{from.Lane, from.Model}
	if !model.SameModel(asked, from.ServedModel) {
		parts = append(parts, "served by "+from.ServedModel)
	}
	if from.OutputTokens > 0 {
		parts = append(parts, fmt.Sprintf("%d + %d tokens", from.PromptTokens, from.OutputTokens))
	}
	if from.TokensPerSecond > 0 {
		parts = append(parts, fmt.Sprintf("%.0f tokens/s", from.TokensPerSecond))
	}
	if from.FirstTokenMs > 0 {
		parts = append(parts, fmt.Sprintf("first token %.0f ms", from.FirstTokenMs))
	}
	if from.CostUSD > 0 {
		parts = append(parts, fmt.Sprintf("$%.4f", from.CostUSD))
	}
	if from.Reason != "" {
		parts = append(parts, from.Reason)
	}
	return strings.Join(parts, " · ")
}

// coded gives an error of the engine or of an edit its exit code. No other
// function does this.
func coded(err error) error {
	var refused *edits.Error
	if errors.As(err, &refused) {
		return refusedOr(err)
	}
	var failed *model.Error
	if !errors.As(err, &failed) {
		return exit(exitFailed, err)
	}
	switch failed.Code {
	case model.CodeDailyLimit:
		return exit(exitDailyLimit, err)
	case model.CodeRefused:
		return exit(exitRefused, err)
	case model.CodeBadRequest:
		return exit(exitUsage, err)
	case model.CodeInternal, model.CodeCancelled:
		return exit(exitFailed, err)
	}
	return exit(exitNoModel, err)
}
