package main

import (
	"encoding/json"
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
	"tandem/workspace/language"
	"tandem/workspace/names"
	"tandem/workspace/syntax"
)

// checkCommand checks any code, without a model.
func checkCommand(g *globals) *cobra.Command {
	var o checkOptions
	c := &cobra.Command{
		Use:   "check [FILE...]",
		Short: "Check syntax and names against the workspace, the standard library and the dependencies' versions",
		Long: `Check code that anybody wrote; no model is asked. Each finding is one line:
path:line:col: severity: message (nearest: NAME in PLACE)

FILEs (or folders) are checked whole; with --diff only what changed since a revision; without
either a patch or a model's answer is read from stdin, and what it would introduce is checked.
Exit code 1 says that something was found. What could not be known is said on stderr with -v.`,
		RunE: func(c *cobra.Command, files []string) error {
			return withApp(c, g, "", func(a *app, _ place) error { return a.check(c, files, o) })
		},
	}
	f := c.Flags()
	f.StringVar(&o.rev, "diff", "", "check only what changed since revision `REV`")
	f.BoolVar(&o.json, "json", false, "print one JSON object a finding")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "say on stderr what could not be known")
	return c
}

// checkOptions are the flags of `tandem check`.
type checkOptions struct {
	rev           string
	json, verbose bool
}

func (a *app) check(c *cobra.Command, files []string, o checkOptions) error {
	changes, err := a.toCheck(c.InOrStdin(), files, o.rev)
	if err != nil {
		return err
	}
	found, unknown := a.findings(changes)
	if o.verbose {
		for _, u := range unknown {
			fmt.Fprintln(c.ErrOrStderr(), "unknown: "+clean(u))
		}
	}
	texts := map[string]edits.Text{}
	for _, f := range changes {
		texts[f.Path] = edits.NewText(f.After)
	}
	for _, f := range found {
		if err := printFinding(c.OutOrStdout(), texts[f.Path], f, o.json); err != nil {
			return failed(fmt.Errorf("write the findings: %w", err))
		}
	}
	if len(found) > 0 {
		return exit(exitFailed, errors.New(""))
	}
	return nil
}

// findings checks the syntax and the names of changes. Names in a text that
// does not parse are not checked.
func (a *app) findings(changes []edits.FileChange) (found []edits.Finding, unknown []string) {
	var parsed []edits.FileChange
	for _, f := range changes {
		if f.AbsentAfter {
			parsed = append(parsed, f)
			continue
		}
		problems, known := syntax.Parsers{}.Errors(f.Path, f.After)
		found = append(found, problems...)
		if !known {
			unknown = append(unknown, "no parser for "+f.Path)
		}
		if len(problems) == 0 {
			parsed = append(parsed, f)
		}
	}
	checker := names.New(names.Options{Deps: a.dependencies})
	named, doubts := checker.For(names.Of(a.session.Snapshot())).Check(parsed)
	return append(found, named...), append(unknown, doubts...)
}

// toCheck returns the changes to check: whole files, a revision's diff, or a patch.
func (a *app) toCheck(in io.Reader, files []string, rev string) ([]edits.FileChange, error) {
	if len(files) == 0 && rev == "" {
		return a.patched(in)
	}
	wanted, err := a.wanted(files)
	if err != nil {
		return nil, err
	}
	if rev == "" {
		return wanted, nil
	}
	diff, err := a.since(rev)
	if err != nil {
		return nil, err
	}
	var out []edits.FileChange
	for _, d := range diff {
		asked := len(files) == 0 || slices.ContainsFunc(wanted, func(f edits.FileChange) bool { return f.Path == d.Path })
		if !d.Binary && asked {
			out = append(out, edits.FileChange{Path: d.Path, Before: d.Before, After: d.After, AbsentBefore: d.AbsentBefore, AbsentAfter: d.AbsentAfter})
		}
	}
	return out, nil
}

