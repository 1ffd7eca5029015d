package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"tandem/workspace"
)

// windows show what models are shown.
type windows struct {
	*scope
	deps *Deps
}

type windowParams struct {
	placeParams
	Budget  int    `json:"budget"`
	Purpose string `json:"purpose"`
	Text    bool   `json:"text"`
}

// window answers tandem/window with the line that window --jsonl prints.
func (w *windows) window(p *windowParams) (any, work, error) {
	snap := w.session.Snapshot()
	o, offset, err := w.document(snap, &p.placeParams)
	if err != nil {
		return nil, nil, err
	}
	q := WindowQuery{URI: o.URI, Offset: offset, Budget: p.Budget, Purpose: p.Purpose, Text: p.Text}
	return nil, func(ctx context.Context) (any, error) { return w.build(ctx, snap, q) }, nil
}

func (w *windows) build(ctx context.Context, snap *workspace.Snapshot, q WindowQuery) (any, error) {
	if w.deps.Window == nil {
		return nil, invalid("This server builds no windows.")
	}
	return w.deps.Window(ctx, snap, q)
}

type showWindowArgs struct {
	placeArgs
	Budget  int    `json:"budget"`
	Purpose string `json:"purpose"`
}

func (w *windows) showWindowCommand(ctx context.Context, inv *invocation, a *showWindowArgs) (any, error) {
	o, span, err := w.target(inv.snap, &a.placeArgs)
	if err != nil {
		return nil, err
	}
	answer, err := w.build(ctx, inv.snap, WindowQuery{URI: o.URI, Offset: span.Start, Budget: a.Budget, Purpose: a.Purpose, Text: true})
	if err != nil {
		return nil, err
	}
	raw, err := protocol.Marshal(answer)
	if err != nil {
		return nil, err
	}
	var shown struct {
		Text string `json:"text"`
	}
	if err := protocol.Unmarshal(raw, &shown); err == nil && shown.Text != "" {
		w.show(ctx, "window.txt", shown.Text)
	}
	return answer, nil
}

type lastPayloadParams struct {
	N int `json:"n"`
}

func (*lastPayloadParams) mayBeMissing() {}

// lastPayload answers tandem/lastPayload: exactly what was sent to a model last.
func (w *windows) lastPayload(_ context.Context, p *lastPayloadParams) (any, error) {
	if w.deps.LastPayload == nil {
		return nil, invalid("This server keeps no record of what it sent.")
	}
	return w.deps.LastPayload(max(p.N, 1))
}
