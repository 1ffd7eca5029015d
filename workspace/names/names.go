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
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"tandem/edits"
	"tandem/workspace/cut"
	"tandem/workspace/deps"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/run"
	"tandem/workspace/terms"
)

// The kinds of finding.
const (
	UnknownName   = "unknown_name"   // declared nowhere that the file sees
	KindMember    = "unknown_member" // a type or a value has no such member
	KindArguments = "arguments"
	kindImport    = "unknown_import"
	kindType      = "type"
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
	// Indexes are those of all folders, by their roots.
	Indexes() iter.Seq2[string, *index.Index]
	// Unread is what will be read of the folders and is not yet, and Cut what their indexes lack now of
	// the code in the languages of a family.
	Unread() cut.Cut
	Cut(family string) cut.Cut
}

// Options configure a Checker.
type Options struct {
	Deps *deps.Resolver
	// Group runs work that may take longer than whoever asks waits; nil makes every check
	// wait until it is done.
	Group *run.Group
}

// A Stage is how complete the texts of a check are.
type Stage uint8

// The stages, the most complete first.
const (
	Standing Stage = iota // files as they are: each shows what is known to the others
	Finished              // with a change that somebody has finished, or without it
	Typed                 // with a change that may not use yet what it declares or imports
)

// A File is one text of a check. All files of a check make one world: what is not among
// them is as the workspace has it.
type File struct {
	Path, Text string
	Absent     bool         // it does not exist in this world
	Was        string       // its text without the change, which shows what is known; not of a Standing one
	Changed    []edits.Span // what the change inserted into Text: what is not judged there is told
	Look       []edits.Span // the parts of Text whose names are looked up; none: it is only part of the world
}

// Whole is all of a text, as a part.
func Whole(text string) []edits.Span { return []edits.Span{{Start: 0, End: len(text)}} }

// A Checker checks names. It caches the packages it has read between checks and
// is safe for concurrent use.
type Checker struct {
	options Options
	golang  goChecker
	dynamic dynamicChecker
	turns   map[string]run.Turn // by family: one check of it runs at a time
}

// hurry is how much time whoever types gives a check.
const hurry = 200 * time.Millisecond

