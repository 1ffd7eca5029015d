package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"tandem/workspace/disk"
	"tandem/workspace/ignore"
	"tandem/workspace/rel"
)

// A tour is what an editor shows in a copy of the project.
type tour struct {
	Folder   string   `json:"folder"`
	Name     string   `json:"name"`
	Renamed  string   `json:"renamed"`
	Declared placed   `json:"declared"`
	Places   []placed `json:"places"` // the rest of the rename
	MadeUp   string   `json:"madeUp"`
	Wrong    *placed  `json:"wrong"` // where it replaces the name; null if no check finds it there
	Question string   `json:"question"`
}

// tour prints the same trial for an editor.
func (a *app) tour(c *cobra.Command) error {
	t, err := a.telling(c.Context())
	if err != nil {
		return err
	}
	out := tour{Folder: a.root(), Name: t.name, Renamed: t.renamed, Declared: t.declared, Places: t.places, MadeUp: t.madeUp, Question: t.question()}
	if t.finding != "" {
		out.Wrong = &t.wrong
	}
	return printJSON(c, out)
}

// Bounds of the copy of a project.
const (
	largestCopied = 1 << 20   // bytes of a file
	mostCopied    = 512 << 20 // bytes of all
)

// copyProject copies what is not ignored into an empty folder, and returns its real path. Links
// and large files are left out.
func (g *globals) copyProject(ctx context.Context, to string) (string, error) {
	settings, _, err := g.usable()
	if err != nil {
		return "", err
	}
	root, err := g.root()
	if err != nil {
		return "", err
	}
	to, err = filepath.Abs(to)
	if err != nil {
		return "", exit(exitUsage, err)
	}
	if _, inside := rel.Below(disk.Real(root), disk.Real(to)); inside {
		return "", exit(exitUsage, fmt.Errorf("%s is in the project; name a folder outside", to))
	}
	if err := os.MkdirAll(to, 0o700); err != nil {
		return "", fmt.Errorf("make the folder of the copy: %w", err)
	}
	to = disk.Real(to)
	rules, reader := ignore.New(root, settings.Policy.DenyGlobs...), disk.NewReader(root, to)
	if entries, err := reader.ReadDir(ctx, to); err != nil || len(entries) > 0 {
		return "", exit(exitUsage, fmt.Errorf("%s is not empty; name a new folder", to))
	}
	total := int64(0)
	err = reader.Walk(ctx, root, func(path string, d fs.DirEntry) error {
		at, below := rel.Below(root, path)
		if !below || at.IsRoot() {
			return nil
		}
		if ignored, _ := rules.Ignored(at, d.IsDir()); ignored || d.Name() == ".git" {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		target := at.Abs(to)
		if d.IsDir() {
			return os.MkdirAll(target, 0o700)
		}
		text, err := reader.ReadFile(ctx, path, largestCopied)
		if err != nil {
			return ctx.Err() // a link, a device, or larger than what is read as code
		}
		if total += int64(len(text)); total > mostCopied {
			return exit(exitFailed, fmt.Errorf("this project has more than %s; name a part of it with --workspace", size(mostCopied)))
		}
		return os.WriteFile(target, text, 0o600)
	})
	return to, err
}
