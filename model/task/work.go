package task

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tandem/model"
	"tandem/workspace"
	"tandem/workspace/state"
)

// taskWork runs tasks: taskPlanner and stepRunner are its parts.
type taskWork struct{ taskAsker }

func workOf(t *Tasks) taskWork { return taskWork{taskAsker{taskCosts{t}}} }

// work runs a task to its end: each turn of the loop does what the record says comes next,
// so that a task goes on in the same way after a message, a restart or another process.
func (t taskWork) work(ctx context.Context, run *taskRun) {
	if t.deps.Store != nil {
		t.Group.Go("messages for a deep task", func(context.Context) { t.receiveMessages(ctx, run) })
	}
	t.awaitIndex(ctx, run)
	var err error
	for {
		err = t.slots.acquire(ctx, t.settings().Running)
		if err == nil {
			err = t.advance(ctx, run)
			t.slots.release()
		}
		if !errors.Is(err, errSteered) && (err != nil || run.finish()) {
			break
		}
	}
	t.end(ctx, run, err)
}

// awaitIndex lets a new task begin on an index: without one, windows lack the files that
// steps name. A task with results keeps the snapshot that they are about.
func (t taskWork) awaitIndex(ctx context.Context, run *taskRun) {
	unready := slices.ContainsFunc(run.snap.Views(), func(v *workspace.View) bool { return !v.Ready() })
	if t.deps.Indexed == nil || !unready || len(run.results) > 0 {
		return
	}
	if snap := t.deps.Indexed(ctx); snap != nil {
		run.snap = snap
	}
}

// advance does what comes next until the task is over, waits for the user or has a message
// that changes what comes next (errSteered). Its caller holds a slot.
func (t taskWork) advance(ctx context.Context, run *taskRun) error {
	for {
		t.readMessages(run)
		if err := ctx.Err(); err != nil {
			return err
		}
		rec := run.record()
		var err error
		switch {
		case len(rec.Steps) == 0 && rec.EstimateTokens == 0:
			t.price(run)
		case len(rec.Steps) == 0 && !rec.Approved && t.confirms(rec):
			t.askForPrice(run)
			err = t.waitForUser(ctx, run)
		case len(rec.Steps) == 0 || rec.Replan:
			err = t.timed(run, func() error { return taskPlanner{t}.plan(ctx, run) })
		case !rec.Approved && t.shows(rec):
			t.set(run, func(rec *state.Task) { rec.State = string(Planned) })
			err = t.waitForUser(ctx, run)
		case slices.ContainsFunc(rec.Steps, pending):
			err = t.timed(run, func() error { return t.runSteps(ctx, run) })
		default:
			return t.timed(run, func() error { return t.conclude(ctx, run) })
		}
		if err != nil && !errors.Is(err, errSteered) {
			return err
		}
	}
}

// pending reports whether a step is still to be done.
func pending(s state.Step) bool {
	return s.State != string(Done) && s.State != string(Failed)
}

// timed adds the time of a phase to the task.
func (t taskWork) timed(run *taskRun, do func() error) error {
	start := time.Now()
	err := do()
	run.mu.Lock()
	run.rec.Ms += time.Since(start).Milliseconds()
	run.mu.Unlock()
	return err
}

// waitForUser gives the task's slot to another one until there is a message.
func (t taskWork) waitForUser(ctx context.Context, run *taskRun) error {
	t.slots.release()
	err := run.wait(ctx)
	if again := t.slots.acquire(ctx, t.settings().Running); again != nil {
		t.slots.mu.Lock()
		t.slots.used++ // advance's caller releases it
		t.slots.mu.Unlock()
		err = errors.Join(err, again)
	}
	return err
}

// shows reports whether the user sees the plan before it runs.
func (t taskWork) shows(rec state.Task) bool {
	settings := t.settings()
	return rec.Error != "" || rec.Hold || settings.ShowPlan > 0 && len(rec.Steps) >= settings.ShowPlan || t.confirms(rec)
}

// readMessages applies what the user has sent.
func (t taskWork) readMessages(run *taskRun) {
	for _, m := range run.take() {
		switch m.kind {
		case steerMessage:
			t.set(run, func(rec *state.Task) {
				rec.Messages = append(slices.Clone(rec.Messages), state.Message{Time: time.Now(), From: "user", Kind: "steer", Text: m.text, SendSecrets: m.sendSecrets})
				rec.Resolved, rec.Error = "", ""
				left := slices.IndexFunc(rec.Steps, pending)
				alone := left >= 0 && slices.IndexFunc(rec.Steps[left+1:], pending) < 0
				rec.Replan = len(rec.Steps) > 0 && !(alone && rec.Approved) // one step that is under way takes the message itself
			})
		case resumeMessage:
			t.resumed(run)
		case planMessage:
			t.replacePlan(run, m.text)
		}
	}
}

