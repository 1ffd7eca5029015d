package task

import (
	"fmt"
	"slices"

	"tandem/model"
	"tandem/workspace/state"
)

// A Estimate is what a task is expected to use: an upper figure for what is known, and a
// usual one for what is not.
type Estimate struct {
	Tokens int     // of prompts and answers
	USD    float64 // by the models' prices; 0 where they have none
}

// taskCosts are the figures of tasks: how much context their requests get, and what they
// cost.
type taskCosts struct{ *Tasks }

// Usual sizes, in tokens.
const (
	usualInstructions = 700
	usualAnswer       = 700
	usualPlan         = 400
	usualSteps        = 3 // of a task whose plan is not known
)

// EstimateTask returns what a task that does not run yet is expected to use.
func (t *Tasks) EstimateTask(req Request) Estimate {
	run := &taskRun{req: req}
	run.rec.Instruction = req.Instruction
	return taskCosts{t}.estimate(run, nil)
}

// estimate adds up a plan and its steps; those that are done count no more.
func (t taskCosts) estimate(run *taskRun, steps []state.Step) Estimate {
	var e Estimate
	deep := t.deepConfig()
	if len(steps) == 0 {
		e.add(deep, t.planBudget(run)+usualInstructions, usualPlan)
		fast := t.attemptOf(Fast)
		cfg := t.modelOf(fast)
		for range usualSteps {
			e.add(cfg, t.Budget(model.KindStep.Window())/2+usualInstructions, usualAnswer)
		}
		return e
	}
	for i, s := range specs(steps) {
		if !pending(steps[i]) {
			continue
		}
		a := t.attemptOf(s.Lane)
		e.add(t.modelOf(a), t.stepBudget(run.snap, s, a)+usualInstructions, usualAnswer)
	}
	return e
}

func (t taskCosts) modelOf(a attempt) model.ModelConfig {
	if a.config != nil {
		return *a.config
	}
	cfg, _ := t.Models.Config(a.lane)
	return cfg
}

func (e *Estimate) add(cfg model.ModelConfig, input, output int) {
	e.Tokens += input + output
	e.USD += model.Cost(cfg, model.Usage{Input: input, Output: output})
}

// price records what the rest of a task is expected to cost, with what it has cost.
func (t taskCosts) price(run *taskRun) {
	e := t.estimate(run, run.record().Steps)
	t.set(run, func(rec *state.Task) {
		rec.EstimateTokens, rec.EstimateUSD = e.Tokens+rec.PromptTokens+rec.OutputTokens, e.USD+rec.CostUSD
	})
}

// affordable refuses a request that would exceed the limit of the task.
func (t taskCosts) affordable(run *taskRun, cfg model.ModelConfig, req *model.Request) error {
	settings, rec := t.settings(), run.record()
	next := model.Cost(cfg, model.Usage{Input: model.EstimateTokens(req)})
	if settings.LimitUSD > 0 && next > 0 && rec.CostUSD+next > settings.LimitUSD {
		return &model.Error{Code: model.CodeDailyLimit, Message: fmt.Sprintf(
			"The task has cost $%.4f of the $%.2f that one task may cost; raise limit_usd in [tasks] and resume it.", rec.CostUSD, settings.LimitUSD)}
	}
	return nil
}

// confirms reports whether the user has to agree to what a task is expected to cost.
func (t taskCosts) confirms(rec state.Task) bool {
	settings := t.settings()
	return settings.ConfirmUSD > 0 && rec.EstimateUSD > max(settings.ConfirmUSD, rec.AgreedUSD)
}

// askForPrice records the question whether the task may start.
func (t taskCosts) askForPrice(run *taskRun) {
	rec := run.record()
	question := fmt.Sprintf("This task is expected to use %d tokens and to cost about $%.2f. Resume it to start, or cancel it.", rec.EstimateTokens, rec.EstimateUSD)
	t.set(run, func(rec *state.Task) {
		rec.State = string(Waiting)
		if last := len(rec.Messages) - 1; last < 0 || rec.Messages[last].Text != question {
			rec.Messages = append(slices.Clone(rec.Messages), state.Message{Time: rec.Updated, From: "task", Kind: "question", Text: question})
		}
	})
}
