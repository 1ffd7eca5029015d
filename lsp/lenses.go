package lsp

import (
	"context"
	"fmt"

	"go.lsp.dev/protocol"
)

type codeLens struct {
	Range   wireRange `json:"range"`
	Command *command  `json:"command"`
}

// codeLenses shows accept, reject and accept-this-change at every pending
// proposal of the document.
func (a *actions) codeLenses(_ context.Context, p *documentParams) (any, error) {
	snap := a.session.Snapshot()
	o, ok := snap.Overlay(p.TextDocument.URI)
	out := []codeLens{}
	if !ok || a.client.Wants().Proposals {
		return out, nil
	}
	for _, proposal := range a.use.Editor.Live(o.URI) {
		hunks := 0
		for i, f := range proposal.Files {
			list := f.Hunks()
			if proposal.Documents[i] != o.URI || f.Version != o.Version || len(list) == 0 {
				hunks += len(list)
				continue
			}
			id := map[string]any{"id": proposal.ID}
			title, accepted := acceptance(proposal)
			at := lineRange(list[0].FirstLine)
			if title != "" {
				out = append(out, codeLens{at, &command{title, "tandem.accept", []any{accepted}}})
			}
			if places := proposal.Broken(); places != "" {
				out = append(out, codeLens{at, &command{"Complete at " + places, "tandem.completeChange", []any{id}}})
			}
			out = append(out, codeLens{at, &command{"Reject", "tandem.reject", []any{id}}})
			for n := range list {
				if len(list) > 1 && title != "" {
					one, number := accepted, hunks+n
					one.Hunk = &number
					title := fmt.Sprintf("Accept this change (%d of %d)", n+1, len(list))
					out = append(out, codeLens{lineRange(list[n].FirstLine), &command{title, "tandem.acceptHunk", []any{one}}})
				}
			}
			hunks += len(list)
		}
	}
	return out, nil
}

// refreshLenses asks the client to ask for the lenses again.
func (p *peer) refreshLenses(ctx context.Context) {
	if p.client.Takes(protocol.MethodWorkspaceCodeLensRefresh) {
		if err := p.call(ctx, protocol.MethodWorkspaceCodeLensRefresh, nil, nil); err != nil && ctx.Err() == nil {
			p.log.Debug("lenses not refreshed", "reason", err.Error())
		}
	}
}

// lineRange is the start of a line; the editor shows a lens above it.
func lineRange(line int) wireRange {
	at := position{Line: uint32(max(line, 0))}
	return wireRange{at, at}
}
