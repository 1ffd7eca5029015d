package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

type windowParams struct {
	placeParams
	Budget  int    `json:"budget"`
	Purpose string `json:"purpose"`
	Text    bool   `json:"text"`
}

// window answers tandem/window with the line that window --jsonl prints.
func window(s *Server, p *windowParams) (any, work, error) {
	snap := s.session.Snapshot()
	o, offset, err := s.document(snap, &p.placeParams)
	if err != nil {
		return nil, nil, err
	}
	if s.deps.Window == nil {
		return nil, nil, invalid("This server builds no windows.")
	}
	q := WindowQuery{URI: o.URI, Offset: offset, Budget: p.Budget, Purpose: p.Purpose, Text: p.Text}
	return nil, func(ctx context.Context) (any, error) { return s.deps.Window(ctx, snap, q) }, nil
}

func showWindowCommand(ctx context.Context, s *Server, inv *invocation) (any, error) {
	o, span, err := target(s, inv)
	if err != nil {
		return nil, err
	}
	if s.deps.Window == nil {
		return nil, invalid("This server builds no windows.")
	}
	answer, err := s.deps.Window(ctx, inv.snap, WindowQuery{URI: o.URI, Offset: span.Start, Budget: inv.Budget, Purpose: inv.Purpose, Text: true})
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
		s.show(ctx, "window.txt", shown.Text)
	}
	return answer, nil
}

type lastPayloadParams struct {
	N int `json:"n"`
}

func (*lastPayloadParams) mayBeMissing() {}

// lastPayload answers tandem/lastPayload: exactly what was sent to a model last.
func lastPayload(_ context.Context, s *Server, p *lastPayloadParams) (any, error) {
	if s.deps.LastPayload == nil {
		return nil, invalid("This server keeps no record of what it sent.")
	}
	return s.deps.LastPayload(max(p.N, 1))
}
