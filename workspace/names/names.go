// Package names checks whether the names that an edit introduces exist: in the
// file, the proposal, the workspace, the standard library and the versions of
// the dependencies that are on the disk.
//
// Invariant: a name is reported as wrong only on evidence. Where a type, a
// module or a dependency cannot be read, the check reports that it does not
// know, and has no finding about the name. There is deliberately no check here
// of types, style or whether an edit is wanted, and nothing is run.
package names

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tandem/edits"
	"tandem/workspace/deps"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/run"
)

// The kinds of finding.
const (
	kindName      = "unknown_name"
	kindMember    = "unknown_member"
	kindArguments = "wrong_arguments"
	kindImport    = "unknown_import"
)

const (
	severityError   = "error"
	severityWarning = "warning"
)

// A Workspace is what a Checker needs to know of a workspace at one instant.
type Workspace interface {
	// Abs is the absolute path of a proposal's path. A document without a file has
	// an address that is not a path; it is returned unchanged.
	Abs(path string) string
	// Name is the name of a file in messages to users.
	Name(abs string) string
	// Overlay is the text of an open document and a number that changes with it.
	Overlay(abs string) (text string, version int64, ok bool)
	// Overlays are the absolute paths of all open documents.
	Overlays() []string
	// Index is the index of the folder that holds abs, and the path below it.
	Index(abs string) (ix *index.Index, root, rel string)
}

// Options configure a Checker.
type Options struct {
	Deps *deps.Resolver
	// Group runs work that may take longer than Timeout; nil makes every check wait
	// until it is done.
	Group   *run.Group
	Timeout time.Duration // 0 is 100 ms
}

// A Checker checks names. It caches the packages it has read between checks and
// is safe for concurrent use.
type Checker struct {
	options Options
	golang  goChecker
	dynamic dynamicChecker
}

// New returns a checker.
func New(o Options) *Checker {
	if o.Deps == nil {
		o.Deps = deps.New(deps.Options{})
	}
	if o.Timeout == 0 {
		o.Timeout = 100 * time.Millisecond
	}
	c := &Checker{options: o}
	c.golang.deps = o.Deps
	c.dynamic.deps = o.Deps
	return c
}

// For returns the name check for one instant of a workspace.
func (c *Checker) For(ws Workspace) *Names { return &Names{c: c, ws: ws} }

// Names checks names at one instant of a workspace.
type Names struct {
	c  *Checker
	ws Workspace
}

var _ edits.Names = (*Names)(nil)

// A verdict is the result of a language's checker for a proposal's files.
type verdict struct {
	findings []edits.Finding
	unknown  []string
}

func (v *verdict) add(w verdict) {
	v.findings = append(v.findings, w.findings...)
	v.unknown = append(v.unknown, w.unknown...)
}

// addUnknown records, once, something that could not be checked.
func (v *verdict) addUnknown(what string) {
	if !slices.Contains(v.unknown, what) {
		v.unknown = append(v.unknown, what)
	}
}

// A change is a file of a proposal with what its checker needs to know of it.
type change struct {
	edits.FileChange
	abs   string
	lang  string
	added []edits.Span // the spans of After that Before does not have
}

// Check checks the names that are in After and not in Before.
func (n *Names) Check(files []edits.FileChange) ([]edits.Finding, []string) {
	list := n.changes(files)
	byLanguage := map[string][]*change{}
	for _, f := range list {
		byLanguage[family(f.lang)] = append(byLanguage[family(f.lang)], f)
	}
	var out verdict
	for _, fam := range slices.Sorted(mapsKeys(byLanguage)) {
		switch fam {
		case "go":
			out.add(n.withTimeout("Go packages", func() verdict { return n.c.golang.check(n.ws, byLanguage[fam]) }))
		case "python", "script":
			out.add(n.withTimeout("packages", func() verdict { return n.c.dynamic.check(n.ws, fam, byLanguage[fam]) }))
		default:
			for _, f := range byLanguage[fam] {
				if !f.AbsentAfter && codeOnly[fam] {
					out.addUnknown("names in " + f.Path + ": tandem checks no names in this language")
				}
			}
		}
	}
	slices.SortStableFunc(out.findings, func(a, b edits.Finding) int {
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		return a.Span.Start - b.Span.Start
	})
	return out.findings, out.unknown
}

// codeOnly are languages whose names users might expect to be checked.
var codeOnly = setOf("java kotlin scala rust c cpp objective-c objective-cpp csharp swift ruby php dart lua perl elixir haskell zig vue svelte")

// withTimeout runs a check, for at most the checker's timeout if its work can
// continue in the background. Then a later check finds that work done.
func (n *Names) withTimeout(what string, check func() verdict) verdict {
	if n.c.options.Group == nil {
		return guarded(check)
	}
	done := make(chan verdict, 1)
	if !n.c.options.Group.Go("check names", func(context.Context) { done <- guarded(check) }) {
		return verdict{}
	}
	timer := time.NewTimer(n.c.options.Timeout)
	defer timer.Stop()
	select {
	case v := <-done:
		return v
	case <-timer.C:
		return verdict{unknown: []string{"the " + what + " that this file uses are still being read"}}
	}
}

// guarded recovers from a check that panics on code it does not understand.
func guarded(check func() verdict) (v verdict) {
	if p := run.Call("check names", func() { v = check() }); p != nil {
		return verdict{unknown: []string{"the names could not be checked: " + p.Error()}}
	}
	return v
}

func (n *Names) changes(files []edits.FileChange) []*change {
	out := make([]*change, 0, len(files))
	for _, f := range files {
		c := &change{FileChange: f, abs: n.ws.Abs(f.Path), lang: language.OfFile(filepath.Base(f.Path))}
		c.added = introduced(&c.FileChange)
		out = append(out, c)
	}
	return out
}

// family groups languages that one checker handles.
func family(lang string) string {
	switch lang {
	case "typescript", "typescriptreact", "javascript", "javascriptreact":
		return "script"
	}
	return lang
}

// introduced are the spans of After that Before does not have.
func introduced(f *edits.FileChange) []edits.Span {
	switch {
	case f.AbsentAfter:
		return nil
	case f.AbsentBefore || f.Before == "":
		return []edits.Span{{Start: 0, End: len(f.After)}}
	case f.Edits == nil && f.Before != f.After:
		f.Edits = edits.Diff(f.Before, f.After)
	}
	var out []edits.Span
	shift := 0
	for _, e := range f.Edits {
		start := e.Start + shift
		out = append(out, edits.Span{Start: start, End: start + len(e.New)})
		shift += len(e.New) - (e.End - e.Start)
	}
	return out
}

// isNew reports whether a span was introduced: it overlaps an inserted span, or
// touches one, so that completing half a word makes it a new word.
func isNew(added []edits.Span, span edits.Span) bool {
	return slices.ContainsFunc(added, func(s edits.Span) bool { return span.Start <= s.End && s.Start <= span.End })
}

// proposalTexts are the files of a proposal, with their new texts, by absolute
// path.
type proposalTexts map[string]*change

func textsOf(list []*change) proposalTexts {
	out := proposalTexts{}
	for _, f := range list {
		out[f.abs] = f
	}
	return out
}
