package edit

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/model/conversation"
	"tandem/workspace"
	"tandem/workspace/redact"
)

// Get returns the current value of a proposal.
func (e *Editor) Get(id string) (*Proposal, error) { return e.Proposals.get(id) }

// Live lists the proposals that wait for the user's decision and change a document, or were asked
// for in it.
func (e *Editor) Live(uri string) []*Proposal {
	key := workspace.Key(uri)
	return slices.DeleteFunc(e.Proposals.allReady(), func(p *Proposal) bool {
		return p.file(key) < 0 && workspace.Key(p.Request.URI) != key
	})
}

// Accept returns what accepting a proposal changes: all of it, or only its
// hunk with that number, counted over all files from 0; -1 is all. The proposal is
// accepted when Changed receives the edits. What is not open is compared with its text in
// the snapshot: the proposal moves to that text, or is stale. What the host draws
// itself is not among the changes. What failed its checks is accepted by force only.
func (e *Editor) Accept(ctx context.Context, snap *workspace.Snapshot, id string, hunk int, force bool) ([]core.DocumentEdit, error) {
	p, out, err := e.pending(snap, id, hunk)
	switch {
	case err != nil:
		return nil, err
	case hunk < 0:
		return out, e.obeyed(ctx, snap, p, changesOf(p), false, force)
	}
	return out, e.partObeyed(ctx, snap, p, out, force)
}

// Pending returns what Accept would, without judging it.
func (e *Editor) Pending(snap *workspace.Snapshot, id string, hunk int) ([]core.DocumentEdit, error) {
	_, out, err := e.pending(snap, id, hunk)
	return out, err
}

func (e *Editor) pending(snap *workspace.Snapshot, id string, hunk int) (*Proposal, []core.DocumentEdit, error) {
	p, err := e.acceptable(snap, id)
	if err != nil {
		return nil, nil, err
	}
	var out []core.DocumentEdit
	n := 0
	for i, f := range p.Files {
		hunks := f.Hunks()
		list := f.Edits
		if hunk >= 0 {
			if hunk < n || hunk >= n+len(hunks) {
				n += len(hunks)
				continue
			}
			list = hunks[hunk-n].Edits
			n += len(hunks)
		}
		if p.Drafted(i) {
			continue
		}
		out = append(out, core.DocumentEdit{URI: p.Documents[i], Version: f.Version, Base: f.Base, Edits: list, Create: f.Create, Delete: f.Delete, Form: f.Form})
	}
	if len(out) == 0 && !p.Request.Draft {
		return nil, nil, &model.Error{Code: model.CodeBadRequest, Message: fmt.Sprintf("The suggestion has no change number %d.", hunk+1)}
	}
	return p, out, nil
}

// refused is why what has a verdict is not applied, or nil.
func refused(v edits.Verdict, consent edits.Consent) error {
	if err := v.Refusal(edits.Consent{Force: true, Confirmed: true}); err != nil { // nobody can
		return &model.Error{Code: model.CodeRefused, Message: "The suggestion is not applied: " + err.Error(), Err: err}
	}
	if err := v.Refusal(consent); err != nil {
		return &model.Error{Code: model.CodeFailedChecks, Message: "The suggestion is not applied: " + err.Error(), Err: err}
	}
	return nil
}

// acceptable returns a proposal as it is now, or why it cannot be accepted.
func (e *Editor) acceptable(snap *workspace.Snapshot, id string) (*Proposal, error) {
	p, err := e.Proposals.Current(id, snap)
	if err == nil {
		err = p.acceptable()
	}
	return p, err
}

// asked is what a request says of the files that its change may write, which a person sees before.
func (r Request) asked(snap *workspace.Snapshot) workspace.Asked {
	asked := r.Asked(snap)
	asked.Shown = true
	return asked
}

// Asked is what a request says of the files that its change may write.
func (r Request) Asked(snap *workspace.Snapshot) workspace.Asked {
	asked := workspace.Asked{By: r.By}
	if r.URI != "" {
		asked.Files = []string{snap.Name(r.URI)}
	}
	if !r.Found && r.Kind != model.KindDebug && r.Kind != model.KindFix { // a trace and a problem are a program's words
		asked.Words = r.Instruction
	}
	return asked
}

// acceptable returns why a proposal cannot be accepted now, or nil.
func (p *Proposal) acceptable() error {
	switch p.State {
	case Ready:
		return nil
	case Streaming, Checking:
		return &model.Error{Code: model.CodeBadRequest, Message: "The suggestion is still being written; accept it when it is ready."}
	case Stale:
		return &model.Error{Code: model.CodeBadRequest, Message: "The text has changed where the suggestion would go, so it was dropped; ask for it again.", Err: p.Err}
	case Failed:
		return p.Err
	}
	return &model.Error{Code: model.CodeBadRequest, Message: fmt.Sprintf("The suggestion was already %s.", p.State)}
}

