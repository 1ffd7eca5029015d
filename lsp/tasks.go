package lsp

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"tandem/lsp/inert"
	"tandem/model/assist/core"
	"tandem/model/task"
	"tandem/workspace/state"
)

// A taskNote is tandem/task.
type taskNote struct {
	ID         string        `json:"id"`
	Title      string        `json:"title"`
	State      string        `json:"state"`
	Steps      []taskStep    `json:"steps"`
	Plan       string        `json:"plan,omitzero"`
	Question   string        `json:"question,omitzero"`
	Estimate   *taskEstimate `json:"estimate,omitzero"`
	CostUSD    float64       `json:"costUSD"`
	FastUSD    float64       `json:"fastUSD,omitzero"`
	Tokens     int           `json:"tokens,omitzero"`
	Ms         int64         `json:"ms,omitzero"`
	ProposalID string        `json:"proposalId,omitzero"`
	HasResult  bool          `json:"hasResult,omitzero"`
	Resolved   string        `json:"resolved,omitzero"`
	Review     string        `json:"review,omitzero"`
	Messages   []taskMessage `json:"messages,omitzero"`
	Calls      []taskCall    `json:"calls,omitzero"`
	Error      string        `json:"error,omitzero"`
}

type taskStep struct {
	Title   string   `json:"title"`
	Lane    string   `json:"lane"`
	State   string   `json:"state"`
	Files   []string `json:"files"` // that it changed, or may change
	Reads   []string `json:"reads,omitzero"`
	After   []int    `json:"after,omitzero"` // numbers of steps
	Done    string   `json:"done,omitzero"`
	Model   string   `json:"model,omitzero"`
	CostUSD float64  `json:"costUSD"`
	Ms      int64    `json:"ms,omitzero"`
	Checks  []string `json:"checks,omitzero"`
	Error   string   `json:"error,omitzero"`
}

type taskEstimate struct {
	Tokens  int     `json:"tokens"`
	CostUSD float64 `json:"costUSD"`
}

type taskMessage struct {
	From string `json:"from"`
	Kind string `json:"kind"`
	Text string `json:"text"`
}

type taskCall struct {
	Step   int    `json:"step"` // number of the step; 0 for the plan and the review
	Tool   string `json:"tool"`
	Args   string `json:"args"`
	Tokens int    `json:"tokens"`
	Error  string `json:"error,omitzero"`
}

func noteOfTask(t task.Task) taskNote {
	rec := t.Record
	n := taskNote{
		ID: rec.ID, Title: inert.Message(rec.Title), State: rec.State, Steps: []taskStep{}, Plan: inert.Text(task.Format(rec.Steps)), Question: inert.Message(t.Question()),
		CostUSD: rec.CostUSD, FastUSD: rec.FastUSD, Tokens: rec.PromptTokens, Ms: rec.Ms, ProposalID: t.ProposalID, Resolved: rec.Resolved, Review: inert.Message(rec.Review), Error: inert.Message(rec.Error),
	}
	if rec.EstimateTokens > 0 {
		n.Estimate = &taskEstimate{rec.EstimateTokens, rec.EstimateUSD}
	}
	for _, s := range rec.Steps {
		step := taskStep{
			Title: inert.Message(s.Title), Lane: inert.Text(s.Lane), State: s.State, Files: []string{}, Done: inert.Message(s.Done),
			Model: s.Model, CostUSD: s.CostUSD, Ms: s.Ms, Error: inert.Message(s.Error), Checks: inertAll(s.Checks), Reads: inertAll(s.Reads),
		}
		files := s.Files()
		n.HasResult = n.HasResult || s.State == task.Done && len(files) > 0
		if s.State != task.Done {
			files = s.Writes
		}
		step.Files = append(step.Files, inertAll(files)...)
		for _, a := range s.After {
			step.After = append(step.After, a+1)
		}
		n.Steps = append(n.Steps, step)
	}
	for _, m := range rec.Messages {
		n.Messages = append(n.Messages, taskMessage{m.From, m.Kind, inert.Message(m.Text)})
	}
	for _, c := range rec.Calls {
		n.Calls = append(n.Calls, taskCall{c.Step + 1, inert.Text(c.Tool), inert.Text(c.Args), c.Tokens, inert.Message(c.Error)})
	}
	return n
}

