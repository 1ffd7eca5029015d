package task

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"tandem/model"
	"tandem/model/assist/prompt"
	record "tandem/model/conversation"
	"tandem/model/tool"
	"tandem/workspace"
	"tandem/workspace/judge"
	"tandem/workspace/redact"
)

// An asker sends the questions of tasks to their models, and gives the deep model what
// it asks for before it answers.
type asker struct {
	prompts *prompt.Maker
	judge   *judge.Judge
	costs   costs
}

func (t *Tasks) asker() asker { return asker{t.prompts, t.editor.Judge, t.costs()} }

// A toolProtocol is how a model asks for tools.
type toolProtocol int

// The ways in which a model asks for tools.
const (
	noTools   toolProtocol = iota
	textTools              // lines of text
	callTools              // function calls
)

// leastToolWindow is the context window from which on a model can hold what it looks at.
const leastToolWindow = 32000

// protocol is how a model of a lane asks for tools.
func (c costs) protocol(lane model.Lane, cfg model.ModelConfig) toolProtocol {
	switch {
	case lane != model.Deep || cfg.ContextWindow < leastToolWindow:
		return noTools
	case cfg.Tools && !c.refusals.has(cfg.Name):
		return callTools
	}
	return textTools
}

// toolRefusals are the models that were configured with function calls and do not take them.
type toolRefusals struct{ names sync.Map }

func (r *toolRefusals) has(name string) bool {
	_, refused := r.names.Load(name)
	return refused
}

func (r *toolRefusals) add(name string) { r.names.Store(name, true) }

// ask sends a question of a task, adds what it cost to the task and to step i (-1: none),
// and returns the answer.
func (a asker) ask(ctx context.Context, run *taskRun, i int, snap *workspace.Snapshot, q prompt.Question, piece func(string)) (model.Answer, *prompt.Request, error) {
	ask, err := a.prompts.Prompt(ctx, snap, q)
	if err != nil {
		return nil, nil, err
	}
	cfg, _ := a.prompts.Models.Config(q.Lane)
	if q.Config != nil {
		cfg = *q.Config
	}
	d := &conversation{asker: a, box: &toolbox{costs: a.costs, run: run, tools: a.costs.toolsOf(run), step: i, snap: snap, ask: ask, seen: map[string]bool{}},
		lane: q.Lane, cfg: cfg, first: ask.Request, piece: piece}
	answer, err := d.answer(ctx, a.costs.protocol(q.Lane, cfg))
	return answer, ask, err
}

// A conversation is one question with what its model asks for before it answers.
type conversation struct {
	asker asker
	box   *toolbox
	lane  model.Lane
	cfg   model.ModelConfig
	first *model.Request // without tools
	piece func(string)   // receives the text as it comes; may be nil
}

// answer has the question answered. A model that refuses function calls is asked by the
// text protocol, now and from now on.
func (d *conversation) answer(ctx context.Context, how toolProtocol) (model.Answer, error) {
	answer, err := d.converse(ctx, how)
	if how != callTools || !refusesTools(err) || len(d.box.seen) > 0 {
		return answer, err
	}
	again, failed := d.converse(ctx, textTools)
	if failed == nil {
		d.asker.costs.refusals.add(d.cfg.Name)
	}
	return again, failed
}

// refusesTools reports whether an error may mean that a model takes no function calls:
// servers without them answer that the request is bad, in words of their own.
func refusesTools(err error) bool {
	failed, ok := errors.AsType[*model.Error](err)
	if !ok || failed.Delivered {
		return false
	}
	return failed.Code == model.CodeBadRequest || failed.Code == model.CodeParameter && strings.HasPrefix(failed.Param, "tool")
}

