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
	d.session.Update(workspace.CauseDiagnostics, workspace.Diagnosed{URI: o.URI, Diagnostics: next})
	moved := func(d workspace.Diagnostic) bool {
		return slices.ContainsFunc(removed, func(was workspace.Diagnostic) bool { return sameDiagnostic(was, d) })
	}
	gone := slices.DeleteFunc(slices.Clone(removed), func(d workspace.Diagnostic) bool {
		return slices.ContainsFunc(added, func(is workspace.Diagnostic) bool { return sameDiagnostic(is, d) })
	})
	if len(snap.RecentEdits(o.URI)) == 0 {
		added = nil // there before the user edited anything
	}
	d.use.NextEdits.Caused(o.URI, slices.DeleteFunc(slices.Clone(added), moved), gone)
	return nil
}

// sameDiagnostic reports whether two diagnostics say the same, maybe about another place.
func sameDiagnostic(a, b workspace.Diagnostic) bool {
	return a.Message == b.Message && a.Code == b.Code && a.Source == b.Source
}