func inertAll(list []string) []string {
	var out []string
	for _, s := range list {
		out = append(out, inert.Message(s))
	}
	return out
}

// tasks show the client the deep model's tasks, and the progress of those that it began.
type tasks struct {
	*scope
	proposals *proposals
	followers followers
}

// taskChanged is called for every change of a task.
func (s *tasks) taskChanged(t task.Task) {
	rec, over := t.Record, !t.Record.Running()
	if s.client.Wants().Tasks {
		if over || rec.State == task.Waiting || rec.State == task.Planned {
			s.notifications.remove("task " + rec.ID)
			s.notifications.post("tandem/task", noteOfTask(t))
		} else {
			s.notifications.put("task "+rec.ID, "tandem/task", func() any { return noteOfTask(t) })
		}
	}
	s.followers.publish(t)
	switch {
	case rec.State == task.Waiting, rec.State == task.Planned:
		s.askAbout(t)
	case s.client.Wants().Tasks: // it shows what it is told of the task
	case rec.State == task.Failed, rec.State == task.Interrupted && rec.Error != "":
		s.report(protocol.MessageTypeError, fmt.Sprintf("The task %q %s: %s", clipLine(rec.Title), verbOf(rec.State), rec.Error))
	}
	if over && t.ProposalID != "" && rec.Resolved == "" {
		if p, err := s.use.Editor.Get(t.ProposalID); err == nil {
			s.proposals.presentProposal(p)
		}
	}
}

func verbOf(state string) string {
	if state == task.Interrupted {
		return "was interrupted"
	}
	return state
}

// askAbout shows what a task waits for to a client that has no view of tasks: its plan as
// a document, and its question as a message with the answers that there are.
func (s *tasks) askAbout(t task.Task) {
	if s.client.Wants().Tasks {
		return
	}
	s.group.Go("ask about a task", func(ctx context.Context) {
		rec := t.Record
		question, start := cmp.Or(t.Question(), rec.Error), "Start"
		if rec.State == task.Planned {
			s.show(ctx, "plan-"+rec.ID+".txt", task.Format(rec.Steps))
			question = cmp.Or(rec.Error, fmt.Sprintf("tandem: the plan of %q has %d steps. Run it?", clipLine(rec.Title), len(rec.Steps)))
			start = "Run"
		}
		var answer *protocol.MessageActionItem
		params := map[string]any{"type": protocol.MessageTypeInfo, "message": inert.Message(question), "actions": []map[string]string{{"title": start}, {"title": "Cancel"}}}
		if err := s.call(ctx, protocol.MethodWindowShowMessageRequest, params, &answer); err != nil || answer == nil {
			return
		}
		var err error
		if answer.Title == start {
			_, err = s.use.Tasks.Resume(s.session.Snapshot(), rec.ID)
		} else {
			err = s.use.Tasks.Cancel(rec.ID)
		}
		if err != nil {
			s.report(protocol.MessageTypeWarning, err.Error())
		}
	})
}

// follow shows a task's progress until it is over; cancelling the progress
// cancels the task.
func (s *tasks) follow(t task.Task) {
	id := t.Record.ID
	events := s.followers.add(id)
	s.group.Go("follow a task", func(ctx context.Context) {
		defer s.followers.remove(id)
		inner, progress := s.begin(ctx, "", "tandem: "+clipLine(t.Record.Title))
		for {
			select {
			case now := <-events:
				if !now.Record.Running() {
					progress.done(now.Record.State)
					return
				}
				progress.report(taskLine(now.Record))
			case <-inner.Done():
				if ctx.Err() == nil {
					if err := s.use.Tasks.Cancel(id); err != nil {
						s.log.Debug("task not cancelled", "reason", err.Error())
					}
				}
				progress.done("stopped")
				return
			}
		}
	})
}

