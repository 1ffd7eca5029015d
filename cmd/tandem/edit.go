package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/model/task"
	"tandem/workspace"
	"tandem/workspace/judge"
	"tandem/workspace/redact"
)

// editFlags are the flags of tandem edit.
type editFlags struct {
	write, deep, json, dryRun, yes, tests, secrets, complete bool
	n                                                        int
	consent                                                  edits.Consent
}

// consentFlags are the flags of every command that writes what a model wrote.
func consentFlags(c *cobra.Command, to *edits.Consent) {
	c.Flags().BoolVar(&to.Force, "force", false, "write also what failed its checks or is a part of an answer that was cut")
	c.Flags().BoolVar(&to.RequireJudged, "require-judged", false, "write nothing that could not be judged; the default where stdin is no terminal")
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if !c.Flags().Changed("require-judged") {
			to.RequireJudged = !isTerminal(c.InOrStdin())
		}
		return run(c, args)
	}
}

func editCommand(g *globals) *cobra.Command {
	var f editFlags
	c := &cobra.Command{
		Use:   `edit FILE[:START[-END]] "INSTRUCTION"`,
		Short: "Change a file as the instruction says: prints a unified diff, --write applies it",
		Args:  takes(2, 2),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case strings.TrimSpace(args[1]) == "" || f.n < 1:
				return exit(exitUsage, errors.New("say in a sentence what to change, and ask for one candidate or more"))
			case f.deep && f.n > 1:
				return exit(exitUsage, errors.New("--deep is one task with one result: leave out --number"))
			case f.tests && !f.deep:
				return exit(exitUsage, errors.New("--tests lets a deep task run your test command: use it with --deep"))
			case f.json && !f.deep:
				return exit(exitUsage, errors.New("--json reports the steps of a deep task: use it with --deep"))
			}
			return withApp(c, g, args[0], func(a *app, p place) error { return a.edit(c, p, args[1], f) })
		},
	}
	c.Flags().BoolVar(&f.write, "write", false, "write the change to disk")
	c.Flags().BoolVar(&f.deep, "deep", false, "let the deep model plan it and do it in steps, as a task that is kept on disk")
	c.Flags().BoolVar(&f.json, "json", false, "with --deep: print a report with steps, checks, costs and the patch")
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "print what it is expected to use and to cost; ask no model")
	c.Flags().BoolVar(&f.yes, "yes", false, "with --deep: agree to a price above confirm_above_usd")
	c.Flags().BoolVar(&f.tests, "tests", false, "with --deep: let the deep model have tasks.test_command run, and read its output")
	c.Flags().BoolVar(&f.complete, "complete", false, "ask once more for what the change breaks in other files, and make that part of it")
	c.Flags().BoolVar(&f.secrets, "send-secrets", false, sendSecretsFlag)
	c.Flags().IntVarP(&f.n, "number", "n", 1, "how many candidates, asked for at once; --write writes the first")
	consentFlags(c, &f.consent)
	return c
}

const sendSecretsFlag = "send the secrets in your words, and not placeholders"

// sayHidden says that the user's words leave without their secrets.
func sayHidden(c *cobra.Command, words string, sent bool) {
	if !sent && len(redact.Find(words)) > 0 {
		tell(c.ErrOrStderr(), "your words hold a secret; the model gets a placeholder in its place. --send-secrets sends it.")
	}
}