// Wrote records that the command line or a host without didChange wrote a proposal's
// edits.
func (e *Editor) Wrote(id string) {
	_, _ = e.Proposals.update(id, func(p *Proposal) { p.State = Accepted })
}

// Reject ends a proposal. The text does not change.
func (e *Editor) Reject(id string) error {
	_, err := e.Proposals.update(id, func(p *Proposal) { p.State = Rejected })
	return err
}

// RejectPart takes a part of a proposal out of it, for this session: a hunk, a file, or what
// a step changed where no other step has changed the same file. The rest stays, and a
// proposal of which nothing is left is rejected.
func (e *Editor) RejectPart(snap *workspace.Snapshot, id string, part Part) error {
	if part == (Part{}) {
		return e.Reject(id)
	}
	p, err := e.Proposals.Current(id, snap)
	if err == nil {
		err = p.acceptable()
	}
	if err != nil {
		return err
	}
	var failed error
	_, err = e.Proposals.update(id, func(p *Proposal) {
		if failed = p.acceptable(); failed != nil {
			return
		}
		var left map[int][]edits.Edit
		if left, failed = p.without(snap, part); failed != nil {
			return
		}
		p.Files = slices.Clone(p.Files)
		for i, list := range left {
			f := p.Files[i]
			p.Files[i] = edits.ProposedFile{Path: f.Path, Base: f.Base, Version: f.Version, Edits: list, Doubts: f.Doubts}
		}
		if p.Done() {
			p.State = Rejected
		}
	})
	return cmp.Or(failed, err)
}

// without returns, by the index of a file, the edits that are left of it without a part.
func (p *Proposal) without(snap *workspace.Snapshot, part Part) (map[int][]edits.Edit, error) {
	out := map[int][]edits.Edit{}
	n := 0
	for i, f := range p.Files {
		for _, h := range f.Hunks() {
			if part.Hunk != nil && n == *part.Hunk {
				out[i] = slices.DeleteFunc(slices.Clone(f.Edits), func(one edits.Edit) bool { return slices.Contains(h.Edits, one) })
			}
			n++
		}
		if part.Hunk != nil || f.Done() || part.File != "" && !samePath(snap, f.Path, part.File) {
			continue
		}
		var by []int // the steps that changed the file
		for _, s := range p.Task.Parts {
			if slices.Contains(s.Files, f.Path) {
				by = append(by, s.Step)
			}
		}
		switch {
		case part.Step != 0 && !slices.Contains(by, part.Step):
			continue
		case part.Step != 0 && len(by) > 1:
			return nil, &model.Error{Code: model.CodeBadRequest, Message: fmt.Sprintf("%s was changed by the steps %v: reject the file, or its changes one by one.", f.Path, by)}
		}
		out[i] = nil
	}
	if len(out) == 0 {
		return nil, &model.Error{Code: model.CodeBadRequest, Message: "The suggestion changes nothing there."}
	}
	return out, nil
}

// Steer adds a message to an edit that runs or is ready: the model continues from its
// earlier answer and the proposal takes the new answer.
func (e *Editor) Steer(snap *workspace.Snapshot, id, text string, sendSecrets bool, watch func(Progress)) error {
	e.Runs.Stop(id) // what it has written so far is then the proposal's answer
	p, err := e.Proposals.get(id)
	if err != nil {
		return err
	}
	o, err := core.OpenAt(snap, core.Place{URI: p.Request.URI})
	if err != nil {
		return err
	}
	req := p.Request
	req.Watch = watch
	if req.Span, err = e.spanNow(p, o); err != nil {
		return err
	}
	run := &editRun{id: id, req: req, overlay: o, decision: model.Decision{Lane: model.Lane(p.From.Lane), Reason: p.From.Reason}, record: conversation.Record{Secrets: &redact.Redactor{}}}
	run.steered(snap, p, text, sendSecrets)
	e.Proposals.revive(id, run)
	e.Runs.Start("steered edit", id, func(ctx context.Context) { e.runEdit(ctx, snap, run) })
	return nil
}

// spanNow is where the span of a proposal's request is in the text of o, after what was typed and
// accepted since.
func (e *Editor) spanNow(p *Proposal, o *workspace.Overlay) (edits.Span, error) {
	changes, _, known := e.Docs.Since(o, p.asked.revision)
	span := p.Request.Span
	for _, change := range changes {
		span = span.After(change)
	}
	if !known || p.asked.generation != o.Generation || !span.Valid(o.Text.Len()) {
		return span, &model.Error{Code: model.CodeBadRequest, Message: "The document was closed, or has changed too much, since the edit was asked for; ask again."}
	}
	return span, nil
}

// Cancel stops a running edit at once.
func (e *Editor) Cancel(id string) error {
	return e.Runs.Cancel(id)
}
