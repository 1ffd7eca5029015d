package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/ask"
	"tandem/model/assist/core"
)

func askCommand(g *globals) *cobra.Command {
	var deep, dryRun, secrets bool
	c := &cobra.Command{
		Use:   `ask "QUESTION" [FILE:LINE:COL]`,
		Short: "Answer a question about the codebase, with path:line citations",
		Args:  takes(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			if strings.TrimSpace(args[0]) == "" {
				return exit(exitUsage, errors.New("say what you want to know"))
			}
			at := ""
			if len(args) == 2 {
				at = args[1]
			}
			return withApp(c, g, at, func(a *app, p place) error { return a.ask(c, p, args[0], deep, dryRun, secrets) })
		},
	}
	c.Flags().BoolVar(&deep, "deep", false, "ask the deep model")
	c.Flags().BoolVar(&secrets, "send-secrets", false, sendSecretsFlag)
	c.Flags().BoolVar(&dryRun, "dry-run", false, "print what it is expected to use and to cost; ask no model")
	return c
}

func (a *app) ask(c *cobra.Command, p place, question string, deep, dryRun, secrets bool) error {
	sayHidden(c, question, secrets)
	if !dryRun {
		prepare(c.Context(), a)
	}
	out := c.OutOrStdout()
	req := ask.Request{Question: question, SendSecrets: secrets, Piece: func(piece string) { fmt.Fprint(out, piece) }}
	if deep {
		req.Lane = model.Deep
	}
	snap := a.session.Snapshot()
	if p.file != "" {
		opened, o, err := a.openFile(p.file)
		if err != nil {
			return err
		}
		span, err := p.span(o.Text)
		if err != nil {
			return err
		}
		snap, req.Place = opened, core.Place{URI: o.URI, Offset: span.Start}
	}
	if dryRun {
		e, err := a.engine.Asker.Estimate(c.Context(), snap, req)
		if err != nil {
			return coded(err)
		}
		return printEstimate(c, e.Tokens, e.CostUSD)
	}
	answer, err := a.engine.Asker.Ask(c.Context(), snap, req)
	if answer.Text != "" {
		fmt.Fprintln(out)
	}
	if err != nil {
		return coded(err)
	}
	if cut := answer.End.Err(); cut != nil {
		return exit(exitNoModel, cut)
	}
	a.printProvenance(c, answer.From, edits.Verdict{})
	return nil
}
