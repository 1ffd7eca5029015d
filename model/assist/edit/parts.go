package edit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/workspace"
)

// AcceptPart returns what accepting a part of a proposal changes, and what of that part
// does not fit the files as they are now. The rest of the proposal stays.
func (e *Editor) AcceptPart(ctx context.Context, snap *workspace.Snapshot, id string, part Part, force bool) ([]core.DocumentEdit, []edits.Conflict, error) {
	if part.Hunk != nil {
		list, err := e.Accept(ctx, snap, id, *part.Hunk, force)
		return list, nil, err
	}
	p, err := e.acceptable(snap, id)
	if err != nil {
		return nil, nil, err
	}
	if part.Step == 0 {
		list, conflicts, err := p.filesOf(snap, part.File)
		switch {
		case err != nil:
		case part == (Part{}):
			err = e.obeyed(ctx, snap, p, changesOf(p), false, force)
		default:
			err = e.partObeyed(ctx, snap, p, list, force)
		}
		return list, conflicts, err
	}
	at := slices.IndexFunc(p.Task.Parts, func(s TaskPart) bool { return s.Step == part.Step })
	if at < 0 {
		return nil, nil, &model.Error{Code: model.CodeBadRequest, Message: fmt.Sprintf("The result has no change of a step %d.", part.Step)}
	}
	var out []core.DocumentEdit
	var conflicts []edits.Conflict
	for _, c := range p.Task.Parts[at].Changes {
		if part.File != "" && !samePath(snap, c.Path, part.File) {
			continue
		}
		if !slices.ContainsFunc(p.Files, func(f edits.ProposedFile) bool { return f.Path == c.Path && !f.Done() }) {
			conflicts = append(conflicts, p.ConflictsIn(c.Path)...) // why nothing of the file is left, if it was not accepted
			continue
		}
		key := snap.Resolve(c.Path)
		now, err := core.TextNow(snap, key)
		f, stale := edits.Settle(c, now, err == nil)
		conflicts = append(conflicts, stale...)
		if f.Done() {
			continue
		}
		d := core.DocumentEdit{URI: workspace.URIOf(key), Base: f.Base, Edits: f.Edits, Create: f.Create, Delete: f.Delete, Form: f.Form}
		if o, ok := snap.Overlay(key); ok {
			d.URI, d.Version = o.URI, o.Version
		}
		out = append(out, d)
	}
	if err := nothingLeft(out, conflicts); err != nil {
		return out, conflicts, err
	}
	return out, conflicts, e.partObeyed(ctx, snap, p, out, force)
}

// ConflictsIn are the conflicts of one file.
func (p *Proposal) ConflictsIn(path string) []edits.Conflict {
	return slices.DeleteFunc(slices.Clone(p.Task.Conflicts), func(c edits.Conflict) bool { return c.Path != path })
}

// filesOf is what accepting one file changes, or all of them.
func (p *Proposal) filesOf(snap *workspace.Snapshot, name string) ([]core.DocumentEdit, []edits.Conflict, error) {
	var out []core.DocumentEdit
	for i, f := range p.Files {
		if f.Done() || name != "" && !samePath(snap, f.Path, name) {
			continue
		}
		out = append(out, core.DocumentEdit{URI: p.Documents[i], Version: f.Version, Base: f.Base, Edits: f.Edits, Create: f.Create, Delete: f.Delete, Form: f.Form})
	}
	return out, p.Task.Conflicts, nothingLeft(out, p.Task.Conflicts)
}

func nothingLeft(list []core.DocumentEdit, conflicts []edits.Conflict) error {
	switch {
	case len(list) > 0:
		return nil
	case len(conflicts) > 0:
		return &model.Error{Code: model.CodeRefused, Message: "Nothing of this fits the files as they are now: " + Listed(conflicts) + "."}
	}
	return &model.Error{Code: model.CodeBadRequest, Message: "The suggestion changes nothing there, or it was accepted already."}
}

func samePath(snap *workspace.Snapshot, path, name string) bool {
	return path == name || workspace.Key(snap.Resolve(path)) == workspace.Key(snap.Resolve(name))
}

// TaskEnded has the proposal of a task say that no step is to come.
func (e *Editor) TaskEnded(id string) {
	if p := e.Proposals.OfTask(id); p != nil && p.Task.Running {
		_, _ = e.Proposals.update(p.ID, func(p *Proposal) { p.Task.Running = false })
	}
}

// Listed joins the messages of conflicts.
func Listed(conflicts []edits.Conflict) string {
	var out []string
	for _, c := range conflicts {
		out = append(out, c.Message)
	}
	return strings.Join(out, "; ")
}

// OfTask returns the newest proposal of a task that is ready, or nil.
func (s *proposals) OfTask(id string) *Proposal {
	if id == "" {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, pid := range slices.Backward(s.order) {
		if p := s.byID[pid]; p.Task.ID == id && p.State == Ready {
			return p
		}
	}
	return nil
}
