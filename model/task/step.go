package task

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/edit"
	"tandem/model/assist/prompt"
	record "tandem/model/conversation"
	"tandem/workspace"
	"tandem/workspace/judge"
	"tandem/workspace/redact"
	"tandem/workspace/state"
)

// An attempt is one way to do a step.
type attempt struct {
	lane   model.Lane
	config *model.ModelConfig // nil is the lane's
	agent  string             // instructions of its own
}

// A stepRunner has models do the steps of a level.
type stepRunner struct {
	costs costs
	asker asker
	level *level
}

// step does one step on the texts that the steps before it left, and stores its result.
// An answer that cannot be used or was cut is asked for again from the same lane, with the reason; then
// the deep lane does the step, with the reason. The error says why the task cannot go on
// now; a step that failed is no error.
func (r stepRunner) step(ctx context.Context, run *taskRun, i int) error {
	start := time.Now()
	changes, err := r.tryStep(ctx, run, i)
	took := time.Since(start).Milliseconds()
	switch {
	case err == nil:
		run.storeResult(i, changes, took)
		return nil
	case ctx.Err() != nil || blocked(err):
		run.set(func(rec *state.Task) {
			rec.Steps[i].State = Queued
			rec.Steps[i].Ms += took
		})
		return err
	}
	run.set(func(rec *state.Task) {
		rec.Steps[i].State, rec.Steps[i].Error = Failed, err.Error()
		rec.Steps[i].Ms += took
	})
	return nil
}

// tryStep makes the attempts at a step.
func (r stepRunner) tryStep(ctx context.Context, run *taskRun, i int) ([]edits.FileChange, error) {
	first := r.costs.attemptOf(run.record().Steps[i].Lane)
	attempts := []attempt{first, first}
	if first.lane != model.Deep {
		attempts = append(attempts, attempt{lane: model.Deep})
	}
	var refused error
	said, request := record.Record{Secrets: run.secrets}, stepRequest(run.secrets, run.record(), i)
	if partial := run.record().Steps[i].Partial; partial != "" {
		said = said.Said(partial, model.End{}, time.Now())
	}
	for n, a := range attempts {
		if n > 0 {
			run.set(func(rec *state.Task) {
				rec.Steps[i].Partial = ""
				rec.Steps[i].Checks = append(slices.Clone(rec.Steps[i].Checks), refused.Error())
				if a.lane == model.Deep {
					rec.Steps[i].Lane = Deep
				}
			})
		}
		changes, ask, came, err := r.answerStep(ctx, run, i, a, said, request)
		answer, end := model.Came(came)
		cut := answer != "" && !end.Whole() // whatever cut it, another attempt may be whole
		if err == nil || ctx.Err() != nil || blocked(err) && !cut {
			return changes, err
		}
		refused = err
		again := redact.Format("An earlier answer to this step could not be used: %s\nDo step %s now and nothing else: %s\nWrite the whole answer again, shorter where it can be.", run.secrets.Redact(refused.Error()), redact.Int(i+1), run.secrets.Redact(run.record().Steps[i].Title))
		switch {
		case answer == "":
			said, request = record.Record{Secrets: run.secrets}, redact.Join("\n\n", stepRequest(run.secrets, run.record(), i), again)
		case n+1 < len(attempts) && attempts[n+1].lane != a.lane: // it needs more to be shown
			said, request = ask.Record.Said(answer, end, time.Now()).Anew(n+1), redact.Join("\n\n", stepRequest(run.secrets, run.record(), i), again)
		default:
			said, request = ask.Record.Said(answer, end, time.Now()), again
		}
	}
	return nil, refused
}

// attemptOf is how a lane's steps are done first. Without a fast model, the deep one does
// all of them.
func (c costs) attemptOf(lane string) attempt {
	for _, a := range c.settings().Agents {
		if a.Name == lane {
			cfg := a.Model
			return attempt{a.Lane, &cfg, a.Instructions}
		}
	}
	if cfg, ok := c.prompts.Models.Config(model.Fast); lane == Fast && ok && !cfg.FillOnly {
		return attempt{lane: model.Fast}
	}
	return attempt{lane: model.Deep}
}

