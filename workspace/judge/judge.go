// Package judge says what a change breaks, anywhere: what is wrong with it and is not wrong
// without it, in the files that it changes and in those that use what it takes away or
// declares otherwise.
//
// Invariant: of a kind and a name in a file it reports no more findings than there are more
// with the change than without it. What it could not read is told and never taken as right.
// Who may see a finding, and what is written in spite of one, is decided behind it.
package judge

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/deps"
	"tandem/workspace/language"
	"tandem/workspace/names"
	"tandem/workspace/run"
	"tandem/workspace/syntax"
)

// A Reach is how far a judgement reads.
type Reach uint8

// What a judgement may read, the least first.
const (
	Typed Reach = iota // the lines that a change inserts, which may still be incomplete: at a key
	Files              // the changed files as a whole
	Users              // also the files that use what the change takes away or declares otherwise
)

// A Judge judges changes. The zero value of a field judges nothing of its kind.
type Judge struct {
	Syntax edits.Syntax
	Names  Names
	Others map[string]Checker // by language, what knows more of it than Names
}

// Names looks up the names of files; OfNames makes one.
type Names interface {
	// Find waits for what it needs as the context says.
	Find(ctx context.Context, snap *workspace.Snapshot, stage names.Stage, files []names.File) names.Verdict
	// Imports returns the edits on a text that add the imports which findings in it lack,
	// where there is exactly one candidate for each.
	Imports(snap *workspace.Snapshot, f names.File, found []edits.Finding) []edits.Edit
	// Fixes returns the changes that would remove a finding.
	Fixes(snap *workspace.Snapshot, f names.File, found edits.Finding) []names.Fix
}

// A Checker is a language's own checker.
type Checker interface {
	// Missing is why it judges nothing of a snapshot's files, such as "ty is not installed" or
	// SwitchedOff; "" if it judges them.
	Missing(snap *workspace.Snapshot) string
	// Errors returns the errors in the parts of files that are looked at, in the world that all
	// files make over the snapshot with its open documents, and what it could not judge, as
	// sentences. The kinds of its findings are those of package names. It waits as the context
	// says, and not long.
	Errors(ctx context.Context, snap *workspace.Snapshot, files []names.File) (found []edits.Finding, unknown []string)
}

// SwitchedOff is a checker that nobody wants: what it would judge is not told.
const SwitchedOff = "it is switched off"

// New returns the judge that every road asks. Work that may take longer than whoever asks waits
// runs in a group; nil makes every judgement wait until it is done.
func New(resolver *deps.Resolver, group *run.Group) *Judge {
	return &Judge{Syntax: syntax.Parsers{}, Names: OfNames(names.New(names.Options{Deps: resolver, Group: group}))}
}

// OfNames makes Names of a checker.
func OfNames(c *names.Checker) Names { return ofNames{c} }

type ofNames struct{ c *names.Checker }

func (n ofNames) Find(ctx context.Context, snap *workspace.Snapshot, stage names.Stage, files []names.File) names.Verdict {
	return n.c.Within(ctx, names.Of(snap)).Find(stage, files)
}

func (n ofNames) Imports(snap *workspace.Snapshot, f names.File, found []edits.Finding) []edits.Edit {
	return fitted(snap, f, n.c.For(names.Of(snap)).Imports(f, found))
}

func (n ofNames) Fixes(snap *workspace.Snapshot, f names.File, found edits.Finding) []names.Fix {
	list := n.c.For(names.Of(snap)).Fixes(f, found)
	for i := range list {
		list[i].Edits = fitted(snap, f, list[i].Edits)
	}
	return slices.DeleteFunc(list, func(fix names.Fix) bool { return len(fix.Edits) == 0 })
}

// fitted returns edits of a file as they belong to their places; one that has none is left out.
func fitted(snap *workspace.Snapshot, f names.File, list []edits.Edit) []edits.Edit {
	if len(list) == 0 {
		return nil
	}
	text, style := edits.NewText(f.Text), snap.StyleOf(f.Path, f.Text)
	var out []edits.Edit
	for _, e := range list {
		if made, err := edits.Fit(text, e, style, nil); err == nil {
			out = append(out, made)
		}
	}
	return out
}

