package ask

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/workspace"
)

// maxThread bounds how many turns of a thread a follow-up question sees.
const maxThread = 6

// An Asker answers questions, from a model or from the index alone.
type Asker struct {
	*core.Core
	mu      sync.Mutex // guards threads
	threads map[string][]model.Message
}

// New returns the questions of a session.
func New(c *core.Core) *Asker { return &Asker{Core: c, threads: map[string][]model.Message{}} }

// Ask answers a question about the codebase, with citations that exist. It passes
// the pieces of the answer on as they arrive, and marks an interrupted answer. With
// no model the built-in engine answers what an index can answer.
func (a *Asker) Ask(ctx context.Context, snap *workspace.Snapshot, req Request) (Answer, error) {
	decision := a.Route(model.Ask, req.Lane, req.Question, snap.Name(req.URI), 0)
	lane := decision.Lane
	known, ok := a.Models.Config(lane)
	if !ok {
		return a.askLocal(ctx, snap, req)
	}
	ask, err := a.Prompt(ctx, snap, a.question(lane, req))
	if err != nil {
		return Answer{}, err
	}
	text, err := a.Stream(ctx, lane, ask.Request, req.Piece)
	if core.TakesLess(a.Models, lane, known, err) {
		return a.Ask(ctx, snap, req)
	}
	answer := Answer{Text: text, Shown: shownTo(ask.Request), Citations: citations(snap, text), Interrupted: err != nil && text != ""}
	answer.From, _ = a.Models.Usage(ask.ID)
	answer.From.Lane, answer.From.Reason = string(lane), decision.Reason
	if err != nil {
		return answer, err
	}
	a.remember(req.Thread, req.Question, text)
	return answer, nil
}

func (a *Asker) question(lane model.Lane, req Request) core.Question {
	return core.Question{
		Kind: model.KindAsk, Lane: lane, URI: req.URI, Span: edits.Span{Start: req.Offset, End: req.Offset},
		Request: req.Question, History: a.thread(req.Thread),
	}
}

// askedAnswer is how many tokens the answer to a question is expected to have.
const askedAnswer = 500

// Estimate builds the prompt of a question and sends nothing.
func (a *Asker) Estimate(ctx context.Context, snap *workspace.Snapshot, req Request) (edit.Estimate, error) {
	decision := a.Route(model.Ask, req.Lane, req.Question, snap.Name(req.URI), 0)
	ask, err := a.Prompt(ctx, snap, a.question(decision.Lane, req))
	if err != nil {
		return edit.Estimate{}, err
	}
	cfg, _ := a.Models.Config(decision.Lane)
	tokens := model.EstimateTokens(ask.Request)
	return edit.Estimate{Decision: decision, Model: cfg.Name, Tokens: tokens, CostUSD: model.Cost(cfg, model.Usage{Input: tokens, Output: askedAnswer})}, nil
}

// shownTo is the text of a request as the model gets it.
func shownTo(req *model.Request) string {
	parts := []string{req.Instructions}
	for _, m := range req.Input {
		parts = append(parts, m.Role+":\n"+m.Text)
	}
	return strings.Join(parts, "\n\n")
}

// thread returns the messages of a thread, oldest first.
func (a *Asker) thread(name string) []model.Message {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.threads[name]
}

// remember adds a turn to a thread; a thread without a name keeps nothing.
func (a *Asker) remember(name, asked, text string) {
	if name == "" {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	messages := append(a.threads[name], model.Message{Role: "user", Text: asked}, model.Message{Role: "assistant", Text: text})
	if over := len(messages) - 2*maxThread; over > 0 {
		messages = messages[over:]
	}
	a.threads[name] = messages
}

// askLocal answers from the index, or returns an error that it needs a model.
func (a *Asker) askLocal(ctx context.Context, snap *workspace.Snapshot, req Request) (Answer, error) {
	needs := a.NeedsModel("answer this question")
	if a.Local == nil {
		return Answer{}, needs
	}
	answer, ok := a.Local.Answer(ctx, core.CorpusAround(snap, req.URI), req.Question)
	if !ok {
		return Answer{}, needs
	}
	if req.Piece != nil {
		req.Piece(answer)
	}
	return Answer{Text: answer, Citations: citations(snap, answer), From: edits.Provenance{Lane: core.BuiltIn, Model: "built-in", Reason: "no model is configured"}}, nil
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
