// Package names checks whether the names that an edit introduces exist: in the
// file, the proposal, the workspace, the standard library and the versions of
// the dependencies that are on the disk.
//
// Invariant: a name is reported as wrong only on evidence. Where a type, a
// module or a dependency cannot be read, the check reports that it does not
// know, and has no finding about the name. A checker that fails on a file has
// failed on that file alone, and the answer names it. There is deliberately no check here
// of types, style or whether an edit is wanted, and nothing is run.
package names

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tandem/edits"
	"tandem/workspace/deps"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/run"
	"tandem/workspace/terms"
)

// The kinds of finding.
const (
	UnknownName   = "unknown_name" // declared nowhere that the file sees
	kindMember    = "unknown_member"
	kindArguments = "arguments"
	kindImport    = "unknown_import"
	kindType      = "type"
	kindCallee    = "changed_callee" // an unchanged file still uses what a change took away
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
	// Overlay is the text of an open document and a number that no other text of it has.
	Overlay(abs string) (text string, version int64, ok bool)
	// Analysis is that of an open document's text; nil where none is open.
	Analysis(abs string) *language.Analysis
	// Overlays are the absolute paths of all open documents.
	Overlays() []string
	// Index is the index of the folder that holds abs, and the path below it.
	Index(abs string) (ix *index.Index, root, rel string)
}

// Options configure a Checker.
type Options struct {
	Deps *deps.Resolver
	// Group runs work that may take longer than whoever asks waits; nil makes every check
	// wait until it is done.
	Group *run.Group
	// Private lets findings name what no model may be shown (deps.Resolver.Shown):
	// for a check whose findings only a person reads. Without it such a finding
	// tells its kind and the checked text's own name, no more.
	Private bool
	// Many means that many files are checked one after another: more of the packages that
	// were read are kept for the next file.
	Many bool
	// Whole means that the files are checked as they are in the workspace, and are no change:
	// then what one of them has vouches for the others.
	Whole bool
	// Compiles means that every error of Go's type checker is a finding, as is what a change breaks
	// in files outside of it: for code that somebody has finished.
	Compiles bool
}

// A Checker checks names. It caches the packages it has read between checks and
// is safe for concurrent use.
type Checker struct {
	options Options
	golang  goChecker
	dynamic dynamicChecker
	turns   map[string]turn // by family
}

// A turn lets one check of a family run at a time.
type turn struct {
	free chan struct{} // holds a value while no check runs
	next chan struct{} // of those in a hurry, who go before the others
}

// hurry is how much time whoever types gives a check.
const hurry = 200 * time.Millisecond

// take waits for the turn as long as ctx says; it is false where the time was over.
func (t turn) take(ctx context.Context) bool {
	next := t.next
	if end, ok := ctx.Deadline(); !ok || time.Until(end) > hurry {
		next = nil
	}
	select {
	case <-t.free:
	case <-next:
	case <-ctx.Done():
		return false
	}
	return true
}

func (t turn) give() {
	select {
	case t.next <- struct{}{}:
	default:
		t.free <- struct{}{}
	}
}

// New returns a checker.
func New(o Options) *Checker {
	if o.Deps == nil {
		o.Deps = deps.New(deps.Options{})
	}
	c := &Checker{options: o, turns: map[string]turn{}}
	for _, fam := range []string{"go", "python", "script"} {
		c.turns[fam] = turn{make(chan struct{}, 1), make(chan struct{})}
		c.turns[fam].give()
	}
	shows := o.Deps.Shown
	if o.Private {
		shows = func(string) bool { return true }
	}
	c.golang.deps, c.golang.shows, c.golang.most, c.golang.compiles = o.Deps, shows, maxLoaded, o.Compiles
	if o.Many {
		c.golang.most = maxLoadedMany
	}
	c.dynamic.deps, c.dynamic.shown = o.Deps, shows
	return c
}

// For returns the name check for one instant of a workspace, which waits until it is done.
func (c *Checker) For(ws Workspace) *Names { return c.Within(context.Background(), ws) }

// Within returns the name check for one instant of a workspace, which waits as ctx says for
// what it needs. What was not there in time is there for a later check.
func (c *Checker) Within(ctx context.Context, ws Workspace) *Names { return &Names{c, ws, ctx} }

// Names checks names at one instant of a workspace, once.
type Names struct {
	c   *Checker
	ws  Workspace
	ctx context.Context
}

var _ edits.Names = (*Names)(nil)

// A Verdict is what a check of a proposal's files found, and what it did not
// judge.
type Verdict struct {
	Findings []edits.Finding
	Unknown  []string       // names that nobody can judge here, as sentences: a dependency is not installed, a type is not known
	Failed   []Failure      // files whose check did not end
	Names    int            // how many new names were looked at
	Doubts   map[string]int // how many of them nobody can judge, by the reason
}

// A Failure is a file whose names were not checked because the checker failed.
type Failure struct {
	Path string
	Err  error // one sentence
}

// Why names are not judged.
const (
	doubtPython = "Python packages not installed"
	doubtScript = "npm packages not installed"
	doubtGo     = "modules of go.mod not on this machine's disk"
	doubtOther  = "what they belong to cannot be read"
)

// doubt records a name that nobody can judge, and why.
func (v *Verdict) doubt(reason, what string) {
	v.Doubts = counted(v.Doubts, reason, 1)
	v.addUnknown(what)
}

func counted(doubts map[string]int, reason string, n int) map[string]int {
	if doubts == nil {
		doubts = map[string]int{}
	}
	doubts[reason] += n
	return doubts
}

