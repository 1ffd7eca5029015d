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
func didChangeDiagnostics(s *Server, p *didChangeDiagnosticsParams) error {
	snap := s.session.Snapshot()
	o, err := openDocument(snap, p.TextDocument.URI)
	if err != nil {
		return nil // closed meanwhile; its diagnostics ended with it
	}
	removed, added := s.diagnostics(o, p.Removed), s.diagnostics(o, p.Added)
	next := slices.Clone(snap.Diagnostics(o.URI))
	for _, d := range removed {
		i := slices.Index(next, d)
		if i < 0 {
			i = slices.IndexFunc(next, func(known workspace.Diagnostic) bool { return sameDiagnostic(known, d) })
		}
		if i >= 0 {
			next = slices.Delete(next, i, i+1)
		}
	}
	next = append(next, added...)
	next = next[:min(len(next), maxDiagnostics)]
	s.session.Update(workspace.Diagnosed{URI: o.URI, Diagnostics: next})
	moved := func(d workspace.Diagnostic) bool {
		return slices.ContainsFunc(removed, func(was workspace.Diagnostic) bool { return sameDiagnostic(was, d) })
	}
	gone := slices.DeleteFunc(slices.Clone(removed), func(d workspace.Diagnostic) bool {
		return slices.ContainsFunc(added, func(is workspace.Diagnostic) bool { return sameDiagnostic(is, d) })
	})
	if len(snap.RecentEdits(o.URI)) == 0 {
		added = nil // there before the user edited anything
	}
	s.use.NextEdits.Caused(o.URI, slices.DeleteFunc(slices.Clone(added), moved), gone)
	return nil
}

// sameDiagnostic reports whether two diagnostics say the same, maybe about another place.
func sameDiagnostic(a, b workspace.Diagnostic) bool {
	return a.Message == b.Message && a.Code == b.Code && a.Source == b.Source
}
