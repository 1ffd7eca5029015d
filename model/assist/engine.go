package assist

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/model/local"
	"tandem/workspace"
	"tandem/workspace/run"
)

// BuiltIn is the built-in engine's name in a provenance. It answers when no model
// does.
const BuiltIn = "local"

// Models is what the engine needs from the configured models; *model.Lanes is one.
type Models interface {
	Stream(ctx context.Context, lane model.Lane, req *model.Request) model.Stream
	Config(lane model.Lane) (model.ModelConfig, bool)
	// ConfigFor describes the fast lane's model for a purpose (next edits and
	// completions may have their own), BackoffFor is its Backoff.
	ConfigFor(p model.Purpose) (model.ModelConfig, bool)
	BackoffFor(p model.Purpose) float64
	Usage(requestID string) (edits.Provenance, bool)
	Status() model.Status
	Warm(ctx context.Context, lane model.Lane)
}

// Local is the built-in engine; *local.Engine is one.
type Local interface {
	// Suggest returns up to n texts for an infill site that are certain enough, the most
	// certain first.
	Suggest(ctx context.Context, c local.Corpus, f *model.Fill, n int, least local.Certainty) []string
	// Answer answers a question from the index, as markdown with path:line
	// citations. It is false if the answer needs a model.
	Answer(ctx context.Context, c local.Corpus, question string) (answer string, ok bool)
	// NextEdits returns the places that recent edits still have to reach, the best first;
	// those with a Jump are behind the edits.
	NextEdits(ctx context.Context, c local.Corpus, recent []workspace.RecentEdit, path string, offset int) iter.Seq[local.NextEdit]
	// Broken returns the edits that bring lines with errors in line with a definition
	// that the user has just renamed.
	Broken(ctx context.Context, c local.Corpus, recent []workspace.RecentEdit, lines []local.Lines) []local.NextEdit
	// AllNextEdits returns every remaining place of the newest such change; false if
	// there is none.
	AllNextEdits(ctx context.Context, c local.Corpus, recent []workspace.RecentEdit, path string, offset int) (local.AllNextEdits, bool)
}

// Preferences is the user's configuration of suggestions in a language.
type Preferences struct {
	Enabled    bool // suggest at all
	Automatic  bool // suggest without being asked
	NextEdits  bool
	Review     bool     // when a document is saved
	HoverModel bool     // a model's paragraph on symbol hover
	Disabled   []string // globs of files without suggestions

	// How inline completions are timed (pace.go).
	Debounce     time.Duration // upper bound of the pause before a model is asked; 0: the usual one
	Timeout      time.Duration // how long a caller that does not follow waits; 0: the usual one
	TokensPerKey int           // prompt tokens for each typed character; 0: no bound
	KeepGuesses  bool          // a guess on screen is not replaced by a model's text
}

// timeout is how long a caller that does not follow waits for a model.
func (p Preferences) timeout() time.Duration { return cmp.Or(p.Timeout, inlineTimeout) }

// Deps are the dependencies of an Engine.
type Deps struct {
	Models    Models
	Local     Local
	Syntax    edits.Syntax
	Names     func(*workspace.Snapshot) edits.Names
	TaskStore TaskStore // nil keeps none
	// Life is part of the ids of proposals: an editor that still shows a proposal of a
	// server that has ended must not name one of the next server with it. "" in tests.
	Life string
	// Indexed waits until the folders are indexed, within reason, and returns the files as
	// they are then; nil: a task begins with the snapshot that it was given.
	Indexed func(ctx context.Context) *workspace.Snapshot
	// TaskSettings is the user's configuration of deep tasks; nil: the defaults.
	TaskSettings func() TaskSettings

	Dependencies workspace.Dependencies // the dependencies' API for windows; nil: none
	Search       workspace.Search       // a code search server; nil: none

	Preferences func(language string) Preferences // nil: every suggestion is on
	Budget      func(name string) int             // tokens of context for what a window is for (workspace.Purposes), and "ask_max"; nil: the defaults
	// Mistake is what is wrong with the configuration now, "" if nothing.
	Mistake func() string
	// Allow reports why a feature ("escalate") may not be used, nil if it may: the
	// administrator's policy. Nil allows all.
	Allow func(feature string) error
	// Filtered counts a next edit that was not shown because it is noise, with the
	// reason (one of the Noise constants).
	Filtered func(reason string)
	Group    *run.Group  // starts and waits for all background work
	Notify   func(Event) // called from any goroutine, must not block for long; may be nil
}

