package task

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/model/assist/prompt"
	record "tandem/model/conversation"
	"tandem/workspace/redact"
	"tandem/workspace/state"
)

// smallPlan is the budget of a plan's context where the model can look for more, or where
// what is asked for is small.
const smallPlan = 8000

// A planner has the deep model write plans.
type planner struct {
	costs costs
	asker asker
}

// plan asks the deep model for the steps, or for other ones where a message of the user's
// changes what is to do. What is wrong with a plan is said to the model once, then to the
// user.
func (p planner) plan(ctx context.Context, run *taskRun) error {
	phase, over := run.mail.phase(ctx)
	defer over()
	run.set(func(rec *state.Task) { rec.State, rec.Error = Planning, "" })
	said, request := record.Record{Secrets: run.secrets}, p.planRequest(run)
	if partial := run.record().Partial; partial != "" {
		said = said.Said(partial, model.End{}, time.Now())
	}
	for again := false; ; again = true {
		came, ask, err := p.askForPlan(phase, run, said, request)
		answer, end := model.Came(came)
		steps := Parse(answer, p.costs.settings().agentNames()...)
		switch {
		case phase.Err() != nil:
			run.set(func(rec *state.Task) { rec.Partial = answer })
			return causeOf(ctx, phase)
		case err != nil:
			return err
		case !end.Whole() && !again:
			said, request = ask.Record.Said(answer, end, time.Now()), redact.Format("%s\n\nWrite the whole plan again, shorter.", p.planRequest(run))
			continue
		case !end.Whole():
			return &model.Error{Code: model.CodeServer, Message: "The deep model's plan was cut twice: " + end.Reason() + "; resume the task to ask again.", Err: end.Err()}
		case len(steps) == 0:
			steps = []state.Step{{Lane: Deep, Title: oneLine(run.wanted())}}
		}
		next := merged(run.record().Steps, inferred(run, steps))
		problems := checkPlan(next, taskFiles{run}, p.costs.settings())
		if len(problems) > 0 && !again {
			said, request = ask.Record.Said(answer, end, time.Now()), redact.Format("%s\n\nThis plan cannot be run:\n%sWrite the whole plan again.", p.planRequest(run), run.secrets.Redact(bulleted(problems)))
			continue
		}
		return p.planned(run, next, problems)
	}
}

// planned takes a plan. A plan with problems is shown to the user, who can edit it; where
// nobody can be asked, the task fails.
func (p planner) planned(run *taskRun, steps []state.Step, problems []Problem) error {
	if inOrder(problems) {
		for _, p := range problems {
			run.set(func(rec *state.Task) {
				addMessage(rec, "task", "notice", taskMessage{text: p.Message + " They run in the order of the plan."})
			})
		}
		problems = nil
	}
	whole := slices.ContainsFunc(problems, func(p Problem) bool { return p.Step < 0 })
	if whole || len(problems) > 0 && p.costs.settings().Unattended {
		return &model.Error{Code: model.CodeRefused, Message: sentences(problems)}
	}
	run.set(func(rec *state.Task) {
		rec.Steps, rec.Replan, rec.Partial, rec.Error = steps, false, "", sentences(problems)
		if len(problems) > 0 {
			rec.Approved = false
		}
	})
	p.costs.price(run)
	return nil
}

// askForPlan sends the question for a plan. The lines of the answer are shown as they come.
func (p planner) askForPlan(ctx context.Context, run *taskRun, said record.Record, request redact.Text) (model.Answer, *prompt.Request, error) {
	q := prompt.Question{
		Kind: model.KindPlan, Lane: model.Deep, URI: run.req.URI, Span: run.req.span(),
		Words: run.wanted(), Request: request, Budget: p.costs.planBudget(run.req), Record: said,
	}
	snap := run.snap
	if texts := run.texts(); len(texts) > 0 {
		snap = snap.Supposing(texts)
		if q.Span.End > core.TextLen(snap, q.URI) {
			q.Span = edits.Span{}
		}
	}
	var text strings.Builder
	return p.asker.ask(ctx, run, -1, snap, q, func(piece string) {
		text.WriteString(piece)
		if strings.Contains(piece, "\n") {
			p.showPartialPlan(run, text.String())
		}
	})
}

