package main

import (
	"github.com/spf13/cobra"
)

// applyCommand applies what a model answered, in any format, to the workspace.
func applyCommand(g *globals) *cobra.Command {
	var jsonl bool
	c := &cobra.Command{
		Use:   "apply < ANSWER",
		Short: "Apply model output in any supported edit format",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return failed(serveLines(c.InOrStdin(), c.OutOrStdout(), func(r applyRequest) any { return r.answer() }))
		},
	}
	c.Flags().BoolVar(&jsonl, "jsonl", false, "answer JSON lines of stdin")
	return c
}
