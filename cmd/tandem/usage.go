package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"
)

// takes requires a number of arguments between least and most.
func takes(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) >= least && len(args) <= most {
			return nil
		}
		return exit(exitUsage, fmt.Errorf("write %s; %s --help says more", c.UseLine(), c.CommandPath()))
	}
}

// parent makes c a command that only groups its subcommands: alone it prints
// its help.
func parent(c *cobra.Command) *cobra.Command {
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return c.Help()
		}
		return unknownCommand(c, args[0])
	}
	return c
}

// unknownCommand suggests commands that are close to a misspelt one.
func unknownCommand(c *cobra.Command, name string) error {
	meant := ""
	if near := c.SuggestionsFor(name); len(near) > 0 {
		meant = "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return exit(exitUsage, fmt.Errorf("there is no command %q%s (tandem %s; %s --help lists them)", name, meant, version(), c.CommandPath()))
}

// wrongFlag adds to the error where the flags are listed.
func wrongFlag(c *cobra.Command, err error) error {
	return exit(exitUsage, fmt.Errorf("%w (tandem %s); %s --help lists the flags", err, version(), c.CommandPath()))
}

// cause returns the system's reason for a file error, without name and call.
func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// unreadable is the error for a file that a person named.
func unreadable(name string, err error) error {
	return exit(exitUsage, fmt.Errorf("%s cannot be read: %w", name, cause(err)))
}