func (v *Verdict) add(w Verdict) {
	v.Findings = append(v.Findings, w.Findings...)
	v.Names += w.Names
	for reason, n := range w.Doubts {
		v.Doubts = counted(v.Doubts, reason, n)
	}
	v.Failed = append(v.Failed, w.Failed...)
	for _, u := range w.Unknown {
		v.addUnknown(u)
	}
}

// addUnknown records, once, something that could not be checked.
func (v *Verdict) addUnknown(what string) {
	if !slices.Contains(v.Unknown, what) {
		v.Unknown = append(v.Unknown, what)
	}
}

// A change is a file of a proposal with what its checker needs to know of it.
type change struct {
	edits.FileChange
	abs   string
	lang  string
	added []edits.Span // the spans of After that Before does not have
}

// Check checks the names that are in After and not in Before. A file whose
// check failed is one of the unknowns; one of a language that has no check is none.
func (n *Names) Check(files []edits.FileChange) ([]edits.Finding, []string) {
	v := n.Judge(slices.DeleteFunc(slices.Clone(files), func(f edits.FileChange) bool {
		return codeOnly[language.OfFile(filepath.Base(f.Path))]
	}))
	for _, f := range v.Failed {
		v.Unknown = append(v.Unknown, "the names in "+f.Path+" could not be checked: "+f.Err.Error())
	}
	return v.Findings, v.Unknown
}

// Judge checks the names that are in After and not in Before. A checker that
// fails on one file still judges the others.
func (n *Names) Judge(files []edits.FileChange) Verdict {
	list, out := n.changes(files)
	out.add(n.judge(list))
	if n.c.options.Compiles && !n.c.options.Whole {
		out.add(n.distant(list))
	}
	slices.SortStableFunc(out.Findings, func(a, b edits.Finding) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), a.Span.Start-b.Span.Start)
	})
	return out
}

func (n *Names) judge(list []*change) (out Verdict) {
	byLanguage := map[string][]*change{}
	for _, f := range list {
		byLanguage[family(f.lang)] = append(byLanguage[family(f.lang)], f)
	}
	for _, fam := range slices.Sorted(maps.Keys(byLanguage)) {
		switch fam {
		case "go":
			out.add(n.inTime(fam, "Go packages", byLanguage[fam], func() Verdict { return n.c.golang.check(n.ws, byLanguage[fam]) }))
		case "python", "script":
			out.add(n.inTime(fam, "packages", byLanguage[fam], func() Verdict {
				return n.c.dynamic.check(n.ws, fam, byLanguage[fam], n.proposal(byLanguage[fam], list))
			}))
		default:
			for _, f := range byLanguage[fam] {
				if !f.AbsentAfter && codeOnly[fam] {
					out.addUnknown("names in " + f.Path + ": tandem checks no names in this language")
				}
			}
		}
	}
	return out
}

// codeOnly are languages whose names users might expect to be checked.
var codeOnly = terms.Set("java kotlin scala rust c cpp objective-c objective-cpp csharp swift ruby php dart lua perl elixir haskell zig vue svelte")

// errEnding is why nothing is checked any more.
var errEnding = errors.New("the session is ending")

// inTime runs a check, and waits for it as n's context says if its work can
// continue in the background. Then a later check finds that work done; until it is done,
// no other check of the family begins.
func (n *Names) inTime(fam, what string, list []*change, check func() Verdict) Verdict {
	if n.c.options.Group == nil {
		return guarded(list, check)
	}
	late := Verdict{Unknown: []string{"the " + what + " that this file uses are still being read"}}
	turn := n.c.turns[fam]
	if !turn.take(n.ctx) {
		return late
	}
	done := make(chan Verdict, 1)
	started := n.c.options.Group.Go("check names", func(context.Context) {
		defer turn.give()
		done <- guarded(list, check)
	})
	if !started {
		turn.give()
		return failedAll(list, errEnding)
	}
	select {
	case v := <-done:
		return v
	case <-n.ctx.Done():
		return late
	}
}

// guarded runs the check of some files. Where it panics, the check of all of
// them has failed.
func guarded(list []*change, check func() Verdict) (v Verdict) {
	if p := run.Call("check names", func() { v = check() }); p != nil {
		return failedAll(list, p)
	}
	return v
}

func failedAll(list []*change, err error) Verdict {
	var v Verdict
	for _, f := range list {
		if !f.AbsentAfter {
			v.Failed = append(v.Failed, Failure{f.Path, err})
		}
	}
	return v
}

// changes prepares the files; those that cannot be prepared have failed.
func (n *Names) changes(files []edits.FileChange) (list []*change, v Verdict) {
	for _, f := range files {
		c := &change{FileChange: f}
		v.add(guarded([]*change{c}, func() Verdict {
			c.abs, c.lang = n.ws.Abs(f.Path), language.OfFile(filepath.Base(f.Path))
			list = append(list, c)
			if c.lang != "go" { // whose checker parses what changed, and says why not
				if err := language.Parsable(c.lang, f.After); err != nil {
					return Verdict{Unknown: []string{"names in " + f.Path + " are not checked: " + err.Error()}}
				}
			}
			c.added = introduced(&c.FileChange)
			return Verdict{}
		}))
	}
	return list, v
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
		shift += e.Delta()
	}
	return out
}

// isNew reports whether a span was introduced: it overlaps an inserted span, or
// touches one, so that completing half a word makes it a new word.
func isNew(added []edits.Span, span edits.Span) bool {
	return slices.ContainsFunc(added, func(s edits.Span) bool { return span.Start <= s.End && s.Start <= span.End })
}
