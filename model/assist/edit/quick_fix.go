package edit

import (
	"context"

	"tandem/edits"
	"tandem/model/assist/core"
	"tandem/workspace"
	"tandem/workspace/judge"
	"tandem/workspace/names"
)

// A QuickFix corrects a name that does not exist, without a model.
type QuickFix struct {
	Title   string
	Finding edits.Finding
	Edits   []edits.Edit // on the document as it is in the snapshot
	Likely  bool         // as in names.Fix: it may be offered before anybody asks for it
}

// QuickFixes returns the fixes for the unknown names on the lines of a span of an open
// document: the nearest real name, or the missing import.
func (e *Editor) QuickFixes(snap *workspace.Snapshot, uri string, span edits.Span) []QuickFix {
	o, ok := snap.Overlay(uri)
	if !ok || span.Start < 0 || span.End > o.Text.Len() || span.Start > span.End {
		return nil
	}
	if e.Judge.Names == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), core.WhileTyping)
	defer cancel()
	change := AsIfTyped(snap.Name(o.URI), o.Text, span)
	var out []QuickFix
	for _, one := range e.Judge.Report(ctx, snap, []edits.FileChange{change}, judge.Typed).Findings {
		for _, fix := range e.Judge.Names.Fixes(snap, names.File{Path: change.Path, Text: change.After}, one) {
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
