package lsp

import (
	"cmp"
	"slices"

	"go.lsp.dev/protocol"

	"tandem/edits"
	"tandem/workspace"
)

// A wireDiagnostic is a diagnostic as the protocol has it. Code is a number or
// a string, severity a number or, in next-edit requests, a word.
type wireDiagnostic struct {
	Range    wireRange       `json:"range"`
	Severity protocol.LSPAny `json:"severity,omitzero"`
	Code     protocol.LSPAny `json:"code,omitzero"`
	Source   string          `json:"source,omitzero"`
	Message  string          `json:"message"`
	Data     protocol.LSPAny `json:"data,omitzero"`
}

var severities = []string{"error", "warning", "information", "hint"}

// severityWord is a severity in words; error where it is missing.
func severityWord(raw protocol.LSPAny) string {
	var number int
	var word string
	switch {
	case protocol.Unmarshal(raw, &number) == nil && number >= 1 && number <= len(severities):
		return severities[number-1]
	case protocol.Unmarshal(raw, &word) == nil && slices.Contains(severities, word):
		return word
	}
	return severities[0]
}

// severityNumber is a severity as the protocol numbers it.
func severityNumber(word string) int {
	return cmp.Or(slices.Index(severities, word)+1, 2)
}

// diagnostics translates what a client says about a document.
func (s *Server) diagnostics(o *workspace.Overlay, list []wireDiagnostic) []workspace.Diagnostic {
	out := make([]workspace.Diagnostic, 0, len(list))
	for _, d := range list {
		out = append(out, workspace.Diagnostic{
			Span: s.enc.rangeSpan(o.Text, d.Range), Severity: severityWord(d.Severity),
			Code: anyText(d.Code), Source: d.Source, Message: d.Message,
		})
	}
	return out
}

// anyText is a string or number as text.
func anyText(raw protocol.LSPAny) string {
	var word string
	if protocol.Unmarshal(raw, &word) == nil {
		return word
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

// noteDiagnostics remembers what a client said about a document with a
// request: it is how a server hears what compilers and linters say. What was
// known of other places stays.
func (s *Server) noteDiagnostics(o *workspace.Overlay, heard []workspace.Diagnostic, asked edits.Span) {
	if len(heard) == 0 {
		return
	}
	known := s.session.Snapshot().Diagnostics(o.URI)
	next := slices.Clone(heard)
	for _, d := range known {
		away := d.Span.End < asked.Start || d.Span.Start > asked.End
		if away && d.Span.Valid(o.Text.Len()) && !slices.Contains(next, d) {
			next = append(next, d)
		}
	}
	if !slices.Equal(next, known) {
		s.session.Update(workspace.CauseDiagnostics, workspace.Diagnosed{URI: o.URI, Diagnostics: next})
	}
}
