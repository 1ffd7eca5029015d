package inline

import (
	"context"
	"slices"
	"strings"
	"sync"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/workspace"
	"tandem/workspace/judge"
	"tandem/workspace/names"
)

// suggest asks the fast lane for req.N candidates at once and returns those that pass
// the checks, without duplicates, or the reason why there are none. count is how many the
// model has made for the question in all; asking for as many again would be asking the
// same.
func (c *Completer) suggest(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req Request, d *inlineDoc, f *inflight) (items []Completion, reason string, count int) {
	base, err := c.completionPrompt(ctx, snap, o, req.Offset)
	if err != nil {
		return nil, err.Error(), 0
	}
	if ctx.Err() != nil {
		return nil, "", 0
	}
	cfg, _ := c.Prompts.Models.ConfigFor(model.Complete)
	f.wants.lines = min(core.InTime(c.Prompts.Models, c.Wanted.Preferences(o.Language)).Lines, linesOf(c.Wanted.Preferences(o.Language), req))
	if !req.Invoked && !model.WritesBlocks(cfg) {
		f.wants.lines = 1
	}
	n := max(req.N, cfg.Candidates, 1) - req.have
	streams, answers := n, 1
	if n > 1 && req.have == 0 && c.single.several(cfg) {
		streams, answers = 1, n
	}
	if !req.Invoked {
		c.timing.allowance.take(streams*model.EstimateTokens(base), c.Wanted.Preferences(o.Language).TokensPerKey)
	}
	racing, stop := context.WithCancel(ctx)
	defer stop()
	found := make([][]candidate, streams)
	c.Docs.Group.Each(streams, "completion candidate", func(i int) {
		found[i] = c.candidates(racing, snap, o, req, base, req.have+i, answers, f)
		if one := found[i][0]; one.ok && req.N <= 1 && d.unwanted(req.Offset, one.completion.Text) == "" {
			stop() // one is enough, and it passed the checks
		}
	})
	all := slices.Concat(found...)
	if now, _ := c.Prompts.Models.ConfigFor(model.Complete); now.ContextWindow < cfg.ContextWindow && !slices.ContainsFunc(all, func(c candidate) bool { return c.answered || c.ok }) {
		return c.suggest(ctx, snap, o, req, d, f) // its server takes less than was known
	}
	items, reason = choose(all, d, req)
	switch {
	case !slices.ContainsFunc(all, func(c candidate) bool { return c.answered }):
		return items, reason, 0
	case answers > 1 && len(all) == 1:
		c.single.add(cfg.Name)
	}
	return items, reason, req.have + max(len(all), streams)
}

// A candidate is one completion by the model, or the reason why there is none.
type candidate struct {
	completion Completion
	ok         bool
	answered   bool // the model's answer is whole
	reason     string
}

// choose keeps the good candidates, the first ones first.
func choose(found []candidate, d *inlineDoc, req Request) (items []Completion, reason string) {
	seen := map[string]bool{}
	for _, c := range found {
		if !c.ok {
			reason = c.reason
			continue
		}
		if why := d.unwanted(req.Offset, c.completion.Text); why != "" {
			reason = "The suggestion was held back: " + why + "."
			continue
		}
		if !seen[c.completion.Text] {
			seen[c.completion.Text] = true
			items = append(items, c.completion)
		}
	}
	if len(items) > 0 {
		reason = ""
	}
	return items, reason
}

// leastVaried is the lowest temperature at which answers to one prompt differ.
const leastVaried = 0.4

// candidates runs one stream of n answers to its end. Candidate i is the first of them.
// Candidate 0 offers its first line as soon as that line is complete.
func (c *Completer) candidates(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req Request, base *model.Request, i, n int, f *inflight) []candidate {
	ask := *base
	ask.ID, ask.N = c.Prompts.NewID("c"), n
	if i > 0 || n > 1 && ask.Temperature != nil && *ask.Temperature < leastVaried {
		warmer := leastVaried + 0.2*float64(max(i, 1))
		ask.Temperature = &warmer
	}
	answers, whole, before, after := make([]string, n), 1, "", ""
	var first belief // in the first answer
	var end model.End
	before, after = around(o.Text, req.Offset)
	open := n
	closed := make([]bool, n)
	for delta, failed := range c.Prompts.Models.Stream(ctx, model.Fast, &ask) {
		if failed != nil {
			// That there is nothing to suggest is an answer too.
			none := model.AsError(failed).Code == model.CodeEmpty
			return slices.Repeat([]candidate{{reason: failed.Error(), answered: none}}, n)
		}
		if delta.Final != nil {
			whole, end = min(max(delta.Final.Choices, 1), n), delta.Final.End
		}
		if delta.Text == "" || delta.Choice >= n {
			continue
		}
		k := delta.Choice
		answers[k] += delta.Text
		if k == 0 {
			first.add(len(answers[k]), delta.LogProb)
		}
		if i == 0 && k == 0 {
			if _, agrees := f.add(delta.Text); !agrees {
				f.stop()
				return []candidate{{reason: "You typed something else than the model's answer."}}
			}
			c.offerLine(ctx, snap, o, req, f, answers[0], first)
		}
		if _, done := ended(before, after, answers[k], f.wants.lines); done && !closed[k] {
			closed[k] = true
			open--
		}
		if open == 0 {
			whole = n
			break // what the server would write from here on is not shown
		}
	}
	used, _ := c.Prompts.Models.Usage(ask.ID)
	out := make([]candidate, 0, whole)
	for k, answer := range answers[:whole] {
		if torn[end.Why] && !closed[k] {
			answer = answer[:strings.LastIndexByte(answer, '\n')+1]
		}
		if torn[end.Why] && strings.TrimSpace(answer) == "" {
			out = append(out, candidate{reason: end.Sentence()})
			continue
		}
		out = append(out, c.answered(ctx, snap, o, req, i+k, answer, first, used, f))
		// How likely it is and what the prompt cost are the first answer's.
		first, used = nil, edits.Provenance{Lane: used.Lane, Model: used.Model, ServedModel: used.ServedModel}
	}
	return out
}

