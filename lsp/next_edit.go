package lsp

import (
	"context"
	"path"
	"time"

	"tandem/edits"
	"tandem/lsp/inert"
	"tandem/model/assist/core"
	"tandem/model/assist/next"
)

type nextEditParams struct {
	placeParams
	Diagnostics []wireDiagnostic `json:"diagnostics"`
}

// A nextEditItem is one edit in the shape that next-edit clients read.
type nextEditItem struct {
	Text         string      `json:"text"`
	TextDocument versionedID `json:"textDocument"`
	Range        wireRange   `json:"range"`
	TargetLine   *int        `json:"targetLine,omitzero"` // only in another file
	Command      command     `json:"command"`
	Jump         string      `json:"jump,omitzero"`  // the error at a place where nothing is written
	Title        string      `json:"title,omitzero"` // what the edit is of, and which place: "Rename a to b: 2 of 7"
}

type nextEditList struct {
	Edits []nextEditItem `json:"edits"`
}

// nextEdits offer the edit that probably comes next.
type nextEdits struct {
	*scope
	statuses *statuses
	newest   newest
}

// nextEdit returns at most one edit: clients apply every edit they receive.
func (n *nextEdits) nextEdit(p *nextEditParams) (any, work, error) {
	n.statuses.enableNextEditStatus()
	snap := n.session.Snapshot()
	o, offset, err := n.document(snap, &p.placeParams)
	if err != nil {
		return nil, nil, err
	}
	if len(p.Diagnostics) > 0 {
		n.noteDiagnostics(o, n.diagnostics(o, p.Diagnostics), edits.Span{Start: 0, End: o.Text.Len()})
		snap = n.session.Snapshot()
	}
	req := next.Request{Place: core.Place{URI: o.URI, Offset: offset}, Version: o.Version, Jumps: n.client.Wants().Jumps}
	if v := p.TextDocument.Version; v != nil {
		req.Version = *v
	}
	start := n.newest.replace(o.URI)
	return nil, func(ctx context.Context) (any, error) {
		ctx, done := start(ctx)
		defer done()
		if n.waitForIndex(ctx, o.URI) {
			snap = n.session.Snapshot()
		}
		next, reason, err := n.use.NextEdits.NextEdit(ctx, snap, req)
		if superseded(ctx) {
			return nextEditList{[]nextEditItem{}}, nil
		}
		if err != nil {
			return nil, err
		}
		if next == nil {
			n.log.Debug("no next edit", "reason", reason)
			return nextEditList{[]nextEditItem{}}, nil
		}
		return n.nextEditList(o.URI, next)
	}, nil
}

// indexWait is how long an edit waits for a folder that is being indexed: who uses what was
// changed is not known before, nor the code that a model must be shown to change it, and
// nobody would ask again.
const indexWait = 5 * time.Second

// waitForIndex waits until the folder of a document is indexed, and reports whether it had to.
func (s *scope) waitForIndex(ctx context.Context, uri string) (waited bool) {
	if v := s.session.Snapshot().View(uri); v == nil || v.Ready() {
		return false
	}
	ctx, stop := context.WithTimeout(ctx, indexWait)
	defer stop()
	_ = s.session.WaitIdle(ctx) // what is not known then is not offered
	return true
}

// nextEditList encodes a next edit for the text it was made for.
func (n *nextEdits) nextEditList(requestURI string, next *next.Offer) (any, error) {
	f, err := n.session.Snapshot().File(next.URI)
	if err != nil {
		return nil, err
	}
	if f.Hash() != next.Base || !next.Edit.Valid(f.Raw().Len()) {
		return nextEditList{[]nextEditItem{}}, nil // the text has changed meanwhile
	}
	version := next.Version
	item := nextEditItem{
		Text: next.Edit.New, TextDocument: versionedID{next.URI, &version}, Range: n.enc.spanRange(f.Raw(), next.Edit.Span),
		Command: command{"Accept next edit in " + path.Base(next.URI), acceptedItem, []any{next.ID}},
		Jump:    inert.Text(next.Jump), Title: inert.Text(next.Title),
	}
	if next.URI != requestURI {
		item.TargetLine = &next.Line
	}
	return nextEditList{[]nextEditItem{item}}, nil
}
