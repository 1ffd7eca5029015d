package workspace

import (
	"fmt"
	"strings"

	"tandem/edits"
)

// A Change is one thing that happened to the workspace: Opened, Edited, Saved,
// Closed, DiskChanged, Diagnosed or OtherWork.
type Change interface{ change() }

// Opened means that the editor shows a document, whose text is now the editor's.
type Opened struct {
	URI      string // by which the document is known, see Session.Document
	Name     string // by which the editor knows it, where that is another
	Language string // the editor's language id
	Version  int32
	Text     edits.Text
}

// Edited means that an open document has another text: by Steps, where given, else it
// is Text as a whole.
type Edited struct {
	URI     string
	Version int32
	Steps   []Step
	Text    edits.Text
}

// A Step is one edit and the text that it made. Whoever turns an editor's message into
// edits has to make each text anyway, to place the edit after it; nobody makes it again.
type Step struct {
	edits.Edit
	After edits.Text
	// Accepted is set where the edit is a next edit that was offered: the user accepted it.
	Accepted bool
}

// Steps makes edits one after another, each to the text that the one before left.
func Steps(text edits.Text, list ...edits.Edit) ([]Step, error) {
	out := make([]Step, 0, len(list))
	for _, e := range list {
		if !e.Valid(text.Len()) {
			return nil, fmt.Errorf("the edit %v lies outside the text", e.Span)
		}
		text = text.Replace(e.Span, e.New)
		out = append(out, Step{Edit: e, After: text})
	}
	return out, nil
}

// Saved means that the editor wrote a document to disk.
type Saved struct{ URI string }

// Closed means that the editor no longer shows a document: the file's text is
// the one on disk again.
type Closed struct{ URI string }

// DiskChanged means that files or folders at these absolute paths (or file:
// URIs) may have been created, changed or removed. What really happened is
// decided by content, so reporting too much is harmless.
type DiskChanged struct{ Paths []string }

// Diagnosed replaces what compilers and linters reported about one document.
type Diagnosed struct {
	URI         string
	Diagnostics []Diagnostic
}

// A Diagnostic is one message of a compiler or linter, about a span of the
// document's text at the time.
type Diagnostic struct {
	Span     edits.Span
	Severity string // error, warning, information, hint
	Source   string // what reported it: "compiler", "eslint"
	Code     string // its rule, if it has one
	Message  string
}

// own reports whether an editor sends back what tandem itself has found there: its checks know
// better what holds now.
func (d Diagnostic) own() bool { return d.Source == "tandem" || strings.HasPrefix(d.Source, "tandem ") }

// OtherWork means that what was edited so far has nothing to do with what comes: no
// edit of before counts as a recent one.
type OtherWork struct{}

func (OtherWork) change()   {}
func (Opened) change()      {}
func (Edited) change()      {}
func (Saved) change()       {}
func (Closed) change()      {}
func (DiskChanged) change() {}
func (Diagnosed) change()   {}

// An Event reports something about the session to the user's side: one of its parts is set.
type Event struct {
	// Problem is one sentence for a person: what is wrong and what to do.
	// The same problem is reported once a session.
	Problem string
	// Indexed: the index of a folder is ready.
	Indexed bool
}