// wanted returns the named files, and the files that are not ignored in the
// named folders, each as a new file.
func (a *app) wanted(files []string) ([]edits.FileChange, error) {
	snap := a.session.Snapshot()
	var out []edits.FileChange
	for _, file := range files {
		abs, err := filepath.Abs(file)
		if err != nil {
			return nil, exit(exitUsage, err)
		}
		paths := []string{abs}
		if info, err := os.Stat(abs); err == nil && info.IsDir() {
			paths = indexedUnder(snap, abs)
		}
		for _, path := range paths {
			f, err := snap.File(path)
			if err != nil {
				return nil, exit(exitUsage, fmt.Errorf("%s cannot be checked: %w", file, err))
			}
			if !f.Binary() {
				out = append(out, edits.FileChange{Path: snap.Name(path), After: f.Raw().String(), AbsentBefore: true})
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

// patched returns the changes that a patch on stdin makes. A diff that is
// already applied to the workspace is checked as the change it made.
func (a *app) patched(in io.Reader) ([]edits.FileChange, error) {
	if f, ok := in.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&fs.ModeCharDevice != 0 {
			return nil, exit(exitUsage, errors.New("name files to check, a revision with --diff, or give a patch on stdin"))
		}
	}
	given, err := io.ReadAll(in)
	if err != nil {
		return nil, failed(fmt.Errorf("reading the patch: %w", err))
	}
	patch := textual(string(given))
	if patch == "" && len(given) > 0 {
		return nil, nil
	}
	root := a.session.Snapshot().Views()[0].Root
	changes, err := patchedFiles(root, patch)
	if err == nil {
		return changes, nil
	}
	undone, problem := patchedFiles(root, reversed(patch))
	if problem != nil {
		return nil, refusedOr(err)
	}
	for i, f := range undone {
		f.Before, f.After, f.AbsentBefore, f.AbsentAfter, f.Edits = f.After, f.Before, f.AbsentAfter, f.AbsentBefore, nil
		undone[i] = f
	}
	return undone, nil
}

// textual removes the binary files, which have no names to check, from a git diff.
func textual(patch string) string {
	const header = "\ndiff --git "
	parts := strings.Split("\n"+patch, header)
	kept := parts[:1]
	for _, part := range parts[1:] {
		if !strings.Contains(part, "\nBinary files ") && !strings.Contains(part, "\nGIT binary patch\n") {
			kept = append(kept, part)
		}
	}
	return strings.TrimPrefix(strings.Join(kept, header), "\n")
}

func patchedFiles(root, patch string) ([]edits.FileChange, error) {
	blocks, err := parseAnswer(edits.FormatAuto, []string{patch})
	if err != nil {
		return nil, err
	}
	before, err := readFiles(root, edits.PathsIn(blocks))
	if err != nil {
		return nil, err
	}
	after, tiers, err := edits.ApplyBlocks(blocks, before, edits.Options{})
	if err != nil {
		return nil, err
	}
	p := &edits.Proposal{Title: "check", Files: edits.ProposeFiles(before, after, tiers)}
	return p.Changes()
}

// reversed returns a unified diff that undoes the given one.
func reversed(patch string) string {
	var out strings.Builder
	var old, header string
	for line := range strings.Lines(patch) {
		switch {
		case strings.HasPrefix(line, "--- "):
			old = "+++ " + line[4:]
		case strings.HasPrefix(line, "+++ ") && old != "":
			out.WriteString("--- " + line[4:] + old)
			old = ""
		case strings.HasPrefix(line, "@@ -"):
			header = line
			if f := strings.Fields(header); len(f) >= 4 {
				line = fmt.Sprintf("@@ -%s +%s @@\n", strings.TrimPrefix(f[2], "+"), strings.TrimPrefix(f[1], "-"))
			}
			out.WriteString(line)
		case header != "" && strings.HasPrefix(line, "+"):
			out.WriteString("-" + line[1:])
		case header != "" && strings.HasPrefix(line, "-"):
			out.WriteString("+" + line[1:])
		case strings.HasPrefix(line, "diff ") || strings.HasPrefix(line, "index ") || strings.HasPrefix(line, "new file") || strings.HasPrefix(line, "deleted file"):
			header = ""
		default:
			out.WriteString(line)
		}
	}
	return out.String()
}

// A findingJSON is a line of `tandem check --json`.
type findingJSON struct {
	Path     string `json:"path"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Severity string `json:"severity"`
	Kind     string `json:"kind"`
	Name     string `json:"name"`
	Message  string `json:"message"`
	Nearest  string `json:"nearest"`
	Where    string `json:"where"`
}

func printFinding(w io.Writer, text edits.Text, f edits.Finding, asJSON bool) error {
	line, column := text.LineOf(f.Span.Start)+1, text.UTF8Column(f.Span.Start)+1
	if asJSON {
		return json.NewEncoder(w).Encode(findingJSON{f.Path, line, column, f.Severity, f.Kind, f.Name, f.Message, f.Nearest, f.Where})
	}
	nearest := ""
	switch {
	case f.Nearest != "" && f.Where != "":
		nearest = fmt.Sprintf(" (nearest: %s in %s)", f.Nearest, f.Where)
	case f.Nearest != "":
		nearest = fmt.Sprintf(" (nearest: %s)", f.Nearest)
	}
	_, err := fmt.Fprintln(w, clean(fmt.Sprintf("%s:%d:%d: %s: %s%s", f.Path, line, column, f.Severity, f.Message, nearest)))
	return err
}
