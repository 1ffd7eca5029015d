package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestExamples: every command has an example, and each names it, or a command below it, and flags
// that there are.
func TestExamples(t *testing.T) {
	seen := 0
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for _, child := range c.Commands() {
			walk(child)
		}
		if c.Hidden || !c.HasParent() {
			return
		}
		if c.Example == "" {
			t.Errorf("%s has no example", c.CommandPath())
		}
		for line := range strings.Lines(c.Example) {
			line, _, _ = strings.Cut(line, " # ")
			_, typed, ok := strings.Cut(" "+line, " tandem ")
			if strings.Contains(line, "-- tandem ") || strings.Contains(line, "add tandem") {
				_, typed, ok = strings.Cut(line, "-- tandem ")
			}
			if !ok {
				t.Errorf("%s: %q runs no tandem", c.CommandPath(), line)
				continue
			}
			typed, _, _ = strings.Cut(typed, " < ")
			typed, _, _ = strings.Cut(typed, " > ")
			root := newRoot()
			found, rest, err := root.Find(words(typed))
			if err != nil || !strings.HasPrefix(found.CommandPath(), c.CommandPath()) {
				t.Errorf("%s: %q runs %s: %v", c.CommandPath(), line, found.CommandPath(), err)
				continue
			}
			if err := found.ParseFlags(rest); err != nil {
				t.Errorf("%s: %q: %v", c.CommandPath(), line, err)
			}
			if found.Args != nil {
				if err := found.Args(found, found.Flags().Args()); err != nil {
					t.Errorf("%s: %q: %v", c.CommandPath(), line, err)
				}
			}
			seen++
		}
	}
	root := newRoot()
	root.InitDefaultCompletionCmd()
	addExamples(root)
	for _, c := range root.Commands() {
		if c.Name() != "completion" && c.Name() != "help" {
			walk(c)
		}
	}
	if seen < len(examples) {
		t.Errorf("%d lines were tried of %d examples", seen, len(examples))
	}
	for name := range examples {
		if c, rest, err := root.Find(strings.Fields(name)); err != nil || len(rest) > 0 || c.Example == "" {
			t.Errorf("there is no command %q for its example", name)
		}
	}
}

// words are those of a command line, with quoted ones as one.
func words(line string) (out []string) {
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			out = append(out, part)
			continue
		}
		out = append(out, strings.Fields(part)...)
	}
	return out
}
