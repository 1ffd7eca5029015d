package task

import (
	"fmt"
	"slices"

	"tandem/model"
	"tandem/model/assist/prompt"
	"tandem/workspace"
	"tandem/workspace/state"
)

// A Estimate is what a task is expected to use: an upper figure for what is known, and a
// usual one for what is not.
type Estimate struct {
	Tokens int     // of prompts and answers
	USD    float64 // by the models' prices; 0 where they have none
}

// costs are the figures of tasks: which model does what, how much context its requests get, and
// what they cost.
type costs struct {
	prompts  *prompt.Maker
	settings func() Settings
	refusals *toolRefusals
}

func (t *Tasks) costs() costs { return costs{t.prompts, t.settings, &t.refusals} }

// Usual sizes, in tokens.
const (
	usualInstructions = 700
	usualAnswer       = 700
	usualPlan         = 400
	usualSteps        = 3 // of a task whose plan is not known
)

// EstimateTask returns what a task that does not run yet is expected to use.
func (t *Tasks) EstimateTask(req Request) Estimate {
	return t.costs().estimate(req, nil, nil)
}

// estimate adds up a plan and its steps; those that are done count no more.
func (c costs) estimate(req Request, snap *workspace.Snapshot, steps []state.Step) Estimate {
	var e Estimate
	deep := c.deepConfig()
	if len(steps) == 0 {
		e.add(deep, c.planBudget(req)+usualInstructions, usualPlan)
		fast := c.attemptOf(Fast)
		cfg := c.modelOf(fast)
		for range usualSteps {
			e.add(cfg, c.prompts.Budget(model.KindStep.Window())/2+usualInstructions, usualAnswer)
		}
		return e
	}
	for i, s := range steps {
		if !pending(steps[i]) {
			continue
		}
		a := c.attemptOf(s.Lane)
		e.add(c.modelOf(a), c.stepBudget(snap, s, a)+usualInstructions, usualAnswer)
	}
	return e
}

func (c costs) modelOf(a attempt) model.ModelConfig {
	if a.config != nil {
		return *a.config
	}
	cfg, _ := c.prompts.Models.Config(a.lane)
	return cfg
}

func (e *Estimate) add(cfg model.ModelConfig, input, output int) {
	e.Tokens += input + output
	e.USD += model.Cost(cfg, model.Usage{Input: input, Output: output})
}

// price records what the rest of a task is expected to cost, with what it has cost.
func (c costs) price(run *taskRun) {
	e := c.estimate(run.req, run.snap, run.record().Steps)
	run.set(func(rec *state.Task) {
		rec.EstimateTokens, rec.EstimateUSD = e.Tokens+rec.PromptTokens+rec.OutputTokens, e.USD+rec.CostUSD
	})
}

// affordable refuses a request that would exceed the limit of the task.
func (c costs) affordable(run *taskRun, cfg model.ModelConfig, req *model.Request) error {
	settings, rec := c.settings(), run.record()
	next := model.Cost(cfg, model.Usage{Input: model.EstimateTokens(req)})
	if settings.LimitUSD > 0 && next > 0 && rec.CostUSD+next > settings.LimitUSD {
		return &model.Error{Code: model.CodeDailyLimit, Message: fmt.Sprintf(
			"The task has cost $%.4f of the $%.2f that one task may cost; raise limit_usd in [tasks] and resume it.", rec.CostUSD, settings.LimitUSD)}
	}
	return nil
}

// confirms reports whether the user has to agree to what a task is expected to cost.
func (c costs) confirms(rec state.Task) bool {
	settings := c.settings()
	return settings.ConfirmUSD > 0 && rec.EstimateUSD > max(settings.ConfirmUSD, rec.AgreedUSD)
}

// askForPrice records the question whether the task may start.
func (c costs) askForPrice(run *taskRun) {
	rec := run.record()
	question := fmt.Sprintf("This task is expected to use %d tokens and to cost about $%.2f. Resume it to start, or cancel it.", rec.EstimateTokens, rec.EstimateUSD)
	run.set(func(rec *state.Task) {
		rec.State = Waiting
		if last := len(rec.Messages) - 1; last < 0 || rec.Messages[last].Text != question {
			rec.Messages = append(slices.Clone(rec.Messages), state.Message{Time: rec.Updated, From: "task", Kind: "question", Text: question})
		}
	})
}
