package inline

import (
	"strings"
	"testing"

	"tandem/edits"
	"tandem/model/assist/core"
	"tandem/workspace/judge"
	"tandem/workspace/syntax"
)

// TestBlockMayFollow: where the user types, a line that opens a block may come before its
// block; a block that an edit takes away is still an error.
func TestBlockMayFollow(t *testing.T) {
	const before = "def one():\n    run()\n\n\nde\n\n\ndef two():\n    if x:\n        run()\n    return x\n"
	for _, c := range []struct {
		name, old, new string
		typed          bool // may be shown where the user types
	}{
		{"a header", "de\n", "def test_():\n", true},
		{"a header and the beginning of its block", "de\n", "def test_():\n    \n", true},
		{"a header in a block", "    return x\n", "    for y in x:\n    return x\n", false},
		{"a header at the end of a block", "    return x\n", "    return x\n    # all\n    for y in x:\n", true},
		{"another header in place of a block", "    if x:\n        run()\n", "    while y:\n", false},
		{"the block is taken away", "        run()\n", "", false},
		{"a header without a colon", "de\n", "def test_()\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, lanes{}, "", nil)
			b.engine.Completer.Judge = &judge.Judge{Syntax: syntax.Parsers{}}
			at := strings.Index(before, c.old)
			e := edits.Edit{Span: edits.Span{Start: at, End: at + len(c.old)}, New: c.new}
			changes := []edits.FileChange{{Path: "a.py", Before: before, After: before[:at] + c.new + before[at+len(c.old):], Edits: []edits.Edit{e}}}
			snap := b.Session.Snapshot()
			if got := !b.engine.Completer.Judge.Change(t.Context(), snap, changes, judge.Typed).Failed(); got != c.typed {
				t.Errorf("may be shown: %v", got)
			}
			ends := strings.HasSuffix(strings.TrimSpace(changes[0].After), ":") // at the end of a file a header is no error
			if !b.engine.Completer.Judge.Change(t.Context(), snap, changes, judge.Users).Failed() && !ends {
				t.Error("as a whole edit it is taken for sound")
			}
		})
	}
}

// TestLineOfAModelMayOpenABracket: the block or the list of a line comes after it. What is wrong
// besides is still wrong, and the built-in engine's lines are whole.
func TestLineOfAModelMayOpenABracket(t *testing.T) {
	const before = "package a\n\nfunc f(list []int) error {\n\t\n\treturn nil\n}\n"
	for _, c := range []struct {
		text, lane string
		shown      bool
	}{
		{"for _, x := range list {", "fast", true},
		{"println(", "fast", true},
		{"run(map[string]int{", "fast", true},
		{"println(list)", "fast", true},
		{"for _, x := range list {", core.BuiltIn, false},
		{"for _, x := := range list {", "fast", false},
		{"for _, x := range list {\n\t\tprintln(x", "fast", false},
		{"println(list))", "fast", false},
	} {
		b := newBench(t, lanes{}, before, nil)
		b.engine.Completer.Judge = &judge.Judge{Syntax: syntax.Parsers{}}
		at := strings.Index(before, "\n\treturn")
		o, _ := b.Session.Snapshot().Overlay(b.URI)
		got := b.engine.Completer.vet(t.Context(), b.Session.Snapshot(), o, Request{}, Completion{Text: c.text, Replace: edits.Span{Start: at, End: at}, From: edits.Provenance{Lane: c.lane}})
		if got.ok != c.shown || got.ok && got.completion.Text != c.text {
			t.Errorf("%q by %s: %v %q", c.text, c.lane, got.ok, got.reason)
		}
	}
}