// A Report is what a judgement found and what it could not do.
type Report struct {
	names.Verdict                 // Findings are those of names and of other checkers
	Syntax        []edits.Finding // in texts that parse without the change
	Unparsed      []string        // why what does not parse is not judged, as sentences
	Unread        []string        // which users of what is withdrawn were not read, as sentences
	Unjudged      []string        // changed files of languages whose names nothing judges, as sentences
	Silenced      []string        // files that their authors have checkers pass over, as sentences
	Silencing     []edits.Finding // warnings of a change that does so, which fail no verdict
	Notes         []string        // languages that have no parser

	changes []edits.FileChange
	typed   bool
	reads   map[string][sha256.Size]byte
}

// Found are all findings.
func (r *Report) Found() []edits.Finding { return slices.Concat(r.Syntax, r.Silencing, r.Findings) }

// Change is the verdict on a change of files that a request asks for. Which of them may be written is
// not judged where nobody says what was asked for: whoever writes them asks.
func (j *Judge) Change(ctx context.Context, snap *workspace.Snapshot, changes []edits.FileChange, reach Reach, asked ...workspace.Asked) edits.Verdict {
	r := j.Report(ctx, snap, changes, reach)
	if len(asked) == 0 {
		return r.verdict(nil)
	}
	return r.verdict(snap.Writes(asked[0]))
}

func (r *Report) verdict(refuse func(path string) (edits.Code, string)) edits.Verdict {
	found := edits.Check{Kind: edits.CheckNames, Findings: r.Findings, Unknown: slices.Concat(r.Unread, r.Silenced, r.Unknown)}
	for _, f := range r.Failed {
		found.Unknown = append(found.Unknown, "the names in "+f.Path+" could not be checked: "+f.Err.Error())
	}
	checks := []edits.Check{{Kind: edits.CheckSyntax, Findings: r.Syntax, Unknown: r.Unparsed}, found, edits.Safety(r.changes, refuse)}
	if r.typed {
		return edits.JudgeShown(r.changes, checks...)
	}
	return edits.Judge(r.changes, checks...).Reading(r.reads)
}

// longest is how long a judgement may take at most.
const longest = 30 * time.Second

// Report is what is wrong with a change and not without it.
func (j *Judge) Report(ctx context.Context, snap *workspace.Snapshot, changes []edits.FileChange, reach Reach) *Report {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	r := &Report{changes: changes, typed: reach == Typed}
	stage := names.Finished
	if r.typed {
		stage = names.Typed
	}
	w := worldOf(changes)
	for i, f := range w.files {
		if f.Absent {
			continue
		}
		legible := j.parses(r, w.changes[i]) || r.typed
		if !legible || r.passesOver(w.changes[i]) {
			continue
		}
		f.Look = names.Whole(f.Text)
		if r.typed {
			f.Look = linesOf(f.Text, f.Changed)
		}
		w.files[i] = f
	}
	if reach == Users {
		r.Unread = w.addUsers(snap, func(lang string, member bool) bool { return j.judges(snap, lang, member) })
		for i, f := range w.files[len(w.changes):] {
			if r.passesOver(edits.FileChange{Path: f.Path, Before: f.Text, After: f.Text}) {
				w.files[len(w.changes)+i].Look = nil
			}
		}
		r.reads = w.reads(snap)
	}
	r.add(j.find(ctx, snap, stage, w.files, r))
	if before := w.before(r.Findings); len(before) > 0 {
		base := j.find(ctx, snap, stage, before, &Report{})
		r.Findings = w.without(r.Findings, base.Findings)
		r.leaveUnproven(w, base)
	}
	r.Findings = w.blamed(snap, r.Findings)
	return r
}

// leaveUnproven takes out findings of files whose text before could not be checked: nobody knows that
// they are the change's. That is said, as it is of a text after that could not be.
func (r *Report) leaveUnproven(w *world, base names.Verdict) {
	unknown := map[string]bool{}
	for _, path := range base.Late {
		unknown[path] = true
	}
	for _, f := range base.Failed {
		unknown[f.Path] = true
	}
	before := len(r.Findings)
	r.Findings = slices.DeleteFunc(r.Findings, func(f edits.Finding) bool { return unknown[cmp.Or(w.from[f.Path], f.Path)] })
	if len(r.Findings) < before {
		r.Unknown, r.Failed, r.Late = append(r.Unknown, base.Unknown...), append(r.Failed, base.Failed...), append(r.Late, base.Late...)
	}
}

