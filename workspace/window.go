package workspace

import (
	"context"
	"fmt"
	"strings"

	"tandem/edits"
	"tandem/workspace/index"
	"tandem/workspace/redact"
	"tandem/workspace/tokens"
)

// A FragmentKind is where a fragment comes from.
type FragmentKind string

// The kinds of fragment.
const (
	FragmentCursor     FragmentKind = "cursor"
	FragmentDefinition FragmentKind = "definition"
	FragmentDependency FragmentKind = "dependency"
	FragmentNeighbour  FragmentKind = "neighbour"
	FragmentImport     FragmentKind = "import"
	FragmentRecentEdit FragmentKind = "recent_edit"
	FragmentDiagnostic FragmentKind = "diagnostic"
	FragmentRule       FragmentKind = "rule"
	FragmentSearch     FragmentKind = "search"
)

// A Fragment is a piece of a window: whole lines of one file (for a line that
// renames an import, its name and path), or a message about them, with secrets
// already replaced.
type Fragment struct {
	Path      string // as Snapshot.Name returns it, or a dependency's or search server's name for it
	StartLine int    // 1-based
	EndLine   int    // inclusive
	Tokens    int    // of Text alone
	Kind      FragmentKind
	Reason    string // why it is here, for a person; a definition's begins "defines NAME"
	Text      string
}

// A Window is what a model will be shown around a place, never more than its
// budget. It is immutable, except for Secrets, to which the prompt's other parts
// may add.
type Window struct {
	Tokens    int    // of Text(), exactly, where Exact
	Budget    int    // what Tokens may not exceed
	Encoding  string // the tokenizer's name
	Exact     bool   // false: Tokens is an upper bound, the model's tokenizer is unknown
	Fragments []Fragment

	// The region around the place, with secrets replaced: what is before it,
	// the selection (empty at a cursor), and what is after it.
	Before, Selected, After string
	// Secrets maps the placeholders to the secrets they replace.
	Secrets *redact.Redactor

	context string // everything but the region
	region  string // the region's heading
}

// Text is the whole window, slow-changing parts first so that a provider's
// prompt cache holds from one keystroke to the next, the region around the
// place last.
func (w *Window) Text() string {
	return w.context + w.region + w.Before + w.Selected + w.After
}

// Context is the window without the region around the place.
func (w *Window) Context() string { return w.context }

// A WindowRequest describes the window to build.
type WindowRequest struct {
	URI     string         // of the document, or its path
	Span    edits.Span     // the selection in its text; empty at a cursor. It is clamped to the text
	Budget  int            // in tokens, at least 256; 0 takes DefaultBudget(Purpose)
	Purpose string         // complete, next_edit, edit, ask, review, task, commit
	Words   string         // the text of the user's question, whose names are looked up too
	Counter tokens.Counter // the model's tokenizer; nil is o200k_base

	Dependencies Dependencies // may be nil
	Search       Search       // may be nil
}

// MinBudget is the least budget of a window: below it a request is refused
// instead of being answered with next to nothing.
const MinBudget = 256

// fastBudget is the limit of a window for the fast lane and the default for a
// purpose that uses as much as is available.
const fastBudget = 128_000

// DefaultBudget is the budget in tokens of a purpose if none is configured.
func DefaultBudget(purpose string) int {
	switch purpose {
	case "", "complete", "next_edit":
		return 8_000
	case "edit", "commit":
		return 32_000
	case "review":
		return 64_000
	}
	return fastBudget
}

// A WindowError is the reason why there is no window for a file.
type WindowError struct {
	Code    string // outside, binary, large, not_found, budget
	Message string
	err     error
}

// Error is one sentence.
func (e *WindowError) Error() string { return e.Message }

// Unwrap is the error underneath, if any.
func (e *WindowError) Unwrap() error { return e.err }

// Build makes the window for a place. The same snapshot and request give the same
// window, if no search server is used. Its error is a *WindowError, or the
// context's.
func Build(ctx context.Context, s *Snapshot, req WindowRequest) (*Window, error) {
	b, err := newBuilder(ctx, s, req)
	if err != nil {
		return nil, err
	}
	b.readRegion()
	b.addRules()
	b.addDiagnostics()
	b.addRecentEdits()
	b.addEnclosing()
	b.addSearch()
	b.addDependencies()
	b.addBindings()
	b.addDefinitions()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return b.window(), nil
}