// answerStep asks for a step once and checks the answer.
func (r stepRunner) answerStep(ctx context.Context, run *taskRun, i int, a attempt, said record.Record, request redact.Text) ([]edits.FileChange, *prompt.Request, model.Answer, error) {
	spec := run.record().Steps[i]
	snap := run.snap.Supposing(run.texts())
	q := prompt.Question{
		Kind: model.KindStep, Lane: a.lane, Config: a.config, Agent: a.agent,
		Words: stepWords(spec), Request: request, Record: said, Budget: r.costs.stepBudget(snap, spec, a),
	}
	q.URI, q.Span = run.placeOf(snap, spec)
	r.chooseFormat(&q, snap, spec)
	came, ask, err := r.asker.ask(ctx, run, i, snap, q, nil)
	answer, end := model.Came(came)
	if ctx.Err() != nil {
		run.set(func(rec *state.Task) { rec.Steps[i].Partial = answer })
		return nil, ask, came, causeOf(ctx, ctx)
	}
	if err != nil {
		return nil, ask, came, err
	}
	if cut := end.Err(); cut != nil {
		return nil, ask, came, cut
	}
	changes, err := edit.Read(snap, q.URI, edits.Span{}, ask, run.wanted()+"\n"+q.Words, came)
	if err != nil {
		return nil, ask, came, err
	}
	changes = r.asker.judge.Ready(ctx, snap, changes, judge.Files)
	if err := checkFiles(spec, changes); err != nil {
		return nil, ask, came, err
	}
	alone := judge.Judge{Syntax: r.asker.judge.Syntax} // the other steps may declare the names
	if err := errorsIn(changes, alone.Change(ctx, snap, changes, judge.Files).Public().Checks()); err != nil {
		return nil, ask, came, err
	}
	return changes, ask, came, r.level.wait(ctx, changes, r.judged(ctx, run))
}

// placeOf is the file that a step is about: the first that it writes and that there is,
// else the one that the user named. The selection is used while the text is the user's.
func (r *taskRun) placeOf(snap *workspace.Snapshot, s state.Step) (uri string, span edits.Span) {
	uri = r.req.URI
	if len(s.Writes) > 0 {
		uri = ""
		for _, name := range s.Writes {
			if _, ok := edit.Readable(snap, name); ok {
				uri = snap.Resolve(name)
				break
			}
		}
	}
	if uri != "" && r.req.URI != "" && workspace.Key(uri) == workspace.Key(r.req.URI) {
		if _, changed := r.texts()[snap.Name(uri)]; !changed {
			span = edits.Span{Start: r.req.span().Start, End: r.req.span().Start}
		}
	}
	return uri, span
}

// chooseFormat lets a step that writes other than one existing file be answered in a
// format that names files.
func (r stepRunner) chooseFormat(q *prompt.Question, snap *workspace.Snapshot, s state.Step) {
	cfg, ok := r.asker.prompts.Models.Config(q.Lane)
	if q.Config != nil {
		cfg, ok = *q.Config, true
	}
	if !ok || model.EditFormat(cfg) != string(edits.FormatRewrite) {
		return
	}
	if len(s.Writes) == 0 {
		return
	}
	if _, exists := edit.Readable(snap, s.Writes[0]); exists && len(s.Writes) == 1 {
		return
	}
	cfg.EditFormat = string(edits.FormatSearchReplace)
	q.Config = &cfg
}

// stepWords are the words that choose a step's context: its own, with its files, which are
// shown whole.
func stepWords(s state.Step) string {
	return strings.Join(append(append([]string{s.Title, s.Done}, s.Writes...), s.Reads...), "\n")
}

// Figures of a step's context, in tokens.
const (
	contextOfStep     = 3000 // what a fast step gets besides its own files
	contextOfDeepStep = 8000
	bytesPerToken3    = 3
)

// stepBudget is how much context a step gets: its own files and what they need.
func (c costs) stepBudget(snap *workspace.Snapshot, s state.Step, a attempt) int {
	most := c.prompts.Budget(model.KindStep.Window())
	if len(s.Writes) == 0 {
		return most
	}
	own := 0
	for _, name := range slices.Concat(s.Writes, s.Reads) {
		if text, ok := edit.Readable(snap, name); ok {
			own += len(text) / bytesPerToken3
		}
	}
	more := contextOfStep
	if a.lane == model.Deep {
		more = contextOfDeepStep
	}
	return min(most, own+more)
}

// stepRequest is what a step is asked for: the whole plan, the step to do now, and what the user
// said since, the newest last.
func stepRequest(r *redact.Redactor, rec state.Task, i int) redact.Text {
	s := rec.Steps[i]
	parts := []redact.Text{redact.Format("%s\n\nThe plan:\n%s", r.User(rec.Instruction, rec.SendSecrets), planWithStates(r, rec.Steps))}
	if len(s.Writes) > 0 {
		parts = append(parts, redact.Format("\nThis step changes no other file than %s.", r.Redact(strings.Join(s.Writes, ", "))))
	}
	if s.Done != "" {
		parts = append(parts, redact.Format("\nThe step is done when: %s", r.Redact(s.Done)))
	}
	parts = append(parts, redact.Format("\nDo step %s now and nothing else: %s", redact.Int(i+1), r.Redact(s.Title)))
	return redact.Join("", append(parts, steers(r, rec))...)
}

// checkFiles refuses changes of files that a step does not name: another step may be
// at work on them.
func checkFiles(s state.Step, changes []edits.FileChange) error {
	if len(s.Writes) == 0 {
		return nil
	}
	for _, c := range changes {
		if !slices.Contains(s.Writes, c.Path) {
			return &model.Error{Code: model.CodeRefused, Message: fmt.Sprintf("The answer changes %s, and the step may change %s alone.", c.Path, strings.Join(s.Writes, ", "))}
		}
	}
	return nil
}
