package lsp

import (
	"encoding/json"
	"testing"

	"go.lsp.dev/protocol"

	"tandem/edits"
	"tandem/workspace"
)

// TestDiagnosticsAsTheyCome: numbers and names of severities, codes of both kinds, and which
// diagnostics are at a place or of one kind. What is sent back is as the protocol has it.
func TestDiagnosticsAsTheyCome(t *testing.T) {
	back := func(member, raw string) (wireDiagnostic, string) {
		var d wireDiagnostic
		if err := protocol.Unmarshal([]byte(`{"message":"m","`+member+`":`+raw+`}`), &d); err != nil {
			t.Errorf("%s %s: %v", member, raw, err)
		}
		out, err := protocol.Marshal(d)
		var all map[string]json.RawMessage
		if err != nil || json.Unmarshal(out, &all) != nil {
			t.Errorf("%s %s: %v", member, raw, err)
		}
		return d, string(all[member])
	}
	for raw, want := range map[string]string{"0": "", "1": "1", "2": "2", "3": "3", "4": "4", "5": "", `"warning"`: "2", `"hint"`: "4", `"fatal"`: "", "{}": "", "null": "", "1.5": ""} {
		if _, got := back("severity", raw); got != want {
			t.Errorf("severity %s is sent back as %s, want %s", raw, got, want)
		}
	}
	for name, want := range map[string]int{"error": 1, "warning": 2, "information": 3, "hint": 4, "": 2, "fatal": 2} {
		if got := severityNumber(name); got != want {
			t.Errorf("%s is severity %d, want %d", name, got, want)
		}
	}
	for raw, want := range map[string][2]string{`"E1"`: {`"E1"`, "E1"}, "7": {"7", "7"}, `""`: {`""`, ""}, "null": {}, "{}": {}, "1.5": {}, "[7]": {}} {
		if d, got := back("code", raw); got != want[0] || d.Code.text() != want[1] {
			t.Errorf("code %s is %q and sent back as %s, want %s", raw, d.Code.text(), got, want)
		}
	}
	if codeOf("") != "" || codeOf("E\"1") != `"E\"1"` {
		t.Errorf("a code is sent as %s", codeOf("E\"1"))
	}
	for _, c := range []struct {
		start, end int
		want       bool
	}{{0, 4, false}, {0, 5, true}, {5, 5, true}, {6, 7, true}, {8, 9, true}, {9, 9, false}, {0, 20, true}} {
		d := []workspace.Diagnostic{{Span: edits.Span{Start: c.start, End: c.end}}}
		if got := len(diagnosticsIn(d, edits.Span{Start: 5, End: 8})) == 1; got != c.want {
			t.Errorf("%d to %d touches 5 to 8: %v", c.start, c.end, got)
		}
	}
	d := func(source, code, message string) workspace.Diagnostic {
		return workspace.Diagnostic{Source: source, Code: code, Message: message}
	}
	for _, c := range []struct {
		a, b       workspace.Diagnostic
		kind, same bool
	}{
		{d("s", "1", "x"), d("s", "1", "y"), true, false},
		{d("s", "1", "x"), d("s", "2", "x"), false, false},
		{d("s", "1", "x"), d("s", "", "x"), false, false},
		{d("s", "", "x"), d("s", "1", "x"), false, false},
		{d("s", "1", "x"), d("r", "1", "x"), false, false},
		{d("s", "", "x"), d("s", "", "x"), true, true},
		{d("s", "", "x"), d("s", "", "y"), false, false},
		{d("s", "", "x"), d("r", "", "x"), false, false},
		{d("s", "1", "x"), d("s", "1", "x"), true, true},
	} {
		if sameKind(c.a, c.b) != c.kind || sameDiagnostic(c.a, c.b) != c.same {
			t.Errorf("%v and %v: of one kind %v, the same %v", c.a, c.b, sameKind(c.a, c.b), sameDiagnostic(c.a, c.b))
		}
	}
	for _, c := range []struct {
		kind string
		only []string
		want bool
	}{{"refactor.rewrite", nil, true}, {"refactor.rewrite", []string{"refactor"}, true}, {"refactor", []string{"refactor.rewrite"}, false}, {"quickfix", []string{"source", "quickfix"}, true},
		{"quickfix", []string{""}, true}, {"refactoring", []string{"refactor"}, false}, {"source", []string{"quickfix"}, false}} {
		if wanted(c.kind, c.only) != c.want {
			t.Errorf("%s of %q: %v", c.kind, c.only, !c.want)
		}
	}
}
