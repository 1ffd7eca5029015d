package window

import (
	"context"
	"fmt"
	"path"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/index"
	"tandem/workspace/redact"
	"tandem/workspace/similar"
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
	FragmentDependency FragmentKind = "dependency"
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

	Secrets      *redact.Redactor // of the conversation that the window is for; nil: of Previous, or a new one
	Dependencies Dependencies     // may be nil
	Search       Search           // may be nil
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
	b, err := newBuilder(ctx, s, req)
	if err != nil {
		return nil, err
	}
	defer b.close()
	budget := b.budget
	if k := (&keeper{b}); k.keeps(req.Previous) {
		if w, ok := k.again(req.Previous); ok {
			return w, ctx.Err()
		}
		b.budget, b.left = budget, budget
	}
	if err := (&cutter{b}).readRegion(); err != nil {
		return nil, err
	}
	b.reserve()
	p, o := &parts{b}, &outliner{b}
	if req.Alone {
		o.addEnclosing()
		if b.purpose.replaces {
			relations{&picker{builder: b}}.showDeclared(b.left)
		}
		return b.window(), ctx.Err()
	}
	p.addRules()
	p.addDiagnostics()
	p.addRecentEdits()
	(&namer{b}).addNamed()
	o.addChanged()
	o.addEnclosing()
	(&mapper{b}).addMap()
	p.addSearch()
	p.addDependencies()
	b.addCode()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return b.window(), nil
}

// A builder is one window being made.
type builder struct {
	ctx     context.Context
	snap    *workspace.Snapshot
	req     Request
	purpose purpose
	costs   *costs

	name     string         // of the document in the window
	text     string         // of the document, valid UTF-8
	source   *redact.Source // text
	at       edits.Span
	view     *workspace.View // nil outside every folder
	ix       *index.Index    // of the view
	rel      string          // path below the view's root
	self     index.FileID
	known    bool // the index has the document, as self
	language string
	corpus   *similar.Corpus // nil while the folder's code is still being read

	budget, left int
	most         int // how far the budget may grow
	reserved     int // kept for what is typed after this window
	region       region
	secrets      *redact.Redactor
	folders      *workspace.OpenFolders // of the view; nil without one
	opened       map[string]*redact.Source
	outlines     map[index.FileID]*index.Outline
	reach        map[index.FileID]reach
	edited       *[]workspace.RecentEdit
	focus        []focus // the definitions that the request is about
	chosen       choices

	rules, maps, recent, diagnostics section
}

// noIndex is the index of a document outside every folder.
var noIndex = index.New()

func newBuilder(ctx context.Context, s *workspace.Snapshot, req Request) (*builder, error) {
	b := &builder{ctx: ctx, snap: s, req: req, purpose: purposeOf(req.Purpose), costs: costsOf(req.Counter), secrets: req.Secrets, source: redact.NewSource(""),
		opened: map[string]*redact.Source{}, outlines: map[index.FileID]*index.Outline{}, reach: map[index.FileID]reach{}}
	switch {
	case b.secrets == nil && req.Previous != nil:
		b.secrets = req.Previous.Secrets
	case b.secrets == nil:
		b.secrets = &redact.Redactor{}
	}
	b.chosen.files = map[string][]choice{}
	b.budget, b.most = req.Budget, req.Most
	if b.budget == 0 {
		b.budget = b.purpose.budget
	}
	if b.budget < MinBudget {
		return nil, &Error{Code: "budget", Message: fmt.Sprintf("a window of %d tokens is too small: %d is the least", b.budget, MinBudget)}
	}
	if req.Fresh > 0 {
		b.budget = min(b.budget, max(req.Fresh, MinBudget))
	}
	b.left = b.budget
	if err := b.open(); err != nil {
		return nil, err
	}
	b.ix = noIndex
	if b.view = s.View(b.req.URI); b.view != nil {
		b.folders = b.view.OpenFolders()
		b.ix = b.view.Index()
		b.rel = b.name
		b.self, b.known = b.ix.FileID(b.rel)
		b.language = b.ix.Language(b.self)
		if !req.Alone {
			b.corpus = b.view.Corpus(ctx, b.purpose.typing)
		}
		if b.purpose.typing { // the answer names no path
			b.chosen.kept.base = path.Dir(b.rel)
		}
	}
	return b, nil
}

// close ends what was opened for this window alone.
func (b *builder) close() {
	if b.folders != nil {
		b.folders.Close()
	}
}

// reserve keeps some tokens for what is typed after this window, so that the
// windows after it need not drop what this one shows.
func (b *builder) reserve() {
	if b.text != "" && b.purpose.typing {
		b.reserved = min(b.budget/40, b.left)
		b.left -= b.reserved
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
		return &Error{Code: "binary", Message: b.name + " is binary: it holds no text to show"}
	case f.Large():
		return &Error{Code: "large", Message: b.name + " has more than 5 MB: nothing of it is shown to models"}
	}
	raw := f.Raw()
	b.at = clampSpan(b.req.Span, raw.Len())
	b.text = f.Content()
	if valid := tokens.Valid(b.text); valid != b.text {
		b.at = edits.Span{Start: len(tokens.Valid(b.text[:b.at.Start])), End: len(tokens.Valid(b.text[:b.at.End]))}
		b.text = valid
		b.at = clampSpan(b.at, len(valid))
	}
	b.at.Start, b.at.End = runeStart(b.text, b.at.Start), runeStart(b.text, b.at.End)
	if b.source = f.Source(); b.source.Text() != b.text {
		b.source = redact.NewSource(b.text)
	}
	return nil
}

func clampSpan(sp edits.Span, length int) edits.Span {
	start := min(max(sp.Start, 0), length)
	return edits.Span{Start: start, End: min(max(sp.End, start), length)}
}

// refusal turns the gate's answer into an error.
func refusal(s *workspace.Snapshot, uri string, err error) error {
	code := "not_found"
	if ok, _ := s.Allowed(uri); !ok {
		code = "refused"
	}
	if path, isFile := workspace.PathOf(uri); isFile && s.View(path) == nil {
		code = "outside"
	}
	return &Error{Code: code, Message: err.Error(), err: err}
}

// window puts the parts together: those that seldom change come first.
func (b *builder) window() *Window {
	(&joiner{b}).putChoices()
	w := b.newWindow()
	var text []redact.Text
	sections := []*section{&b.rules, &b.maps, &b.chosen.kept, &b.recent, &b.diagnostics}
	for _, s := range sections {
		text = append(text, b.written(s)...)
		w.Fragments = append(w.Fragments, s.fragments...)
	}
	w.context = redact.Join("", text...)
	w.memory = (&keeper{b}).remember(w)
	w.Fragments = append(w.Fragments, b.region.fragment(b.name, b.costs))
	w.Tokens = b.budget - b.left - b.reserved
	return w
}

// newWindow is a window with the region alone.
func (b *builder) newWindow() *Window {
	return &Window{Budget: b.budget, Encoding: b.costs.counter.Name(), Exact: b.costs.counter.Exact(), Secrets: b.secrets,
		Before: b.region.before, Selected: b.region.selected, After: b.region.after, region: b.region.heading}
}
