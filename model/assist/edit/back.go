package edit

import (
	"fmt"
	"slices"
	"strconv"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/workspace"
)

// An acceptance is what a person accepted, in all files, about the texts that it was made for.
type acceptance struct {
	id, task, title string
	files           []edits.ProposedFile
}

// accepted remembers what was accepted, the newest last. s.mu is held.
func (s *proposals) accepted(a *acceptance) {
	s.done = append(s.done, a)
	if over := len(s.done) - maxProposals; over > 0 {
		s.done = slices.Delete(s.done, 0, over)
	}
}

// tabbed remembers an accepted next edit of a text. Those that follow each other with nothing typed
// between them are one series.
func (s *proposals) tabbed(path string, before edits.Text, steps []workspace.Step) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case len(steps) != 1 || !steps[0].Accepted:
		s.series = nil
		return
	case s.series == nil:
		s.next++
		s.series = &acceptance{id: "tab" + s.life + strconv.Itoa(s.next), title: "the next edits"}
		s.accepted(s.series)
	}
	s.series.files = append(s.series.files, edits.ProposedFile{Path: path, Base: before, Edits: core.StepEdits(steps)})
}

// A Back is what takes an accepted change back.
type Back struct {
	ID, Title string
	Edits     []core.DocumentEdit
}

// named reports whether an acceptance is that of a proposal or a task; without an id every one is.
func (a *acceptance) named(id string) bool { return id == "" || a.id == id || a.task == id }

// TakeBack returns what takes an accepted change back in all of its files, over what was typed
// since: that of a proposal or a task, or with no id the newest. It changes nothing where a part
// does not fit any more, and names the place. TookBack records that it is done.
func (e *Editor) TakeBack(snap *workspace.Snapshot, id string) (Back, error) {
	s := e.Proposals
	s.mu.Lock()
	var a *acceptance
	for _, one := range slices.Backward(s.done) {
		if one.named(id) {
			a = one
			break
		}
	}
	s.mu.Unlock()
	if a == nil {
		return Back{}, &model.Error{Code: model.CodeBadRequest, Message: "There is no accepted change to take back; those of an earlier session are, if they are a task's, by its id."}
	}
	var changes []edits.FileChange
	for _, f := range a.files {
		c, err := f.Change()
		if err != nil {
			return Back{}, fmt.Errorf("take %s back: %w", a.title, err)
		}
		changes = append(changes, c)
	}
	list, err := Undo(snap, changes)
	return Back{a.id, a.title, list}, err
}

// TookBack forgets an accepted change that was taken back.
func (e *Editor) TookBack(id string) {
	e.Proposals.mu.Lock()
	defer e.Proposals.mu.Unlock()
	e.Proposals.series = nil
	e.Proposals.done = slices.DeleteFunc(e.Proposals.done, func(a *acceptance) bool { return a.id == id })
}

// Undo returns what undoes changes that were made one after another, in the files as they are now,
// or why nothing of it may be done.
func Undo(snap *workspace.Snapshot, changes []edits.FileChange) (out []core.DocumentEdit, err error) {
	var steps [][]edits.FileChange
	for _, c := range slices.Backward(changes) {
		steps = append(steps, []edits.FileChange{c.Inverse()})
	}
	carried, conflicts := edits.Carry(steps, func(path string) (edits.Text, bool) {
		text, err := core.TextNow(snap, snap.Resolve(path))
		return text, err == nil
	})
	if len(conflicts) > 0 {
		return nil, &model.Error{Code: model.CodeRefused, Message: "Nothing was taken back: " + Listed(conflicts) + "."}
	}
	for _, c := range edits.JoinChanges(carried...) {
		key, f := snap.Resolve(c.Path), c.Proposed()
		d := core.DocumentEdit{URI: workspace.URIOf(key), Base: f.Base, Edits: f.Edits, Create: f.Create, Delete: f.Delete, Form: f.Form}
		if o, ok := snap.Overlay(key); ok {
			d.URI, d.Version = o.URI, o.Version
		}
		out = append(out, d)
	}
	if len(out) == 0 {
		return nil, &model.Error{Code: model.CodeBadRequest, Message: "The files hold nothing of that change any more."}
	}
	return out, nil
}