// resumed is the user's agreement to what the task shows: its price or its plan.
func (t taskWork) resumed(run *taskRun) {
	t.set(run, func(rec *state.Task) {
		rec.AgreedUSD = max(rec.AgreedUSD, rec.EstimateUSD)
		if len(rec.Steps) > 0 && rec.Error == "" {
			rec.Approved, rec.Hold = true, false
		}
	})
}

// replacePlan takes the user's plan in place of the steps that are not done.
func (t taskWork) replacePlan(run *taskRun, text string) {
	parsed := Parse(text, t.agentNames()...)
	steps := merged(run.record().Steps, parsed)
	problems := Check(specs(steps), taskFiles{run}, t.limits())
	if inOrder(problems) {
		problems = nil
	}
	t.set(run, func(rec *state.Task) {
		rec.Steps, rec.Approved, rec.Hold, rec.Replan, rec.Error, rec.Partial = steps, false, true, false, sentences(problems), ""
		rec.State = string(Planned)
	})
	t.price(run)
}

// end records how a task ended: done, failed, cancelled, or interrupted and able to go on.
func (t taskWork) end(ctx context.Context, run *taskRun, err error) {
	run.mu.Lock()
	run.ended = true
	cancelled := run.cancelled
	run.mu.Unlock()
	t.set(run, func(rec *state.Task) {
		for i := range rec.Steps {
			if rec.Steps[i].State == string(Running) {
				rec.Steps[i].State = string(Interrupted)
			}
		}
		rec.Error, rec.Code = "", ""
		switch failed := failedSteps(rec.Steps); {
		case cancelled:
			rec.State, rec.Error = string(Cancelled), "Cancelled."
		case ctx.Err() != nil:
			rec.State, rec.Error = string(Interrupted), "tandem ended while the task ran; resume it."
		case err != nil && blocked(err):
			rec.State, rec.Error, rec.Code = string(Interrupted), err.Error(), codeOf(err)
		case err != nil:
			rec.State, rec.Error, rec.Code = string(Failed), err.Error(), codeOf(err)
		case failed != "":
			rec.State, rec.Error = string(Failed), failed
		default:
			rec.State = string(Done)
		}
	})
}

func codeOf(err error) string {
	var known *model.Error
	if errors.As(err, &known) {
		return string(known.Code)
	}
	return ""
}

// failedSteps says which steps failed, or "".
func failedSteps(steps []state.Step) string {
	var out []string
	for i, s := range steps {
		if s.State == string(Failed) {
			out = append(out, fmt.Sprintf("step %d (%s): %s", i+1, s.Title, s.Error))
		}
	}
	return strings.Join(out, "; ")
}

// blocked reports whether an error is no fault of an answer: what was asked cannot be
// answered now, and can be later.
func blocked(err error) bool {
	var known *model.Error
	if !errors.As(err, &known) {
		return false
	}
	switch known.Code {
	case model.CodeInterrupted, model.CodeEmpty, model.CodeRefused, model.CodeContextLength, model.CodeProtocol, model.CodeBadRequest, model.CodeInternal, model.CodeNeedsModel:
		return false
	}
	return true
}

// runSteps runs the steps that are left: each as soon as those that it waits for are done,
// side by side where their files do not meet.
func (t taskWork) runSteps(ctx context.Context, run *taskRun) error {
	phase, over := run.phase(ctx)
	defer over()
	t.set(run, func(rec *state.Task) { rec.State = string(Running) })
	waits := Waits(specs(run.record().Steps))
	ends := make(chan error, len(waits))
	running := 0
	runner := stepRunner{t, &level{}}
	var stopped error
	for {
		if stopped == nil && phase.Err() == nil {
			next := t.ready(run, waits)
			runner.level.start(len(next))
			for _, i := range next {
				started := t.Group.Go("step of a deep task", func(context.Context) {
					var err error
					defer func() { ends <- err }()
					defer runner.level.end(runner.judged(phase, run))
					err = runner.step(phase, run, i)
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
func (t taskWork) ready(run *taskRun, waits [][]int) []int {
	var out []int
	t.set(run, func(rec *state.Task) {
		running := 0
		for _, s := range rec.Steps {
			if s.State == string(Running) {
				running++
			}
		}
		for changed := true; changed; {
			changed = false
			for i := range rec.Steps {
				s := &rec.Steps[i]
				if !pending(*s) || s.State == string(Running) {
					continue
				}
				free := true
				for _, n := range waits[i] {
					switch rec.Steps[n].State {
					case string(Done):
					case string(Failed):
						s.State, s.Error = string(Failed), fmt.Sprintf("It waits for step %d, which failed.", n+1)
						changed = true
					default:
						free = false
					}
				}
				if s.State != string(Failed) && free && running < maxParallel {
					s.State = string(Running)
					running++
					out = append(out, i)
				}
			}
		}
	})
	return out
}
