package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/ask"
	"tandem/workspace"
	"tandem/workspace/git"
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

// A folderRepo is a git repository that holds folders of the workspace.
type folderRepo struct {
	*git.Repository
	folders []*workspace.View
}

// repositories opens those of all folders, in the order of the folders, for its caller to close.
// A folder outside git has no changes; where every folder is, the error says so of the first.
func repositories(ctx context.Context, snap *workspace.Snapshot) (out []folderRepo, done func(), err error) {
	views := snap.Views()
	if len(views) == 0 {
		return nil, nil, errNoFolder
	}
	done = func() {
		for _, r := range out {
			r.Close()
		}
	}
	var outside error
	for _, view := range views {
		repo, err := git.Open(ctx, view.Root)
		if err != nil {
			outside = cmp.Or(outside, err)
			continue
		}
		i := slices.IndexFunc(out, func(r folderRepo) bool { return r.Root == repo.Root })
		if i < 0 {
			i, out = len(out), append(out, folderRepo{Repository: repo})
		} else {
			repo.Close()
		}
		out[i].folders = append(out[i].folders, view)
	}
	if len(out) == 0 {
		return nil, nil, outside
	}
	return out, done, nil
}

// named gives changes of a repository the names of the workspace: a folder may be a part of a
// repository, and of two files with one name the second has its whole path.
func (r folderRepo) named(snap *workspace.Snapshot, changes []git.Change) []git.Change {
	for i, c := range changes {
		path := filepath.Join(r.Root, filepath.FromSlash(c.Path))
		changes[i].Path = snap.Name(path)
		if snap.Resolve(changes[i].Path) != workspace.Key(path) {
			changes[i].Path = filepath.ToSlash(path)
		}
	}
	return changes
}

// since lists the changes of all folders since a revision, without ignored files, as file reads
// them. It calls unread for each file whose state is not known.
func (a *app) since(ctx context.Context, snap *workspace.Snapshot, rev string, file func(*workspace.Snapshot, string) (workspace.FileHandle, error), unread func(path string, err error)) ([]git.Change, error) {
	repos, done, err := repositories(ctx, snap)
	if err != nil {
		return nil, exit(exitUsage, err)
	}
	defer done()
	var out []git.Change
	for _, repo := range repos {
		changes, err := repo.since(ctx, snap, rev, file, unread)
		if err != nil {
			return nil, exit(exitUsage, err)
		}
		out = append(out, changes...)
	}
	return out, nil
}

func (r folderRepo) since(ctx context.Context, snap *workspace.Snapshot, rev string, file func(*workspace.Snapshot, string) (workspace.FileHandle, error), unread func(path string, err error)) ([]git.Change, error) {
	var names []string
	for _, view := range r.folders {
		for _, id := range view.Index().Files() {
			rel, err := filepath.Rel(r.Root, view.Abs(view.Index().Path(id)))
			if err == nil {
				names = append(names, filepath.ToSlash(rel))
			}
		}
	}
	slices.Sort(names)
	changes, err := r.Since(ctx, rev, slices.Compact(names), func(name string) (string, error) {
		path := filepath.Join(r.Root, filepath.FromSlash(name))
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
		return f.Content(), nil
	})
	return r.named(snap, changes), err
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
