package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"tandem/cmd/tandem/config"
)

// addRemoved keeps commands and flags of earlier versions known to root: a command says what
// replaces it, and a flag is accepted and ignored.
func addRemoved(root *cobra.Command) {
	for i := range config.Removals {
		r := &config.Removals[i]
		switch r.Kind {
		case config.RemovedCommand:
			root.AddCommand(&cobra.Command{Use: r.Name, Hidden: true, DisableFlagParsing: true, RunE: func(*cobra.Command, []string) error {
				return exit(exitUsage, errors.New(r.Said()))
			}})
		case config.RemovedFlag:
			words := strings.Fields(r.Name)
			c, _, err := root.Find(words[:1])
			if err != nil {
				continue
			}
			name := strings.TrimPrefix(words[1], "--")
			c.Flags().Var(ignoredFlag{c, r}, name, "")
			f := c.Flags().Lookup(name)
			f.Hidden = true
			if len(words) == 2 { // it takes no value
				f.NoOptDefVal = "true"
			}
		}
	}
}

// An ignoredFlag is a flag that was removed.
type ignoredFlag struct {
	command *cobra.Command
	removed *config.Removed
}

// Set implements pflag.Value.
func (f ignoredFlag) Set(string) error {
	tell(f.command.ErrOrStderr(), f.removed.Said()+".")
	return nil
}

// String implements pflag.Value.
func (f ignoredFlag) String() string { return "" }

// Type implements pflag.Value.
func (f ignoredFlag) Type() string { return "ignored" }
