package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/state"
)

func purgeCommand(g *globals) *cobra.Command {
	return &cobra.Command{
		Use:   "purge",
		Short: "Remove index, tasks, ledger and cached answers; with --workspace, those of one workspace",
		Args:  takes(0, 0),
		RunE:  func(c *cobra.Command, _ []string) error { return purge(c, g) },
	}
}

func purge(c *cobra.Command, g *globals) error {
	store, err := openStore()
	if err != nil {
		return exit(exitFailed, err)
	}
	gone, failed := purgeParts(store, g)
	if len(gone) == 0 && failed == nil {
		fmt.Fprintln(c.OutOrStdout(), "There was nothing to remove.")
	}
	for _, p := range gone {
		fmt.Fprintf(c.OutOrStdout(), "removed %s: %d file(s), %s\n", edits.OneLine(p.Name), p.Files, size(p.Bytes))
	}
	if failed != nil {
		return exit(exitFailed, fmt.Errorf("not everything could be removed: %w", failed))
	}
	return nil
}

func purgeParts(store *state.Store, g *globals) ([]state.Part, error) {
	if g.workspace == "" {
		return store.Purge()
	}
	root, err := g.root()
	if err != nil {
		return nil, err
	}
	return store.PurgeWorkspace(root, workspace.IndexFile(store.Dir, root), workspace.LearnedDir(store.Dir, root), state.ChangesFile(store.Dir, root))
}
