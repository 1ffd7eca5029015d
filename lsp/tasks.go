package lsp

import (
	"context"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"tandem/lsp/inert"
	"tandem/model/assist"
)

type taskNote struct {
	ID         string     `json:"id"`
	Title      string     `json:"title"`
	State      string     `json:"state"`
	Steps      []taskStep `json:"steps"`
	ProposalID string     `json:"proposalId,omitzero"`
	Error      string     `json:"error,omitzero"`
}

type taskStep struct {
	Title string `json:"title"`
	Lane  string `json:"lane"`
	State string `json:"state"`
}

func noteOfTask(t assist.Task) taskNote {
	n := taskNote{ID: t.ID, Title: inert.Text(t.Title), State: string(t.State), Steps: []taskStep{}, ProposalID: t.ProposalID, Error: inert.Text(t.Err)}
	for _, step := range t.Steps {
		n.Steps = append(n.Steps, taskStep{inert.Text(step.Title), string(step.Lane), string(step.State)})
	}
	return n
}

func taskOver(t assist.Task) bool {
	switch t.State {
	case assist.TaskDone, assist.TaskFailed, assist.TaskCancelled, assist.TaskInterrupted:
		return true
	}
	return false
}

// taskChanged is called for every change of a task.
func (s *proposals) taskChanged(t assist.Task) {
	if s.client.tandem.Tasks {
		s.notifications.post("tandem/task", noteOfTask(t))
	}
	s.followers.publish(t)
	if !taskOver(t) {
		return
	}
	switch {
	case t.State == assist.TaskFailed:
		s.report(protocol.MessageTypeError, fmt.Sprintf("The task %q failed: %s", clipLine(t.Title), t.Err))
	case t.State == assist.TaskDone && t.ProposalID != "":
		if p, err := s.use.Editor.Get(t.ProposalID); err == nil {
			s.presentProposal(p)
		}
	}
}

// follow shows a task's progress until it is over; cancelling the progress
// cancels the task.
func (s *proposals) follow(t assist.Task) {
	events := s.followers.add(t.ID)
	s.spawn("follow a task", func(ctx context.Context) {
		defer s.followers.remove(t.ID)
		inner, progress := s.begin(ctx, nil, "tandem: "+clipLine(t.Title))
		for {
			select {
			case now := <-events:
				if taskOver(now) {
					progress.done(string(now.State))
					return
				}
				progress.report(taskLine(now))
			case <-inner.Done():
				if ctx.Err() == nil {
					if err := s.use.Tasks.Cancel(t.ID); err != nil {
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
func taskLine(t assist.Task) string {
	for i, step := range t.Steps {
		if step.State == assist.TaskRunning {
			return fmt.Sprintf("step %d of %d: %s", i+1, len(t.Steps), clipLine(step.Title))
		}
	}
	return string(t.State)
}

func tasksCommand(ctx context.Context, s *Server, _ *invocation) (any, error) {
	notes := []taskNote{}
	var lines []string
	for _, t := range s.use.Tasks.List() {
		n := noteOfTask(t)
		notes = append(notes, n)
		lines = append(lines, fmt.Sprintf("%s  %-11s  %s", n.ID, n.State, clipLine(n.Title)))
	}
	if len(lines) == 0 {
		lines = []string{"There are no tasks. Hand one to the deep model with tandem.escalate."}
	}
	if !s.client.tandem.Tasks {
		s.show(ctx, "tasks.txt", strings.Join(lines, "\n")+"\n")
	}
	return map[string]any{"tasks": notes}, nil
}
