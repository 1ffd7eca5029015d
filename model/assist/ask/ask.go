package ask

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/model/assist/prompt"
	"tandem/model/conversation"
	"tandem/workspace"
	"tandem/workspace/redact"
)

// An Asker answers questions, from a model or from the index alone.
type Asker struct {
	Prompts *prompt.Maker
	Wanted  *core.Wanted

	mu      sync.Mutex // guards threads
	threads map[string]conversation.Record
}

// Ask answers a question about the codebase, with citations that exist. It passes
// the pieces of the answer on as they arrive, and says how the answer ended. With
// no model the answer is what the index knows, or the functions that the question is about.
func (a *Asker) Ask(ctx context.Context, snap *workspace.Snapshot, req Request) (Answer, error) {
	decision := a.Prompts.Route(snap, model.Ask, req.Lane, req.words(snap), req.URI, edits.Span{})
	lane := decision.Lane
	known, ok := a.Prompts.Models.Config(lane)
	if !ok {
		return a.askAlone(ctx, snap, req)
	}
	q := a.question(snap, lane, req)
	ask, err := a.Prompts.Prompt(ctx, snap, q)
	if err != nil {
		return Answer{}, err
	}
	came, err := a.Prompts.Stream(ctx, lane, ask.Request, req.Piece)
	if core.TakesLess(a.Prompts.Models, lane, known, err) {
		return a.Ask(ctx, snap, req)
	}
	text, end := model.Came(came)
	answer := Answer{Text: text, End: end, Shown: shownTo(ask.Request), Citations: citations(snap, text)}
	answer.From, _ = a.Prompts.Models.Usage(ask.ID)
	answer.From.Lane, answer.From.Reason = string(lane), strings.Join(slices.DeleteFunc([]string{decision.Reason, ask.Anew}, func(s string) bool { return s == "" }), "; ")
	if err != nil {
		end = model.EndBy(model.AsError(err))
	}
	if left := snap.Unread(); !left.None() && err == nil && !req.Explains {
		answer.Text += req.say("\n\n*When this was asked, not all of the workspace was read: " + left.String() + ".*")
	}
	if err == nil || end.Why == model.WhyStopped {
		a.remember(req.Thread, q.Record.Len(), ask.Record.Said(text, end, time.Now()))
	}
	return answer, err
}

// say gives a piece of the answer to whoever asked.
func (req Request) say(piece string) string {
	if req.Piece != nil {
		req.Piece(piece)
	}
	return piece
}

func (a *Asker) question(snap *workspace.Snapshot, lane model.Lane, req Request) prompt.Question {
	a.mu.Lock()
	record := a.threads[req.Thread]
	a.mu.Unlock()
	if record.Secrets == nil {
		record.Secrets = &redact.Redactor{}
	}
	return prompt.Question{
		Kind: model.KindAsk, Lane: lane, URI: req.URI, Span: edits.Span{Start: req.Offset, End: req.Offset},
		Request: req.wanted(snap, record.Secrets), Words: req.words(snap), Record: record,
	}
}

// mostThreads bounds how many conversations are held; the one that has rested longest goes first.
const mostThreads = 16

// remember keeps a conversation that had so many items before; one without a name is none.
func (a *Asker) remember(name string, before int, r conversation.Record) {
	if name == "" {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.threads == nil {
		a.threads = map[string]conversation.Record{}
	}
	a.threads[name] = a.threads[name].Joined(before, r)
	if len(a.threads) > mostThreads {
		delete(a.threads, slices.MinFunc(slices.Collect(maps.Keys(a.threads)), func(x, y string) int { return a.threads[x].Last().Compare(a.threads[y].Last()) }))
	}
}

// maxExplained is how many bytes of a selection a question repeats.
const maxExplained = 6 << 10

// wanted is the question: the user's, or about the code at its place.
func (req Request) wanted(snap *workspace.Snapshot, r *redact.Redactor) redact.Text {
	if !req.Explains {
		return r.User(req.Question, req.SendSecrets)
	}
	f, err := snap.File(req.URI)
	if err != nil {
		return redact.Text{}
	}
	source, name := f.Source(), r.Redact(snap.Name(req.URI))
	text := redact.Format("Explain the code at %s:%s: what it does, why it is there and what to watch out for.", name, redact.Int(source.LineAt(req.Offset)))
	if req.Explain.Len() == 0 {
		return text
	}
	end := min(req.Explain.End, req.Explain.Start+maxExplained, len(source.Text()))
	return redact.Join("\n\n", text, r.Span(source, edits.Span{Start: min(req.Explain.Start, end), End: end}))
}

// words are the words of the question that choose what is shown.
func (req Request) words(snap *workspace.Snapshot) string {
	secrets := &redact.Redactor{}
	return secrets.Restore(req.wanted(snap, secrets).String())
}

// askedAnswer is how many tokens the answer to a question is expected to have.
const askedAnswer = 500

// Estimate builds the prompt of a question and sends nothing.
func (a *Asker) Estimate(ctx context.Context, snap *workspace.Snapshot, req Request) (edit.Estimate, error) {
	decision := a.Prompts.Route(snap, model.Ask, req.Lane, req.words(snap), req.URI, edits.Span{})
	ask, err := a.Prompts.Prompt(ctx, snap, a.question(snap, decision.Lane, req))
	if err != nil {
		return edit.Estimate{}, err
	}
	cfg, _ := a.Prompts.Models.Config(decision.Lane)
	tokens := model.EstimateTokens(ask.Request)
	return edit.Estimate{Decision: decision, Model: cfg.Name, Tokens: tokens, CostUSD: model.Cost(cfg, model.Usage{Input: tokens, Output: askedAnswer})}, nil
}

// shownTo is the text of a request as the model gets it.
func shownTo(req *model.Request) string {
	parts := []string{req.Instructions.String()}
	for _, m := range req.Input {
		parts = append(parts, m.Role+":\n"+m.Text.String())
	}
	return strings.Join(parts, "\n\n")
}

// citations finds the places that an answer names as path:line. It returns those that
// exist, in order, each once.
func citations(snap *workspace.Snapshot, text string) []Citation {
	var out []Citation
	for _, word := range strings.FieldsFunc(text, notInPath) {
		name, line, ok := splitCitation(word)
		if !ok {
			continue
		}
		if c, ok := cite(snap, name, line); ok && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

func notInPath(r rune) bool {
	return r <= ' ' || strings.ContainsRune("()[]{}<>\"'`,;*|", r)
}

// splitCitation splits path:line or path:line:column or path:line-line.
func splitCitation(word string) (name string, line int, ok bool) {
	name, rest, ok := strings.Cut(strings.TrimRight(word, ".:!?"), ":")
	if !ok || name == "" || !strings.ContainsAny(name, "./") {
		return "", 0, false
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(rest)
	}
	line, err := strconv.Atoi(rest[:end])
	return name, line, err == nil && line > 0
}

// cite checks a place against the workspace.
func cite(snap *workspace.Snapshot, name string, line int) (Citation, bool) {
	key := snap.Resolve(name)
	if snap.View(key) == nil {
		return Citation{}, false
	}
	f, err := snap.File(key)
	if err != nil || line > f.Raw().LineCount() {
		return Citation{}, false
	}
	return Citation{Path: snap.Name(key), URI: workspace.URIOf(key), Line: line}, true
}
