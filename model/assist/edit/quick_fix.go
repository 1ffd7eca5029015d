package edit

import (
	"context"
	"tandem/edits"
	"tandem/model/assist/core"
	"tandem/workspace"
	"tandem/workspace/names"
)

// A QuickFix corrects a name that does not exist, without a model.
type QuickFix struct {
	Title   string
	Finding edits.Finding
	Edits   []edits.Edit // on the document as it is in the snapshot
	Likely  bool         // as in names.Fix: it may be offered before anybody asks for it
}

// Fixer is what a check of names may also implement.
type Fixer interface {
	Fixes(f edits.FileChange, found edits.Finding) []names.Fix
}

// QuickFixes returns the fixes for the unknown names on the lines of a span of an open
// document: the nearest real name, or the missing import.
func (e *Editor) QuickFixes(snap *workspace.Snapshot, uri string, span edits.Span) []QuickFix {
	o, ok := snap.Overlay(uri)
	if !ok || span.Start < 0 || span.End > o.Text.Len() || span.Start > span.End {
		return nil
	}
	if e.Core.Names == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), core.WhileTyping)
	defer cancel()
	checker := e.Core.Names(ctx, snap)
	fixes, ok := checker.(Fixer)
	if !ok {
		return nil
	}
	change := AsIfTyped(snap.Name(o.URI), o.Text, span)
	found, _ := checker.Check([]edits.FileChange{change})
	var out []QuickFix
	for _, one := range found {
		for _, fix := range fixes.Fixes(change, one) {
			out = append(out, QuickFix{fix.Title, one, fix.Edits, fix.Likely})
		}
	}
	return out
}

// AsIfTyped returns a change that types the lines around a span, so that all their
// names are new.
func AsIfTyped(path string, text edits.Text, span edits.Span) edits.FileChange {
	span.Start = text.LineStart(text.LineOf(span.Start))
	span.End = text.LineEnd(text.LineOf(span.End))
	after := text.String()
	return edits.FileChange{Path: path, Before: after[:span.Start] + after[span.End:], After: after,
		Edits: []edits.Edit{{Span: edits.Span{Start: span.Start, End: span.Start}, New: after[span.Start:span.End]}}}
}
