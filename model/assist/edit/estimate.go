package edit

import (
	"context"

	"tandem/model"
	"tandem/model/assist/core"
	"tandem/model/conversation"
	"tandem/workspace"
	"tandem/workspace/redact"
)

// An Estimate is what an edit or a question would be sent as: the lane with the reason, the size of
// the prompt, and the price.
type Estimate struct {
	model.Decision
	Model   string  // as the configuration names it
	Tokens  int     // of the prompt
	CostUSD float64 // of the prompt, and of an answer as long as the selection, or as answers usually are; 0 without a price
}

// Estimate builds the prompt of an edit and sends nothing.
func (e *Editor) Estimate(ctx context.Context, snap *workspace.Snapshot, req Request) (Estimate, error) {
	o, err := core.OpenAt(snap, core.Place{URI: req.URI, Offset: req.Span.Start})
	if err != nil {
		return Estimate{}, err
	}
	run := &editRun{req: req, overlay: o, record: conversation.Record{Secrets: &redact.Redactor{}}}
	run.decision = e.Prompts.Route(snap, model.Edit, req.Lane, run.wanted(snap).String(), req.URI, req.Span)
	ask, err := e.ask(ctx, snap, run)
	if err != nil {
		return Estimate{}, err
	}
	cfg, _ := e.Prompts.Models.Config(run.decision.Lane)
	tokens := model.EstimateTokens(ask.Request)
	cost := model.Cost(cfg, model.Usage{Input: tokens, Output: model.Counter(cfg).Count(o.Text.Slice(req.Span))})
	return Estimate{Decision: run.decision, Model: cfg.Name, Tokens: tokens, CostUSD: cost}, nil
}
