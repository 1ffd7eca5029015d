package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tandem/edits"
	reading "tandem/model/answer"
	"tandem/workspace"
	"tandem/workspace/disk"
	"tandem/workspace/ignore"
	"tandem/workspace/judge"
	"tandem/workspace/rel"
	"tandem/workspace/role"
	"tandem/workspace/style"
)

// applyCommand applies a model's answer, in any edit format, to the workspace.
func applyCommand(g *globals) *cobra.Command {
	var jsonl, write bool
	var format string
	var consent edits.Consent
	c := &cobra.Command{
		Use:   "apply < ANSWER",
		Short: "Apply model output in any supported edit format",
		Long: `Apply a model's answer, read from stdin, to the workspace: prints a unified diff.

All or nothing: an answer that is malformed, cut off, out of date, or that fits in more than
one place is refused with a reason, and changes no file. With --write the files are written,
unless the new texts fail their checks (--force writes them).
With --jsonl each line {"id","format","before","patch"} on stdin is answered by
{"id","after","tiers"} or {"id","error":{"code","message"}}, and no file is touched.`,
		Args: takes(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			if jsonl {
				return failed(serveLines(c.InOrStdin(), c.OutOrStdout(), func(r applyRequest) any { return r.answer() }))
			}
			root, err := g.root()
			if err != nil {
				return err
			}
			changes, err := applyTo(root, edits.Format(format), c.InOrStdin())
			if err != nil {
				return refusedOr(err)
			}
			if !write {
				return refusedOr(printChanges(exact(c), changes))
			}
			return withApp(c, g, "", func(a *app, _ place) error {
				snap := a.session.Snapshot()
				changes = a.judge.Ready(c.Context(), snap, changes, judge.Files)
				p, asked := &edits.Proposal{Title: "apply"}, workspace.Asked{By: workspace.Agent}
				for _, f := range changes {
					p.Files = append(p.Files, f.Proposed())
					asked.Files = append(asked.Files, f.Path)
				}
				p.Verdict = a.judge.Change(c.Context(), snap, changes, judge.Users, asked)
				if err := printChanges(exact(c), changes); err != nil {
					return failed(err)
				}
				return writeProposal(c, root, p, snap.Writes(asked), consent)
			})
		},
	}
	f := c.Flags()
	f.BoolVar(&jsonl, "jsonl", false, "answer JSON lines of stdin")
	f.BoolVar(&write, "write", false, "write the change to disk")
	f.StringVar(&format, "format", string(edits.FormatAuto), "`NAME` of the edit format: apply_patch, search_replace, str_replace, unified_diff, rewrite or auto")
	consentFlags(c, &consent)
	return c
}

// refusedOr gives a separate exit code to refusals that a person should inspect.
func refusedOr(err error) error {
	var refusal *edits.Error
	if !errors.As(err, &refusal) {
		return failed(err)
	}
	switch refusal.Code {
	case edits.CodeParse, edits.CodeTruncated, edits.CodeNotFound, edits.CodeUnchanged:
		return exit(exitFailed, err)
	}
	return exit(exitRefused, err)
}

// applyTo applies an answer to the texts of the files below root, and fits it to them.
func applyTo(root string, format edits.Format, in io.Reader) ([]edits.FileChange, error) {
	text, err := disk.All(in, disk.MaxNamed)
	if err != nil {
		return nil, fmt.Errorf("reading the answer: %w", err)
	}
	dir, err := disk.OpenRoot(root)
	if err != nil {
		return nil, fmt.Errorf("opening the workspace: %w", err)
	}
	defer dir.Close() //nolint:errcheck // only read from
	changes, err := readAnswer(dir, root, format, string(text), nil)
	if err == nil {
		err = refuseNew(changes)
	}
	if err != nil {
		return nil, err
	}
	changes = judge.Fitted(func(name, text string) edits.Style {
		return style.At(name, text, func(name string) (string, bool) {
			config, ok, err := readNamed(dir, name)
			return config, ok && err == nil
		})
	}, changes)
	return changes, edits.Judge(changes, edits.Safety(changes, nil)).Unsafe() // what is printed may reach a terminal
}

// printChanges prints changes as a unified diff.
func printChanges(out io.Writer, changes []edits.FileChange) error {
	for _, change := range changes {
		if _, err := io.WriteString(out, edits.UnifiedChange(change)); err != nil {
			return fmt.Errorf("printing the change: %w", err)
		}
	}
	return nil
}

// readAnswer reads an answer about the files below root that may be shown; nil shows all.
func readAnswer(dir *disk.Root, root string, format edits.Format, text string, mayShow func(name string) error) ([]edits.FileChange, error) {
	var unread error
	r := reading.Reader{Format: format, Rel: func(name string) string { return below(name, root, dir.Real()) }, Executable: func(name string) bool { at, inside := rel.Of(name); return inside && dir.Executable(at) }, Open: func(name string) (string, bool) {
		if mayShow != nil {
			if err := mayShow(name); err != nil {
				unread = errors.Join(unread, err)
				return "", false
			}
		}
		text, ok, err := readNamed(dir, name)
		unread = errors.Join(unread, err)
		return text, ok
	}}
	read, err := r.Read(text)
	if err = cmp.Or(unread, err); err != nil {
		return nil, err
	}
	return read.Changes(func(text string) string { return text }), nil
}

// below is how a folder, which may have several names, names a file in it; other names stay.
func below(name string, folders ...string) string {
	for _, folder := range folders {
		if rel, err := filepath.Rel(folder, name); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return name
}

// refuseNew refuses new files that make programs run or decide what models see, which no answer names on
// its own.
func refuseNew(changes []edits.FileChange) error {
	for _, f := range changes {
		if code, why := refusedByName(f.Path, !f.AbsentBefore); code != "" {
			return &edits.Error{Code: code, Path: f.Path, Message: fmt.Sprintf("%s %s", f.Path, why)}
		}
	}
	return nil
}

// refusedByName is why an answer may not be about a path, by its name alone. What was given with the answer
// is refused only where models are shown nothing of it.
func refusedByName(name string, given bool) (edits.Code, string) {
	parts := role.Parts(name)
	at, _ := rel.Of(strings.Join(parts, "/"))
	denied, _ := ignore.Denied(at)
	folder := len(parts) > 1 && slices.ContainsFunc(parts[:len(parts)-1], func(part string) bool { return part[0] == '.' })
	switch {
	case !given && edits.Outside(name):
		return edits.CodeOutside, "lies outside the workspace, where no model may write"
	case folder, denied, !given && role.Of(name) == role.Runs:
		return edits.CodeProtected, "makes programs run or decides what models see, and no answer names it on its own"
	}
	return "", ""
}

// readNamed reads a file if it exists. A name that leads out of the folder, by itself or by
// a symbolic link, counts as missing.
func readNamed(dir *disk.Root, name string) (text string, ok bool, err error) {
	at, inside := rel.Of(name)
	if !inside || edits.Outside(name) || at.String() != name || !dir.Spelled(at) {
		return "", false, nil
	}
	data, err := dir.ReadFile(context.Background(), at, disk.MaxNamed)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, disk.ErrNotRegular), errors.Is(err, disk.ErrOutside):
		return "", false, nil
	case err != nil:
		return "", false, fmt.Errorf("reading %s: %w", name, err)
	}
	return string(data), true, nil
}