// An Engine is the use cases of one session, grouped by what their users call, over
// the one state that they share: the open documents, the proposals and what runs.
type Engine struct {
	*core
	Completer *Completer
	NextEdits *NextEditor
	Editor    *Editor
	Asker     *Asker
	Reviewer  *Reviewer
	Tasks     *Tasks
}

// New returns an engine. Its background work ends with d.Group.
func New(d Deps) *Engine {
	c := newCore(d)
	store := newProposals(d.Life, func(p *Proposal) { c.Notify(Event{Proposal: p}) })
	editor := &Editor{core: c, proposals: store}
	return &Engine{
		core:      c,
		Completer: &Completer{core: c},
		NextEdits: &NextEditor{core: c},
		Editor:    editor,
		Asker:     &Asker{core: c, threads: map[string][]model.Message{}},
		Reviewer:  &Reviewer{core: c},
		Tasks:     &Tasks{core: c, editor: editor},
	}
}

// Opened begins the life of the document at uri, which the snapshot has open. Proposals on
// it are judged by its text.
func (e *Engine) Opened(snap *workspace.Snapshot, uri string) {
	o, ok := snap.Overlay(uri)
	if !ok {
		return
	}
	e.docs.texts.Lock()
	defer e.docs.texts.Unlock()
	e.Editor.proposals.follow(e.docs.opened(o))
}

// Warm prepares the connection for completions in the background, so that the next one
// does not have to: when an editor opens the document at uri, or gets the focus (""). It
// does nothing where no suggestion would come by itself.
func (e *Engine) Warm(snap *workspace.Snapshot, uri string) {
	if o, ok := snap.Overlay(uri); ok && e.quiet(snap, o, false) != "" || e.paused() != "" {
		return
	}
	e.warm()
}

// Changed notifies the engine that steps led to a document's text in the snapshot.
// Suggestions and proposals follow the change or end here, so that none is ever shown for
// an outdated text.
func (e *Engine) Changed(snap *workspace.Snapshot, uri string, steps []workspace.Step) {
	o, ok := snap.Overlay(uri)
	if !ok {
		return
	}
	d := e.docs.of(o)
	if d == nil {
		return
	}
	c := logged{revision: o.Revision}
	for _, step := range steps {
		c.edits = append(c.edits, step.Edit)
	}
	e.docs.texts.Lock()
	before := d.text
	e.docs.texts.Unlock()
	if len(steps) == 1 {
		for _, other := range e.docs.all() {
			other.next.apply(o.URI, before, steps[0])
		}
	}
	e.typed(o, c.edits)
	d.inline.follow(o, c.edits)
	d.inline.adopt(d.menu, o)
	d.next.follow(o, c.edits)
	for _, other := range e.docs.all() {
		other.next.move(o.URI, c.edits)
		other.next.takeBack(o.URI, before, steps)
	}
	e.docs.texts.Lock()
	d.text, d.version = o.Text, o.Version
	d.log.add(c)
	e.Editor.proposals.follow(d)
	e.docs.texts.Unlock()
	e.Completer.speculate(snap, o)
}

// Offered reports whether an edit that an editor reports is a next edit that was offered, as
// the text o has it: the user accepted it, whether or not the editor says so. What may have
// been typed, a single character, is none.
func (e *Engine) Offered(o *workspace.Overlay, edit edits.Edit) bool {
	if !edit.Valid(o.Text.Len()) || edit.Len()+len(edit.New) < 2 {
		return false
	}
	edit, _ = trimmed(edit, o.Text.Slice(edit.Span))
	return edit.Len()+len(edit.New) > 1 &&
		slices.ContainsFunc(e.docs.all(), func(d *document) bool { return d.next.offers(o.URI, o.Text, edit) })
}

// Closed ends the life of the document at uri. Proposals on it keep its last text.
func (e *Engine) Closed(uri string) {
	e.docs.texts.Lock()
	defer e.docs.texts.Unlock()
	if d := e.docs.closed(uri); d != nil {
		e.NextEdits.caused.closed(uri)
		e.Editor.proposals.closed(d)
	}
}

// Status returns what works, what it works on, and why nothing is shown.
func (e *Engine) Status(snap *workspace.Snapshot) Status { return e.status(snap) }

// OtherProviders records which other providers of the editor suggest at the cursor, as the
// editor says. It replaces what was recorded before.
func (e *Engine) OtherProviders(names []string) { e.setOtherProviders(names) }
