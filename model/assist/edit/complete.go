package edit

import (
	"context"
	"fmt"
	"slices"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/model/assist/prompt"
	"tandem/workspace"
	"tandem/workspace/judge"
	"tandem/workspace/redact"
	"tandem/workspace/terms"
)

// A completion is the request for what a proposal breaks in files that it leaves as they are.
type completion struct {
	proposal *Proposal
	places   []edits.Finding
	changes  []edits.FileChange // of the proposal
	after    *workspace.Snapshot
	words    string
	ask      *prompt.Request
}

// Completion is what Complete would send, and its price.
func (e *Editor) Completion(ctx context.Context, snap *workspace.Snapshot, id string) (Estimate, int, error) {
	c, err := e.completion(ctx, snap, id)
	if err != nil {
		return Estimate{}, 0, err
	}
	cfg, _ := e.Prompts.Models.Config(model.Lane(c.proposal.From.Lane))
	tokens := model.EstimateTokens(c.ask.Request)
	return Estimate{Model: cfg.Name, Tokens: tokens, CostUSD: model.Cost(cfg, model.Usage{Input: tokens, Output: tokens / 8})}, len(c.places), nil
}

// Complete asks the model of a ready proposal for the changes that the places need which it breaks,
// and makes them hunks of it: one round, and the new verdict names what still breaks. Meanwhile the
// proposal can be decided: of one that was accepted the changes are a proposal of their own.
func (e *Editor) Complete(ctx context.Context, snap *workspace.Snapshot, id string) (made *Proposal, err error) {
	e.Runs.Track(ctx, id, func(ctx context.Context) {
		var c *completion
		if c, err = e.completion(ctx, snap, id); err != nil {
			return
		}
		var answer model.Answer
		lane := model.Lane(c.proposal.From.Lane)
		if answer, err = e.Prompts.Stream(ctx, lane, c.ask.Request, func(string) {}); err == nil {
			made, err = e.completed(ctx, snap, c, answer)
		}
	})
	return made, err
}

// completion builds the request. It shows the files as they are with the proposal.
func (e *Editor) completion(ctx context.Context, snap *workspace.Snapshot, id string) (*completion, error) {
	p, err := e.acceptable(snap, id)
	if err != nil {
		return nil, err
	}
	c := &completion{proposal: p, places: p.Judged().Breaks(), changes: changesOf(p)}
	if len(c.places) == 0 {
		return nil, &model.Error{Code: model.CodeBadRequest, Message: "The suggestion breaks nothing that tandem knows of in other files."}
	}
	texts, diffs, secrets := map[string]edits.Text{}, []redact.Text{}, &redact.Redactor{}
	for _, f := range c.changes {
		if !f.AbsentAfter {
			texts[f.Path] = edits.NewText(f.After)
		}
		diff, err := f.Proposed().Unified()
		if err != nil {
			return nil, fmt.Errorf("complete %s: %w", p.Title, err)
		}
		diffs = append(diffs, secrets.Redact(diff))
	}
	c.after = snap.Supposing(texts)
	list := make([]redact.Text, len(c.places))
	for i, f := range c.places {
		list[i] = secrets.Redact(f.Told())
		c.words += f.Told() + "\n"
	}
	cfg, _ := e.Prompts.Models.Config(model.Lane(p.From.Lane))
	cfg.EditFormat = string(edits.FormatSearchReplace) // the places are in several files
	at := c.places[0]
	c.ask, err = e.Prompts.Prompt(ctx, c.after, prompt.Question{
		Kind: model.KindEdit, Lane: model.Lane(p.From.Lane), Config: &cfg, URI: snap.Resolve(at.Path), Span: edits.Span{Start: at.Span.Start, End: at.Span.Start}, Words: c.words,
		Diff:    redact.Join("\n", diffs...),
		Request: redact.Format("The change in <diff> is made. It breaks these places. Make the edits that they need to work with it, and no others:\n%s", redact.Join("\n", list...)),
	})
	return c, err
}

// completed adds the changes of an answer to the proposal.
func (e *Editor) completed(ctx context.Context, snap *workspace.Snapshot, c *completion, answer model.Answer) (*Proposal, error) {
	p := c.proposal
	more, err := Read(c.after, workspace.URIOf(snap.Resolve(c.places[0].Path)), edits.Span{}, c.ask, c.words, answer)
	if err != nil {
		return nil, err
	}
	more = e.Judge.Ready(ctx, c.after, more, judge.Files)
	more = slices.DeleteFunc(more, func(f edits.FileChange) bool { // the host draws that file itself
		at := p.file(snap.Resolve(f.Path))
		return at >= 0 && p.Drafted(at)
	})
	if len(more) == 0 {
		return nil, core.Unusable(&edits.Error{Code: edits.CodeUnchanged, Message: "the answer changes none of the places"})
	}
	now, err := e.Proposals.get(p.ID)
	switch {
	case err != nil:
		return nil, err
	case now.State == Accepted:
		return e.ProposeChanges(ctx, e.now(snap), more, Proposal{Proposal: edits.Proposal{Title: "The rest of: " + p.Title, From: p.From}, Request: Request{By: p.Request.By}})
	case now.State != Ready:
		return nil, now.acceptable()
	}
	all := edits.JoinChanges(c.changes, more)
	verdict := e.Judge.Change(ctx, e.now(snap), all, judge.Users, p.Request.asked(snap))
	if err := verdict.Unsafe(); err != nil {
		return nil, &model.Error{Code: model.CodeRefused, Message: "What completes the suggestion was refused: " + err.Error()}
	}
	usage, _ := e.Prompts.Models.Usage(c.ask.ID)
	defer e.settled(p.ID, snap)
	err = e.Proposals.ready(p.ID, e.Docs, snap, all, verdict, func(p *Proposal) {
		p.keepDraft(c.proposal)
		p.From.CostUSD += usage.CostUSD
		p.From.OutputTokens += usage.OutputTokens
		p.From.PromptTokens += usage.PromptTokens
	})
	if err != nil {
		return nil, err
	}
	return e.Proposals.get(p.ID)
}

// keepDraft leaves the file that the host draws at the version that it was made for.
func (p *Proposal) keepDraft(before *Proposal) {
	for i := range p.Files {
		if at := before.file(p.bases[i].key); at >= 0 && before.Drafted(at) {
			p.Files[i], p.Documents[i], p.bases[i] = before.Files[at], before.Documents[at], before.bases[at]
		}
	}
}

// Broken is how many places a proposal breaks, in words; "" is none.
func (p *Proposal) Broken() string {
	if n := len(p.Judged().Breaks()); n > 0 {
		return terms.Counted(n, "place")
	}
	return ""
}
