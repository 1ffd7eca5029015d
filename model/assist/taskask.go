package assist

import (
	"context"
	"fmt"
	"strings"

	"tandem/model"
	"tandem/workspace"
)

// A taskAsker sends the questions of tasks to their models.
type taskAsker struct{ taskCosts }

// maxAnswer bounds an answer in bytes: a model that never ends is stopped.
const maxAnswer = 512 << 10

// ask sends a question of a task, adds what it cost to the task and to step i (-1: none),
// and returns the answer as far as it came.
func (t taskAsker) ask(ctx context.Context, run *taskRun, i int, snap *workspace.Snapshot, q question, piece func(string)) (string, *request, error) {
	ask, err := t.prompt(ctx, snap, q)
	if err != nil {
		return "", nil, err
	}
	cfg, _ := t.Models.Config(q.lane)
	if q.config != nil {
		cfg = *q.config
	}
	if t.looks(q.lane, cfg) {
		ask.Instructions += "\n\n" + model.LookingInstructions()
	}
	answer, err := t.withLooks(ctx, run, i, snap, q.lane, cfg, ask, piece)
	return answer, ask, err
}

// collect streams an answer. One that ended at the model's own limit, or does not end, is
// an error with what came of it.
func (t taskAsker) collect(ctx context.Context, lane model.Lane, req *model.Request, piece func(string)) (string, error) {
	var text strings.Builder
	stop := ""
	for delta, err := range t.Models.Stream(ctx, lane, req) {
		if err != nil {
			return text.String(), err
		}
		if delta.Final != nil {
			stop = delta.Final.StopReason
		}
		text.WriteString(delta.Text)
		if piece != nil && delta.Text != "" {
			piece(delta.Text)
		}
		if text.Len() > maxAnswer {
			return text.String(), &model.Error{Code: model.CodeInterrupted, Message: fmt.Sprintf("The model's answer did not end within %d KB.", maxAnswer>>10)}
		}
	}
	switch {
	case ctx.Err() != nil:
		return text.String(), &model.Error{Code: model.CodeCancelled, Message: "Cancelled.", Err: ctx.Err()}
	case stop == "length":
		return text.String(), &model.Error{Code: model.CodeInterrupted, Message: "The answer was cut off at the model's limit of output; raise max_output_tokens, or ask for less."}
	case strings.TrimSpace(text.String()) == "":
		return "", &model.Error{Code: model.CodeEmpty, Message: "The model answered nothing; ask again or in other words."}
	}
	return text.String(), nil
}