// taskLine is a task's current step in one line.
func taskLine(t state.Task) string {
	done := 0
	var running []string
	for i, step := range t.Steps {
		switch step.State {
		case task.Done:
			done++
		case task.Running:
			running = append(running, fmt.Sprintf("step %d of %d: %s", i+1, len(t.Steps), clipLine(step.Title)))
		}
	}
	switch len(running) {
	case 0:
		return t.State
	case 1:
		return running[0]
	}
	return fmt.Sprintf("%s, and %d more at once (%d done)", running[0], len(running)-1, done)
}

func (s *tasks) tasksCommand(ctx context.Context, _ *invocation, _ *none) (any, error) {
	notes := s.notes()
	var lines []string
	for _, n := range notes {
		lines = append(lines, fmt.Sprintf("%s  %-11s  %s", n.ID, n.State, clipLine(n.Title)))
	}
	if len(lines) == 0 {
		lines = []string{"There are no tasks. Hand one to the deep model with tandem.escalate."}
	}
	if !s.client.Wants().Tasks {
		s.show(ctx, "tasks.txt", strings.Join(lines, "\n")+"\n")
	}
	return map[string]any{"tasks": notes}, nil
}

func (s *tasks) notes() []taskNote {
	notes := []taskNote{}
	for _, t := range s.use.Tasks.List(s.session.Snapshot()) {
		notes = append(notes, noteOfTask(t))
	}
	return notes
}

// list answers tandem/tasks.
func (s *tasks) list(context.Context, *none) (any, error) {
	return map[string]any{"tasks": s.notes()}, nil
}

type taskParams struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// resume answers tandem/resume: a task goes on, or what it shows is agreed to.
func (s *tasks) resume(ctx context.Context, p *taskParams) (any, error) {
	return s.resumeCommand(ctx, p.ID)
}

func (s *tasks) resumeCommand(_ context.Context, id string) (any, error) {
	t, err := s.use.Tasks.Resume(s.session.Snapshot(), id)
	if err != nil {
		return nil, err
	}
	return noteOfTask(t), nil
}

// setPlan answers tandem/plan: the text replaces the steps that are not done.
func (s *tasks) setPlan(_ context.Context, p *taskParams) (any, error) {
	return nil, s.use.Tasks.SetPlan(s.session.Snapshot(), p.ID, p.Text)
}

// cancel answers tandem/cancel for tasks and edits.
func (s *tasks) cancel(_ context.Context, p *taskParams) (any, error) {
	return nil, s.use.Tasks.Cancel(p.ID)
}

func (s *tasks) cancelCommand(_ context.Context, id string) (any, error) {
	return nil, s.use.Tasks.Cancel(id)
}

type escalateArgs struct {
	placeArgs
	Instruction string `json:"instruction"`
	Text        string `json:"text"`
	Tests       bool   `json:"tests"`
}

func (s *tasks) escalateCommand(ctx context.Context, inv *invocation, a *escalateArgs) (any, error) {
	instruction := cmp.Or(a.Instruction, a.Text, inv.stringArg(0))
	uri := a.uri()
	req := task.Request{Instruction: instruction, Place: core.Place{URI: uri}, Tests: a.Tests}
	if uri != "" {
		o, err := openDocument(inv.snap, uri)
		if err != nil {
			return nil, err
		}
		if a.Range != nil {
			req.Span = s.enc.rangeSpan(o.Text, *a.Range)
			req.Offset = req.Span.Start
		}
		if a.Range == nil && a.Position != nil {
			req.Offset = s.enc.positionOffset(o.Text, *a.Position)
		}
		if req.Instruction == "" {
			req.Instruction, req.Found = instructionAt(o.Text, req.Span), true
		}
	}
	if strings.TrimSpace(req.Instruction) == "" {
		return nil, invalid("Say what the deep model should do: give an instruction, or put it in a comment at the cursor.")
	}
	req.SendSecrets = s.sendSecrets(ctx, req.Instruction)
	task, err := s.use.Tasks.Escalate(inv.snap, req)
	if err != nil {
		return nil, err
	}
	s.follow(task)
	return map[string]any{"taskId": task.Record.ID}, nil
}
