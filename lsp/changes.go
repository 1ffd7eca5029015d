package lsp

import (
	"context"
	"path"
	"strings"

	"tandem/edits"
	"tandem/lsp/inert"
	"tandem/model/assist/core"
	"tandem/workspace"
)

// A ChangedFile is a file that differs from a base, and what check found in it.
type ChangedFile struct {
	URI      string
	Change   edits.FileChange
	Findings []edits.Finding
}

// The answer of tandem.changes.
type changedFile struct {
	URI     string        `json:"uri"`
	Path    string        `json:"path"`
	Version *int32        `json:"version"` // null: on disk
	Created bool          `json:"created,omitzero"`
	Deleted bool          `json:"deleted,omitzero"`
	Hunks   []changedHunk `json:"hunks"`
}

type changedHunk struct {
	ID       string           `json:"id"`
	Range    wireRange        `json:"range"`    // whole lines as they are now
	BaseLine int              `json:"baseLine"` // where Removed stands in the base, from 0
	Title    string           `json:"title"`    // its first line that is not blank
	Removed  string           `json:"removed"`
	Mark     string           `json:"mark,omitzero"` // reviewed, kept
	Findings []map[string]any `json:"findings"`
}

// changesCommand lists the hunks in which the working tree differs from a base, whoever
// wrote them, or does something with one of them: revert, keep, reviewed, unmark; moment
// makes the texts as they are the base of that name. No model is asked.
func changesCommand(ctx context.Context, s *Server, inv *invocation) (any, error) {
	if s.deps.Changes == nil {
		return nil, invalid("This server has no workspace to compare.")
	}
	switch inv.Action {
	case "":
		return s.changes(ctx, inv.Base, !inv.Quick)
	case "moment":
		return nil, s.deps.MarkMoment(ctx)
	}
	if inv.Action == "unmark" {
		return nil, s.deps.Mark(inv.ID, "")
	}
	files, err := s.deps.Changes(ctx, inv.Base, false)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		for _, h := range edits.ChangedHunks(f.Change.Path, f.Change) {
			if h.ID != inv.ID {
				continue
			}
			switch inv.Action {
			case "reviewed", "kept":
				return nil, s.deps.Mark(h.ID, inv.Action)
			case "revert":
				d, current := undo(s.session.Snapshot(), f, h)
				if !current {
					return nil, errMoved
				}
				return nil, s.proposals.applyAll(ctx, []core.DocumentEdit{d})
			case "base":
				return map[string]any{"text": f.Change.Before}, nil
			}
			return nil, invalid("tandem.changes has no action %q; it has reviewed, kept, unmark, revert, base and moment.", printable(inv.Action))
		}
	}
	return nil, errMoved
}

var errMoved = invalid("This change is not as it was shown any more; look at it again.")

// undo brings the lines of the base back. It is not current where the document has been
// changed since the hunk was found.
func undo(snap *workspace.Snapshot, f ChangedFile, h edits.ChangedHunk) (d core.DocumentEdit, current bool) {
	now := edits.NewText(f.Change.After)
	d = core.DocumentEdit{URI: f.URI, Base: now, Edits: []edits.Edit{h.Undo(now)}, Create: f.Change.AbsentAfter, Delete: f.Change.AbsentBefore}
	o, open := snap.Overlay(f.URI)
	if open {
		d.Version = o.Version
	}
	return d, !open || o.Text.String() == f.Change.After
}

// changes is the list, with the person's marks and the checks' findings on their hunks.
func (s *Server) changes(ctx context.Context, base string, check bool) (any, error) {
	files, err := s.deps.Changes(ctx, base, check)
	if err != nil {
		return nil, err
	}
	marks := s.deps.Marks()
	out := make([]changedFile, 0, len(files))
	for _, f := range files {
		now := edits.NewText(f.Change.After)
		shown := changedFile{URI: f.URI, Path: path.Clean(f.Change.Path), Created: f.Change.AbsentBefore, Deleted: f.Change.AbsentAfter}
		if o, ok := s.session.Snapshot().Overlay(f.URI); ok && o.Text.String() == f.Change.After {
			shown.Version = &o.Version
		}
		for _, h := range edits.ChangedHunks(f.Change.Path, f.Change) {
			span := h.Undo(now).Span
			one := changedHunk{ID: h.ID, Range: s.enc.spanRange(now, span), BaseLine: h.Lines.Start, Title: clipLine(strings.TrimSpace(h.After + h.Before)), Removed: h.Before, Mark: marks[h.ID], Findings: []map[string]any{}}
			for _, found := range f.Findings {
				if line := now.LineOf(found.Span.Start); h.Lines.NewStart <= line && line < max(h.Lines.NewEnd, h.Lines.NewStart+1) {
					one.Findings = append(one.Findings, map[string]any{"range": s.enc.spanRange(now, found.Span), "severity": severityNumber(found.Severity), "message": inert.Message(found.Message)})
				}
			}
			shown.Hunks = append(shown.Hunks, one)
		}
		out = append(out, shown)
	}
	return map[string]any{"files": out}, nil
}
