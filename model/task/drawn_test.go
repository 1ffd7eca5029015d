package task

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/edit"
	"tandem/workspace/judge"
)

// TestStepsAreProposedWhenTheyAreDone: what a step changes waits for the user as soon as it is judged, in
// one proposal that grows to the result; no text changes before it is accepted, what is accepted is not
// proposed again, and what was rejected comes back with the result.
func TestStepsAreProposedWhenTheyAreDone(t *testing.T) {
	for decision, want := range map[string]string{"": "lib/a.go main.go", "accept": "lib/a.go", "reject": "lib/a.go main.go", "quiet": "lib/a.go main.go"} {
		t.Run(decision, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				deep := answers(alpha11, one111, turn{"", planBoth + "after: 1\n"})
				deep.First = time.Second
				settings := quiet()
				settings.Quiet = decision == "quiet"
				b := newTaskBench(t, lanes{model.Deep: deep}, settings)
				before := b.Text()
				id := b.escalate(Request{}).Record.ID
				time.Sleep(2500 * time.Millisecond) // in the second step
				p := b.engine.Editor.Proposals.OfTask(id)
				if decision == "quiet" {
					if p != nil {
						t.Fatal("a quiet task proposes before its end")
					}
				} else if p == nil || p.ID != b.task().ProposalID || !p.Task.Running || len(p.Files) != 1 || p.Documents[0] != b.URI || b.Text() != before {
					t.Fatalf("after the first step: %+v", p)
				}
				switch decision {
				case "accept":
					b.take(p.ID, -1)
					if !strings.Contains(b.Text(), "return 11") || b.task().Record.Resolved != "" {
						t.Errorf("accepted: %s", b.Text())
					}
				case "reject":
					if err := b.engine.Editor.Reject(p.ID); err != nil {
						t.Fatal(err)
					}
				}
				b.expect(Done, "")
				last := b.engine.Editor.Proposals.OfTask(id)
				if last == nil || last.Task.Running || last.ID != b.task().ProposalID || decision == "" && last.ID != p.ID {
					t.Fatalf("the result is %+v", last)
				}
				var left []string
				for _, f := range last.Files {
					if !f.Done() {
						left = append(left, f.Path)
					}
				}
				if strings.Join(left, " ") != want {
					t.Errorf("%q is left, want %s", left, want)
				}
			})
		})
	}
}

// TestAStepWaitsForWhatMendsIt: a change that breaks what a later step mends is accepted once that step is
// done, and not by force before.
func TestAStepWaitsForWhatMendsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deep := answers(
			turn{"now and nothing else: call alpha gamma", assisttest.Swap("main.go", "func alpha() int {", "func gamma() int {")},
			turn{"now and nothing else: use it", assisttest.Swap("use.go", "func use() int { return alpha() }", "func use() int { return gamma() }")},
			turn{"", "1. [DEEP] call alpha gamma | write: main.go\n2. [DEEP] use it | write: use.go | after: 1\n"})
		deep.First = time.Second
		b := newBench(t, lanes{model.Deep: deep}, assisttest.Source, map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "use.go": "package main\n\nfunc use() int { return alpha() }\n"})
		b.engine.Tasks.deps.Settings = quiet
		b.engine.Editor.Judge = judge.New(nil, nil)
		id := b.escalate(Request{}).Record.ID
		time.Sleep(2500 * time.Millisecond) // in the second step
		p := b.engine.Editor.Proposals.OfTask(id)
		if p == nil || !p.Judged().Failed() {
			t.Fatalf("after the first step: %+v", p)
		}
		accept := func() error {
			_, _, err := b.engine.Editor.AcceptPart(t.Context(), b.Session.Snapshot(), p.ID, edit.Part{}, true)
			return err
		}
		if err := accept(); err == nil || !strings.Contains(err.Error(), "at work may mend this") {
			t.Errorf("accepted before the second step: %v", err)
		}
		b.expect(Done, "")
		if err := accept(); err != nil {
			t.Errorf("refused after the second step: %v", err)
		}
	})
}
