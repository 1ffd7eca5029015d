package assist

import (
	"context"
	"slices"

	"tandem/edits"
	"tandem/model/assist/ask"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/model/assist/inline"
	"tandem/model/assist/next"
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
	core      *core.Core
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
	c := core.New(d.Deps)
	c.Notify = counted(c, c.Notify)
	e := &Engine{core: c, Completer: inline.New(c), Editor: edit.New(c, d.Life), Asker: ask.New(c), Reviewer: ask.NewReviewer(c)}
	e.NextEdits, e.Tasks = next.New(c, e.Editor), task.New(c, e.Editor, d.Tasks)
	e.followers = []follower{&c.Uses, e.NextEdits.Open, e.Editor, e.Completer}
	return e
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
	e.core.Docs.During(o, work, do)
}

// Closed ends the life of the document at uri.
func (e *Engine) Closed(uri string) {
	for _, f := range e.followers {
		f.Closed(uri)
	}
}

// Warm prepares the connection for completions, as Core.Warm does. The user begins to read the
// document at uri, if there is one.
func (e *Engine) Warm(snap *workspace.Snapshot, uri string) {
	e.core.Warm(snap, uri, func() {
		if o, ok := snap.Overlay(uri); ok {
			e.Completer.ReadAhead(snap, core.Place{URI: uri, Offset: o.Text.Len()}, true)
		}
	})
}

// Reconfigured prepares the connection anew, if a document is open in which suggestions come by
// themselves: the models may be others now.
func (e *Engine) Reconfigured(snap *workspace.Snapshot) {
	e.core.Reconfigured()
	if slices.ContainsFunc(snap.Overlays(), func(o *workspace.Overlay) bool { return e.core.Quiet(snap, o, false) == "" }) {
		e.Warm(snap, "")
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

// Status returns what works, what it works on, and why nothing is shown.
func (e *Engine) Status(snap *workspace.Snapshot) core.Status { return e.core.Status(snap) }

// OtherProviders records which other providers of the editor suggest at the cursor, as the
// editor says. It replaces what was recorded before.
func (e *Engine) OtherProviders(names []string) { e.core.SetOtherProviders(names) }
