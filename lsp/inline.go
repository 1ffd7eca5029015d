package lsp

import (
	"context"
	"errors"
	"sync"
	"time"

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

type running struct{ cancel context.CancelCauseFunc } // nil until its second half starts

// replace returns a function that derives the context of a new request for
// uri; the previous request is superseded at once.
func (r *newest) replace(uri string) func(context.Context) (context.Context, func()) {
	request := &running{}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.running == nil {
		r.running = map[string]*running{}
	}
	if old := r.running[uri]; old != nil && old.cancel != nil {
		old.cancel(errSuperseded)
	}
	r.running[uri] = request
	return func(parent context.Context) (context.Context, func()) { return r.start(parent, uri, request) }
}

func (r *newest) start(parent context.Context, uri string, request *running) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	r.mu.Lock()
	defer r.mu.Unlock()
	if request.cancel = cancel; r.running[uri] != request {
		cancel(errSuperseded)
	}
	return ctx, func() { // the end of the parent frees ctx
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.running[uri] == request {
			delete(r.running, uri)
		}
	}
}

// superseded reports whether a newer request replaced this one.
func superseded(ctx context.Context) bool { return errors.Is(context.Cause(ctx), errSuperseded) }

// inlines suggest what the user is about to type, and take what becomes of suggestions.
type inlines struct {
	*scope
	proposals *proposals
	newest    newest
}

// inlineCompletion takes the snapshot when the request is read, and then
// asks for what the user is about to type.
func (i *inlines) inlineCompletion(p *inlineParams) (any, work, error) {
	i.asksInline.Store(true)
	snap := i.session.Snapshot()
	o, offset, err := i.document(snap, &p.placeParams)
	if err != nil {
		return nil, nil, err
	}
	req := inline.Request{Place: core.Place{URI: o.URI, Offset: offset}, Follows: i.client.Wants().Inline, N: 1}
	if p.Context.TriggerKind == triggerInvoked {
		req.Invoked, req.N, req.Gradually = true, invokedCandidates, true
	}
	if menu := p.Context.SelectedCompletionInfo; menu != nil {
		req.Selected = &inline.Selected{Span: i.enc.rangeSpan(o.Text, menu.Range), Text: menu.Text}
	}
	start := i.newest.replace(o.URI)
	return nil, func(ctx context.Context) (any, error) {
		ctx, done := start(ctx)
		defer done()
		found, err := i.use.Completer.Complete(ctx, snap, req)
		switch cause := context.Cause(ctx); { // read once: it may come at any time
		case errors.Is(cause, errSuperseded):
			return inlineList{Items: []inlineItem{}}, nil
		case cause != nil:
			return nil, cause
		case err != nil:
			return nil, err
		}
		if found.Marked && i.client.Wants().Inline {
			mark := map[string]any{"uri": o.URI, "version": o.Version, "position": p.Position}
			i.notifications.put("mark "+o.URI, "tandem/inlineMark", func() any { return mark })
		}
		return inlineList{Items: i.inlineItems(o, found.Items)}, nil
	}, nil
}

// showSuggestionCommand shows what a mark stands for: the client is notified that it is ready.
func (i *inlines) showSuggestionCommand(_ context.Context, inv *invocation, a *placeArgs) (any, error) {
	o, err := openDocument(inv.snap, a.uri())
	if err != nil {
		return nil, err
	}
	i.use.Completer.Reveal(o)
	return nil, nil
}

// inlineItems encodes suggestions for the text they were asked for. A suggestion
// for a later version is skipped; the request for that version returns it.
func (i *inlines) inlineItems(o *workspace.Overlay, found []inline.Completion) []inlineItem {
	items := make([]inlineItem, 0, len(found))
	for _, c := range found {
		if c.Version != o.Version || !c.Replace.Valid(o.Text.Len()) {
			continue
		}
		at := i.enc.spanRange(o.Text, c.Replace)
		items = append(items, inlineItem{
			InsertText: c.Text, Range: &at,
			Command: &command{Title: "Accepted", Command: acceptedItem, Arguments: []any{c.ID}},
		})
	}
	return items
}

// An itemParams identifies a suggestion by its command.
type itemParams struct {
	Item struct {
		Command struct {
			Arguments []any `json:"arguments"`
		} `json:"command"`
	} `json:"item"`
	AcceptedLength int `json:"acceptedLength"`
}

func (p *itemParams) id() string {
	if len(p.Item.Command.Arguments) > 0 {
		if id, ok := p.Item.Command.Arguments[0].(string); ok {
			return id
		}
	}
	return ""
}

func (i *inlines) didShow(p *itemParams) error {
	i.use.Engine.Shown(p.id())
	return nil
}

// didPartiallyAccept only reports that a part was accepted: the didChange that
// follows advances the suggestion.
func (i *inlines) didPartiallyAccept(p *itemParams) error {
	i.use.Completer.PartlyAccepted(p.id())
	return nil
}

type uuidParams struct {
	UUID  string   `json:"uuid"`
	UUIDs []string `json:"uuids"`
}

func (i *inlines) notifyRejected(_ context.Context, p *uuidParams) (any, error) {
	for _, id := range append(p.UUIDs, p.UUID) {
		if id != "" {
			i.use.Engine.Rejected(id)
			i.log.Debug("suggestion rejected", "id", id)
		}
	}
	return "OK", nil
}

func (i *inlines) notifyAccepted(_ context.Context, p *uuidParams) (any, error) {
	i.use.Engine.Accepted(i.session.Snapshot(), p.UUID)
	return "OK", nil
}

func (i *inlines) notifyShown(_ context.Context, p *uuidParams) (any, error) {
	i.use.Engine.Shown(p.UUID)
	return "OK", nil
}

// acceptedCommand is what a client calls when the user has taken a suggestion.
func (i *inlines) acceptedCommand(ctx context.Context, id string) (any, error) {
	if imports := i.use.Engine.Accepted(i.session.Snapshot(), id); imports != nil {
		return nil, i.proposals.applyOne(ctx, *imports, nil)
	}
	return nil, nil
}

func (i *inlines) rejectedCommand(_ context.Context, id string) (any, error) {
	i.use.Engine.Rejected(id)
	return nil, nil
}

func (i *inlines) ignoredCommand(_ context.Context, id string) (any, error) {
	i.use.Engine.Ignored(id)
	return nil, nil
}

// defaultSnooze is how long a snooze lasts when no minutes are given.
const defaultSnooze = 30 * time.Minute

type snoozeArgs struct {
	Minutes *float64 `json:"minutes"`
}

func (i *inlines) snoozeCommand(_ context.Context, _ *invocation, a *snoozeArgs) (any, error) {
	length := defaultSnooze
	if a.Minutes != nil {
		length = time.Duration(*a.Minutes * float64(time.Minute))
	}
	if length <= 0 {
		i.use.Completer.Snooze(time.Time{})
		return map[string]any{"until": nil}, nil
	}
	until := time.Now().Add(length)
	i.use.Completer.Snooze(until)
	return map[string]any{"until": until.UTC().Format(time.RFC3339)}, nil
}