// converse asks the question and gives the model what it asks for, until it answers.
func (d *conversation) converse(ctx context.Context, how toolProtocol) (model.Answer, error) {
	d.box.ask.Request = d.offering(how)
	for round := 0; ; round++ {
		if err := d.asker.costs.affordable(d.box.run, d.cfg, d.box.ask.Request); err != nil {
			return nil, err
		}
		answer, calls, err := d.asker.prompts.Turn(ctx, d.lane, d.box.ask.Request, d.piece)
		if took, ok := d.asker.prompts.Models.Usage(d.box.ask.ID); ok {
			d.box.run.spent(d.box.step, took)
		}
		if err != nil || how == noTools {
			return answer, err
		}
		text, end := model.Came(answer)
		if !end.Whole() {
			return answer, nil
		}
		said := reply{text, calls}
		turn, uses := said.turn(how)
		if len(uses) == 0 {
			return answer, nil
		}
		if round > maxToolRounds {
			return nil, &model.Error{Code: model.CodeRefused, Message: "The model only looks at code and does not answer."}
		}
		results := make([]redact.Text, len(uses))
		for n, w := range uses {
			results[n] = d.box.result(ctx, n, w)
			if ctx.Err() != nil {
				return nil, &model.Error{Code: model.CodeCancelled, Message: "Cancelled.", Err: ctx.Err()}
			}
		}
		last := redact.Text{}
		if round == maxToolRounds {
			last = redact.Const("You cannot look any further. Answer now.")
		}
		next := *d.box.ask.Request
		next.ID = d.asker.prompts.NewID("r")
		turn = append(turn, said.results(how, uses, results, last)...)
		next.Input = append(slices.Clone(next.Input), turn...)
		d.box.ask.Request, d.box.ask.Record = &next, d.box.ask.Record.With(record.Item{Kind: record.Looked, Turns: turn, At: time.Now()})
	}
}

// offering is the question with the tools that the model may use.
func (d *conversation) offering(how toolProtocol) *model.Request {
	req := *d.first
	req.ID = d.asker.prompts.NewID("r")
	//exhaustive:enforce
	switch how {
	case noTools: // nothing is said of them
	case callTools:
		req.Tools = described(d.box.tools)
		req.Instructions = redact.Join("\n\n", req.Instructions, model.ToolInstructions(req.Tools, false))
	case textTools:
		req.Instructions = redact.Join("\n\n", req.Instructions, model.ToolInstructions(described(d.box.tools), true))
	}
	return &req
}

// A reply is what a model answered to one request.
type reply struct {
	text  string
	calls []model.ToolCall
}

// turn returns a reply as the next request repeats it, and what it asks for: nothing if it
// is an answer.
func (r reply) turn(how toolProtocol) ([]model.Message, []toolUse) {
	var turn []model.Message
	if r.text != "" {
		turn = append(turn, model.Message{Role: "assistant", Text: redact.Said(r.text)})
	}
	if how == textTools {
		return turn, usesIn(r.text)
	}
	var uses []toolUse
	for _, call := range r.calls {
		turn = append(turn, model.Message{Role: "assistant", Call: call})
		uses = append(uses, toolUse{call.Name, call.Arguments.String(), func(t tool.Tool) (tool.Args, error) { return t.Decode(call.Arguments.String()) }})
	}
	return turn, uses
}

// results are the messages that give a model what it asked for; last is added at their end.
func (r reply) results(how toolProtocol, uses []toolUse, results []redact.Text, last redact.Text) []model.Message {
	if how == textTools {
		var parts []redact.Text
		for n, w := range uses {
			parts = append(parts, redact.Format("LOOK %s %s\n%s\n", redact.Said(w.name), redact.Said(w.args), results[n]))
		}
		return []model.Message{{Role: "user", Text: redact.Join("", append(parts, last)...)}}
	}
	out := make([]model.Message, len(r.calls))
	for n, call := range r.calls {
		out[n] = model.Message{Role: "tool", Text: results[n], Call: model.ToolCall{ID: call.ID}}
	}
	if end := &out[len(out)-1]; last.Len() > 0 {
		end.Text = redact.Join("\n", end.Text, last)
	}
	return out
}

// usesIn returns what the lines of an answer ask for that holds nothing else; nil if it
// is an answer.
func usesIn(answer string) []toolUse {
	var out []toolUse
	for line := range strings.Lines(answer) {
		line = strings.TrimSpace(strings.Trim(strings.TrimSpace(line), "`"))
		if line == "" {
			continue
		}
		rest, ok := workspace.CutPrefixFold(line, "LOOK ")
		if !ok {
			return nil
		}
		name, args, _ := strings.Cut(strings.TrimSpace(rest), " ")
		args = strings.TrimSpace(args)
		out = append(out, toolUse{strings.ToLower(name), args, func(t tool.Tool) (tool.Args, error) { return t.Parse(args) }})
	}
	return out
}
