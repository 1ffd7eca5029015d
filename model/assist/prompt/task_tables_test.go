package prompt

import (
	"errors"
	"testing"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
	"tandem/workspace"
	"tandem/workspace/redact"
	"tandem/workspace/window"
)

// ownCompletions are lanes whose completions and next edits have a model of their own.
type ownCompletions struct{ lanes }

func (ownCompletions) ConfigFor(p model.Purpose) (model.ModelConfig, bool) {
	return model.ModelConfig{Name: "own for " + string(p)}, true
}

// TestModelOfAQuestion: which model a kind of question goes to, and which lane and why.
func TestModelOfAQuestion(t *testing.T) {
	c := New(core.Deps{Models: ownCompletions{lanes{model.Fast: replies("x"), model.Deep: replies("x")}}}, nil)
	for _, x := range []struct {
		lane model.Lane
		kind model.Kind
		want string
	}{
		{model.Fast, model.KindComplete, "own for " + string(model.Complete)}, {model.Fast, model.KindNextEdit, "own for " + string(model.NextEdit)}, {model.Fast, model.KindEdit, "fake-fast"},
		{model.Deep, model.KindComplete, "fake-deep"}, {model.Deep, model.KindEdit, "fake-deep"},
	} {
		if got, ok := c.configOf(Question{Lane: x.lane, Kind: x.kind}); got.Name != x.want || !ok {
			t.Errorf("%s of %s goes to %s, want %s", x.kind, x.lane, got.Name, x.want)
		}
	}
	for kind, want := range map[model.Kind]string{model.KindEdit: "edit as an instruction says", model.KindFix: "edit as an instruction says", model.KindAsk: "answer this question", model.KindReview: "review", model.KindStep: "run a deep task", model.KindComplete: "do this"} {
		if got := whatNeedsModel(kind); got != want {
			t.Errorf("%s: %q, want %q", kind, got, want)
		}
	}
	policy := errors.New("The administrator does not allow it.")
	for _, x := range []struct {
		models  lanes
		mistake string
		allow   error
		want    model.Code
	}{
		{lanes{}, "", nil, model.CodeNeedsModel}, {lanes{model.Fast: replies("x")}, "", nil, model.CodeNeedsModel}, {lanes{model.Fast: replies("x")}, "", policy, model.CodePolicy}, {lanes{}, "", policy, model.CodeNeedsModel}, {lanes{model.Fast: replies("x")}, "line 3", policy, model.CodeNotConfigured},
	} {
		c := New(core.Deps{Models: x.models, Mistake: func() string { return x.mistake }, Allow: func(string) error { return x.allow }}, nil)
		if got := c.NeedsModel("do it"); got.Code != x.want || (x.want == model.CodePolicy) != errors.Is(got, policy) {
			t.Errorf("%+v: %s %v", x, got.Code, got)
		}
	}
}

// TestPartsOfAPrompt: line numbers, the tokens besides the window, and diagnostics as compilers
// print them.
func TestPartsOfAPrompt(t *testing.T) {
	cfg := model.ModelConfig{}
	count := model.Counter(cfg).Count
	p := model.Prompt{Request: redact.Said("do it"), Diff: redact.Said("+x"), History: []model.Message{{Text: redact.Said("before")}}, Diagnostics: []redact.Text{redact.Said("a.go:1: error: x")}, Earlier: []redact.Text{redact.Said("Add x"), redact.Said("Add y")}}
	if got, want := otherTokens(cfg, p), count("do it")+count("+x")+count("before")+count("a.go:1: error: x")+count("Add x")+count("Add y")+wrapping+4*perMessage; got != want {
		t.Errorf("%d tokens, want %d", got, want)
	}
	for _, c := range []struct{ above, chosen, below, want string }{
		{"a\nb", "c", "d\n", "7\ta\n8\tb|c|d\n"}, {"a\n", "b\n", "c", "7\ta\n|8\tb\n|9\tc"}, {"", "", "a\nb\n", "||7\ta\n8\tb\n"}, {"", "", "", "||"},
	} {
		before, selected, after := numbered(7, redact.Said(c.above), redact.Said(c.chosen), redact.Said(c.below))
		if got := before.String() + "|" + selected.String() + "|" + after.String(); got != c.want {
			t.Errorf("%q", got)
		}
	}
	w := &window.Window{Fragments: []window.Fragment{{Kind: window.FragmentCode, StartLine: 3}, {Kind: window.FragmentCursor, StartLine: 9}}}
	if regionStart(w) != 9 || regionStart(&window.Window{}) != 1 {
		t.Error("the region begins elsewhere")
	}
	b := newBench(t, lanes{}, assisttest.Source, nil)
	snap := b.Session.Snapshot()
	for at, want := range map[int]string{0: "main.go:1: error: no x", b.At("return 1"): "main.go:4: error: no x", 9999: "main.go:10: error: no x"} {
		if got := DiagnosticLine(&redact.Redactor{}, snap, b.URI, workspace.Diagnostic{Span: edits.Span{Start: at}, Severity: "error", Message: "no x"}); got.String() != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := DiagnosticLine(&redact.Redactor{}, snap, "untitled:none", workspace.Diagnostic{Severity: "error", Message: "no x"}); got.String() != "untitled:none:0: error: no x" {
		t.Errorf("of no document: %s", got)
	}
	if open, none := core.TextLen(snap, b.URI), core.TextLen(snap, "untitled:none"); open != len(assisttest.Source) || none != 0 {
		t.Errorf("the document has %d bytes, and none %d", open, none)
	}
	if got := cacheKey(snap, Question{Kind: model.KindComplete, URI: "untitled:x"}); got != "tandem-"+snap.View(b.URI).Name() {
		t.Errorf("the key of no folder is %q", got)
	}
	if got := cacheKey(snap, Question{Kind: model.KindComplete, URI: b.URI}); got != "tandem-"+snap.View(b.URI).Name()+"-go" {
		t.Errorf("the key is %q", got)
	}
}
