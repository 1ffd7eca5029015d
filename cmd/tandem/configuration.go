package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"tandem/cmd/tandem/config"
	"tandem/edits"
)

func configCommand(g *globals) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "config",
		Short: "Print the effective configuration and where each value came from, keys redacted",
		Args:  takes(0, 0),
		RunE:  func(c *cobra.Command, _ []string) error { return showConfig(c, g, asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// effective is the answer of `tandem config --json`.
type effective struct {
	File     string         `json:"file"`
	Managed  string         `json:"managed"`
	Profile  string         `json:"profile"`
	Profiles []string       `json:"profiles"`
	Values   []config.Value `json:"values"`
}

func showConfig(c *cobra.Command, g *globals, asJSON bool) error {
	settings, err := g.settings()
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(c, effective{settings.File, settings.Managed, settings.Profile, append([]string{}, settings.Profiles...), settings.Values()})
	}
	for _, path := range []string{settings.File, settings.Managed} {
		fmt.Fprintln(c.ErrOrStderr(), "# "+edits.OneLine(path)+missing(path))
	}
	var rows [][]string
	for _, v := range settings.Values() {
		rows = append(rows, []string{v.Name + " = " + literal(v.Value), "# " + v.Origin})
	}
	return printTable(c, rows)
}

func missing(path string) string {
	if _, err := os.Stat(path); err != nil {
		return " (not there)"
	}
	return ""
}

// literal formats a value as in a configuration file; strings, numbers and
// lists of strings look the same in TOML and JSON.
func literal(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}
