package assist

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

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

// Editor is the user's configuration of suggestions in a language.
type Editor struct {
	Enabled    bool // suggest at all
	Automatic  bool // suggest without being asked
	NextEdits  bool
	Review     bool     // when a document is saved
	HoverModel bool     // a model's paragraph on symbol hover
	Disabled   []string // globs of files without suggestions
}

// Tasks stores deep tasks on disk, so that a crash loses none and other processes can
// steer them; *state.Tasks is one.
type Tasks interface {
	Save(state.Task) error
	List() ([]state.Task, error)
	Receive(id string) ([]state.TaskMessage, error)
}

// Deps are the dependencies of an Engine.
type Deps struct {
	Models Models
	Local  Local
	Syntax edits.Syntax
	Names  func(*workspace.Snapshot) edits.Names
	Tasks  Tasks // nil keeps none

	Dependencies workspace.Dependencies // the dependencies' API for windows; nil: none
	Search       workspace.Search       // a code search server; nil: none

	Editor func(language string) Editor
	Budget func(model.Purpose) int // configured tokens of context; 0 leaves the default
	// Mistake is what is wrong with the configuration now, "" if nothing.
	Mistake func() string
	Group   *run.Group  // starts and waits for all background work
	Notify  func(Event) // called from any goroutine, must not block for long; may be nil
}

// An Engine implements the use cases of one session.
type Engine struct {
	Deps
	proposals *proposals
	tasks     tasks
	next      nextEdits
	last      atomic.Pointer[wholeText]

	textMu sync.Mutex          // guards logs, and orders their changes with proposals
	logs   map[string]*textLog // by URI

	mu       sync.Mutex          // guards all below
	runs     map[string]*running // running edits and tasks, by id
	docs     map[string]*inlineDoc
	threads  map[string][]model.Message
	snooze   time.Time
	reported map[string]bool // notices, each reported once
	reason   string          // why the last request showed nothing
	serial   int
}

// New returns an engine. Its background work ends with d.Group.
func New(d Deps) *Engine {
	if d.Notify == nil {
		d.Notify = func(Event) {}
	}
	if d.Editor == nil {
		d.Editor = func(string) Editor { return Editor{Enabled: true, Automatic: true, NextEdits: true} }
	}
	if d.Mistake == nil {
		d.Mistake = func() string { return "" }
	}
	if d.Budget == nil {
		d.Budget = func(model.Purpose) int { return 0 }
	}
	e := &Engine{
		Deps:     d,
		logs:     map[string]*textLog{},
		runs:     map[string]*running{},
		docs:     map[string]*inlineDoc{},
		threads:  map[string][]model.Message{},
		reported: map[string]bool{},
	}
	e.proposals = newProposals(func(p *Proposal) { d.Notify(Event{Proposal: p}) })
	return e
}

// Snooze stops automatic suggestions until the given time; the zero time ends it.
func (e *Engine) Snooze(until time.Time) {
	e.mu.Lock()
	e.snooze = until
	e.mu.Unlock()
}

// notice shows a sentence to the user, once a session.
func (e *Engine) notice(sentence string) {
	e.mu.Lock()
	known := e.reported[sentence]
	e.reported[sentence] = true
	e.mu.Unlock()
	if !known && sentence != "" {
		e.Notify(Event{Notice: sentence})
	}
}

// setReason records why nothing was shown, for Status.
func (e *Engine) setReason(reason string) {
	e.mu.Lock()
	e.reason = reason
	e.mu.Unlock()
}

// doc returns the inline state of a document and creates it if needed.
func (e *Engine) doc(uri string) *inlineDoc {
	e.mu.Lock()
	defer e.mu.Unlock()
	d := e.docs[uri]
	if d == nil {
		d = &inlineDoc{refused: map[string]bool{}}
		e.docs[uri] = d
	}
	return d
}

// Changed notifies the engine that a document's text has changed by edits, each made
// to the text after the one before. Suggestions and proposals follow the change or
// end here, so that none is ever shown for an outdated text.
func (e *Engine) Changed(snap *workspace.Snapshot, uri string, version int32, list []edits.Edit) {
	o, ok := snap.Overlay(uri)
	if !ok {
		return
	}
	e.doc(uri).follow(version, o.Text, list)
	e.forget(uri + menuSuffix)
	e.rebase(uri, version, list)
	e.speculate(snap, uri)
}

// Closed drops a document's suggestions.
func (e *Engine) Closed(uri string) {
	e.forget(uri)
	e.forget(uri + menuSuffix)
}

func (e *Engine) forget(uri string) {
	e.mu.Lock()
	d := e.docs[uri]
	delete(e.docs, uri)
	e.mu.Unlock()
	if d != nil {
		d.drop()
	}
}

// Status returns what works, what it works on, and why nothing is shown.
func (e *Engine) Status(snap *workspace.Snapshot) Status {
	s := Status{Status: e.Models.Status()}
	for _, v := range snap.Views() {
		s.Files += v.Index().NumFiles()
		s.Indexing = s.Indexing || !v.Ready()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	s.Reason = e.reason
	s.Busy = len(e.runs) > 0
	for _, d := range e.docs {
		s.Busy = s.Busy || d.busy()
	}
	return s
}
