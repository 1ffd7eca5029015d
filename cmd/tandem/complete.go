package main

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"tandem/model/assist/core"
	"tandem/model/assist/inline"
)

func completeCommand(g *globals) *cobra.Command {
	var n int
	c := &cobra.Command{
		Use:   "complete FILE:LINE:COL",
		Short: "Print suggestions for a place",
		Args:  takes(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if n < 1 {
				return exit(exitUsage, errors.New("ask for one suggestion or more with -n"))
			}
			return withApp(c, g, args[0], func(a *app, p place) error { return a.complete(c, p, n) })
		},
	}
	c.Flags().IntVarP(&n, "number", "n", 1, "how many suggestions")
	return c
}

func (a *app) complete(c *cobra.Command, p place, n int) error {
	prepare(c.Context(), a)
	snap, o, err := a.openFile(p.file)
	if err != nil {
		return err
	}
	span, err := p.span(o.Text)
	if err != nil {
		return err
	}
	found, err := a.engine.Completer.Complete(c.Context(), snap, inline.Request{Place: core.Place{URI: o.URI, Offset: span.Start}, Invoked: true, N: n})
	if err != nil {
		return coded(err)
	}
	if len(found.Items) == 0 {
		return exit(exitNoModel, errors.New(cmp.Or(found.Reason, "there is no suggestion for this place")))
	}
	for i, item := range found.Items {
		if i > 0 {
			fmt.Fprintln(c.OutOrStdout())
		}
		fmt.Fprintln(exact(c), item.Text)
		a.printProvenance(c, item.From, item.Verdict)
	}
	if found.Reason != "" && found.Reason != found.Items[0].From.Reason {
		fmt.Fprintln(c.ErrOrStderr(), found.Reason)
	}
	return nil
}
