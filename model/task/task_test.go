package task

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
	"tandem/workspace/state"
)

// planned returns a deep lane that plans two steps and answers a step with the block
// that do returns for it.
func planned(do func(step string) string) *script {
	return &script{Answer: func(req *model.Request) ([]string, error) {
		last := req.Input[len(req.Input)-1].Text
		_, step, isStep := strings.Cut(last.String(), "Do step ")
		if !isStep {
			return []string{"1. [FAST] make alpha return 11\n", "2. **[DEEP]** make beta return 22\n"}, nil
		}
		return []string{do(step)}, nil
	}}
}

// stepEdit answers each step with its edit; a later step sees what the ones before it
// wrote.
func stepEdit(step string) string {
	if strings.Contains(step, "alpha") {
		return "<<<<<<< SEARCH\n\treturn 1\n=======\n\treturn 11\n>>>>>>> REPLACE\n"
	}
	return "<<<<<<< SEARCH\n\treturn 11\n}\n\nfunc beta() int {\n\treturn 2\n=======\n\treturn 11\n}\n\nfunc beta() int {\n\treturn 22\n>>>>>>> REPLACE\n"
}

// task returns the last state of the task that the bench received.
func (b *bench) task() Task {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	var out Task
	for _, e := range b.Events {
		if task, ok := e.(*Task); ok {
			out = *task
		}
	}
	return out
}

func TestEscalationEndsAsOneProposal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast, deep := planned(stepEdit), planned(stepEdit)
		b := newBench(t, lanes{model.Fast: fast, model.Deep: deep}, assisttest.Source, nil)
		started, err := b.engine.Tasks.Escalate(b.Session.Snapshot(), Request{Instruction: "new numbers", Place: core.Place{URI: b.URI}})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		done := b.task()
		if done.Record.State != Done || len(done.Record.Steps) != 2 || done.Record.Steps[0].Lane != Fast || done.Record.Steps[1].Lane != Deep {
			t.Fatalf("%s %q %+v", done.Record.State, done.Record.Error, done.Record.Steps)
		}
		if len(fast.Requests()) != 1 || len(deep.Requests()) != 2 {
			t.Errorf("%d fast and %d deep requests, want 1 and 2", len(fast.Requests()), len(deep.Requests()))
		}
		b.take(done.ProposalID, -1)
		if want := strings.NewReplacer("return 1", "return 11", "return 2", "return 22").Replace(assisttest.Source); b.Text() != want {
			t.Errorf("text is\n%s", b.Text())
		}
		kept, _ := b.engine.Tasks.deps.Store.List()
		if len(kept) != 1 || kept[0].ID != started.Record.ID || len(kept[0].Steps[1].Result) != 1 {
			t.Errorf("kept on disk: %+v", kept)
		}
	})
}

// TestFailedFastStepGoesDeep: a step whose answer cannot be used is done again
// by the deep model; one that fails there ends the task with the reason.
func TestFailedFastStepGoesDeep(t *testing.T) {
	for _, deepCan := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			nonsense := planned(func(string) string { return "<<<<<<< SEARCH\nnowhere\n=======\nx\n>>>>>>> REPLACE\n" })
			deep := planned(stepEdit)
			if !deepCan {
				deep = planned(func(string) string { return "I cannot." })
			}
			b := newBench(t, lanes{model.Fast: nonsense, model.Deep: deep}, assisttest.Source, nil)
			if _, err := b.engine.Tasks.Escalate(b.Session.Snapshot(), Request{Instruction: "x", Place: core.Place{URI: b.URI}}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			synctest.Wait()
			got := b.task()
			if deepCan && (got.Record.State != Done || got.Record.Steps[0].Lane != Deep || got.Record.Steps[0].State != Done) {
				t.Errorf("%s %q %+v", got.Record.State, got.Record.Error, got.Record.Steps)
			}
			if !deepCan && (got.Record.State != Failed || got.Record.Steps[0].State != Failed || !strings.Contains(got.Record.Error, "step 1")) {
				t.Errorf("%s %q", got.Record.State, got.Record.Error)
			}
			if b.Text() != assisttest.Source {
				t.Error("a task changed the text by itself")
			}
		})
	}
}

// TestTaskReceivesMessagesOfOtherProcesses: a message on disk steers or cancels it.
func TestTaskReceivesMessagesOfOtherProcesses(t *testing.T) {
	for _, action := range []string{"steer", "cancel"} {
		synctest.Test(t, func(t *testing.T) {
			deep := planned(stepEdit)
			deep.First = 3 * time.Second
			b := newBench(t, lanes{model.Deep: deep}, assisttest.Source, nil)
			if _, err := b.engine.Tasks.Escalate(b.Session.Snapshot(), Request{Instruction: "x", Place: core.Place{URI: b.URI}}); err != nil {
				t.Fatal(err)
			}
			kept := b.engine.Tasks.deps.Store.(*keptTasks)
			kept.Mu.Lock()
			kept.Messages = []state.TaskMessage{{Action: action, Text: "mind the gap"}}
			kept.Mu.Unlock()
			time.Sleep(20 * time.Second)
			synctest.Wait()
			got := b.task()
			if action == "cancel" && got.Record.State != Cancelled {
				t.Errorf("cancelled: %s", got.Record.State)
			}
			if action == "steer" {
				asked := deep.Requests()
				last := asked[len(asked)-1]
				if got.Record.State != Done || !strings.Contains(fmt.Sprint(last.Input), "mind the gap") {
					t.Errorf("steered: %s %s", got.Record.State, got.Record.Error)
				}
			}
		})
	}
}

func TestRefusedEscalationHasAReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, lanes{model.Fast: replies("x")}, assisttest.Source, nil)
		if _, err := b.engine.Tasks.Escalate(b.Session.Snapshot(), Request{Instruction: "x", Place: core.Place{URI: b.URI}}); err == nil || !strings.Contains(err.Error(), "deep") {
			t.Errorf("without a deep model: %v", err)
		}
		b.Lanes[model.Deep] = replies("x")
		if _, err := b.engine.Tasks.Escalate(b.Session.SetTrusted(false), Request{Instruction: "x", Place: core.Place{URI: b.URI}}); err == nil || !strings.Contains(err.Error(), "trust") {
			t.Errorf("untrusted: %v", err)
		}
	})
}

// TestPlanKeepsWhatIsDone: steps that are done stand first where a new plan leaves them out,
// and what the new steps wait for is counted with them.
func TestPlanKeepsWhatIsDone(t *testing.T) {
	old := []state.Step{{Title: "a", Lane: Fast, State: Done, After: []int{1}}, {Title: "b", Lane: Fast, State: Interrupted, Partial: "begun"}}
	got := merged(old, []state.Step{{Lane: Fast, Title: "B"}, {Lane: Deep, Title: "c", After: []int{0}}, {Lane: Deep, Title: "d", After: []int{-1}}})
	var lines []string
	for _, s := range got {
		lines = append(lines, fmt.Sprintf("%s %s %v %s", s.Title, s.State, s.After, s.Partial))
	}
	if want := "a done [] |B queued [] begun|c queued [1] |d queued [-1] "; strings.Join(lines, "|") != want {
		t.Errorf("the plan is %q, want %q", lines, want)
	}
}
