package assist

import (
	"context"

	"tandem/edits"
	"tandem/model"
	"tandem/model/local"
	"tandem/workspace"
	"tandem/workspace/run"
	"tandem/workspace/state"
)

// BuiltIn is the built-in engine's name in a provenance. It answers when no model
// does.
const BuiltIn = "local"

// Models is what the engine needs from the configured models; *model.Lanes is one.
type Models interface {
	Stream(ctx context.Context, lane model.Lane, req *model.Request) model.Stream
	Config(lane model.Lane) (model.ModelConfig, bool)
	Backoff(lane model.Lane) float64
	Usage(requestID string) (edits.Provenance, bool)
	Status() model.Status
	Warm(ctx context.Context, lane model.Lane)
}

// Local is the built-in engine; *local.Engine is one.
type Local interface {
	// Suggest returns up to n texts for an infill site, the most certain first. If the
	// user asked for a suggestion, it also returns less certain ones.
	Suggest(ctx context.Context, c local.Corpus, f *model.Fill, n int, asked bool) []string
	// Answer answers a question from the index, as markdown with path:line
	// citations. It is false if the answer needs a model.
	Answer(ctx context.Context, c local.Corpus, question string) (answer string, ok bool)
	// NextEdits returns the places where a change that recent edits repeat also
	// applies, the best first.
	NextEdits(ctx context.Context, c local.Corpus, recent []workspace.RecentEdit, path string, offset int) []local.NextEdit
}

// Preferences is the user's configuration of suggestions in a language.
type Preferences struct {
	Enabled    bool // suggest at all
	Automatic  bool // suggest without being asked
	NextEdits  bool
	Review     bool     // when a document is saved
	HoverModel bool     // a model's paragraph on symbol hover
	Disabled   []string // globs of files without suggestions
}

// A TaskStore keeps deep tasks on disk, so that a crash loses none and other processes
// can steer them; *state.Tasks is one.
type TaskStore interface {
	Save(state.Task) error
	List() ([]state.Task, error)
	Receive(id string) ([]state.TaskMessage, error)
}

// Deps are the dependencies of an Engine.
type Deps struct {
	Models    Models
	Local     Local
	Syntax    edits.Syntax
	Names     func(*workspace.Snapshot) edits.Names
	TaskStore TaskStore // nil keeps none

	Dependencies workspace.Dependencies // the dependencies' API for windows; nil: none
	Search       workspace.Search       // a code search server; nil: none

	Preferences func(language string) Preferences // nil: every suggestion is on
	Budget      func(model.Purpose) int           // configured tokens of context; 0 leaves the default
	// Mistake is what is wrong with the configuration now, "" if nothing.
	Mistake func() string
	// Allow reports why a feature ("escalate") may not be used, nil if it may: the
	// administrator's policy. Nil allows all.
	Allow  func(feature string) error
	Group  *run.Group  // starts and waits for all background work
	Notify func(Event) // called from any goroutine, must not block for long; may be nil
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
	next := &nextOffers{}
	store := newProposals(func(p *Proposal) { c.Notify(Event{Proposal: p}) })
	editor := &Editor{core: c, proposals: store}
	return &Engine{
		core:      c,
		Completer: &Completer{core: c, next: next},
		NextEdits: &NextEditor{core: c, next: next},
		Editor:    editor,
		Asker:     &Asker{core: c, threads: map[string][]model.Message{}},
		Reviewer:  &Reviewer{core: c},
		Tasks:     &Tasks{core: c, editor: editor},
	}
}

// Changed notifies the engine that a document's text has changed by edits, each made
// to the text after the one before. Suggestions and proposals follow the change or
// end here, so that none is ever shown for an outdated text.
func (e *Engine) Changed(snap *workspace.Snapshot, uri string, version int32, list []edits.Edit) {
	o, ok := snap.Overlay(uri)
	if !ok {
		return
	}
	e.docs.of(uri).follow(version, o.Text, list)
	e.docs.forget(uri + menuSuffix)
	e.Editor.proposals.rebase(uri, version, list)
	e.Completer.speculate(snap, uri)
}

// Closed drops a document's suggestions.
func (e *Engine) Closed(uri string) {
	e.docs.forget(uri)
	e.docs.forget(uri + menuSuffix)
}

// Status returns what works, what it works on, and why nothing is shown.
func (e *Engine) Status(snap *workspace.Snapshot) Status { return e.status(snap) }
