package task

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"tandem/model"
	"tandem/workspace"
	"tandem/workspace/state"
)

// A worker runs a task from its plan to its result.
type worker struct {
	tasks *Tasks
	costs costs
	asker asker
}

func (t *Tasks) worker() worker { return worker{t, t.costs(), t.asker()} }

// work runs a task to its end: each turn of the loop does what the record says comes next,
// so that a task goes on in the same way after a message, a restart or another process.
func (w worker) work(ctx context.Context, run *taskRun) {
	if w.tasks.deps.Store != nil {
		w.tasks.editor.Docs.Group.Go("messages for a deep task", func(context.Context) { w.tasks.receiveMessages(ctx, run) })
	}
	w.awaitIndex(ctx, run)
	var err error
	for {
		err = w.tasks.slots.acquire(ctx, w.costs.settings().Running)
		if err == nil {
			err = w.advance(ctx, run)
			w.tasks.slots.release()
		}
		if !errors.Is(err, errSteered) && (err != nil || run.mail.finish()) {
			break
		}
	}
	w.end(ctx, run, err)
}

// awaitIndex lets a new task begin on an index: without one, windows lack the files that
// steps name. A task with results keeps the snapshot that they are about.
func (w worker) awaitIndex(ctx context.Context, run *taskRun) {
	unready := slices.ContainsFunc(run.snap.Views(), func(v *workspace.View) bool { return !v.Ready() })
	if w.tasks.deps.Indexed == nil || !unready || len(run.results) > 0 {
		return
	}
	if snap := w.tasks.deps.Indexed(ctx); snap != nil {
		run.snap = snap
	}
}

// advance does what comes next until the task is over, waits for the user or has a message
// that changes what comes next (errSteered). Its caller holds a slot.
func (w worker) advance(ctx context.Context, run *taskRun) error {
	for {
		w.readMessages(run)
		if err := ctx.Err(); err != nil {
			return err
		}
		rec := run.record()
		var err error
		switch {
		case len(rec.Steps) == 0 && rec.EstimateTokens == 0:
			w.costs.price(run)
		case len(rec.Steps) == 0 && !rec.Approved && w.costs.confirms(rec):
			w.costs.askForPrice(run)
			err = w.waitForUser(ctx, run)
		case len(rec.Steps) == 0 || rec.Replan:
			err = w.timed(run, func() error { return planner{w.costs, w.asker}.plan(ctx, run) })
		case !rec.Approved && w.shows(rec):
			run.set(func(rec *state.Task) { rec.State = Planned })
			err = w.waitForUser(ctx, run)
		case slices.ContainsFunc(rec.Steps, pending):
			err = w.timed(run, func() error { return w.runSteps(ctx, run) })
		default:
			return w.timed(run, func() error { return w.conclude(ctx, run) })
		}
		if err != nil && !errors.Is(err, errSteered) {
			return err
		}
	}
}

// pending reports whether a step is still to be done.
func pending(s state.Step) bool {
	return s.State != Done && s.State != Failed
}

// timed adds the time of a phase to the task.
func (w worker) timed(run *taskRun, do func() error) error {
	start := time.Now()
	err := do()
	run.change(func(rec *state.Task) { rec.Ms += time.Since(start).Milliseconds() })
	return err
}

// waitForUser gives the task's slot to another one until there is a message.
func (w worker) waitForUser(ctx context.Context, run *taskRun) error {
	w.tasks.slots.release()
	err := run.mail.wait(ctx)
	if again := w.tasks.slots.acquire(ctx, w.costs.settings().Running); again != nil {
		w.tasks.slots.mu.Lock()
		w.tasks.slots.used++ // advance's caller releases it
		w.tasks.slots.mu.Unlock()
		err = errors.Join(err, again)
	}
	return err
}

