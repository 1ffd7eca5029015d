package task

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/workspace"
	"tandem/workspace/redact"
	"tandem/workspace/state"
)

// conclude makes one proposal of all that the steps changed, after the review where there
// is one. A task without any change has failed, unless its steps say why.
func (w worker) conclude(ctx context.Context, run *taskRun) error {
	changes := edits.JoinChanges(run.inOrder()...)
	if len(changes) == 0 {
		if failedSteps(run.record().Steps) != "" {
			return nil
		}
		return &model.Error{Code: model.CodeEmpty, Message: "The task ended without a change; say more precisely what it should do."}
	}
	if err := w.review(ctx, run, changes); err != nil {
		return err
	}
	run.drawing.Lock()
	defer run.drawing.Unlock()
	p, err := w.tasks.propose(ctx, run.snap, run.record(), changes, run.results, nil)
	if err != nil {
		return err
	}
	run.change(func(rec *state.Task) { run.proposalID, rec.Verdict = p.ID, p.Verdict })
	return nil
}

// draw proposes what the steps that are done change, so that it is seen where the user works before the
// task is over.
func (w worker) draw(ctx context.Context, run *taskRun) {
	run.drawing.Lock()
	defer run.drawing.Unlock()
	rec := run.record()
	if settings := w.costs.settings(); settings.Quiet || settings.Unattended || !rec.Running() || !slices.ContainsFunc(rec.Steps, pending) {
		return // the result comes by itself
	}
	if p, err := w.tasks.editor.Get(run.view().ProposalID); err == nil && p.State == edit.Rejected {
		return // the user waits for the whole
	}
	if changes := edits.JoinChanges(run.inOrder()...); len(changes) > 0 {
		run.mu.Lock()
		results := maps.Clone(run.results)
		run.mu.Unlock()
		if p, err := w.tasks.propose(ctx, run.snap, rec, changes, results, nil); err == nil {
			run.change(func(*state.Task) { run.proposalID = p.ID })
			run.save()
		}
	}
}

// propose opens the proposal of a task's result. The changes are about the snapshot.
func (t *Tasks) propose(ctx context.Context, snap *workspace.Snapshot, rec state.Task, changes []edits.FileChange, results map[int][]edits.FileChange, conflicts []edits.Conflict) (*edit.Proposal, error) {
	deep := t.costs().deepConfig()
	p := edit.Proposal{
		Proposal: edits.Proposal{Title: rec.Title, Verdict: rec.Verdict, From: edits.Provenance{
			Lane: string(model.Deep), Model: deep.Name, Reason: "a deep task", PromptTokens: rec.PromptTokens, OutputTokens: rec.OutputTokens, CostUSD: rec.CostUSD,
		}},
		Request: edit.Request{URI: rec.URI, Instruction: rec.Instruction, Found: rec.Found, Lane: model.Deep},
		Task:    edit.TaskResult{ID: rec.ID, Conflicts: conflicts, Review: rec.Review, Running: slices.ContainsFunc(rec.Steps, pending), Quiet: t.settings().Quiet},
	}
	for i, s := range rec.Steps {
		if s.State != Done {
			continue
		}
		part := edit.TaskPart{Step: i + 1, Title: s.Title, Lane: s.Lane, Changes: results[i]}
		for _, c := range results[i] {
			part.Files = append(part.Files, c.Path)
		}
		p.Task.Parts = append(p.Task.Parts, part)
	}
	return t.editor.ProposeChanges(ctx, snap, changes, p)
}

