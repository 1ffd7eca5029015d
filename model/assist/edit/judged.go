package edit

import (
	"context"
	"sync"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/workspace"
	"tandem/workspace/judge"
)

// A rejudge judges proposals again that were judged before the user typed.
type rejudge struct {
	mu     sync.Mutex // guards all below
	latest *workspace.Snapshot
	stop   context.CancelFunc // of the one that waits for a pause
}

// pause is how long nobody types before proposals are judged again.
const pause = 300 * time.Millisecond

// now is a snapshot, or the one after what was typed last.
func (e *Editor) now(snap *workspace.Snapshot) *workspace.Snapshot {
	e.rejudge.mu.Lock()
	defer e.rejudge.mu.Unlock()
	if l := e.rejudge.latest; l != nil && l.ID() > snap.ID() {
		return l
	}
	return snap
}

// typed makes the verdicts on live proposals "not judged" that were made before the user typed, and
// has them made again in a pause.
func (e *Editor) typed(snap *workspace.Snapshot) {
	e.rejudge.mu.Lock()
	e.rejudge.latest = snap
	e.rejudge.mu.Unlock()
	outdated := false
	for _, p := range e.Proposals.allReady() {
		v := p.Judged()
		if !v.Outdated() && !judge.Holds(snap, v, changesOf(p)) {
			v = v.Moved()
			_, _ = e.Proposals.update(p.ID, func(p *Proposal) { p.Verdict = p.Verdict.Moved() }) // one that has ended stays
		}
		outdated = outdated || v.Outdated()
	}
	if outdated {
		e.judgeAgain(pause)
	}
}

// judgeAgain judges outdated proposals after a wait; one that waits already ends.
func (e *Editor) judgeAgain(wait time.Duration) {
	ctx, stop := context.WithCancel(e.Docs.Group.Context())
	e.rejudge.mu.Lock()
	if e.rejudge.stop != nil {
		e.rejudge.stop()
	}
	e.rejudge.stop = stop
	e.rejudge.mu.Unlock()
	e.Docs.Group.Go("judge proposals again", func(context.Context) {
		defer stop()
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
		for _, p := range e.Proposals.allReady() {
			if !p.Judged().Outdated() {
				continue
			}
			e.rejudge.mu.Lock()
			snap := e.rejudge.latest
			e.rejudge.mu.Unlock()
			if v := e.Judge.Change(ctx, snap, changesOf(p), judge.Users, p.Request.asked(snap)); ctx.Err() == nil {
				_, _ = e.Proposals.update(p.ID, func(p *Proposal) { p.Verdict = v })
			}
		}
	})
}

// settled has a proposal judged again that has come to rest on other texts than those it was
// judged with.
func (e *Editor) settled(id string, snap *workspace.Snapshot) {
	if p, err := e.Proposals.get(id); err == nil && p.State == Ready {
		e.typed(e.now(snap))
	}
}

// changesOf are the changes of a proposal; none where they cannot be made any more.
func changesOf(p *Proposal) []edits.FileChange {
	changes, err := p.Changes()
	if err != nil {
		return nil
	}
	return changes
}

// obeyed returns why what the user accepts, a part of a proposal or all of it, may not be applied,
// or nil. It is judged with the texts as they are now, and what is not judged is said. A part may
// break what the rest of the proposal mends, which is said too.
func (e *Editor) obeyed(ctx context.Context, snap *workspace.Snapshot, p *Proposal, changes []edits.FileChange, part, force bool) error {
	v := p.Verdict.Of(changes)
	if v.Outdated() || !judge.Holds(snap, v, changes) {
		ctx, cancel := context.WithTimeout(ctx, acceptWait)
		defer cancel()
		v = e.Judge.Change(ctx, snap, changes, judge.Users, p.Request.asked(snap))
	}
	consent := edits.Consent{Force: force, Confirmed: force, Each: part} // force follows the reason
	switch {
	case part && v.Failed() && v.Unsafe() == nil && p.Judged().Passed() && !force:
		e.Notify(core.Notice("Until the rest of the suggestion is accepted: " + v.Reason()))
		return nil
	case p.Task.Running && v.Failed():
		return &model.Error{Code: model.CodeBadRequest, Message: "Steps of the task that are at work may mend this; accept it when they are done: " + v.Reason()}
	case !v.Passed() && !v.Failed() && v.Refusal(consent) == nil:
		e.Notify(core.Notice("What was accepted is not judged: " + v.Reason() + "."))
	}
	return refused(v, consent)
}

// partObeyed is obeyed for a part, by the edits of its documents.
func (e *Editor) partObeyed(ctx context.Context, snap *workspace.Snapshot, p *Proposal, list []core.DocumentEdit, force bool) error {
	changes, err := p.changed(snap, list)
	if err != nil {
		return err
	}
	return e.obeyed(ctx, snap, p, changes, true, force)
}

// acceptWait is how long the judgement of what the user accepts may take.
const acceptWait = 10 * time.Second

// changed are the changes that edits of documents make, which are a part of the proposal.
func (p *Proposal) changed(snap *workspace.Snapshot, list []core.DocumentEdit) ([]edits.FileChange, error) {
	var out []edits.FileChange
	for _, d := range list {
		after, err := edits.Apply(d.Base, d.Edits)
		if err != nil {
			return nil, err
		}
		c := edits.FileChange{Path: snap.Name(d.URI), Before: d.Base.String(), After: after.String(), AbsentBefore: d.Create, AbsentAfter: d.Delete, Form: d.Form, Edits: d.Edits}
		if d.Delete {
			c.After = ""
		}
		for _, f := range p.Files {
			if f.Path == c.Path {
				c.Doubts = f.Doubts
			}
		}
		out = append(out, c)
	}
	return out, nil
}
