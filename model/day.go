package model

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// What a normal day asks of the fast lane, and what the tokens of such requests were
// measured to be besides the context. A completion's prompt mostly
// begins as the one before: that share of it is at the cache's price where the model has
// one.
const (
	dayCompletions, dayEdits, dayQuestions = 2800, 60, 40

	instructionTokens                            = 250
	completionOutput, editOutput, questionOutput = 30, 600, 500
	sharedPrompt                                 = 0.78
)

// Budgets are the tokens of context of the requests of a day.
type Budgets struct {
	Complete, Edit, Ask int
	CompletionsUSD      float64 // what all completions of a day may cost; 0: no limit
}

// leastPaid is the context of a completion whatever it costs: the text around the cursor. With
// the models that were measured (docs/real-models.md) other files helped as many lines as they
// harmed, so they are what is left out first.
const leastPaid = 500

// Paid is how many tokens of context a completion gets at a model's prices; 0 where the
// configured number is paid for.
func (b Budgets) Paid(m ModelConfig) int {
	if b.CompletionsUSD <= 0 || m.InputPrice <= 0 {
		return 0
	}
	const many = 1e6
	output := counted(Cost(m, Usage{Output: completionOutput}))
	token := counted(Cost(m, Usage{Input: many, Cached: sharedPrompt * many})) / many
	paid := max((b.CompletionsUSD/dayCompletions-output)/token-instructionTokens, leastPaid)
	if !(paid < float64(b.Complete)) {
		return 0
	}
	return int(paid)
}

// completionsCost is what a day's completions cost in USD at a model's prices.
func (b Budgets) completionsCost(m ModelConfig) float64 {
	prompt := cmp.Or(b.Paid(m), b.Complete) + instructionTokens
	return dayCompletions * counted(Cost(m, Usage{Input: prompt, Cached: int(sharedPrompt * float64(prompt)), Output: completionOutput}))
}

// workCost is what a day's edits and questions cost in USD at a model's prices.
func (b Budgets) workCost(m ModelConfig) float64 {
	return dayEdits*counted(Cost(m, Usage{Input: b.Edit, Output: editOutput})) + dayQuestions*counted(Cost(m, Usage{Input: b.Ask, Output: questionOutput}))
}

// DayCost is what a normal day costs in USD with a model of the fast lane, for what it
// answers there; 0 where a price is not known.
func (s Setup) DayCost(name string) float64 {
	m, ok := s.Models[name]
	if !ok || name == "" || m.InputPrice < 0 || m.OutputPrice < 0 {
		return 0
	}
	usd := 0.0
	if s.For(Complete) == name {
		usd += s.Budgets.completionsCost(m)
	}
	if s.Name(Fast) == name {
		usd += s.Budgets.workCost(m)
	}
	return usd
}

// CostWarning is the sentence for a model whose day costs more than the user wants to be asked
// about, with what to do; "" for others.
func (s Setup) CostWarning(name string) string {
	usd := s.DayCost(name)
	if s.DayNotice <= 0 || usd <= s.DayNotice {
		return ""
	}
	instead := `complete = "local"`
	if cheaper, cost := s.cheapest(); cheaper != "" && cost <= s.Budgets.completionsCost(s.Models[name])/2 {
		instead = fmt.Sprintf("complete = %q (about %s)", cheaper, Dollars(cost))
	}
	return fmt.Sprintf("Set %s or trigger = \"invoked\" to pay less, or day_notice_usd = %.0f to agree: a normal day with %s as fast model costs about %s at its prices (%d completions, %d edits, %d questions).",
		instead, math.Ceil(usd), name, Dollars(usd), dayCompletions, dayEdits, dayQuestions)
}

// cheapest is the configured model with the cheapest day of completions, and its cost.
func (s Setup) cheapest() (name string, usd float64) {
	var names []string
	for n, m := range s.Models {
		if m.InputPrice >= 0 && m.OutputPrice >= 0 {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		return "", 0
	}
	name = slices.MinFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(s.Budgets.completionsCost(s.Models[a]), s.Budgets.completionsCost(s.Models[b])), cmp.Compare(a, b))
	})
	return name, s.Budgets.completionsCost(s.Models[name])
}

// reportCost says once what a day with an expensive model costs, before its first completion.
func (l *Lanes) reportCost(name string) {
	if warning := l.current().CostWarning(name); warning != "" {
		l.once.report(topic{"day", name}, Notice{NoticeUsage, warning, nil})
	}
}
