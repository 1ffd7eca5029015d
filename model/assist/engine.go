package assist

import (
	"context"
	"slices"
	"sync"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/ask"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/model/assist/inline"
	"tandem/model/assist/next"
	"tandem/model/assist/prompt"
	"tandem/model/task"
	"tandem/workspace"
)

// Deps are the dependencies of an Engine.
type Deps struct {
	core.Deps
	// Life is part of the ids of proposals: an editor that still shows a proposal of a
	// server that has ended must not name one of the next server with it. "" in tests.
	Life  string
	Tasks task.Deps
}

// A follower keeps something of the open documents: each gets one life, from its opening to
// its closing.
type follower interface {
	Opened(o *workspace.Overlay)
	// Changed has the snapshot that holds the text of o, and the steps that led to it.
	Changed(snap *workspace.Snapshot, o *workspace.Overlay, steps []workspace.Step)
	Closed(uri string)
}

// An Engine is the use cases of one session, grouped by what their users call, over
// the one state that they share: the open documents, the proposals and what runs.
type Engine struct {
	models    core.Models
	mistake   func() string
	docs      *core.Documents
	runs      *core.Runs
	Wanted    *core.Wanted
	Completer *inline.Completer
	NextEdits *next.Editor
	Editor    *edit.Editor
	Asker     *ask.Asker
	Reviewer  *ask.Reviewer
	Tasks     *task.Tasks

	followers []follower
}

// New returns an engine. Its background work ends with d.Group.
func New(d Deps) *Engine {
	of := d.Deps.Whole()
	docs, wanted := &core.Documents{Group: of.Group, Uses: core.Uses{Count: of.CountUse}}, &core.Wanted{Preferences: of.Preferences}
	of.Notify = counted(&docs.Uses, once(of.Notify))
	prompts := prompt.New(of, wanted)
	editor := edit.New(prompts, of, docs, d.Life)
	e := &Engine{
		models: of.Models, mistake: of.Mistake, docs: docs, runs: editor.Runs, Wanted: wanted,
		Completer: &inline.Completer{Prompts: prompts, Local: of.Local, Judge: of.Judge, Docs: docs, Wanted: wanted, Notify: of.Notify},
		NextEdits: next.New(prompts, of, wanted, editor),
		Editor:    editor,
		Asker:     &ask.Asker{Prompts: prompts, Wanted: wanted},
		Reviewer:  &ask.Reviewer{Prompts: prompts, Wanted: wanted},
		Tasks:     task.New(editor, d.Tasks),
	}
	e.followers = []follower{&docs.Uses, e.NextEdits.Open, e.Editor, e.Completer}
	return e
}

// once passes on each core.Once the first time that it comes, as a Notice.
func once(notify func(core.Event)) func(core.Event) {
	var said sync.Map
	return func(e core.Event) {
		if sentence, ok := e.(core.Once); ok {
			if _, again := said.LoadOrStore(sentence, true); again {
				return
			}
			e = core.Notice(sentence)
		}
		notify(e)
	}
}

// Opened begins the life of the document at uri, which the snapshot has open.
func (e *Engine) Opened(snap *workspace.Snapshot, uri string) {
	if o, ok := snap.Overlay(uri); ok {
		for _, f := range e.followers {
			f.Opened(o)
		}
	}
}

// Changed notifies the engine that steps led to a document's text in the snapshot.
// Suggestions and proposals follow the change or end here, so that none is ever shown for
// an outdated text.
func (e *Engine) Changed(snap *workspace.Snapshot, uri string, steps []workspace.Step) {
	if o, ok := snap.Overlay(uri); ok {
		for _, f := range e.followers {
			f.Changed(snap, o, steps)
		}
	}
}

// During does work in the background for the document that o is a text of, which ends with the
// document's life: one piece of its name at a time, the newest.
func (e *Engine) During(o *workspace.Overlay, work string, do func(ctx context.Context)) {
	e.docs.During(o, work, do)
}

// Closed ends the life of the document at uri.
func (e *Engine) Closed(uri string) {
	for _, f := range e.followers {
		f.Closed(uri)
	}
}

// Reconfigured prepares the connection anew, if a document is open in which suggestions come by
// themselves: the models may be others now.
func (e *Engine) Reconfigured(snap *workspace.Snapshot) {
	e.Completer.Reconfigured()
	if slices.ContainsFunc(snap.Overlays(), func(o *workspace.Overlay) bool { return e.Wanted.Quiet(snap, o, false) == "" }) {
		e.Completer.Warm(snap, "")
	}
}

// Accepted records that the user accepted a completion or a next edit. The result is the
// change that adds the imports that a completion needs, or nil.
func (e *Engine) Accepted(snap *workspace.Snapshot, id string) *core.DocumentEdit {
	e.acceptedNext(snap, id)
	e.NextEdits.Open.Accepted(id)
	return e.Completer.Accepted(snap, id)
}

// Rejected records that the user rejected a completion or a next edit.
func (e *Engine) Rejected(id string) {
	e.NextEdits.Open.Rejected(id)
	e.Completer.Rejected(id)
}

// Ignored records that the user let a next edit be.
func (e *Engine) Ignored(id string) { e.NextEdits.Open.Ignored(id) }

// Offered reports whether an edit that an editor reports is a next edit that was offered.
func (e *Engine) Offered(o *workspace.Overlay, edit edits.Edit) bool {
	return e.NextEdits.Open.Offered(o, edit)
}

// A State is what works and what it works on.
type State struct {
	model.Status
	Busy    bool
	Paused  string // why nothing is suggested anywhere without being asked, and what ends that
	Mistake string // in the configuration; "" if it has none
}

// State returns the state of the session now.
func (e *Engine) State() State {
	return State{Status: e.models.Status(), Busy: e.runs.Any() || e.Completer.Busy(), Paused: e.Wanted.Paused(), Mistake: e.mistake()}
}