// judges reports whether the names of a language are judged, or the members of its types.
func (j *Judge) judges(snap *workspace.Snapshot, lang string, member bool) bool {
	if other := j.Others[lang]; other != nil && other.Missing(snap) == "" {
		return true
	}
	own := lang == "go" || !member && (lang == "python" || names.Script(lang))
	return own && j.Names != nil
}

// Standing is what is wrong with files as they are; what stands in each shows what is known.
func (j *Judge) Standing(ctx context.Context, snap *workspace.Snapshot, texts []edits.FileChange) *Report {
	r := &Report{changes: texts}
	var files []names.File
	for _, c := range texts {
		f := names.File{Path: c.Path, Text: c.After}
		standing := edits.FileChange{Path: c.Path, Before: c.After, After: c.After}
		if j.parses(r, edits.FileChange{Path: c.Path, After: c.After, AbsentBefore: true}) && !r.passesOver(standing) {
			f.Look = names.Whole(c.After)
		}
		files = append(files, f)
	}
	r.add(j.find(ctx, snap, names.Standing, files, r))
	return r
}

func (r *Report) add(v names.Verdict) {
	r.Findings, r.Failed = v.Findings, append(r.Failed, v.Failed...)
	r.Unknown = append(r.Unknown, v.Unknown...)
	r.Names, r.Doubts, r.Seen, r.Late = v.Names, v.Doubts, v.Seen, append(r.Late, v.Late...)
}

// find asks all checkers about files. Those whose language has none are noted.
func (j *Judge) find(ctx context.Context, snap *workspace.Snapshot, stage names.Stage, files []names.File, r *Report) (out names.Verdict) {
	asked := map[string]bool{} // languages of files that another checker looks at
	world := slices.Clone(files)
	for i, f := range files {
		lang := language.OfFile(filepath.Base(f.Path))
		if len(f.Look) == 0 {
			continue
		}
		if j.Others[lang] != nil {
			asked[lang] = true
		}
		if names.CodeOnly(lang) {
			world[i].Look = nil
			if j.Others[lang] == nil && len(f.Changed) > 0 || stage == names.Standing {
				r.Unjudged = append(r.Unjudged, "names in "+f.Path+": tandem checks no names in this language")
			}
		}
	}
	if j.Names != nil {
		out = j.Names.Find(ctx, snap, stage, world)
	}
	for _, lang := range slices.Sorted(maps.Keys(asked)) {
		own := only(files, lang)
		missing := j.Others[lang].Missing(snap)
		if missing == SwitchedOff {
			continue
		}
		if missing != "" {
			out.Unjudged(membersIn(lang, own, stage), "members not judged: "+missing)
			continue
		}
		found, unknown := j.Others[lang].Errors(ctx, snap, own)
		for _, f := range found {
			if !slices.ContainsFunc(out.Findings, func(o edits.Finding) bool { return o.Path == f.Path && o.Span.Start == f.Span.Start }) {
				out.Findings = append(out.Findings, f)
			}
		}
		if out.Unknown = append(out.Unknown, unknown...); len(unknown) > 0 {
			for _, f := range own {
				if len(f.Look) > 0 {
					out.Late = append(out.Late, f.Path)
				}
			}
		}
	}
	return out
}

// only are files of which those of one language alone are looked at.
func only(files []names.File, lang string) []names.File {
	out := slices.Clone(files)
	for i, f := range out {
		if language.OfFile(filepath.Base(f.Path)) != lang {
			out[i].Look = nil
		}
	}
	return out
}

// membersIn counts the members of values that the changed parts of files use, or that files use
// as they are.
func membersIn(lang string, files []names.File, stage names.Stage) (n int) {
	for _, f := range files {
		parts := f.Changed
		if stage == names.Standing {
			parts = f.Look
		}
		if len(f.Look) == 0 || len(parts) == 0 {
			continue
		}
		dot := false
		for _, t := range language.Tokens(lang, f.Text) {
			if dot && t.Kind == language.Name && slices.ContainsFunc(parts, func(s edits.Span) bool { return t.Start < s.End && s.Start < t.End }) {
				n++
			}
			word := f.Text[t.Start:t.End]
			dot = word == "." || word == "?."
		}
	}
	return n
}

