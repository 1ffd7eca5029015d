package assist

import (
	"context"
	"errors"
	"sync"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/workspace"
	"tandem/workspace/run"
)

// The lanes, as configuration and the protocol name them, and the built-in
// engine, which answers where no model does.
const (
	Fast    = "fast"
	Deep    = "deep"
	BuiltIn = "local"
)

// Models is what the engine asks of the configured models.
type Models interface {
	// Stream asks the lane's model. A lane without a model is a CodeNotConfigured error.
	Stream(ctx context.Context, lane string, req *model.Request) model.Stream
	// Config describes the lane's model; false where the lane has none of its own.
	Config(lane string) (model.ModelConfig, bool)
	// Stretch is how many times longer than usual to wait for a pause before
	// the lane is asked; 0 means that only an explicit request may ask it.
	Stretch(lane string) float64
	// Usage is what the lane's last request with this id took.
	Usage(requestID string) (edits.Provenance, bool)
	// Status is the lanes as they stand, with today's cost in USD.
	Status() (lanes map[string]LaneStatus, costUSD float64)
	// Warm prepares a lane's connection.
	Warm(ctx context.Context, lane string)
}

// Local is the built-in engine beyond what every model does.
type Local interface {
	model.Client
}

// Editor is what the user's configuration says about suggestions in a language.
type Editor struct {
	Automatic     bool     // suggest without being asked
	DisabledGlobs []string // no suggestions in these
	Names         bool     // a model's paragraph on symbol hover
}

// Tasks keeps deep tasks on disk, so that a crash loses none.
type Tasks interface {
	Save(t Task, record TaskRecord) error
	Load() ([]StoredTask, error)
}

// A TaskRecord is what a task needs to be shown, applied or resumed later.
type TaskRecord struct {
	Request  TaskRequest
	Root     string
	Proposal *edits.Proposal
}

// A StoredTask is a task as it was last saved.
type StoredTask struct {
	Task
	TaskRecord
}

// Deps is what an Engine is made of.
type Deps struct {
	Models Models
	Local  Local
	Syntax edits.Syntax
	Names  func(*workspace.Snapshot) edits.Names
	Tasks  Tasks // nil keeps none
	Editor func(language string) Editor
	Group  *run.Group  // starts and waits for all background work
	Notify func(Event) // called from any goroutine, must not block for long; may be nil
}

// An Engine is the use cases of one session.
type Engine struct {
	Deps
	proposals *proposals
	tasks     tasks
	next      nextEdits

	textMu sync.Mutex          // guards logs, and orders their changes with proposals
	logs   map[string]*textLog // by URI

	mu      sync.Mutex                    // guards all below
	runs    map[string]context.CancelFunc // running edits and tasks by id
	docs    map[string]*inlineDoc
	threads map[string][]model.Message
	snooze  time.Time
	said    map[string]bool // notices, each said once
	reason  string          // why the last request showed nothing
	serial  int
}

// New returns an engine. Its background work ends with d.Group.
func New(d Deps) *Engine {
	if d.Notify == nil {
		d.Notify = func(Event) {}
	}
	if d.Editor == nil {
		d.Editor = func(string) Editor { return Editor{Automatic: true} }
	}
	e := &Engine{
		Deps:    d,
		logs:    map[string]*textLog{},
		runs:    map[string]context.CancelFunc{},
		docs:    map[string]*inlineDoc{},
		threads: map[string][]model.Message{},
		said:    map[string]bool{},
	}
	e.proposals = newProposals(func(p *Proposal) { d.Notify(Event{Proposal: p}) })
	return e
}

// Snooze keeps automatic suggestions quiet until then; the zero time ends it.
func (e *Engine) Snooze(until time.Time) {
	e.mu.Lock()
	e.snooze = until
	e.mu.Unlock()
}

// notice says a sentence to the user, once a session.
func (e *Engine) notice(sentence string) {
	e.mu.Lock()
	known := e.said[sentence]
	e.said[sentence] = true
	e.mu.Unlock()
	if !known && sentence != "" {
		e.Notify(Event{Notice: sentence})
	}
}

// because remembers why nothing was shown, for Status.
func (e *Engine) because(reason string) {
	e.mu.Lock()
	e.reason = reason
	e.mu.Unlock()
}

// doc is the inline state of a document, made when first asked for.
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

// Changed tells the engine that a document's text has moved on by edits, each
// made to the text the one before left. Suggestions and proposals follow it or
// end here, so that none is ever shown for a text that is gone.
func (e *Engine) Changed(snap *workspace.Snapshot, uri string, version int32, list []edits.Edit) {
	o, ok := snap.Overlay(uri)
	if !ok {
		return
	}
	e.doc(uri).follow(version, o.Text, list)
	e.forget(uri + menu)
	e.rebase(uri, version, list)
	e.speculate(snap, uri)
}

// Closed forgets a document's suggestions.
func (e *Engine) Closed(uri string) {
	e.forget(uri)
	e.forget(uri + menu)
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

// Status says what works, on what, and why nothing is shown.
func (e *Engine) Status(snap *workspace.Snapshot) Status {
	lanes, cost := e.Models.Status()
	s := Status{Lanes: lanes, CostUSD: cost}
	e.mu.Lock()
	s.Reason = e.reason
	for _, d := range e.docs {
		s.Busy = s.Busy || d.busy()
	}
	e.mu.Unlock()
	return s
}

// sentence is what to tell a person about err.
func sentence(err error) string {
	var known *model.Error
	if errors.As(err, &known) {
		return known.Error()
	}
	return err.Error()
}