// A builder is one window being made.
type builder struct {
	ctx   context.Context
	snap  *Snapshot
	req   WindowRequest
	costs *costs

	name string // of the document in the window
	text string // of the document, valid UTF-8
	at   edits.Span
	view *View        // nil outside every folder
	ix   *index.Index // of the view
	rel  string       // path below the view's root

	budget, left int
	region       region
	secrets      *redact.Redactor

	rules, modules, bulk, outline, dependencies, near, bound, search, recent, diagnostics section
}

func newBuilder(ctx context.Context, s *Snapshot, req WindowRequest) (*builder, error) {
	b := &builder{ctx: ctx, snap: s, req: req, costs: costsOf(req.Counter), secrets: &redact.Redactor{}}
	b.budget = req.Budget
	if b.budget == 0 {
		b.budget = DefaultBudget(req.Purpose)
	}
	if b.budget < MinBudget {
		return nil, &WindowError{Code: "budget", Message: fmt.Sprintf("a window of %d tokens is too small: %d is the least", b.budget, MinBudget)}
	}
	b.left = b.budget
	b.number()
	if err := b.open(); err != nil {
		return nil, err
	}
	b.ix = emptyIndex
	if b.view = s.View(b.req.URI); b.view != nil {
		b.ix = b.view.Index()
		b.rel = b.name
	}
	return b, nil
}

// number gives every fragment its line number if the answer has to name places.
func (b *builder) number() {
	switch b.req.Purpose {
	case "ask", "review", "task":
		for _, s := range []*section{&b.rules, &b.modules, &b.bulk, &b.dependencies, &b.outline, &b.near, &b.bound, &b.search} {
			s.numbered = true
		}
	}
}

// open reads the document through the gate. A question may be without a document:
// its window depends on the question's text alone, in the first folder.
func (b *builder) open() error {
	if b.req.URI == "" && len(b.snap.Views()) > 0 {
		b.req.URI = b.snap.Views()[0].Root
		return nil
	}
	b.req.URI = b.snap.Resolve(b.req.URI)
	b.name = b.snap.Name(b.req.URI)
	f, err := b.snap.File(b.req.URI)
	switch {
	case err != nil:
		return refusal(b.snap, b.req.URI, err)
	case f.Binary():
		return &WindowError{Code: "binary", Message: b.name + " is binary: it holds no text to show"}
	case f.Large():
		return &WindowError{Code: "large", Message: b.name + " has more than 5 MB: nothing of it is shown to models"}
	}
	raw := f.Raw()
	b.at = clampSpan(b.req.Span, raw.Len())
	b.text = raw.String()
	if valid := tokens.Valid(b.text); valid != b.text {
		b.at = edits.Span{Start: len(tokens.Valid(b.text[:b.at.Start])), End: len(tokens.Valid(b.text[:b.at.End]))}
		b.text = valid
		b.at = clampSpan(b.at, len(valid))
	}
	b.at.Start, b.at.End = runeStart(b.text, b.at.Start), runeStart(b.text, b.at.End)
	return nil
}

func clampSpan(sp edits.Span, length int) edits.Span {
	start := min(max(sp.Start, 0), length)
	return edits.Span{Start: start, End: min(max(sp.End, start), length)}
}

// refusal turns the gate's answer into an error.
func refusal(s *Snapshot, uri string, err error) error {
	code := "not_found"
	if ok, _ := s.Allowed(uri); !ok {
		code = "refused"
	}
	if path, isFile := PathOf(uri); isFile && s.View(path) == nil {
		code = "outside"
	}
	return &WindowError{Code: code, Message: err.Error(), err: err}
}

// window puts the parts together: those that seldom change come first.
func (b *builder) window() *Window {
	w := &Window{Budget: b.budget, Encoding: b.costs.counter.Name(), Exact: b.costs.counter.Exact(), Secrets: b.secrets,
		Before: b.region.before, Selected: b.region.selected, After: b.region.after, region: b.region.heading}
	var text strings.Builder
	sections := []*section{&b.rules, &b.modules, &b.bulk, &b.dependencies, &b.outline, &b.near, &b.bound, &b.search, &b.recent, &b.diagnostics}
	size, count := 0, 1
	for _, s := range sections {
		size += s.bytes
		count += len(s.fragments)
	}
	text.Grow(size)
	w.Fragments = make([]Fragment, 0, count)
	for _, s := range sections {
		s.write(&text)
		w.Fragments = append(w.Fragments, s.fragments...)
	}
	w.context = text.String()
	w.Fragments = append(w.Fragments, b.region.fragment(b.name, b.costs))
	w.Tokens = b.budget - b.left
	return w
}