func (a *app) edit(c *cobra.Command, p place, instruction string, f editFlags) error {
	sayHidden(c, instruction, f.secrets)
	if !f.dryRun {
		prepare(c.Context(), a)
	}
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
	if f.deep {
		req := task.Request{Instruction: instruction, Place: core.Place{URI: o.URI}, Confirmed: f.yes, Tests: f.tests, SendSecrets: f.secrets}
		if p.line != 0 {
			req.Span, req.Offset = span, span.Start
		}
		return a.deepEdit(c, snap, req, f)
	}
	req := edit.Request{URI: o.URI, Span: span, Instruction: instruction, SendSecrets: f.secrets, Alternatives: max(f.n-1, 0), Watch: progressOn(c)}
	if f.dryRun {
		e, err := a.engine.Editor.Estimate(c.Context(), snap, req)
		if err != nil {
			return coded(err)
		}
		return printEstimate(c, e.Tokens*f.n, e.CostUSD*float64(f.n))
	}
	first, err := a.engine.Editor.Edit(c.Context(), snap, req)
	if err != nil {
		return coded(err)
	}
	if first, err = a.completed(c, snap, first, f.complete); err != nil {
		return err
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
	switch {
	case f.write:
	case first.Cut() != "":
		return exit(exitFailed, fmt.Errorf("this is a part: %s", first.Judged().Reason()))
	default:
		return nil
	}
	return a.write(c, snap, first, f.consent)
}

// completed is a proposal with what it breaks in other files, where that is wanted.
func (a *app) completed(c *cobra.Command, snap *workspace.Snapshot, p *edit.Proposal, wanted bool) (*edit.Proposal, error) {
	places := p.Broken()
	if !wanted || places == "" {
		return p, nil
	}
	tell(c.ErrOrStderr(), "it breaks "+places+" in other files; the model is asked for them")
	whole, err := a.engine.Editor.Complete(c.Context(), snap, p.ID)
	if err != nil {
		tell(c.ErrOrStderr(), "they stay as they are: "+err.Error())
		return p, nil
	}
	return whole, nil
}

// deepEdit runs an edit as a deep task, or prints what it is expected to cost.
func (a *app) deepEdit(c *cobra.Command, snap *workspace.Snapshot, req task.Request, f editFlags) error {
	if f.dryRun {
		e := a.engine.Tasks.EstimateTask(req)
		return printEstimate(c, e.Tokens, e.USD)
	}
	if f.tests && len(a.config().Tasks.TestCommand) == 0 {
		return exit(exitConfig, errors.New("there is no test command to run: set tasks.test_command in your configuration"))
	}
	t, err := a.engine.Tasks.Escalate(snap, req)
	if err != nil {
		return coded(err)
	}
	return (&taskRun{a.session, a.engine, f.json, f.write, f.consent}).follow(c, t.Record.ID)
}

func printEstimate(c *cobra.Command, tokens int, usd float64) error {
	_, err := fmt.Fprintf(c.OutOrStdout(), "about %d tokens, $%.4f\n", tokens, usd)
	return err
}

// print prints a proposal as a unified diff, and its provenance on stderr.
func (a *app) print(c *cobra.Command, p *edit.Proposal) error {
	for _, f := range p.Files {
		diff, err := f.Unified()
		if err != nil {
			return fmt.Errorf("print the change of %s: %w", f.Path, err)
		}
		fmt.Fprint(exact(c), diff)
	}
	a.printProvenance(c, p.From, p.Verdict)
	return nil
}

// write applies a proposal to the disk: all of it or nothing.
func (a *app) write(c *cobra.Command, snap *workspace.Snapshot, p *edit.Proposal, consent edits.Consent) error {
	view := snap.View(p.Request.URI)
	if view == nil {
		return exit(exitRefused, fmt.Errorf("%s lies outside the workspace; name its folder with --workspace", p.Request.URI))
	}
	asked, err := unattended(c.Context(), a.engine.Editor.Judge, snap, &p.Proposal, p.Request.Asked(snap))
	if err != nil {
		return err
	}
	if err := writeProposal(c, view.Root, &p.Proposal, snap.Writes(asked), consent); err != nil {
		return err
	}
	a.engine.Editor.Wrote(p.ID)
	return nil
}

// unattended is what a request asks to be written that nobody saw: what it names and what that breaks.
func unattended(ctx context.Context, of *judge.Judge, snap *workspace.Snapshot, p *edits.Proposal, asked workspace.Asked) (workspace.Asked, error) {
	changes, err := p.Changes()
	if err != nil {
		return asked, failed(err)
	}
	asked.Also = append(asked.Also, of.Broken(ctx, snap, changes, asked)...)
	return asked, nil
}

// writeProposal writes a proposal, and says so if it is not judged; may says what may be written.
func writeProposal(c *cobra.Command, root string, p *edits.Proposal, may func(name string) (edits.Code, string), consent edits.Consent) error {
	verdict := p.Judged()
	err := workspace.WriteProposal(root, p, may, consent)
	var refusal *edits.Error
	switch {
	case errors.As(err, &refusal) && (refusal.Code == edits.CodeFailed || refusal.Code == edits.CodeTruncated):
		return exit(exitFailed, fmt.Errorf("%w; --force writes it", err))
	case errors.As(err, &refusal) && refusal.Code == edits.CodeNotJudged:
		return exit(exitFailed, fmt.Errorf("%w; --require-judged=false writes it", err))
	case err != nil:
		return coded(err)
	}
	n := 0
	for _, f := range p.Files {
		if !f.Done() {
			n++
		}
	}
	fmt.Fprintf(c.ErrOrStderr(), "wrote %d file(s) below %s\n", n, edits.OneLine(root))
	if verdict.Reason() != "" {
		fmt.Fprintln(c.ErrOrStderr(), edits.OneLine(fmt.Sprintf("%s: %s", strings.ReplaceAll(verdict.State(), "_", " "), verdict.Reason())))
	}
	return nil
}

// printProvenance prints on stderr which model answered, how fast, at what
// cost, and what the checks found.
func (a *app) printProvenance(c *cobra.Command, from edits.Provenance, verdict edits.Verdict) {
	asked := from.Model
	if cfg, ok := a.config().Models[from.Model]; ok {
		asked = cfg.Model
	}
	fmt.Fprintln(c.ErrOrStderr(), edits.OneLine(provenance(from, asked)))
	for _, check := range verdict.Checks() {
		for _, f := range check.Findings {
			fmt.Fprintf(c.ErrOrStderr(), "%s: %s\n", f.Severity, edits.OneLine(f.Told()))
		}
		for _, unknown := range check.Unknown {
			fmt.Fprintln(c.ErrOrStderr(), edits.OneLine("not judged: "+unknown))
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
