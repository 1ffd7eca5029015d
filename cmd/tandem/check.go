package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/git"
	"tandem/workspace/ignore"
	"tandem/workspace/judge"
	"tandem/workspace/language"
	"tandem/workspace/names"
)

// checkCommand checks any code, without a model.
func checkCommand(g *globals) *cobra.Command {
	var o checkOptions
	c := &cobra.Command{
		Use:   "check [FILE...]",
		Short: "Check syntax and names against the workspace, the standard library and the dependencies' versions",
		Long: `Check code that anybody wrote; no model is asked. Each finding is one line:
path:line:col: severity: message (nearest: NAME in PLACE)

FILEs (or folders) are checked whole; with --diff or --staged only what changed; without
any of these a patch or a model's answer is read from stdin, and what it would introduce is checked.
Test data, generated and vendored files are left out, unless they are named.

Errors are proven; warnings are likely, and fail only with --fail-on warning.
Exit code 1: something was found, at the level of --fail-on or above. Exit code 7: nothing was
found, but a file could not be checked, which stderr names. Names that nobody can judge here
(a dependency is not installed, a type is not known) are counted on stderr and listed with -v;
with --strict they give exit code 7 too.`,
		RunE: func(c *cobra.Command, files []string) error {
			if err := o.normal(files); err != nil {
				return err
			}
			collectLess()
			if o.hook != "" {
				return checkHook(c, g, o.hook)
			}
			return withApp(c, g, "", func(a *app, _ place) error { return a.check(c, files, o) })
		},
	}
	f := c.Flags()
	f.StringVar(&o.rev, "diff", "", "check only what changed since revision `REV`, or from A to B with A..B, or since B left A with A...B")
	f.BoolVar(&o.staged, "staged", false, "check only what is staged for the next commit")
	f.StringVar(&o.format, "format", formatText, "`FORM` of the findings: text, json, sarif or github")
	f.StringSliceVar(&o.only, "only", nil, "only findings of `KIND`")
	f.StringSliceVar((*[]string)(&o.exclude), "exclude", nil, "leave out files that match `GLOB`, such as **/examples/**")
	f.StringVar(&o.baseline, "baseline", "", "leave out the findings that `FILE` has")
	f.StringVar(&o.writeBaseline, "write-baseline", "", "write all findings to `FILE` and report none")
	f.StringVar(&o.failOn, "fail-on", severityError, "the lowest `LEVEL` of a finding for exit code 1: error or warning")
	f.StringVar(&o.hook, "hook", "", "answer an event of `AGENT` that stdin has: "+strings.Join(agents, ", "))
	f.BoolVar(&o.strict, "strict", false, "names left unjudged give exit code 7")
	f.BoolVar(&o.json, "json", false, "as --format json: one JSON object a finding")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "print on stderr what could not be known")
	return c
}

// The levels of a finding.
const (
	severityError   = "error"
	severityWarning = "warning"
)

// checkOptions are the flags of `tandem check`.
type checkOptions struct {
	rev, failOn, hook, format, baseline, writeBaseline string
	only                                               []string
	exclude                                            ignore.Globs
	strict, json, verbose, staged                      bool
	whole                                              bool // files are checked, and no change
}

// normal completes the options, and says what is wrong with them.
func (o *checkOptions) normal(files []string) error {
	if o.json {
		o.format = formatJSON
	}
	o.whole = len(files) > 0 && o.rev == "" && !o.staged
	kinds := make([]string, len(findingKinds))
	for i, k := range findingKinds {
		kinds[i] = k[0]
	}
	wrong := slices.DeleteFunc(slices.Clone(o.only), func(k string) bool { return slices.Contains(kinds, k) })
	switch {
	case o.failOn != severityError && o.failOn != severityWarning:
		return exit(exitUsage, fmt.Errorf("--fail-on is error or warning, not %q", o.failOn))
	case !slices.Contains([]string{formatText, formatJSON, formatSARIF, formatGitHub}, o.format):
		return exit(exitUsage, fmt.Errorf("--format is text, json, sarif or github, not %q", o.format))
	case len(wrong) > 0:
		return exit(exitUsage, fmt.Errorf("--only is one of %s, not %q", strings.Join(kinds, ", "), wrong[0]))
	case o.staged && o.rev != "":
		return exit(exitUsage, errors.New("--staged and --diff name different changes; give one"))
	}
	return nil
}

func (a *app) check(c *cobra.Command, files []string, o checkOptions) error {
	changes, r, err := a.toCheck(c.Context(), c.InOrStdin(), files, o)
	if err != nil {
		return err
	}
	unchanged := len(changes) == 0 && !o.whole && r.nothing()
	if left := a.session.Snapshot().Unread(); !left.None() {
		r.unread = append(r.unread, left.String())
	}
	if o.whole {
		r.take(a.session.Snapshot(), changes, a.judge.Standing(c.Context(), a.session.Snapshot(), changes))
	} else {
		r.take(a.session.Snapshot(), changes, a.judge.Report(c.Context(), a.session.Snapshot(), changes, judge.Users))
	}
	if err := r.filter(o, changes); err != nil {
		return err
	}
	if err := r.print(c.OutOrStdout(), c.ErrOrStderr(), o); err != nil {
		return failed(fmt.Errorf("write the findings: %w", err))
	}
	if unchanged {
		tell(c.ErrOrStderr(), "no text is changed")
	} else {
		tell(c.ErrOrStderr(), r.summary(o))
	}
	return r.exit(o)
}

