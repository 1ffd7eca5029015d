package edits

import (
	"fmt"
	"slices"
)

// A CheckKind names what a check examined.
type CheckKind string

// The kinds of check, as the protocol prints them.
const (
	CheckSyntax CheckKind = "syntax"
	CheckNames  CheckKind = "names"
	CheckSafety CheckKind = "safety"
)

// A Finding is one thing a check found wrong in the text a proposal would produce.
type Finding struct {
	Path     string
	Span     Span   // in the text after the edits
	Kind     string // syntax, unknown_name, unknown_member, arguments, unknown_import, bidi, ...
	Severity string // error, warning
	Name     string // the name concerned, if any
	Message  string // one sentence for a person
	Nearest  string // the existing name with the most similar spelling, if any
	Library  bool   // an installed library lacks the name: no edit of the workspace adds it
	Where    string // where the real definition is: a path, a module@version, "standard library"
	// Line is that of a finding in a file that the change leaves as it is, counted from 1; else 0.
	Line   int
	Public *Finding // what a model may read of it; nil: all of it
}

// Told is the finding as one sentence among others, with its place if that is not obvious.
func (f Finding) Told() string {
	if f.Line > 0 {
		return fmt.Sprintf("%s:%d: %s.", f.Path, f.Line, f.Message)
	}
	return f.Message
}

// A Check is the outcome of one kind of check.
type Check struct {
	Kind     CheckKind
	Findings []Finding
	Unknown  []string // names the check could not judge, or why it could not; reported instead of guessed
}

// OK reports whether nothing fails the check.
func (c Check) OK() bool { return !slices.ContainsFunc(c.Findings, c.fails) }

// fails reports whether a finding fails its check: an error, and of names a warning too,
// since right code has them in fewer than two bodies of a hundred.
func (c Check) fails(f Finding) bool {
	return f.Severity == "error" || c.Kind == CheckNames && f.Severity == "warning"
}

// Syntax checks whether a text parses. workspace/syntax implements it.
type Syntax interface {
	// Errors returns the syntax errors of text as a file at path would have it, or
	// a sentence that says why it is not judged: there is no parser for its
	// language, or it nests too deep for one.
	Errors(path, text string) ([]Finding, error)
}

// Names knows which words are names. workspace/names implements it.
type Names interface {
	// Known reports whether a word is a name in the workspace's code, or one that a language
	// reserves.
	Known(word string) bool
}

// A FileChange is one file of a proposal, before and after. A file that does
// not exist before or after has Absent set on that side.
type FileChange struct {
	Path                      string
	Before, After             string
	AbsentBefore, AbsentAfter bool
	Form                      Form
	Edits                     []Edit // Before -> After
	Fitting                   Fitting
	// Doubts are why After may not be what was asked for, whatever checks find in it.
	Doubts []Doubt
}

// A Fitting is how much of what a change adds FitChange may write otherwise than the answer has it.
type Fitting int

// The fittings, in the order in which one change of several makes that of a file.
const (
	FitAll     Fitting = iota // a whole new text, or lines that were found by a loose match
	FitHead                   // a model's blocks whose old lines are the file's: imports go behind the head
	FitNothing                // a diff whose context is the file's
)

// A Doubt is a reason why a text may not be what was asked for. It follows the text through
// every form of a change.
type Doubt struct {
	Why  string
	Kind DoubtKind
}

// A DoubtKind is what a doubt asks of the user, a greater one more.
type DoubtKind int

// The kinds of doubts.
const (
	Unsure  DoubtKind = iota // it is said
	Stopped                  // the user stopped the answer: all of what came is written by force alone, and each part as the user accepts it
	Cut                      // something else cut the answer: nothing is written but by force
	Lost                     // a part of a cut answer takes away what the rest may have put elsewhere: it is never written
)

// Reasons returns the reasons of doubts.
func Reasons(doubts []Doubt) []string {
	var out []string
	for _, d := range doubts {
		out = append(out, d.Why)
	}
	return out
}

// Doubted returns doubts of the plain kind.
func Doubted(why []string) []Doubt {
	var out []Doubt
	for _, w := range why {
		out = append(out, Doubt{Why: w})
	}
	return out
}