// shows reports whether the user sees the plan before it runs.
func (w worker) shows(rec state.Task) bool {
	settings := w.costs.settings()
	return rec.Error != "" || rec.Hold || settings.ShowPlan > 0 && len(rec.Steps) >= settings.ShowPlan || w.costs.confirms(rec)
}

// readMessages applies what the user has sent.
func (w worker) readMessages(run *taskRun) {
	for _, m := range run.mail.take() {
		switch m.kind {
		case steerMessage:
			run.set(func(rec *state.Task) {
				addMessage(rec, "user", "steer", m)
				rec.Resolved, rec.Error = "", ""
				left := slices.IndexFunc(rec.Steps, pending)
				alone := left >= 0 && slices.IndexFunc(rec.Steps[left+1:], pending) < 0
				rec.Replan = len(rec.Steps) > 0 && !(alone && rec.Approved) // one step that is under way takes the message itself
			})
		case resumeMessage:
			w.resumed(run)
		case planMessage:
			w.replacePlan(run, m.text)
		}
	}
}

// resumed is the user's agreement to what the task shows: its price or its plan.
func (w worker) resumed(run *taskRun) {
	run.set(func(rec *state.Task) {
		rec.AgreedUSD = max(rec.AgreedUSD, rec.EstimateUSD)
		if len(rec.Steps) > 0 && rec.Error == "" {
			rec.Approved, rec.Hold = true, false
		}
	})
}

// replacePlan takes the user's plan in place of the steps that are not done.
func (w worker) replacePlan(run *taskRun, text string) {
	parsed := Parse(text, w.costs.settings().agentNames()...)
	steps := merged(run.record().Steps, parsed)
	problems := checkPlan(steps, taskFiles{run}, w.costs.settings())
	if inOrder(problems) {
		problems = nil
	}
	run.set(func(rec *state.Task) {
		rec.Steps, rec.Approved, rec.Hold, rec.Replan, rec.Error, rec.Partial = steps, false, true, false, sentences(problems), ""
		rec.State = Planned
	})
	w.costs.price(run)
}

// end records how a task ended: done, failed, cancelled, or interrupted and able to go on.
func (w worker) end(ctx context.Context, run *taskRun, err error) {
	cancelled := run.mail.end()
	run.set(func(rec *state.Task) {
		for i := range rec.Steps {
			if rec.Steps[i].State == Running {
				rec.Steps[i].State = Interrupted
			}
		}
		rec.Error, rec.Code = "", ""
		switch failed := failedSteps(rec.Steps); {
		case cancelled:
			rec.State, rec.Error = Cancelled, "Cancelled."
		case ctx.Err() != nil:
			rec.State, rec.Error = Interrupted, "tandem ended while the task ran; resume it."
		case err != nil && blocked(err):
			rec.State, rec.Error, rec.Code = Interrupted, err.Error(), codeOf(err)
		case err != nil:
			rec.State, rec.Error, rec.Code = Failed, err.Error(), codeOf(err)
		case failed != "":
			rec.State, rec.Error = Failed, failed
		default:
			rec.State = Done
		}
	})
	run.drawing.Lock()
	defer run.drawing.Unlock()
	w.tasks.editor.TaskEnded(run.id())
}

func codeOf(err error) string {
	if failed, ok := errors.AsType[*model.Error](err); ok {
		return string(failed.Code)
	}
	return ""
}

// failedSteps says which steps failed, or "".
func failedSteps(steps []state.Step) string {
	var out []string
	for i, s := range steps {
		if s.State == Failed {
			out = append(out, fmt.Sprintf("step %d (%s): %s", i+1, s.Title, s.Error))
		}
	}
	return strings.Join(out, "; ")
}

// blocked reports whether an error is no fault of an answer: what was asked cannot be
// answered now, and can be later.
func blocked(err error) bool {
	failed, ok := errors.AsType[*model.Error](err)
	if !ok {
		return false
	}
	switch failed.Code {
	case model.CodeInterrupted, model.CodeEmpty, model.CodeRefused, model.CodeContextLength, model.CodeProtocol, model.CodeBadRequest, model.CodeInternal, model.CodeNeedsModel:
		return false
	}
	return true
}

