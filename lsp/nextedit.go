package lsp

import (
	"context"
	"path"
	"tandem/edits"
	"tandem/lsp/inert"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/model/assist/next"
	"tandem/workspace"
	"time"
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

// nextEdit returns at most one edit: clients apply every edit they receive.
func nextEdit(s *Server, p *nextEditParams) (any, work, error) {
	s.statuses.enableNextEditStatus()
	snap := s.session.Snapshot()
	o, offset, err := s.document(snap, &p.placeParams)
	if err != nil {
		return nil, nil, err
	}
	if len(p.Diagnostics) > 0 {
		s.noteDiagnostics(o, s.diagnostics(o, p.Diagnostics), edits.Span{Start: 0, End: o.Text.Len()})
		snap = s.session.Snapshot()
	}
	req := next.Request{Place: core.Place{URI: o.URI, Offset: offset}, Version: o.Version, Jumps: s.client.tandem.Jumps}
	if v := p.TextDocument.Version; v != nil {
		req.Version = *v
	}
	start := s.nextEdits.replace(o.URI)
	return nil, func(ctx context.Context) (any, error) {
		ctx, done := start(ctx)
		defer done()
		if s.indexed(ctx, o.URI) {
			snap = s.session.Snapshot()
		}
		next, reason, err := s.use.NextEdits.NextEdit(ctx, snap, req)
		if superseded(ctx) {
			return nextEditList{[]nextEditItem{}}, nil
		}
		if err != nil {
			return nil, err
		}
		if next == nil {
			s.log.Debug("no next edit", "reason", reason)
			return nextEditList{[]nextEditItem{}}, nil
		}
		return s.nextEditList(o.URI, next)
	}, nil
}

// indexWait is how long an edit waits for a folder that is being indexed: who uses what was
// changed is not known before, nor the code that a model must be shown to change it, and
// nobody would ask again.
const indexWait = 5 * time.Second

// indexed waits until the folder of a document is indexed, and reports whether it had to.
func (s *Server) indexed(ctx context.Context, uri string) (waited bool) {
	if v := s.session.Snapshot().View(uri); v == nil || v.Ready() {
		return false
	}
	ctx, stop := context.WithTimeout(ctx, indexWait)
	defer stop()
	_ = s.session.WaitIdle(ctx) // what is not known then is not offered
	return true
}

// edit makes the proposal of an edit, after its folder is indexed. A document that changes
// while that is waited for is edited as it was when the user asked.
func (s *Server) edit(ctx context.Context, asked *workspace.Snapshot, req edit.Request) (*edit.Proposal, error) {
	snap := asked
	if s.indexed(ctx, req.URI) {
		now := s.session.Snapshot()
		before, open := asked.Overlay(req.URI)
		if o, still := now.Overlay(req.URI); open && still && o.Generation == before.Generation && o.Revision == before.Revision {
			snap = now
		}
	}
	req.SendSecrets = s.sendSecrets(ctx, req.Instruction, req.Steering)
	return s.use.Editor.Edit(ctx, snap, req)
}

// nextEditList encodes a next edit for the text it was made for.
func (s *scope) nextEditList(asked string, next *next.Offer) (any, error) {
	f, err := s.session.Snapshot().File(next.URI)
	if err != nil {
		return nil, err
	}
	if f.Hash() != next.Base || !next.Edit.Valid(f.Raw().Len()) {
		return nextEditList{[]nextEditItem{}}, nil // the text has changed meanwhile
	}
	version := next.Version
	item := nextEditItem{
		Text: next.Edit.New, TextDocument: versionedID{next.URI, &version}, Range: s.enc.spanRange(f.Raw(), next.Edit.Span),
		Command: command{"Accept next edit in " + path.Base(next.URI), acceptedItem, []any{next.ID}},
		Jump:    inert.Text(next.Jump), Title: inert.Text(next.Title),
	}
	if next.URI != asked {
		item.TargetLine = &next.Line
	}
	return nextEditList{[]nextEditItem{item}}, nil
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

func didShow(s *Server, p *itemParams) error {
	s.use.Completer.Shown(p.id())
	return nil
}

// didPartiallyAccept only reports that a part was accepted: the didChange that
// follows advances the suggestion.
func didPartiallyAccept(s *Server, p *itemParams) error {
	s.use.Completer.PartlyAccepted(p.id())
	return nil
}

type uuidParams struct {
	UUID  string   `json:"uuid"`
	UUIDs []string `json:"uuids"`
}

func notifyRejected(_ context.Context, s *Server, p *uuidParams) (any, error) {
	for _, id := range append(p.UUIDs, p.UUID) {
		if id != "" {
			s.use.Engine.Rejected(id)
			s.log.Debug("suggestion rejected", "id", id)
		}
	}
	return "OK", nil
}

func notifyAccepted(_ context.Context, s *Server, p *uuidParams) (any, error) {
	s.use.Engine.Accepted(s.session.Snapshot(), p.UUID)
	return "OK", nil
}

func notifyShown(_ context.Context, s *Server, p *uuidParams) (any, error) {
	s.use.Completer.Shown(p.UUID)
	return "OK", nil
}
