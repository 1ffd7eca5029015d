package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"tandem/lsp"
	"tandem/model"
)

func statusCommand(g *globals) *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Say what works here, on what, and why nothing is shown",
		Args:  takes(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			return withApp(c, g, "", func(a *app, _ place) error {
				for _, lane := range []model.Lane{model.Fast, model.Deep} {
					a.lanes.Warm(c.Context(), lane)
				}
				_, err := fmt.Fprintln(c.OutOrStdout(), lsp.StatusOf(a.engine.State(), a.session.Snapshot()).String())
				return err
			})
		},
	}
}
