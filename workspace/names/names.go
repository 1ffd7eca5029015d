// Package names tells whether the names that an edit introduces exist: in the
// file, the proposal, the workspace, the standard library and the versions of
// the dependencies that are on the disk.
//
// Invariant: a name is called wrong only on evidence. Where a type, a module
// or a dependency cannot be read, the check says that it does not know, and
// says nothing against the name. There is deliberately no judgement here of
// types, style or whether an edit is wanted, and nothing is run.
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

// A Workspace is what a Checker asks of one instant of the workspace.
type Workspace interface {
	// Abs is the absolute path of a proposal's path; a document without a
	// file has an address that is no path, as it is.
	Abs(path string) string
	// Name is how a file is called for a person.
	Name(abs string) string
	// Overlay is the text of an open document and a number that changes with it.
	Overlay(abs string) (text string, version int64, ok bool)
	// Overlays are the absolute paths of all open documents.
	Overlays() []string
	// Index is the index of the folder that holds abs, and the path below it.
	Index(abs string) (ix *index.Index, root, rel string)
}

// Options say what a Checker stands on.
type Options struct {
	Deps *deps.Resolver
	// Group runs what takes longer than Patience; nil makes every check wait
	// until it knows.
	Group    *run.Group
	Patience time.Duration // 0 is 100 ms
}

// A Checker checks names. It keeps what it read of packages between checks and
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
	if o.Patience == 0 {
		o.Patience = 100 * time.Millisecond
	}
	c := &Checker{options: o}
	c.golang.deps = o.Deps
	c.dynamic.deps = o.Deps
	return c
}

// For returns the check of one instant of a workspace.
func (c *Checker) For(ws Workspace) *Names { return &Names{c: c, ws: ws} }

// Names checks names in one instant of a workspace.
type Names struct {
	c  *Checker
	ws Workspace
}

var _ edits.Names = (*Names)(nil)

// A verdict is what a language's checker says of a proposal's files.
type verdict struct {
	findings []edits.Finding
	unknown  []string
}

func (v *verdict) add(w verdict) {
	v.findings = append(v.findings, w.findings...)
	v.unknown = append(v.unknown, w.unknown...)
}

// doubt notes something that could not be judged, once.
func (v *verdict) doubt(what string) {
	if !slices.Contains(v.unknown, what) {
		v.unknown = append(v.unknown, what)
	}
}

// A change is a file of a proposal with what its checker needs to know of it.
type change struct {
	edits.FileChange
	abs  string
	lang string
	news []edits.Span // what After has and Before has not
}

// Check judges the names that stand in After and not in Before.
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
			out.add(n.patiently("Go packages", func() verdict { return n.c.golang.check(n.ws, byLanguage[fam]) }))
		case "python", "script":
			out.add(n.patiently("packages", func() verdict { return n.c.dynamic.check(n.ws, fam, byLanguage[fam]) }))
		default:
			for _, f := range byLanguage[fam] {
				if !f.AbsentAfter && codeOnly[fam] {
					out.doubt("names in " + f.Path + ": tandem checks no names in this language")
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

// codeOnly are languages of which a person might expect that their names are
// checked.
var codeOnly = setOf("java kotlin scala rust c cpp objective-c objective-cpp csharp swift ruby php dart lua perl elixir haskell zig vue svelte")

// patiently runs a check, for at most the checker's patience where its work
// can go on by itself: the next check will find it done.
func (n *Names) patiently(what string, check func() verdict) verdict {
	if n.c.options.Group == nil {
		return guarded(check)
	}
	done := make(chan verdict, 1)
	if !n.c.options.Group.Go("check names", func(context.Context) { done <- guarded(check) }) {
		return verdict{}
	}
	timer := time.NewTimer(n.c.options.Patience)
	defer timer.Stop()
	select {
	case v := <-done:
		return v
	case <-timer.C:
		return verdict{unknown: []string{"the " + what + " that this file uses are still being read"}}
	}
}

// guarded survives a check that breaks on code it does not understand.
func guarded(check func() verdict) (v verdict) {
	if p := run.Call("check names", func() { v = check() }); p != nil {
		return verdict{unknown: []string{"the names could not be checked: " + p.Error()}}
	}
	return v
}

func (n *Names) changes(files []edits.FileChange) []*change {
	out := make([]*change, 0, len(files))
	for _, f := range files {
		c := &change{FileChange: f, abs: n.ws.Abs(f.Path), lang: index.Language(filepath.Base(f.Path))}
		c.news = introduced(&c.FileChange)
		out = append(out, c)
	}
	return out
}

// family groups languages that one checker speaks.
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

// isNew reports whether what stands at span was introduced: it overlaps an
// inserted span, or touches one, so that half a word typed is a new word.
func isNew(news []edits.Span, span edits.Span) bool {
	return slices.ContainsFunc(news, func(s edits.Span) bool { return span.Start <= s.End && s.Start <= span.End })
}

// proposalTexts are the texts that a proposal gives files, by absolute path.
type proposalTexts map[string]*change

func textsOf(list []*change) proposalTexts {
	out := proposalTexts{}
	for _, f := range list {
		out[f.abs] = f
	}
	return out
}
