package lsp

import (
	"cmp"
	"slices"

	"go.lsp.dev/protocol"

	"tandem/edits"
	"tandem/workspace"
)

// A wireDiagnostic is a diagnostic as the protocol has it. Code is a number or
// a string, severity a number or, in next-edit requests, a name.
type wireDiagnostic struct {
	Range    wireRange       `json:"range"`
	Severity protocol.LSPAny `json:"severity,omitzero"`
	Code     protocol.LSPAny `json:"code,omitzero"`
	Source   string          `json:"source,omitzero"`
	Message  string          `json:"message"`
	Data     protocol.LSPAny `json:"data,omitzero"`
}

var severities = []string{"error", "warning", "information", "hint"}

// severityName is the name of a severity; error where it is missing.
func severityName(raw protocol.LSPAny) string {
	var number int
	var text string
	switch {
	case protocol.Unmarshal(raw, &number) == nil && number >= 1 && number <= len(severities):
		return severities[number-1]
	case protocol.Unmarshal(raw, &text) == nil && slices.Contains(severities, text):
		return text
	}
	return severities[0]
}

// severityNumber is a severity as the protocol numbers it.
func severityNumber(name string) int {
	return cmp.Or(slices.Index(severities, name)+1, 2)
}

// diagnostics translates the diagnostics that a client sends for a document.
func (s *scope) diagnostics(o *workspace.Overlay, list []wireDiagnostic) []workspace.Diagnostic {
	out := make([]workspace.Diagnostic, 0, len(list))
	for _, d := range list {
		out = append(out, workspace.Diagnostic{
			Span: s.enc.rangeSpan(o.Text, d.Range), Severity: severityName(d.Severity),
			Code: anyText(d.Code), Source: d.Source, Message: d.Message,
		})
	}
	return out
}

// anyText is a string or number as text.
func anyText(raw protocol.LSPAny) string {
	var text string
	if protocol.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

// diagnosticsIn are those that touch a span.
func diagnosticsIn(list []workspace.Diagnostic, span edits.Span) []workspace.Diagnostic {
	var out []workspace.Diagnostic
	for _, d := range list {
		if d.Span.Start <= span.End && span.Start <= d.Span.End {
			out = append(out, d)
		}
	}
	return out
}

// noteDiagnostics remembers the diagnostics that a client sent with a request
// for a document: this is how the server receives the results of compilers and
// linters. Diagnostics outside the requested span are kept.
func (s *scope) noteDiagnostics(o *workspace.Overlay, reported []workspace.Diagnostic, requested edits.Span) {
	if len(reported) == 0 {
		return
	}
	stored := s.session.Snapshot().Diagnostics(o.URI)
	next := slices.Clone(reported)
	for _, d := range stored {
		away := d.Span.End < requested.Start || d.Span.Start > requested.End
		if away && d.Span.Valid(o.Text.Len()) && !slices.Contains(next, d) {
			next = append(next, d)
		}
	}
	if !slices.Equal(next, stored) {
		s.session.Update(workspace.Diagnosed{URI: o.URI, Diagnostics: next})
	}
}