// toCheck returns the changes to check (whole files, a revision's diff, or a
// patch) and a report of what was asked for and cannot be checked.
func (a *app) toCheck(ctx context.Context, in io.Reader, files []string, o checkOptions) ([]edits.FileChange, *checkReport, error) {
	r := newCheckReport()
	r.exclude = o.exclude
	if o.whole {
		changes, err := wantedFiles(a.session.Snapshot(), files, r)
		return changes, r, err
	}
	if o.rev == "" && !o.staged {
		changes, err := patchedChanges(a.root(), in, nil)
		changes = slices.DeleteFunc(changes, func(f edits.FileChange) bool { return r.leavesOut(f.Path, f.After) })
		return r.readable(changes), r, err
	}
	asked, err := askedFiles(a.session.Snapshot(), files)
	if err != nil {
		return nil, nil, err
	}
	diff, err := a.diff(ctx, o, func(path string, err error) {
		if asked(path) && isCode(path) {
			r.fail(path, err)
		}
	})
	if err != nil {
		return nil, nil, err
	}
	var out []edits.FileChange
	for _, d := range diff {
		switch {
		case !asked(d.Path), d.Unread != nil && (d.AbsentAfter || !isCode(d.Path)), r.leavesOut(d.Path, d.After):
		case d.Unread == nil:
			out = append(out, edits.FileChange{Path: d.Path, Before: d.Before, After: d.After, AbsentBefore: d.AbsentBefore, AbsentAfter: d.AbsentAfter})
		case errors.Is(d.Unread, git.ErrBinary):
			r.fail(d.Path, errNoText)
		default:
			r.fail(d.Path, d.Unread)
		}
	}
	return r.readable(out), r, nil
}

// isCode reports whether a file's names are checked, or users might expect that: a lock file, a
// picture or a dump has nothing to check that counts.
func isCode(path string) bool {
	lang := languageOf(path)
	return lang == "go" || lang == "python" || names.Script(lang) || names.CodeOnly(lang)
}

// diff lists the changes that the options name. It calls unread for each file whose state is
// not known.
func (a *app) diff(ctx context.Context, o checkOptions, unread func(path string, err error)) ([]git.Change, error) {
	from, to, forked, ranged := git.Range(o.rev)
	if !ranged && !o.staged {
		return a.since(ctx, a.session.Snapshot(), o.rev, (*workspace.Snapshot).Unfiltered, unread)
	}
	snap := a.session.Snapshot()
	repos, done, err := repositories(ctx, snap)
	if err != nil {
		return nil, exit(exitUsage, err)
	}
	defer done()
	var out []git.Change
	for _, repo := range repos {
		changes, err := repo.Staged(ctx)
		if ranged {
			changes, err = repo.Between(ctx, from, to, forked)
		}
		if err != nil {
			return nil, exit(exitUsage, err)
		}
		out = append(out, repo.named(snap, changes)...)
	}
	return out, nil
}

// askedFiles returns whether a path of the workspace is one of the named files or
// below one of the named folders; without names every path is.
func askedFiles(snap *workspace.Snapshot, files []string) (func(path string) bool, error) {
	var roots []string
	for _, file := range files {
		abs, err := filepath.Abs(file)
		if err != nil {
			return nil, exit(exitUsage, err)
		}
		if _, err := os.Lstat(abs); err != nil {
			return nil, unreadable(file, err)
		}
		roots = append(roots, abs)
	}
	return func(path string) bool {
		at, _ := workspace.PathOf(snap.Resolve(path))
		return len(roots) == 0 || slices.ContainsFunc(roots, func(root string) bool {
			rel, err := filepath.Rel(root, at)
			return err == nil && filepath.IsLocal(rel)
		})
	}, nil
}

// wantedFiles returns the named files, and the files that are not ignored in the
// named folders, each as a new file.
func wantedFiles(snap *workspace.Snapshot, files []string, r *checkReport) ([]edits.FileChange, error) {
	var out []edits.FileChange
	for _, file := range files {
		abs, err := filepath.Abs(file)
		if err != nil {
			return nil, exit(exitUsage, err)
		}
		info, err := os.Stat(abs)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, unreadable(file, err)
		}
		paths, folder := []string{abs}, err == nil && info.IsDir()
		if folder {
			paths = indexedUnder(snap, abs)
		}
		for _, path := range paths {
			text, err := readForCheck(snap, path)
			if err == nil && folder && r.leavesOut(snap.Name(path), text) {
				continue
			}
			switch {
			case errors.Is(err, errNoText) && languageOf(path) == "plaintext": // an image has nothing to check
			case err != nil:
				r.fail(snap.Name(path), err)
			default:
				out = append(out, edits.FileChange{Path: snap.Name(path), After: text, AbsentBefore: true})
			}
		}
	}
	return out, nil
}

// indexedUnder returns the indexed source files below a folder.
func indexedUnder(snap *workspace.Snapshot, dir string) []string {
	var out []string
	for _, v := range snap.Views() {
		ix := v.Index()
		for _, id := range ix.Files() {
			path := v.Abs(ix.Path(id))
			if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) && language.OfFile(filepath.Base(path)) != "plaintext" {
				out = append(out, path)
			}
		}
	}
	return out
}
