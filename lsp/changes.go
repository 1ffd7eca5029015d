package lsp

import (
	"context"
	"path"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/lsp/inert"
	"tandem/model/assist/core"
	"tandem/workspace"
	"tandem/workspace/redact"
)

// A ChangedFile is a file that differs from a base, or one that uses what another one withdraws,
// and what check found in it.
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
	// Findings are those on lines that are as in the base.
	Findings []map[string]any `json:"findings,omitzero"`
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

// changes are the person's own look at what changed in the workspace.
type changes struct {
	*scope
	deps      *Deps
	proposals *proposals
}

type changesArgs struct {
	Action string `json:"action"`
	ID     string `json:"id"` // of a hunk
	Base   string `json:"base"`
	Quick  bool   `json:"quick"`
}

// changesCommand lists the hunks in which the working tree differs from a base, whoever
// wrote them, or does something with one of them: revert, keep, reviewed, unmark; moment
// makes the texts as they are the base of that name. No model is asked.
func (c *changes) changesCommand(ctx context.Context, _ *invocation, a *changesArgs) (any, error) {
	if c.deps.Changes == nil {
		return nil, invalid("This server has no workspace to compare.")
	}
	switch a.Action {
	case "":
		return c.list(ctx, a.Base, !a.Quick)
	case "moment":
		return nil, c.deps.MarkMoment(ctx)
	}
	if a.Action == "unmark" {
		return nil, c.deps.Mark(a.ID, "")
	}
	files, _, err := c.deps.Changes(ctx, a.Base, false)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		for _, h := range edits.ChangedHunks(f.Change.Path, f.Change, redact.Kept) {
			if h.ID != a.ID {
				continue
			}
			switch a.Action {
			case "reviewed", "kept":
				return nil, c.deps.Mark(h.ID, a.Action)
			case "revert":
				if redact.Marks(h.Before) > redact.Marks(h.After) {
					return nil, invalid("The lines of the base had a secret, which is not kept; write it again by hand.")
				}
				d, current := undo(c.session.Snapshot(), f, h)
				if !current {
					return nil, errMoved
				}
				return nil, c.proposals.applyAll(ctx, []core.DocumentEdit{d})
			case "base":
				return map[string]any{"text": f.Change.Before}, nil
			}
			return nil, invalid("tandem.changes has no action %q; it has reviewed, kept, unmark, revert, base and moment.", printable(a.Action))
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

func (c *changes) finding(text edits.Text, f edits.Finding) map[string]any {
	return map[string]any{"range": c.enc.spanRange(text, f.Span), "severity": severityNumber(f.Severity), "message": inert.Message(f.Message)}
}

// list answers the command without an action, with the person's marks and the checks' findings on their hunks.
func (c *changes) list(ctx context.Context, base string, check bool) (any, error) {
	files, unjudged, err := c.deps.Changes(ctx, base, check)
	if err != nil {
		return nil, err
	}
	marks := c.deps.Marks()
	out := make([]changedFile, 0, len(files))
	for _, f := range files {
		now := edits.NewText(f.Change.After)
		shown := changedFile{URI: f.URI, Path: path.Clean(f.Change.Path), Created: f.Change.AbsentBefore, Deleted: f.Change.AbsentAfter, Hunks: []changedHunk{}}
		if o, ok := c.session.Snapshot().Overlay(f.URI); ok && o.Text.String() == f.Change.After {
			shown.Version = &o.Version
		}
		for _, h := range edits.ChangedHunks(f.Change.Path, f.Change, redact.Kept) {
			span := h.Undo(now).Span
			one := changedHunk{ID: h.ID, Range: c.enc.spanRange(now, span), BaseLine: h.Lines.Start, Title: clipLine(strings.TrimSpace(h.After + h.Before)), Removed: h.Before, Mark: marks[h.ID], Findings: []map[string]any{}}
			f.Findings = slices.DeleteFunc(f.Findings, func(found edits.Finding) bool {
				line := now.LineOf(found.Span.Start)
				in := h.Lines.NewStart <= line && line < max(h.Lines.NewEnd, h.Lines.NewStart+1)
				if in {
					one.Findings = append(one.Findings, c.finding(now, found))
				}
				return in
			})
			shown.Hunks = append(shown.Hunks, one)
		}
		for _, found := range f.Findings {
			shown.Findings = append(shown.Findings, c.finding(now, found))
		}
		out = append(out, shown)
	}
	for i, sentence := range unjudged {
		unjudged[i] = inert.Message(sentence)
	}
	return struct {
		Files    []changedFile `json:"files"`
		Unjudged []string      `json:"unjudged,omitzero"`
	}{out, unjudged}, nil
}