// Propose opens the result of a task as a proposal of this session, judged by the text of
// the files as they are now, whoever ran the task. What conflicts is listed in it.
func (t *Tasks) Propose(ctx context.Context, snap *workspace.Snapshot, id string) (*edit.Proposal, error) {
	if run := t.live(id); run != nil {
		if p, err := t.editor.Proposals.Current(run.view().ProposalID, snap); err == nil && p.State.Live() {
			return p, nil
		}
	}
	if p := t.editor.Proposals.OfTask(id); p != nil {
		if p, err := t.editor.Proposals.Current(p.ID, snap); err == nil && p.State == edit.Ready {
			return p, nil
		}
	}
	if t.deps.Store == nil {
		return nil, unknownTask(id)
	}
	rec, err := t.deps.Store.Get(id)
	if err != nil {
		return nil, unknownTask(id)
	}
	run, err := t.restored(snap, rec)
	if err != nil {
		return nil, &model.Error{Code: model.CodeBadRequest, Message: err.Error()}
	}
	changes := edits.JoinChanges(run.inOrder()...)
	if len(changes) == 0 {
		return nil, noResult(rec, run.conflicts)
	}
	return t.propose(ctx, snap, run.record(), changes, run.results, run.conflicts)
}

// TakeBack returns what takes the result of a task back that was kept on disk.
func (t *Tasks) TakeBack(snap *workspace.Snapshot, id string) (edit.Back, error) {
	if t.deps.Store == nil {
		return edit.Back{}, unknownTask(id)
	}
	rec, err := t.deps.Store.Get(id)
	if err != nil {
		return edit.Back{}, unknownTask(id)
	}
	run, err := t.restored(snap, rec)
	if err != nil {
		return edit.Back{}, err
	}
	stored, err := run.loadResults(rec)
	if err != nil {
		return edit.Back{}, err
	}
	list, err := edit.Undo(snap, slices.Concat(resultsInOrder(rec.Steps, stored)...))
	return edit.Back{ID: id, Title: rec.Title, Edits: list}, err
}

// noResult is the error for a task of which nothing can be accepted.
func noResult(rec state.Task, conflicts []edits.Conflict) error {
	switch {
	case len(conflicts) > 0:
		return &model.Error{Code: model.CodeRefused, Message: "Nothing of the result fits the files as they are now: " + edit.Listed(conflicts) + ".",
			Err: &edits.Error{Code: edits.CodeStale, Message: edit.Listed(conflicts)}}
	case slices.ContainsFunc(rec.Steps, func(s state.Step) bool { return len(s.Result) > 0 }):
		return &model.Error{Code: model.CodeBadRequest, Message: "The files hold the whole result of the task already."}
	}
	return &model.Error{Code: model.CodeBadRequest, Message: fmt.Sprintf("The task is %s and has no result.", rec.State)}
}

// restored makes a run of a task that was kept on disk. What its steps changed is carried
// over to the files as they are now; what does not fit is listed in conflicts.
func (t *Tasks) restored(snap *workspace.Snapshot, rec state.Task) (*taskRun, error) {
	if rec.Root != "" && !slices.ContainsFunc(snap.Views(), func(v *workspace.View) bool { return v.Root == rec.Root }) {
		return nil, &model.Error{Code: model.CodeBadRequest, Message: "The task works on " + rec.Root + "; open that folder first."}
	}
	run := t.newRun(snap, Request{Title: rec.Title, Instruction: rec.Instruction, Found: rec.Found, Tests: rec.Tests,
		Place: core.Place{URI: rec.URI, Offset: rec.Start}, Span: edits.Span{Start: rec.Start, End: rec.End}})
	rec.Steps = slices.Clone(rec.Steps)
	for i := range rec.Steps {
		if s := &rec.Steps[i]; s.State != Done {
			s.State, s.Error = Queued, ""
		}
	}
	rec.State, rec.Error, rec.Code = Queued, "", ""
	run.secrets = redact.Resumed(rec.Hidden, func(path string) (string, bool) {
		text, err := core.TextNow(snap, path)
		return text.String(), err == nil
	})
	restoreWords(run.secrets, &rec)
	run.rec = rec
	stored, err := run.loadResults(rec)
	if err != nil {
		return nil, err
	}
	run.results, run.conflicts = settled(snap, rec.Steps, stored)
	run.conflicts = append(run.conflicts, complete(run.secrets, run.results)...)
	return run, nil
}

