package assist

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"tandem/edits"
	"tandem/model"
	"tandem/workspace"
)

// maxThread bounds how many turns of a thread a follow-up question sees.
const maxThread = 6

// Ask answers a question about the codebase, with citations that exist. It passes
// the pieces of the answer on as they arrive, and marks an interrupted answer. With
// no model the built-in engine answers what an index can answer.
func (e *Engine) Ask(ctx context.Context, snap *workspace.Snapshot, req AskRequest) (Answer, error) {
	decision := e.route(model.Ask, req.Lane, req.Question, snap.Name(req.URI), 0)
	lane := decision.Lane
	if _, ok := e.Models.Config(lane); !ok {
		return e.askLocal(ctx, snap, req)
	}
	ask, err := e.prompt(ctx, snap, question{
		kind: model.KindAsk, lane: lane, uri: req.URI, span: edits.Span{Start: req.Offset, End: req.Offset},
		request: req.Question, history: e.thread(req.Thread),
	})
	if err != nil {
		return Answer{}, err
	}
	text, err := e.stream(ctx, lane, ask.Request, req.Piece)
	answer := Answer{Text: text, Citations: citations(snap, text), Interrupted: err != nil && text != ""}
	answer.From, _ = e.Models.Usage(ask.ID)
	answer.From.Lane, answer.From.Reason = string(lane), decision.Reason
	if err != nil {
		return answer, err
	}
	e.remember(req.Thread, req.Question, text)
	return answer, nil
}

// thread returns the messages of a thread, oldest first.
func (e *Engine) thread(name string) []model.Message {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.threads[name]
}

// remember adds a turn to a thread; a thread without a name keeps nothing.
func (e *Engine) remember(name, asked, text string) {
	if name == "" {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	messages := append(e.threads[name], model.Message{Role: "user", Text: asked}, model.Message{Role: "assistant", Text: text})
	if over := len(messages) - 2*maxThread; over > 0 {
		messages = messages[over:]
	}
	e.threads[name] = messages
}

// askLocal answers from the index, or returns an error that it needs a model.
func (e *Engine) askLocal(ctx context.Context, snap *workspace.Snapshot, req AskRequest) (Answer, error) {
	needs := e.needsModel("answer this question")
	if e.Local == nil {
		return Answer{}, needs
	}
	answer, ok := e.Local.Answer(ctx, corpusAround(snap, req.URI), req.Question)
	if !ok {
		return Answer{}, needs
	}
	if req.Piece != nil {
		req.Piece(answer)
	}
	return Answer{Text: answer, Citations: citations(snap, answer), From: edits.Provenance{Lane: BuiltIn, Model: "built-in", Reason: "no model is configured"}}, nil
}

// needsModel returns the error for what the built-in engine cannot do. If the
// configuration has a mistake, the error names the mistake instead: it is what the
// user has to fix.
func (e *Engine) needsModel(what string) *model.Error {
	if mistake := e.Mistake(); mistake != "" {
		return &model.Error{Code: model.CodeNotConfigured, Message: "The configuration has a mistake, so no model is in use: " + mistake}
	}
	return &model.Error{Code: model.CodeNeedsModel, Message: "The built-in engine cannot " + what +
		"; set fast = \"MODEL\" in the configuration (tandem doctor shows which models it finds)."}
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