// showPartialPlan notifies the host of the steps that have come so far.
func (p planner) showPartialPlan(run *taskRun, text string) {
	whole := text[:strings.LastIndexByte(text, '\n')+1]
	steps := Parse(whole, p.costs.settings().agentNames()...)
	if len(steps) == 0 {
		return
	}
	now := run.view()
	for i, s := range steps[:min(len(steps), p.costs.settings().MaxSteps)] {
		if i >= len(now.Record.Steps) {
			s.State = Queued
			now.Record.Steps = append(now.Record.Steps, s)
		}
	}
	run.records.notify(&now)
}

// planBudget is how much context a plan gets: little where the model can look for more or
// where what is asked for is a small edit.
func (c costs) planBudget(req Request) int {
	most := c.prompts.Budget(model.KindPlan.Window())
	small := model.Choose(model.Signals{Purpose: model.Edit, Instruction: req.Instruction}).Lane == model.Fast
	if small || c.protocol(model.Deep, c.deepConfig()) != noTools {
		return min(most, smallPlan)
	}
	return most
}

func (c costs) deepConfig() model.ModelConfig {
	cfg, _ := c.prompts.Models.Config(model.Deep)
	return cfg
}

// planRequest is what a plan is asked for: the request, the lanes that the user added, the
// plan so far, and what the user said since, the newest last.
func (p planner) planRequest(run *taskRun) redact.Text {
	rec, r := run.record(), run.secrets
	parts := []redact.Text{r.User(rec.Instruction, rec.SendSecrets)}
	for _, a := range p.costs.settings().Agents {
		parts = append(parts, redact.Format("\n\n[%s] marks steps for a model with these instructions: %s", r.Redact(strings.ToUpper(a.Name)), r.User(oneLine(a.Instructions), false)))
	}
	if len(rec.Steps) > 0 {
		parts = append(parts, redact.Format("\n\nThe plan so far:\n%s\nThe files shown hold what the steps that are done changed. Write the whole plan again as the user's words below ask for it: the steps that are done as they stand, then what is still to do.", planWithStates(r, rec.Steps)))
	}
	return redact.Join("", append(parts, steers(r, rec))...)
}

// planWithStates prints a plan with how far each step is.
func planWithStates(r *redact.Redactor, steps []state.Step) redact.Text {
	var lines []redact.Text
	for i, s := range steps {
		mark := redact.Const("to do")
		switch steps[i].State {
		case Done:
			mark = redact.Const("done, its edits are in the files shown")
		case Failed:
			mark = redact.Const("failed")
		case Running:
			mark = redact.Const("under way")
		}
		lines = append(lines, redact.Format("%s. %s (%s)\n", redact.Int(i+1), r.Redact(lineOf(s)), mark))
	}
	return redact.Join("", lines...)
}

// steers are what the user said since the task began, the newest last.
func steers(r *redact.Redactor, rec state.Task) redact.Text {
	parts := []redact.Text{redact.Const("\n\nThe user added since; where these differ, the last holds:\n")}
	for _, m := range rec.Messages {
		text := r.User(m.Text, m.SendSecrets)
		switch m.Kind {
		case "steer":
			parts = append(parts, redact.Format("- %s\n", text))
		case "answer":
			parts = append(parts, redact.Format("- (answer to %q) %s\n", r.Redact(lastQuestionBefore(rec.Messages, m.Time)), text))
		}
	}
	if len(parts) == 1 {
		return redact.Text{}
	}
	return redact.Join("", parts...)
}

func lastQuestionBefore(list []state.Message, at time.Time) string {
	out := ""
	for _, m := range list {
		if m.Kind == "question" && m.Time.Before(at) {
			out = m.Text
		}
	}
	return out
}