// runSteps runs the steps that are left: each as soon as those that it waits for are done,
// side by side where their files do not meet.
func (w worker) runSteps(ctx context.Context, run *taskRun) error {
	phase, over := run.mail.phase(ctx)
	defer over()
	run.set(func(rec *state.Task) { rec.State = Running })
	waits := Waits(run.record().Steps)
	ends := make(chan error, len(waits))
	running := 0
	runner := stepRunner{w.costs, w.asker, &level{}}
	var stopped error
	for {
		if stopped == nil && phase.Err() == nil {
			next := w.ready(run, waits)
			runner.level.start(len(next))
			for _, i := range next {
				started := w.tasks.editor.Docs.Group.Go("step of a deep task", func(context.Context) {
					var err error
					defer func() { ends <- err }()
					defer runner.level.end(runner.judged(phase, run))
					err = runner.step(phase, run, i)
					w.tasks.editor.Docs.Group.Go("draw steps of a deep task", func(ctx context.Context) { w.draw(ctx, run) })
				})
				if !started {
					ends <- context.Canceled
				}
				running++
			}
		}
		if running == 0 {
			break
		}
		err := <-ends
		running--
		if phase.Err() == nil {
			stopped = cmp.Or(stopped, err) // the others end, so that nothing of theirs is lost
		}
	}
	if ctx.Err() == nil && phase.Err() != nil {
		return context.Cause(phase)
	}
	return errors.Join(ctx.Err(), stopped)
}

// maxParallel bounds how many steps of a task run at once.
const maxParallel = 8

// ready marks the steps that may start now as running and returns them. A step that waits
// for one that failed fails.
func (w worker) ready(run *taskRun, waits [][]int) []int {
	var out []int
	run.set(func(rec *state.Task) {
		running := 0
		for _, s := range rec.Steps {
			if s.State == Running {
				running++
			}
		}
		for changed := true; changed; {
			changed = false
			for i := range rec.Steps {
				s := &rec.Steps[i]
				if !pending(*s) || s.State == Running {
					continue
				}
				free := true
				for _, n := range waits[i] {
					switch rec.Steps[n].State {
					case Done:
					case Failed:
						s.State, s.Error = Failed, fmt.Sprintf("It waits for step %d, which failed.", n+1)
						changed = true
					default:
						free = false
					}
				}
				if s.State != Failed && free && running < maxParallel {
					s.State = Running
					running++
					out = append(out, i)
				}
			}
		}
	})
	return out
}

// taskSlots lets a set number of tasks work at once, in the order in which they came.
type taskSlots struct {
	mu      sync.Mutex // guards all below
	used    int
	waiting []chan struct{}
}

// acquire waits for a slot; most is read again for each caller.
func (s *taskSlots) acquire(ctx context.Context, most int) error {
	s.mu.Lock()
	if s.used < max(most, 1) {
		s.used++
		s.mu.Unlock()
		return nil
	}
	turn := make(chan struct{})
	s.waiting = append(s.waiting, turn)
	s.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
		s.leave(turn)
		return ctx.Err()
	}
}

// leave ends a wait, or passes on the slot that it was given meanwhile.
func (s *taskSlots) leave(turn chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	waiting := len(s.waiting)
	s.waiting = slices.DeleteFunc(s.waiting, func(c chan struct{}) bool { return c == turn })
	if len(s.waiting) == waiting {
		s.pass()
	}
}

func (s *taskSlots) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pass()
}

// pass gives a slot to the next in line; it is called with mu held.
func (s *taskSlots) pass() {
	if len(s.waiting) > 0 {
		close(s.waiting[0])
		s.waiting = s.waiting[1:]
		return
	}
	s.used--
}
