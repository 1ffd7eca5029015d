package core

import (
	"errors"
	"strings"
	"tandem/edits"
	"tandem/model/assist/assisttest"
	"testing"
)

// parsing is a parser of files whose names it knows: a text with BROKEN has an error.
type parsing struct{}

func (parsing) Errors(path, text string) ([]edits.Finding, error) {
	if !strings.HasSuffix(path, ".go") {
		return nil, errors.New("no parser for " + path)
	}
	if strings.Contains(text, "BROKEN") {
		return []edits.Finding{{Path: path, Severity: "error", Message: "it does not parse"}}, nil
	}
	return nil, nil
}

// TestSyntaxIsChecked: what no longer parses is reported as an error, what did not parse
// before or has no parser as unknown.
func TestSyntaxIsChecked(t *testing.T) {
	for _, c := range []struct {
		name, path, before, after string
		ok                        bool
		unknown                   string
	}{
		{"sound", "a.go", "a", "b", true, ""},
		{"broken", "a.go", "a", "BROKEN", false, ""},
		{"broken before", "a.go", "BROKEN a", "BROKEN b", true, "did not parse before"},
		{"no parser", "a.txt", "a", "BROKEN", true, "no parser for a.txt"},
	} {
		b := newBench(t, lanes{}, assisttest.Source, nil)
		b.engine.Syntax = parsing{}
		got := b.engine.checkSyntax([]edits.FileChange{{Path: c.path, Before: c.before, After: c.after}, {Path: "gone.go", Before: "BROKEN", AbsentAfter: true}})
		if got.OK() != c.ok || len(got.Findings) != map[bool]int{true: 0, false: 1}[c.ok] || !strings.Contains(strings.Join(got.Unknown, " "), c.unknown) || c.unknown == "" && len(got.Unknown) > 0 {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	b := newBench(t, lanes{}, assisttest.Source, nil)
	b.engine.Syntax = parsing{}
	if got := b.engine.checkSyntax([]edits.FileChange{{Path: "new.go", Before: "BROKEN", AbsentBefore: true, After: "BROKEN"}}); got.OK() {
		t.Errorf("a new file that does not parse: %+v", got)
	}
}