// wanted is the user's own words: they choose the context.
func (r *taskRun) wanted() string {
	rec := r.record()
	out := rec.Instruction
	for _, m := range rec.Messages {
		if m.From == "user" {
			out += "\n" + m.Text
		}
	}
	return out
}

// merged joins a plan with the steps of the record: those that are done keep their result,
// and come first if the plan leaves them out; what had come of others is kept.
func merged(old []state.Step, plan []state.Step) []state.Step {
	var out []state.Step
	matched := map[int]bool{}
	at := make([]int, len(plan))
	find := func(s state.Step) int {
		return slices.IndexFunc(old, func(o state.Step) bool {
			return strings.EqualFold(o.Title, s.Title) && (o.Lane == s.Lane || o.State == Done)
		})
	}
	for _, s := range plan {
		if i := find(s); i >= 0 {
			matched[i] = true
		}
	}
	shift := 0
	for i, o := range old {
		if o.State == Done && !matched[i] {
			o.After = nil
			out = append(out, o)
			shift++
		}
	}
	for n, s := range plan {
		at[n] = n + shift
		next := s
		next.State, next.After = Queued, nil
		for _, a := range s.After {
			if a >= 0 {
				a += shift
			}
			next.After = append(next.After, a)
		}
		if i := find(s); i >= 0 && matched[i] {
			matched[i] = false // one step of the plan gets it
			if o := old[i]; o.State == Done {
				after := next.After
				next = o
				next.After = after
			} else {
				next.Partial = o.Partial
			}
		}
		out = append(out, next)
	}
	return out
}

// inferred adds to the steps of a plan that do not say what they write the files that
// their titles name.
func inferred(run *taskRun, steps []state.Step) []state.Step {
	files := taskFiles{run}
	for i, s := range steps {
		if len(s.Writes) > 0 {
			continue
		}
		for _, word := range strings.FieldsFunc(s.Title, func(r rune) bool { return strings.ContainsRune(" ,;()`'\"", r) }) {
			word = strings.TrimRight(word, ".:")
			if strings.Contains(path.Base(word), ".") && files.Exists(word) && !slices.Contains(steps[i].Writes, word) {
				steps[i].Writes = append(steps[i].Writes, word)
			}
		}
	}
	return steps
}

// taskFiles answers a plan's questions about files by the task's snapshot.
type taskFiles struct{ run *taskRun }

// Exists reports whether a model may be shown a file with a path.
func (f taskFiles) Exists(name string) bool {
	if _, ok := f.run.texts()[name]; ok {
		return true
	}
	_, ok := edit.Readable(f.run.snap, name)
	return ok
}

// Refuse returns why a path may not be changed or seen, or "".
func (f taskFiles) Refuse(name string, write bool) string {
	if edits.Outside(name) {
		return "it lies outside the workspace"
	}
	if write {
		if _, why := edit.Refuse(f.run.snap, name, f.run.req.URI); why != "" {
			return "it " + why
		}
		return ""
	}
	if f.run.snap.View(f.run.snap.Resolve(name)) == nil {
		return "it lies outside the workspace"
	}
	if ok, why := f.run.snap.Allowed(name); !ok {
		return why
	}
	return ""
}

// inOrder reports whether a plan can be run although it has problems: in its order.
func inOrder(problems []Problem) bool {
	return !slices.ContainsFunc(problems, func(p Problem) bool { return !p.Order })
}

func sentences(problems []Problem) string {
	var out []string
	for _, p := range problems {
		out = append(out, p.Message)
	}
	return strings.Join(out, " ")
}

func bulleted(problems []Problem) string {
	var b strings.Builder
	for _, p := range problems {
		fmt.Fprintf(&b, "- %s\n", p.Message)
	}
	return b.String()
}

// causeOf is why a phase ended: the task's own end goes before a message.
func causeOf(ctx, phase context.Context) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return context.Cause(phase)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