// parses reports whether the text after a change parses, and adds what is wrong with it to the
// report, if the text before it parses.
func (j *Judge) parses(r *Report, f edits.FileChange) bool {
	if j.Syntax == nil || j.sound(f) {
		return true
	}
	var found []edits.Finding
	var unknown error
	if p := run.Call("check syntax", func() { found, unknown = j.Syntax.Errors(f.Path, f.After) }); p != nil {
		r.Failed = append(r.Failed, names.Failure{Path: f.Path, Err: p})
		return false
	}
	switch {
	case errors.Is(unknown, syntax.ErrNoParser):
		r.Notes = append(r.Notes, unknown.Error())
	case unknown != nil:
		r.Unparsed = append(r.Unparsed, unknown.Error())
	}
	if r.typed {
		found = slices.DeleteFunc(found, func(one edits.Finding) bool { return opensBlock(f, one) })
	}
	if len(found) == 0 {
		return true
	}
	if before, _ := j.Syntax.Errors(f.Path, f.Before); !f.AbsentBefore && len(before) > 0 {
		r.Unparsed = append(r.Unparsed, f.Path+" did not parse before either")
	} else {
		r.Syntax = append(r.Syntax, found...)
	}
	return false
}

// A regional syntax reports whether the code around a change parses by itself.
type regional interface {
	Sound(file, text string, changed edits.Span) bool
}

// sound reports whether a change is known to parse without a parse of its whole file.
// In a large file that parse is most of the cost of a completion.
func (j *Judge) sound(f edits.FileChange) bool {
	near, ok := j.Syntax.(regional)
	if !ok || f.AbsentBefore || len(f.Edits) != 1 {
		return false
	}
	start := f.Edits[0].Start
	return near.Sound(f.Path, f.After, edits.Span{Start: start, End: start + len(f.Edits[0].New)})
}

// opensBlock reports whether all that a finding lacks is the block of a line that an edit
// ends with. A change that takes lines away may have taken the block.
func opensBlock(c edits.FileChange, f edits.Finding) bool {
	if f.Message != syntax.MissingBlock || written(c.After) < written(c.Before) {
		return false
	}
	grown := 0 // how much longer the edits before this one made the text
	for i, e := range c.Edits {
		end := e.Start + grown + len(e.New)
		if strings.TrimSpace(e.New) != "" && end <= f.Span.Start && strings.TrimSpace(c.After[end:f.Span.Start]) == "" {
			was, is := 0, 0
			for _, e := range c.Edits[i:] {
				was, is = was+written(c.Before[e.Start:e.End]), is+written(e.New)
			}
			return was <= is
		}
		grown += e.Delta()
	}
	return false
}

// written is how many lines of a text are not blank.
func written(text string) (n int) {
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			n++
		}
	}
	return n
}

// WithImports adds to changes the imports that they lack and that have exactly one candidate.
func (j *Judge) WithImports(ctx context.Context, snap *workspace.Snapshot, changes []edits.FileChange, reach Reach) []edits.FileChange {
	if j.Names == nil {
		return changes
	}
	found := (&Judge{Names: j.Names}).Report(ctx, snap, changes, reach).Findings
	out := slices.Clone(changes)
	for i, f := range out {
		added := j.Names.Imports(snap, names.File{Path: f.Path, Text: f.After}, found)
		if f.AbsentAfter || len(added) == 0 {
			continue
		}
		after, err := edits.Apply(edits.NewText(f.After), added)
		if err != nil {
			continue
		}
		out[i].After = after.String()
		out[i].Edits = edits.Diff(f.Before, out[i].After)
	}
	return out
}

// unread is why a verdict does not hold for all that uses a change.
func unread(n int, name string) string {
	if n == 1 {
		return fmt.Sprintf("1 more file uses %s", name)
	}
	return fmt.Sprintf("%d more files use %s", n, name)
}
