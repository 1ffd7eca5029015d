// Command settings generates the documentation of tandem's settings from the one
// table of them: docs/settings.md, the VS Code manifest's configuration and
// Neovim's help.
//
// Invariant: no sentence about a setting is written anywhere else. Deliberately
// absent: formatting options. Its output is committed, and a test fails if it is
// not current.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	root := "."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	if err := write(root); err != nil {
		fmt.Fprintln(os.Stderr, "settings:", err)
		os.Exit(1)
	}
}

// An output is one file that is generated, completely or in part.
type output struct {
	path   string
	render func(before []byte) ([]byte, error)
}

var outputs = []output{
	{"docs/settings.md", func([]byte) ([]byte, error) { return markdown(), nil }},
	{"editors/neovim/doc/tandem-settings.txt", func([]byte) ([]byte, error) { return vimHelp(), nil }},
	{"editors/vscode/package.json", manifest},
}

// write updates every output below root.
func write(root string) error {
	for _, o := range outputs {
		path := filepath.Join(root, filepath.FromSlash(o.path))
		_, after, err := o.current(path)
		if err == nil {
			err = os.WriteFile(path, after, 0o644)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", o.path, err)
		}
	}
	return nil
}

// current returns an output's present content and its generated content.
func (o output) current(path string) (before, after []byte, err error) {
	if before, err = os.ReadFile(path); err != nil {
		return nil, nil, err
	}
	after, err = o.render(before)
	return before, after, err
}