// storeResult stores what a step changed: the texts first, then the step.
func (r *taskRun) storeResult(i int, changes []edits.FileChange, took int64) {
	stored, err := r.storeChanges(changes)
	if err != nil {
		r.records.notify(core.Once(fmt.Sprintf("The result of a step cannot be kept on disk, so a crash would lose it: %v.", err)))
	}
	r.set(func(rec *state.Task) {
		r.results[i] = changes
		order := 0
		for _, s := range rec.Steps {
			order = max(order, s.Order)
		}
		s := &rec.Steps[i]
		s.State, s.Result, s.Partial, s.Error, s.Order = Done, stored, "", "", order+1
		s.Ms += took
	})
}

// storeChanges keeps the texts of changes on disk, without their secrets, and returns their names.
func (r *taskRun) storeChanges(changes []edits.FileChange) ([]state.Change, error) {
	var out []state.Change
	var failed error
	for _, c := range changes {
		next := state.Change{Path: c.Path, From: c.Form.From, Mode: uint8(c.Form.Mode), Doubts: edits.Reasons(c.Doubts)}
		if r.records.store != nil {
			put := func(text string, absent bool) string {
				if absent {
					return ""
				}
				name, err := r.records.store.PutText(r.id(), r.secrets.Seal(r.snap.Resolve(c.Path), text))
				failed = errors.Join(failed, err)
				return name
			}
			next.Before, next.After = put(c.Before, c.AbsentBefore), put(c.After, c.AbsentAfter)
		}
		out = append(out, next)
	}
	return out, failed
}

// loadResults reads what the steps of a record changed.
func (r *taskRun) loadResults(rec state.Task) (map[int][]edits.FileChange, error) {
	out := map[int][]edits.FileChange{}
	for i, s := range rec.Steps {
		for _, c := range s.Result {
			before, err := r.records.store.Text(rec.ID, c.Before)
			if err != nil {
				return nil, err
			}
			after, err := r.records.store.Text(rec.ID, c.After)
			if err != nil {
				return nil, err
			}
			before, after = r.secrets.Restore(before), r.secrets.Restore(after)
			out[i] = append(out[i], edits.FileChange{Path: c.Path, Before: before, After: after,
				AbsentBefore: c.Before == "", AbsentAfter: c.After == "", Form: edits.Form{From: c.From, Mode: edits.Mode(c.Mode)}, Edits: edits.Diff(before, after), Doubts: edits.Doubted(c.Doubts)})
		}
	}
	return out, nil
}

// settled carries the changes of steps over to the texts of a snapshot, in the order in
// which the steps were done.
func settled(snap *workspace.Snapshot, steps []state.Step, stored map[int][]edits.FileChange) (map[int][]edits.FileChange, []edits.Conflict) {
	now := func(path string) (edits.Text, bool) {
		text, err := core.TextNow(snap, snap.Resolve(path))
		return text, err == nil
	}
	carried, conflicts := edits.Carry(resultsInOrder(steps, stored), now)
	out := map[int][]edits.FileChange{}
	for n, i := range doneInOrder(steps) {
		out[i] = carried[n]
	}
	return out, conflicts
}

// Resolved records what the user decided about a task's result.
func (t *Tasks) Resolved(id, decision string) {
	if run := t.live(id); run != nil {
		run.change(func(rec *state.Task) { rec.Resolved = decision })
		if run.mail.over() {
			run.save()
		}
		return
	}
	if t.deps.Store != nil {
		if err := t.deps.Store.Change(id, func(rec *state.Task) { rec.Resolved = decision }); err != nil {
			t.editor.Notify(core.Once(fmt.Sprintf("What you decided about the task cannot be kept: %v.", err)))
		}
	}
}
