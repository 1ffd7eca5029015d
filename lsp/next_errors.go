package lsp

import (
	"slices"

	"tandem/workspace"
)

// didChangeDiagnosticsParams are the differences between what compilers and linters
// report about a document now and what they reported before.
type didChangeDiagnosticsParams struct {
	TextDocument versionedID      `json:"textDocument"`
	Added        []wireDiagnostic `json:"added"`
	Removed      []wireDiagnostic `json:"removed"`
}

// maxDiagnostics bounds how many diagnostics of a document are kept.
const maxDiagnostics = 1000

// didChangeDiagnostics keeps the editor's diagnostics, and notes the errors that appeared
// after the user's edits: they are the first place of the next edit.
func (d *documents) didChangeDiagnostics(p *didChangeDiagnosticsParams) error {
	snap := d.session.Snapshot()
	o, err := openDocument(snap, p.TextDocument.URI)
	if err != nil {
		return nil // closed meanwhile; its diagnostics ended with it
	}
	removed, added := d.diagnostics(o, p.Removed), d.diagnostics(o, p.Added)
	next := slices.Clone(snap.Diagnostics(o.URI))
	for _, d := range removed {
		i := slices.Index(next, d)
		if i < 0 {
			i = slices.IndexFunc(next, func(stored workspace.Diagnostic) bool { return sameDiagnostic(stored, d) })
		}
		if i >= 0 {
			next = slices.Delete(next, i, i+1)
		}
	}
	next = append(next, added...)
	next = next[:min(len(next), maxDiagnostics)]
	d.session.Update(workspace.Diagnosed{URI: o.URI, Diagnostics: next})
	appeared, gone := without(added, removed), without(removed, added)
	if len(snap.RecentEdits(o.URI)) == 0 {
		appeared = nil // there before the user edited anything
	}
	d.use.NextEdits.Caused(o.URI, appeared, gone)
	return nil
}

// without are the diagnostics of a list that say nothing that one of others says.
func without(list, others []workspace.Diagnostic) []workspace.Diagnostic {
	return slices.DeleteFunc(slices.Clone(list), func(d workspace.Diagnostic) bool {
		return slices.ContainsFunc(others, func(o workspace.Diagnostic) bool { return sameDiagnostic(o, d) })
	})
}

// sameDiagnostic reports whether two diagnostics say the same, maybe about another place.
func sameDiagnostic(a, b workspace.Diagnostic) bool {
	return a.Message == b.Message && a.Code == b.Code && a.Source == b.Source
}
