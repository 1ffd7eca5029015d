package window

import (
	"cmp"
	"context"
	"fmt"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/cut"
	"tandem/workspace/redact"
	"tandem/workspace/tokens"
)

// A FragmentKind names the source of a fragment.
type FragmentKind string

// The kinds of fragment.
const (
	FragmentCursor     FragmentKind = "cursor"
	FragmentDefinition FragmentKind = "definition"
	FragmentCode       FragmentKind = "code"
	FragmentCaller     FragmentKind = "caller"
	FragmentTest       FragmentKind = "test"
	FragmentImport     FragmentKind = "import"
	FragmentRecentEdit FragmentKind = "recent_edit"
	FragmentDiagnostic FragmentKind = "diagnostic"
	FragmentRule       FragmentKind = "rule"
	FragmentMap        FragmentKind = "map"
	FragmentSearch     FragmentKind = "search"
)

// A Fragment is a piece of a window: whole lines of one file, or a message about them, with
// secrets already replaced.
type Fragment struct {
	Path      string // as Snapshot.Name returns it, or a search server's name for it
	StartLine int    // 1-based
	EndLine   int    // inclusive
	Tokens    int    // of Text alone
	Kind      FragmentKind
	Reason    string      // why it is here, for a person; a definition's begins "defines NAME"
	Text      redact.Text // read from the file if the source left it empty
	Chosen    int         // how many of the window were chosen before it

	most   int               // the most tokens it may take; 0: what its source may
	cost   int               // what it took of the budget, in tokens
	orElse func() []Fragment // shown if it does not fit; may be nil
}

// A Window is what a model will be shown around a place, never more than its
// budget. It is immutable, except for Secrets, to which the conversation may add.
type Window struct {
	Tokens    int    // of Text(), exactly, where Exact
	Budget    int    // what Tokens may not exceed
	Encoding  string // the tokenizer's name
	Exact     bool   // false: the model's tokenizer is not here, and Tokens are those of Encoding
	Fragments []Fragment

	// The region around the place, with secrets replaced: what is before it,
	// the selection (empty at a cursor), and what is after it.
	Before, Selected, After redact.Text
	// Secrets restores what was replaced.
	Secrets *redact.Redactor
	// Left is what the words of a question were not looked for in.
	Left cut.Cut

	context redact.Text // everything but the region
	region  redact.Text // the region's heading
	memory  memory      // what the next window of the document is made of
}

// Text is the whole window, slow-changing parts first so that a provider's
// prompt cache holds from one keystroke to the next, the region around the
// place last.
func (w *Window) Text() redact.Text {
	return redact.Join("", w.context, w.region, w.Before, w.Selected, w.After)
}

// Context is the window without the region around the place.
func (w *Window) Context() redact.Text { return w.context }

// A Request describes the window to build.
type Request struct {
	URI     string         // of the document, or its path; of a question about the workspace a folder's root, or "" for the one that uses most of Words
	Span    edits.Span     // the selection in its text; empty at a cursor. It is clamped to the text
	Budget  int            // in tokens, at least 256; 0 takes DefaultBudget(Purpose)
	Most    int            // how far the budget of a question may grow for what its words name; no more than Budget: not at all
	Fresh   int            // tokens of a window that does not continue from Previous, if less than Budget; 0: Budget
	After   int            // the most tokens after the place; 0: by the purpose
	Key     int            // the most tokens that may differ from Previous; 0: any number
	Alone   bool           // for a small model: the region alone, and for an edit what it uses
	Purpose string         // one of Purposes; "" is complete
	Words   string         // what the user said: the names, places and quoted texts in it are shown first
	At      string         // a file, or FILE:LINE: shown as if the words named it, and no word to search for
	Held    []Fragment     // lines of files that the conversation holds: they are not shown again, and beside them only what the words need; nil: it begins
	Diff    string         // for a review, the changes to the document as a unified diff
	Counter tokens.Counter // the model's tokenizer; nil is o200k_base

	// Previous is the window before this one in the same life of the document:
	// while the place stays in its function, what it shows is kept. nil for
	// the first one.
	Previous *Window

	Secrets *redact.Redactor // of the conversation that the window is for; nil: of Previous, or a new one
	Search  Search           // may be nil
}

// MinBudget is the least budget of a window: below it a request is refused
// instead of being answered with next to nothing.
const MinBudget = 256

// An Error is the reason why there is no window for a file.
type Error struct {
	Code    string // outside, binary, large, not_found, budget
	Message string
	err     error
}

// Error is one sentence.
func (e *Error) Error() string { return e.Message }

// Unwrap is the error underneath, if any.
func (e *Error) Unwrap() error { return e.err }

// Build makes the window for a place: the region around it, and then what the sources of its
// purpose find, in their order, until the budget is used up. The same snapshot and request
// give the same window, if no search server is used. Its error is a *Error, or the context's.
func Build(ctx context.Context, s *workspace.Snapshot, req Request) (*Window, error) {
	f, err := newFill(ctx, s, req)
	if err != nil {
		return nil, err
	}
	if req.Previous != nil && f.continues(req.Previous) {
		if w := f.next(req.Previous); w != nil {
			return w, ctx.Err()
		}
		if f, err = newFill(ctx, s, req); err != nil {
			return nil, err
		}
	}
	r, err := f.cut(f.budget)
	if err != nil {
		return nil, err
	}
	f.shown = f.inFolder(req.Held)
	f.show(r)
	if f.purpose.typing && f.place.text != "" { // room for what is typed next
		f.left = max(0, f.left-f.budget/40)
	}
	sources := f.purpose.sources
	if req.Held != nil {
		sources = followed
	}
	f.run(sources)
	w := f.window()
	f.remember(w)
	return f.named(w), ctx.Err()
}

func newFill(ctx context.Context, s *workspace.Snapshot, req Request) (*fill, error) {
	f := &fill{ctx: ctx, req: req, purpose: purposeOf(req.Purpose, req.Alone), costs: costsOf(req.Counter), secrets: req.Secrets, scanned: scanned, order: map[string]int{}}
	switch {
	case f.secrets == nil && req.Previous != nil:
		f.secrets = req.Previous.Secrets
	case f.secrets == nil:
		f.secrets = &redact.Redactor{}
	}
	if f.budget = cmp.Or(req.Budget, f.purpose.budget); f.budget < MinBudget {
		return nil, &Error{Code: "budget", Message: fmt.Sprintf("a window of %d tokens is too small: %d is the least", f.budget, MinBudget)}
	}
	if req.Fresh > 0 {
		f.budget = min(f.budget, max(req.Fresh, MinBudget))
	}
	f.left = f.budget
	var err error
	at := req.URI
	if at == "" {
		at = about(s, req.Words)
	}
	if f.place, err = openPlace(s, at, req.Span); err != nil {
		return nil, err
	}
	f.folder = openFolder(s, f.place)
	return f, nil
}