// torn are the reasons for which an answer ends in the middle of a line, which is not shown then.
// At its own bound, or with a word that nobody knows, what came is a suggestion as it is.
var torn = map[model.Why]bool{model.WhyFilter: true, model.WhyRefused: true, model.WhyPaused: true, model.WhyServer: true, model.WhyContext: true, model.WhyBroken: true}

// answered turns candidate i's whole answer into a candidate.
func (c *Completer) answered(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req Request, i int, answer string, of belief, used edits.Provenance, f *inflight) candidate {
	item, err := c.completion(snap, o, req.Offset, answer, f.wants.lines)
	if err != nil {
		return candidate{reason: "The suggestion was held back: " + err.Error() + ".", answered: true}
	}
	item.From, item.belief = used, of.in(answer, item.Text)
	if first := f.offeredLine(); i == 0 && first != nil && first.Text == item.Text {
		item.Verdict = first.Verdict // the completion is only this first line
		return candidate{completion: item, ok: true, answered: true}
	}
	out := f.vets.of(item, func(item Completion) candidate { return c.vet(ctx, snap, o, req, item) })
	out.answered = true
	return out
}

// offerLine offers the first line to the waiting requests, once it is complete and
// passes the checks.
func (c *Completer) offerLine(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req Request, f *inflight, answer string, of belief) {
	if f.offered() {
		return
	}
	before, after := around(o.Text, req.Offset)
	line, whole := ended(before, after, answer, 1)
	if !whole || strings.TrimSpace(line) == "" {
		return
	}
	item, err := c.completion(snap, o, req.Offset, answer, 1)
	if err != nil {
		return
	}
	cfg, _ := c.Prompts.Models.ConfigFor(model.Complete)
	item.From, item.belief = edits.Provenance{Lane: string(model.Fast), Model: cfg.Name}, of.in(answer, item.Text)
	vetted := f.vets.of(item, func(item Completion) candidate { return c.vet(ctx, snap, o, req, item) })
	if vetted.ok {
		f.firstLine(vetted.completion)
	}
}

// completion turns a model's answer into a suggestion of so many lines for a place, or returns
// why it is none.
func (c *Completer) completion(snap *workspace.Snapshot, o *workspace.Overlay, at int, answer string, lines int) (Completion, error) {
	fitted, err := shape(o.Text, at, answer, lines, snap.Style(o.URI), names.In(snap))
	if err != nil {
		return Completion{}, err
	}
	return Completion{ID: c.Prompts.NewID("s"), URI: o.URI, Version: o.Version, Replace: fitted.Span, Text: fitted.New}, nil
}

// vet judges a suggestion in the text that it would make. A suggestion that lacks an
// import gets it when the user accepts it; one that fails is held back. A model's line that
// opens a bracket is judged as if the block or the list came after it.
func (c *Completer) vet(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req Request, item Completion) candidate {
	if strings.TrimSpace(item.Text) == "" {
		return candidate{reason: "The model had nothing to add here."}
	}
	before := o.Content()
	edit := edits.Edit{Span: item.Replace, New: item.Text}
	change := edits.FileChange{Path: snap.Name(o.URI), Before: before, After: before[:edit.Start] + edit.New + before[edit.End:], Edits: []edits.Edit{edit}}
	if !req.Invoked {
		within, cancel := context.WithTimeout(ctx, core.WhileTyping)
		defer cancel()
		ctx = within
	}
	item.Verdict = c.Judge.Change(ctx, snap, []edits.FileChange{change}, judge.Typed)
	if end := closers(item.Text); item.Verdict.Failed() && end != "" && item.From.Lane != core.BuiltIn {
		closed := change
		edit.New += "\n" + end
		closed.After, closed.Edits = before[:edit.Start]+edit.New+before[edit.End:], []edits.Edit{edit}
		if verdict := c.Judge.Change(ctx, snap, []edits.FileChange{closed}, judge.Typed); !verdict.Failed() {
			item.Verdict = verdict
		}
	}
	if item.Verdict.Failed() {
		with := c.Judge.WithImports(ctx, snap, []edits.FileChange{change}, judge.Typed)
		if with[0].After == change.After {
			return held(item.Verdict)
		}
		verdict := c.Judge.Change(ctx, snap, with, judge.Typed)
		if verdict.Failed() {
			return held(item.Verdict)
		}
		item.Verdict, item.Imports = verdict, true
	}
	if !item.Verdict.Passed() {
		c.Notify(core.Reason("The suggestion is not judged: " + item.Verdict.Reason() + "."))
	}
	return candidate{completion: item, ok: true}
}

func held(v edits.Verdict) candidate {
	return candidate{reason: "The suggestion was held back: " + v.Reason()}
}

// singles are the models that gave one answer where several were asked for.
type singles struct {
	mu     sync.Mutex // guards models
	models map[string]bool
}

// several reports whether a model can be asked for several answers to one prompt, and has
// not shown that it gives one.
func (s *singles) several(cfg model.ModelConfig) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return cfg.Choices && !s.models[cfg.Name]
}

// add records a model that gave one.
func (s *singles) add(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.models == nil {
		s.models = map[string]bool{}
	}
	s.models[name] = true
}
