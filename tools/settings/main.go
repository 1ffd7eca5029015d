// Command settings generates the documentation of tandem's settings from the one
// table of them: docs/settings.md, the VS Code manifest's configuration and
// Neovim's help.
//
// Invariant: no sentence about a setting is written anywhere else. Deliberately
// absent: formatting options. Its output is committed, and a test fails if it is
// not current.
package main

import (
	"bytes"
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
	ifOnly bool // it is written only if it exists
}

var outputs = []output{
	{"docs/settings.md", func([]byte) ([]byte, error) { return markdown(), nil }, false},
	{"editors/neovim/doc/tandem-settings.txt", func([]byte) ([]byte, error) { return vimHelp(), nil }, false},
	{"editors/vscode/package.json", manifest, true},
}

// write updates every output below root.
func write(root string) error {
	for _, o := range outputs {
		path := filepath.Join(root, filepath.FromSlash(o.path))
		before, after, err := o.current(path)
		if err != nil {
			return fmt.Errorf("%s: %w", o.path, err)
		}
		if after == nil || bytes.Equal(before, after) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, after, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// current returns an output's present content and its generated content; after is
// nil if it should not be written.
func (o output) current(path string) (before, after []byte, err error) {
	before, err = os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return nil, nil, err
	}
	if os.IsNotExist(err) && o.ifOnly {
		return nil, nil, nil
	}
	after, err = o.render(before)
	return before, after, err
}
