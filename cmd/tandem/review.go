package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/ask"
	"tandem/workspace"
	"tandem/workspace/git"

	"github.com/spf13/cobra"
)

func reviewCommand(g *globals) *cobra.Command {
	var rev string
	c := &cobra.Command{
		Use:   "review [FILE...]",
		Short: "Print a model's findings, one a line: path:line:col: severity: message",
		RunE: func(c *cobra.Command, files []string) error {
			if len(files) == 0 && rev == "" {
				return exit(exitUsage, fmt.Errorf("name the files to review, or a revision with --diff"))
			}
			return withApp(c, g, "", func(a *app, _ place) error { return a.review(c, files, rev) })
		},
	}
	c.Flags().StringVar(&rev, "diff", "", "review only what changed since revision `REV`")
	return c
}

// review prints the findings of one file after another.
func (a *app) review(c *cobra.Command, files []string, rev string) error {
	prepare(c.Context(), a)
	incomplete := false
	var cut *model.Error // of the first answer that was cut
	requests, err := a.reviews(c.Context(), files, rev, func(path string, err error) {
		incomplete = true
		tell(c.ErrOrStderr(), fmt.Sprintf("%s was not reviewed: %v", path, err))
	})
	if err != nil {
		return err
	}
	for _, r := range requests {
		found, err := a.engine.Reviewer.Review(c.Context(), a.session.Snapshot(), r)
		for _, f := range found.Findings {
			fmt.Fprintln(c.OutOrStdout(), edits.OneLine(findingLine(a.session.Snapshot(), f)))
			if f.Fix != "" {
				fmt.Fprintln(c.OutOrStdout(), "\tfix: "+f.Fix)
			}
		}
		if err != nil {
			return coded(err)
		}
		if cut = cmp.Or(cut, found.End.Err()); cut != nil {
			tell(c.ErrOrStderr(), found.End.Sentence())
		}
	}
	switch {
	case cut != nil:
		return exit(exitNoModel, errors.New(""))
	case incomplete:
		return exit(exitUnchecked, errors.New(""))
	}
	return nil
}

// reviews returns the requests to make: for whole files, or for their changes
// since a revision. It calls unread for each file whose change is not known.
func (a *app) reviews(ctx context.Context, files []string, rev string, unread func(path string, err error)) ([]ask.ReviewRequest, error) {
	var out []ask.ReviewRequest
	wanted := map[string]bool{}
	for _, file := range files {
		_, o, err := a.openFile(file)
		if err != nil {
			return nil, err
		}
		wanted[a.session.Snapshot().Name(o.URI)] = true
		if rev == "" {
			out = append(out, ask.ReviewRequest{URIs: []string{o.URI}})
		}
	}
	if rev == "" {
		return out, nil
	}
	asked := func(path string) bool { return len(wanted) == 0 || wanted[path] }
	snap := a.session.Snapshot()
	changes, err := a.since(ctx, snap, rev, (*workspace.Snapshot).File, func(path string, err error) {
		if asked(path) {
			unread(path, err)
		}
	})
	if err != nil {
		return nil, err
	}
	for _, change := range changes {
		switch {
		case change.AbsentAfter || change.Outside || !asked(change.Path) || errors.Is(change.Unread, git.ErrBinary):
			continue
		case change.Unread != nil:
			unread(change.Path, change.Unread)
			continue
		}
		uri := workspace.URIOf(snap.Resolve(change.Path))
		out = append(out, ask.ReviewRequest{URIs: []string{uri}, Change: &edits.FileChange{Path: change.Path, Before: change.Before, After: change.After}})
	}
	return out, nil
}

// errNoFolder is a workspace that has no folder, or none any more.
var errNoFolder = errors.New("open a folder first: changes are those of a git repository")

// firstFolder is the folder that a command without a place is about.
func firstFolder(snap *workspace.Snapshot) (*workspace.View, error) {
	views := snap.Views()
	if len(views) == 0 {
		return nil, errNoFolder
	}
	return views[0], nil
}

// since lists the changes of the workspace since a revision, without ignored
// files, as file reads them. It calls unread for each file whose state is not known.
func (a *app) since(ctx context.Context, snap *workspace.Snapshot, rev string, file func(*workspace.Snapshot, string) (workspace.FileHandle, error), unread func(path string, err error)) ([]git.Change, error) {
	view, err := firstFolder(snap)
	if err != nil {
		return nil, err
	}
	repo, err := git.Open(ctx, view.Root)
	if err != nil {
		return nil, exit(exitUsage, err)
	}
	defer repo.Close()
	var names []string
	for _, id := range view.Index().Files() {
		rel, err := filepath.Rel(repo.Root, view.Abs(view.Index().Path(id)))
		if err == nil {
			names = append(names, filepath.ToSlash(rel))
		}
	}
	changes, err := repo.Since(ctx, rev, names, func(name string) (string, error) {
		path := filepath.Join(repo.Root, filepath.FromSlash(name))
		if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return "", fs.ErrInvalid // what it leads to is compared where it is
		}
		f, err := file(snap, path)
		if err == nil && f.Large() {
			err = errTooLarge
		}
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				unread(snap.Name(path), err)
			}
			return "", err
		}
		return f.Raw().String(), nil
	})
	if err != nil {
		return nil, exit(exitUsage, err)
	}
	return changes, nil
}

// findingLine formats a finding as compilers do.
func findingLine(snap *workspace.Snapshot, f ask.ReviewFinding) string {
	line, column := 1, 1
	if file, err := snap.File(f.URI); err == nil {
		text := file.Raw()
		line, column = text.LineOf(f.Span.Start)+1, text.UTF8Column(f.Span.Start)+1
	}
	return fmt.Sprintf("%s:%d:%d: %s: %s", f.Path, line, column, f.Severity, f.Message)
}
