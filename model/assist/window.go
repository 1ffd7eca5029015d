package assist

import (
	"context"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/redact"
)

// INTERIM until workspace.Build is there.
type window struct {
	Before, Selected, After string
	Secrets                 *redact.Redactor
}

func (w *window) Context() string { return "" }

func (e *Engine) window(ctx context.Context, snap *workspace.Snapshot, q question, budget int) (*window, error) {
	f, err := snap.File(q.uri)
	if err != nil {
		return &window{Secrets: &redact.Redactor{}}, nil
	}
	t := f.Raw()
	from, to := max(q.span.Start-8000, 0), min(q.span.End+4000, t.Len())
	return &window{Secrets: &redact.Redactor{}, Before: t.Slice(edits.Span{Start: from, End: q.span.Start}), Selected: t.Slice(q.span), After: t.Slice(edits.Span{Start: q.span.End, End: to})}, nil
}