// New returns a checker.
func New(o Options) *Checker {
	if o.Deps == nil {
		o.Deps = deps.New(deps.Options{})
	}
	c := &Checker{options: o, turns: map[string]run.Turn{}}
	for _, fam := range []string{"go", "python", "script"} {
		c.turns[fam] = run.NewTurn()
	}
	c.golang.deps, c.golang.audience.shown = o.Deps, o.Deps.Shown
	c.dynamic.deps, c.dynamic.audience.shown, c.dynamic.mostUsers = o.Deps, o.Deps.Shown, mostUsers
	c.dynamic.mostFindings = mostFindings
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

// audience is what findings may tell of. Those for a person tell of every file; what a model may
// be shown of one that tells of a hidden file is its edits.Finding.Public.
type audience struct {
	shown  func(file string) bool // to a model
	public bool                   // findings for a model are made
	hidden bool                   // one for a person told of what a model may not be shown
}

// shows reports whether a finding may name what a file tells.
func (t *audience) shows(file string) bool { return t.shown(file) || t.tells() }

// tells is shows for a file that is known to be hidden.
func (t *audience) tells() bool {
	t.hidden = true
	return !t.public
}

// findings are those that find makes for a person, with what a model may be shown of them.
func (t *audience) findings(find func() []edits.Finding) []edits.Finding {
	t.public, t.hidden = false, false
	out := find()
	if !t.hidden || len(out) == 0 {
		return out
	}
	t.public = true
	defer func() { t.public = false }()
	for _, public := range find() {
		for i, f := range out {
			if f.Path == public.Path && f.Span == public.Span && f.Kind == public.Kind {
				out[i].Public = &public
			}
		}
	}
	return out
}

// A Verdict is what a check of a proposal's files found, and what it did not
// judge.
type Verdict struct {
	Findings []edits.Finding
	Unknown  []string        // names that nobody can judge here, as sentences: a dependency is not installed, a type is not known
	Failed   []Failure       // files whose check did not end
	Late     []string        // files whose check was given up at the end of its time
	Names    int             // how many names were looked at, of those that a change inserted
	Doubts   map[string]int  // how many of them nobody can judge, by the reason
	Seen     map[string]Seen // where the names are that a sentence of Unknown is about
}

// Seen is the first of some places, and how many there are.
type Seen struct {
	Path   string
	Offset int
	Times  int
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
	doubtHost   = "a program that runs the file may give them"
	doubtOther  = "what they belong to cannot be read"
	doubtUnread = "not all files of the workspace are read"
	doubtMany   = "more files have the name than are read for one"
)

// Unjudged adds names that are not judged for a reason.
func (v *Verdict) Unjudged(n int, reason string) {
	if n > 0 {
		v.Names += n
		v.Doubts = counted(v.Doubts, reason, n)
	}
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
	v.Failed, v.Late = append(v.Failed, w.Failed...), append(v.Late, w.Late...)
	for _, u := range w.Unknown {
		v.addUnknown(u)
	}
	for what, at := range w.Seen {
		v.unknownAt(what, at)
	}
}

// unknownAt records that something could not be checked, and where.
func (v *Verdict) unknownAt(what string, at Seen) {
	v.addUnknown(what)
	if v.Seen == nil {
		v.Seen = map[string]Seen{}
	}
	if before, ok := v.Seen[what]; ok {
		at = Seen{before.Path, before.Offset, before.Times + at.Times}
	}
	v.Seen[what] = at
}

// addUnknown records, once, something that could not be checked.
func (v *Verdict) addUnknown(what string) {
	if !slices.Contains(v.Unknown, what) {
		v.Unknown = append(v.Unknown, what)
	}
}

// A change is a file of a check with what its checker needs to know of it.
type change struct {
	File
	stage Stage
	abs   string
	lang  string
	// code and codeWas are Text and Was without their prose, made at the first use.
	code, codeWas func() string
}

// tells reports whether what is not judged of a part of a file is told: it is of the change.
func (f *change) tells(part edits.Span) bool {
	return f.stage == Standing || within(f.Changed, part)
}

// looks reports whether the names of a part of a file are looked up.
func (f *change) looks(part edits.Span) bool { return within(f.Look, part) }

// within reports whether one of some parts overlaps another or touches it, so that
// completing half a word makes it a new word.
func within(parts []edits.Span, part edits.Span) bool {
	return slices.ContainsFunc(parts, func(s edits.Span) bool { return part.Start <= s.End && s.Start <= part.End })
}

// Find finds what is wrong with the names of files in the world that they make. A checker that
// fails on one file still judges the others.
func (n *Names) Find(stage Stage, files []File) Verdict {
	list, out := n.changes(stage, files)
	out.add(n.judge(list))
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
				return n.c.dynamic.check(n.ws, fam, byLanguage[fam], proposalOf(byLanguage[fam], list))
			}))
		default:
			for _, f := range byLanguage[fam] {
				if len(f.Look) > 0 && CodeOnly(fam) {
					out.addUnknown("names in " + f.Path + ": tandem checks no names in this language")
				}
			}
		}
	}
	return out
}

// CodeOnly reports whether users might expect the names of a language to be checked, which are not.
func CodeOnly(language string) bool { return codeOnly[language] }

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
	for _, f := range list {
		if len(f.Look) > 0 {
			late.Late = append(late.Late, f.Path)
		}
	}
	turn := n.c.turns[fam]
	end, ok := n.ctx.Deadline()
	if !turn.Take(n.ctx, ok && time.Until(end) <= hurry) {
		return late
	}
	done := make(chan Verdict, 1)
	started := n.c.options.Group.Go("check names", func(context.Context) {
		defer turn.Give()
		done <- guarded(list, check)
	})
	if !started {
		turn.Give()
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
		if len(f.Look) > 0 {
			v.Failed = append(v.Failed, Failure{f.Path, err})
		}
	}
	return v
}

// changes prepares the files; those that cannot be prepared have failed.
func (n *Names) changes(stage Stage, files []File) (list []*change, v Verdict) {
	for _, f := range files {
		c := &change{File: f, stage: stage}
		v.add(guarded([]*change{c}, func() Verdict {
			c.abs, c.lang = n.ws.Abs(f.Path), language.OfFile(filepath.Base(f.Path))
			c.code = sync.OnceValue(func() string { return codeOf(c.lang, c.Text) })
			c.codeWas = sync.OnceValue(func() string { return codeOf(c.lang, c.Was) })
			list = append(list, c)
			if c.lang != "go" && len(c.Look) > 0 { // Go's checker parses what changed, and says why not
				if err := language.Parsable(c.lang, f.Text); err != nil {
					c.Look = nil
					return Verdict{Unknown: []string{"names in " + f.Path + " are not checked: " + err.Error()}}
				}
			}
			return Verdict{}
		}))
	}
	return list, v
}

// Script reports whether a language is JavaScript or TypeScript, in any of their forms.
func Script(lang string) bool { return family(lang) == "script" }

// family groups languages that one checker handles.
func family(lang string) string {
	switch lang {
	case "typescript", "typescriptreact", "javascript", "javascriptreact":
		return "script"
	}
	return lang
}
