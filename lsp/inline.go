package lsp

import (
	"context"
	"errors"
	"sync"
	"tandem/model/assist/core"
	"tandem/model/assist/inline"
	"tandem/workspace"
)

const (
	// invokedCandidates is how many suggestions explicit requests for one place ask for. Where
	// each of them is a prompt to pay, the first one is asked for alone, and the others when
	// the user asks again.
	invokedCandidates = 3

	triggerInvoked = 1
	acceptedItem   = "github.copilot.didAcceptCompletionItem"
)

// A newest holds the running request of each document, for one kind of request,
// so that a newer one replaces it.
type newest struct {
	mu      sync.Mutex // guards running
	running map[string]*running
}

type running struct{ cancel context.CancelCauseFunc }

// replace returns a function that derives the context of a new request for
// uri; the previous request is superseded at once.
func (r *newest) replace(uri string) func(context.Context) (context.Context, func()) {
	mine := &running{}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.running == nil {
		r.running = map[string]*running{}
	}
	if old := r.running[uri]; old != nil {
		old.end()
	}
	r.running[uri] = mine
	return func(parent context.Context) (context.Context, func()) { return r.start(parent, uri, mine) }
}

func (r *newest) start(parent context.Context, uri string, mine *running) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	r.mu.Lock()
	defer r.mu.Unlock()
	if mine.cancel = cancel; r.running[uri] != mine {
		cancel(errSuperseded)
	}
	return ctx, func() { // the end of the parent frees ctx
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.running[uri] == mine {
			delete(r.running, uri)
		}
	}
}

// end supersedes a request; the lock is held.
func (r *running) end() {
	if r.cancel != nil {
		r.cancel(errSuperseded)
	}
}

// superseded reports whether a newer request replaced this one.
func superseded(ctx context.Context) bool { return errors.Is(context.Cause(ctx), errSuperseded) }

// inlineCompletion takes the snapshot when the request is read, and then
// asks for what the user is about to type.
func inlineCompletion(s *Server, p *inlineParams) (any, work, error) {
	snap := s.session.Snapshot()
	o, offset, err := s.document(snap, &p.placeParams)
	if err != nil {
		return nil, nil, err
	}
	req := inline.Request{Place: core.Place{URI: o.URI, Offset: offset}, Follows: s.client.tandem.Inline, N: 1}
	if p.Context.TriggerKind == triggerInvoked {
		req.Invoked, req.N, req.Gradually = true, invokedCandidates, true
	}
	if menu := p.Context.SelectedCompletionInfo; menu != nil {
		req.Selected = &inline.Selected{Span: s.enc.rangeSpan(o.Text, menu.Range), Text: menu.Text}
	}
	start := s.inline.replace(o.URI)
	return nil, func(ctx context.Context) (any, error) {
		ctx, done := start(ctx)
		defer done()
		found, err := s.use.Completer.Complete(ctx, snap, req)
		switch cause := context.Cause(ctx); { // read once: it may come at any time
		case errors.Is(cause, errSuperseded):
			return inlineList{Items: []inlineItem{}}, nil
		case cause != nil:
			return nil, cause
		case err != nil:
			return nil, err
		}
		if found.Marked && s.client.tandem.Inline {
			mark := map[string]any{"uri": o.URI, "version": o.Version, "position": p.Position}
			s.notifications.put("mark "+o.URI, "tandem/inlineMark", func() any { return mark })
		}
		return inlineList{Items: s.inlineItems(o, found.Items)}, nil
	}, nil
}

// showSuggestionCommand shows what a mark stands for: the client is notified that it is ready.
func showSuggestionCommand(_ context.Context, s *Server, inv *invocation) (any, error) {
	o, err := openDocument(inv.snap, inv.URI)
	if err != nil {
		return nil, err
	}
	s.use.Completer.Reveal(o)
	return nil, nil
}

// inlineItems encodes suggestions for the text they were asked for. A suggestion
// for a later version is skipped; the request for that version returns it.
func (s *scope) inlineItems(o *workspace.Overlay, found []inline.Completion) []inlineItem {
	items := make([]inlineItem, 0, len(found))
	for _, c := range found {
		if c.Version != o.Version || !c.Replace.Valid(o.Text.Len()) {
			continue
		}
		at := s.enc.spanRange(o.Text, c.Replace)
		items = append(items, inlineItem{
			InsertText: c.Text, Range: &at,
			Command: &command{Title: "Accepted", Command: acceptedItem, Arguments: []any{c.ID}},
		})
	}
	return items
}
