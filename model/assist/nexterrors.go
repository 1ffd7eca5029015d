package assist

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"tandem/edits"
	"tandem/workspace"
)

// causedErrors are the errors that appeared after the user's last edits, oldest first.
type causedErrors struct {
	mu   sync.Mutex // guards list
	list []causedError
}

type causedError struct {
	uri   string
	error workspace.Diagnostic
}

// maxCaused bounds how many errors are remembered; with more, one edit broke everything
// and its undoing is the next edit.
const maxCaused = 50

// Caused records errors of a document that appeared after an edit, and that others are
// gone.
func (n *NextEditor) Caused(uri string, added, removed []workspace.Diagnostic) {
	n.caused.mu.Lock()
	defer n.caused.mu.Unlock()
	key := workspace.Key(uri)
	n.caused.list = slices.DeleteFunc(n.caused.list, func(c causedError) bool {
		return workspace.Key(c.uri) == key && slices.ContainsFunc(removed, func(d workspace.Diagnostic) bool { return sameMessage(c.error, d) })
	})
	for _, d := range added {
		if d.Severity == "error" {
			n.caused.list = append(n.caused.list, causedError{uri, d})
		}
	}
	n.caused.list = n.caused.list[max(0, len(n.caused.list)-maxCaused):]
}

// sameMessage reports whether two diagnostics are the same one, maybe in another place.
func sameMessage(a, b workspace.Diagnostic) bool {
	return a.Message == b.Message && a.Code == b.Code && a.Source == b.Source
}

// errorsFor lists the caused errors, those of a document first, from a place in it on.
func (n *NextEditor) errorsFor(uri string, at int) []causedError {
	n.caused.mu.Lock()
	list := slices.Clone(n.caused.list)
	n.caused.mu.Unlock()
	away := func(c causedError) int {
		if workspace.Key(c.uri) != workspace.Key(uri) {
			return 1 << 40
		}
		return distance(c.error.Span, at)
	}
	slices.SortStableFunc(list, func(a, b causedError) int { return cmp.Compare(away(a), away(b)) })
	return list
}

// corrected returns the edit that removes an error which the user has just caused, where
// the workspace has exactly one answer: a missing import, the new name of a renamed
// member, an argument that a changed function no longer takes.
func (n *NextEditor) corrected(ctx context.Context, snap *workspace.Snapshot, req NextEditRequest, d *document) (NextEdit, bool) {
	list := n.errorsFor(req.URI, req.Offset)
	if len(list) == 0 {
		return NextEdit{}, false
	}
	for _, c := range list {
		if next, ok := n.fixOf(ctx, snap, c); ok && !d.next.refusedEdit(next) {
			return next, true
		}
	}
	return n.repeatedAt(ctx, snap, req, d, list)
}

// fixOf is the one fix of an error that needs no model.
func (n *NextEditor) fixOf(ctx context.Context, snap *workspace.Snapshot, c causedError) (NextEdit, bool) {
	o, ok := snap.Overlay(c.uri)
	if !ok || ctx.Err() != nil || !c.error.Span.Valid(o.Text.Len()) {
		return NextEdit{}, false
	}
	fixes := n.quickFixes(snap, o, c.error.Span)
	fixes = slices.DeleteFunc(fixes, func(f QuickFix) bool {
		return len(f.Edits) != 1 || f.Finding.Name != "" && !strings.Contains(c.error.Message, f.Finding.Name)
	})
	if len(fixes) != 1 {
		return NextEdit{}, false
	}
	edit, text := fixes[0].Edits[0], o.Text.String()
	after := text[:edit.Start] + edit.New + text[edit.End:]
	for _, check := range n.check(snap, []edits.FileChange{{Path: snap.Name(o.URI), Before: text, After: after, Edits: fixes[0].Edits}}, snap.Name(o.URI)) {
		if !check.OK {
			return NextEdit{}, false
		}
	}
	return NextEdit{URI: o.URI, Version: o.Version, Base: o.Hash(), Edit: edit, Line: o.Text.LineOf(edit.Start), Title: fixes[0].Title,
		From: edits.Provenance{Lane: BuiltIn, Model: "built-in", Reason: fmt.Sprintf("your last edit caused: %s", c.error.Message)}}, true
}

// repeatedAt returns the built-in engine's next edit on a line with a caused error.
func (n *NextEditor) repeatedAt(ctx context.Context, snap *workspace.Snapshot, req NextEditRequest, d *document, list []causedError) (NextEdit, bool) {
	for _, next := range n.repeatedPlaces(ctx, snap, req) {
		if d.next.refusedEdit(next) {
			continue
		}
		for _, c := range list {
			o, ok := snap.Overlay(c.uri)
			if ok && workspace.Key(c.uri) == workspace.Key(next.URI) && c.error.Span.Valid(o.Text.Len()) &&
				next.Line >= o.Text.LineOf(c.error.Span.Start) && next.Line <= o.Text.LineOf(c.error.Span.End) {
				return next, true
			}
		}
	}
	return NextEdit{}, false
}
