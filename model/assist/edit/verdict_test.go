package edit

import (
	"errors"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/assisttest"
)

// inventing finds one name that there is not.
var inventing = assisttest.Names{Wrong: func(text, _ string) []edits.Finding {
	if strings.Contains(text, "invented") {
		return []edits.Finding{{Severity: "error", Message: "There is no invented."}}
	}
	return nil
}}

// TestFailedProposalIsAcceptedByForceAlone: whole, as its only change, as its only file, and
// after it was rebased, when it is judged again.
func TestFailedProposalIsAcceptedByForceAlone(t *testing.T) {
	b := newBench(t, lanes{}, assisttest.Source, nil)
	b.engine.Editor.Judge = assisttest.Judging(inventing)
	propose := func(result string) *Proposal {
		changes := []edits.FileChange{assisttest.ChangeOf("main.go", assisttest.Source, "return 2", result)}
		p, err := b.engine.Editor.ProposeChanges(t.Context(), b.Session.Snapshot(), changes, Proposal{Request: Request{URI: b.URI}})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	sound, failed := propose("return 22"), propose("return invented")
	accept := func(p *Proposal, part Part, force bool) error {
		_, _, err := b.engine.Editor.AcceptPart(t.Context(), b.Session.Snapshot(), p.ID, part, force)
		return err
	}
	judged := func(when string) {
		t.Helper()
		for _, part := range []Part{{}, {Hunk: new(int)}, {File: "main.go"}} {
			var known *model.Error
			if err := accept(failed, part, false); !errors.As(err, &known) || known.Code != model.CodeFailedChecks || !strings.Contains(err.Error(), "There is no invented.") {
				t.Errorf("%s, %+v of what failed: %v", when, part, err)
			}
			if err := errors.Join(accept(failed, part, true), accept(sound, part, false)); err != nil {
				t.Errorf("%s, %+v: %v", when, part, err)
			}
			if when != "at first" {
				return // a part of what was rebased is not judged
			}
		}
	}
	judged("at first")
	b.Edit(0, 0, "// typed\n")
	if p, err := b.engine.Editor.Get(failed.ID); err != nil || p.Judged().State() != "not_judged" || p.State != Ready {
		t.Errorf("rebased: %s, %v", p.Judged().State(), err)
	}
	judged("after typing")
}

// TestSelectionThatCutsASecret: what a model was shown as a placeholder is not rewritten by half.
func TestSelectionThatCutsASecret(t *testing.T) {
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	text := strings.Replace(assisttest.Source, "return 1", "return one(\""+secret+"\")", 1)
	fast := replies("```go\n\treturn 2\n```\n")
	fast.Format = "rewrite"
	b := newBench(t, lanes{model.Fast: fast}, text, nil)
	at := strings.Index(text, secret)
	for name, span := range map[string]edits.Span{"ends in it": {Start: b.At("\treturn one"), End: at + 9}, "lies in it": {Start: at + 3, End: at + 9}} {
		p, err := b.engine.Editor.Edit(t.Context(), b.Session.Snapshot(), Request{URI: b.URI, Span: span, Instruction: "count"})
		if err == nil || !strings.Contains(err.Error(), "secret") {
			t.Errorf("a selection that %s: %+v, %v", name, p, err)
		}
	}
}
