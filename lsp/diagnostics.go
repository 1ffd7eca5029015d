package lsp

import (
	"cmp"
	"slices"
	"strconv"

	"go.lsp.dev/protocol"

	"tandem/edits"
	"tandem/workspace"
)

// A wireDiagnostic is a diagnostic as the protocol has it. Its parts are sent back in actions, so
// what the protocol does not allow in one is dropped as it is read.
type wireDiagnostic struct {
	Range    wireRange       `json:"range"`
	Severity severity        `json:"severity,omitzero"`
	Code     code            `json:"code,omitzero"`
	Source   string          `json:"source,omitzero"`
	Message  string          `json:"message"`
	Data     protocol.LSPAny `json:"data,omitzero"`
}

var severities = []string{"error", "warning", "information", "hint"}

// A severity is a name of the list, or "" for none. The protocol has numbers; next-edit requests
// have names.
type severity string

func (s *severity) UnmarshalJSON(raw []byte) error {
	var number int
	var text string
	*s = ""
	switch {
	case protocol.Unmarshal(raw, &number) == nil && number >= 1 && number <= len(severities):
		*s = severity(severities[number-1])
	case protocol.Unmarshal(raw, &text) == nil && slices.Contains(severities, text):
		*s = severity(text)
	}
	return nil
}

func (s severity) MarshalJSON() ([]byte, error) {
	return strconv.AppendInt(nil, int64(severityNumber(string(s))), 10), nil
}

// severityNumber is a severity as the protocol numbers it.
func severityNumber(name string) int {
	return cmp.Or(slices.Index(severities, name)+1, 2)
}

// A code is the JSON of a string or an integer, or "" for none.
type code string

func (c *code) UnmarshalJSON(raw []byte) error {
	var t token
	if t.UnmarshalJSON(raw) != nil {
		t = ""
	}
	*c = code(t)
	return nil
}

func (c code) MarshalJSON() ([]byte, error) { return []byte(c), nil }

// codeOf is a text as a code.
func codeOf(text string) code {
	if text == "" {
		return ""
	}
	raw, _ := protocol.Marshal(protocol.String(text)) // no error: every string has JSON
	return code(raw)
}

// text is the string, or the integer's digits.
func (c code) text() string {
	var text string
	if protocol.Unmarshal([]byte(c), &text) == nil {
		return text
	}
	return string(c)
}

// diagnostics translates the diagnostics that a client sends for a document.
func (s *scope) diagnostics(o *workspace.Overlay, list []wireDiagnostic) []workspace.Diagnostic {
	out := make([]workspace.Diagnostic, 0, len(list))
	for _, d := range list {
		out = append(out, workspace.Diagnostic{
			Span: s.enc.rangeSpan(o.Text, d.Range), Severity: cmp.Or(string(d.Severity), severities[0]),
			Code: d.Code.text(), Source: d.Source, Message: d.Message,
		})
	}
	return out
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
