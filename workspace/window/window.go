package window

import (
	"cmp"
	"context"
	"fmt"
	"path"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/redact"
	"tandem/workspace/tokens"
)

// A FragmentKind is where a fragment comes from.
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
	Text      redact.Text
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
	URI     string         // of the document, or its path; "" for a question about the workspace
	Span    edits.Span     // the selection in its text; empty at a cursor. It is clamped to the text
	Budget  int            // in tokens, at least 256; 0 takes DefaultBudget(Purpose)
	Most    int            // how far the budget of a question may grow for what its words name; no more than Budget: not at all
	Fresh   int            // tokens of a window that does not go on from Previous, where Budget is more; 0: Budget
	After   int            // tokens after the place at most, where something is; 0: by the purpose
	Key     int            // tokens that may differ from Previous at once; 0: any number
	Alone   bool           // the region, its imports, and what the place uses: of the document, and for an edit what other files declare
	Purpose string         // one of Purposes; "" is complete
	Words   string         // what the user said: the names, places and quoted texts in it are shown first
	At      string         // a file, or FILE:LINE: shown as if the words named it, and no word to search for
	Diff    string         // for a review, the changes to the document as a unified diff
	Open    []string       // URIs or paths of open documents, the latest first
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

// A Error is the reason why there is no window for a file.
type Error struct {
	Code    string // outside, binary, large, not_found, budget
	Message string
	err     error
}

// Error is one sentence.
func (e *Error) Error() string { return e.Message }

// Unwrap is the error underneath, if any.
func (e *Error) Unwrap() error { return e.err }

// Build makes the window for a place. The same snapshot and request give the same
// window, if no search server is used. Its error is a *Error, or the
// context's.
func Build(ctx context.Context, s *workspace.Snapshot, req Request) (*Window, error) {
	m, err := newMaker(ctx, s, req)
	if err != nil {
		return nil, err
	}
	k := m.continuation()
	if k != nil && req.Previous != nil && k.continues(req.Previous, m.budget) {
		if w := k.next(req.Previous, m.builder()); w != nil {
			return w, ctx.Err()
		}
	}
	b := m.builder()
	if err := m.addRegion(b); err != nil {
		return nil, err
	}
	m.addContext(ctx, b)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w := b.window()
	if k != nil {
		k.remember(w, &b.region)
	}
	return w, nil
}

// A maker is what a window is made of, and in which order. It never changes.
type maker struct {
	req     Request
	purpose purpose
	budget  int // of a window that does not go on from the one before
	place   *place
	folder  *folder
	costs   *costs
	secrets *redact.Redactor
}

func newMaker(ctx context.Context, s *workspace.Snapshot, req Request) (*maker, error) {
	m := &maker{req: req, purpose: purposeOf(req.Purpose), costs: costsOf(req.Counter), secrets: req.Secrets}
	switch {
	case m.secrets == nil && req.Previous != nil:
		m.secrets = req.Previous.Secrets
	case m.secrets == nil:
		m.secrets = &redact.Redactor{}
	}
	if m.budget = cmp.Or(req.Budget, m.purpose.budget); m.budget < MinBudget {
		return nil, &Error{Code: "budget", Message: fmt.Sprintf("a window of %d tokens is too small: %d is the least", m.budget, MinBudget)}
	}
	if req.Fresh > 0 {
		m.budget = min(m.budget, max(req.Fresh, MinBudget))
	}
	p, err := openPlace(s, req.URI, req.Span)
	if err != nil {
		return nil, err
	}
	m.place, m.folder = p, openFolder(s, p)
	if m.folder.view != nil && !req.Alone {
		m.folder.corpus = m.folder.view.Corpus(ctx, m.purpose.typing)
	}
	return m, nil
}

// builder is a window that shows nothing yet.
func (m *maker) builder() *builder {
	b := &builder{folder: m.folder, costs: m.costs, secrets: m.secrets, numbered: m.purpose.numbered, typing: m.purpose.typing, ranked: m.purpose.functions, budget: m.budget, left: m.budget}
	b.chosen.files = map[string][]choice{}
	if m.folder.view != nil && m.purpose.typing { // the answer names no path
		b.chosen.section.base = path.Dir(m.place.rel)
	}
	return b
}

func (m *maker) cutter() *cutter {
	return &cutter{place: m.place, costs: m.costs, secrets: m.secrets, purpose: m.purpose, fresh: m.req.Fresh > 0, after: m.req.After}
}

// continuation is nil where no window follows another.
func (m *maker) continuation() *continuation {
	if m.req.Purpose != "" && m.req.Purpose != "complete" || !m.place.indexed {
		return nil
	}
	of := setting{root: m.folder.view.Root, path: m.place.rel, words: m.req.Words, encoding: m.costs.counter.Name(), corpus: m.folder.corpus != nil, alone: m.req.Alone}
	return &continuation{place: m.place, folder: m.folder, cutter: m.cutter(), of: of, slow: m.req.Fresh > 0, most: m.req.Budget, key: m.req.Key}
}

// addRegion shows the text around the place. Some tokens are kept for what is typed after this
// window, so that the windows after it need not drop what this one shows.
func (m *maker) addRegion(b *builder) error {
	r, err := m.cutter().region(m.budget)
	if err != nil {
		return err
	}
	b.setRegion(r)
	if m.place.text != "" && m.purpose.typing {
		b.reserved = min(b.budget/40, b.left)
		b.left -= b.reserved
	}
	return nil
}

// addContext shows what belongs to the place and to the user's words, what most needs it first.
func (m *maker) addContext(ctx context.Context, b *builder) {
	o := &outliner{place: m.place, folder: m.folder, purpose: m.purpose, alone: m.req.Alone, window: b}
	if m.req.Alone {
		o.addEnclosing()
		if m.purpose.replaces {
			o.showDeclared(b.left)
		}
		return
	}
	p := &parts{place: m.place, folder: m.folder, window: b}
	edited := m.folder.snap.RecentEdits(m.place.uri)
	if !m.purpose.functions {
		p.addRules()
	}
	p.addDiagnostics()
	p.addRecentEdits(edited, m.req.Purpose == "next_edit")
	n := &namer{place: m.place, folder: m.folder, words: m.req.Words, purpose: m.purpose, window: b}
	n.addNamed(m.req.At, m.req.Most)
	focus := o.addChanged(m.req.Diff, n.focus)
	o.addEnclosing()
	if m.purpose.documents && !m.purpose.functions {
		p.addMap(m.purpose.plan)
	}
	p.addSearch(ctx, m.req.Search, searchWait(m.purpose), m.req.Words)
	if m.folder.empty() {
		return
	}
	if m.purpose.documents {
		f := &finder{folder: m.folder, functions: m.purpose.functions, window: b}
		f.addFound(m.req.Words, m.place.text != "" || m.req.At != "")
	}
	if m.purpose.typing {
		o.showDeclared(b.left * declaredShare / 100)
	}
	r := relations{m.folder, m.place}
	var related []candidate
	if m.purpose.related {
		related = r.related(focus)
	}
	if m.purpose.users {
		related = r.users(edited)
	}
	c := &picker{folder: m.folder, place: m.place, purpose: m.purpose, words: m.req.Words, window: b}
	c.showRelated(ctx, related, b.left*relatedShare/100)
	if !m.purpose.functions {
		c.showSimilar(ctx)
	}
}
