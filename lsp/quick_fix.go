package lsp

import (
	"tandem/model/assist/core"
	"tandem/workspace"
)

// quick offers fixes that need no model: the nearest existing name, a missing
// import with one candidate. A client without action literals cannot receive an
// edit in the menu.
func (m *menu) quick(reported []workspace.Diagnostic) {
	if !m.client.HasActionLiterals() {
		return
	}
	seen := map[string]bool{}
	for i, d := range reported {
		for _, fix := range m.use.Editor.QuickFixes(m.session.Snapshot(), m.o.URI, d.Span) {
			at := fix.Finding.Span
			key := fix.Title + at.String()
			if d.Span.Start > at.End || at.Start > d.Span.End || seen[key] {
				continue
			}
			seen[key] = true
			edit, err := m.workspaceEdit(core.DocumentEdit{URI: m.o.URI, Version: m.o.Version, Base: m.o.Text, Edits: fix.Edits})
			if err != nil { // typed since
				continue
			}
			m.list = append(m.list, codeAction{Title: fix.Title, Kind: kindQuickFix, Edit: &edit, Diagnostics: []wireDiagnostic{m.p.Context.Diagnostics[i]}})
		}
	}
}
