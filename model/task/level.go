package task

import (
	"context"
	"slices"
	"sync"

	"tandem/edits"
	"tandem/model"
	"tandem/workspace/judge"
)

// A level is the steps that run at once. Each may use what another one declares, so their
// names are judged on the texts of all, when all have answered.
type level struct {
	mu       sync.Mutex // guards all below
	running  int        // steps, those that wait included
	answered []*levelAnswer
}

// A levelAnswer is what a step that waits for the others would change.
type levelAnswer struct {
	changes []edits.FileChange
	verdict chan error // has one value once all have answered
}

// start adds steps to the level.
func (l *level) start(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running += n
}

// end takes a step out of the level, and an answer that nobody waits for any more.
func (l *level) end(judge func([]*levelAnswer)) {
	l.change(judge, func() { l.running-- })
}

// wait returns what the others and a step's changes together are judged to be.
func (l *level) wait(ctx context.Context, changes []edits.FileChange, judge func([]*levelAnswer)) error {
	own := &levelAnswer{changes, make(chan error, 1)}
	l.change(judge, func() { l.answered = append(l.answered, own) })
	select {
	case err := <-own.verdict:
		return err
	case <-ctx.Done():
		l.mu.Lock()
		defer l.mu.Unlock()
		l.answered = slices.DeleteFunc(l.answered, func(a *levelAnswer) bool { return a == own })
		return ctx.Err()
	}
}

// change changes the level; where that leaves no step to wait for, the answers are judged.
func (l *level) change(judge func([]*levelAnswer), do func()) {
	l.mu.Lock()
	do()
	var all []*levelAnswer
	if len(l.answered) == l.running {
		all, l.answered = l.answered, nil
	}
	l.mu.Unlock()
	if len(all) > 0 {
		judge(all)
	}
}

// judged gives each of the answers the errors that a check of all of them found in its own
// files.
func (r stepRunner) judged(ctx context.Context, run *taskRun) func([]*levelAnswer) {
	return func(all []*levelAnswer) {
		var lists [][]edits.FileChange
		for _, a := range all {
			lists = append(lists, a.changes)
		}
		checks := r.asker.judge.Change(ctx, run.snap.Supposing(run.texts()), edits.JoinChanges(lists...), judge.Files).Public().Checks() // a model reads them; what uses it elsewhere, a later step may change
		for _, a := range all {
			a.verdict <- errorsIn(a.changes, checks)
		}
	}
}

// errorsIn is the error of changes in whose files checks found errors.
func errorsIn(changes []edits.FileChange, checks []edits.Check) error {
	own := slices.Clone(checks)
	for i := range own {
		own[i].Findings = slices.DeleteFunc(slices.Clone(own[i].Findings), func(f edits.Finding) bool {
			return !slices.ContainsFunc(changes, func(c edits.FileChange) bool { return c.Path == f.Path })
		})
	}
	if v := edits.Judge(changes, own...); v.Failed() {
		return &model.Error{Code: model.CodeRefused, Message: v.Reason()}
	}
	return nil
}
