package assist

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tandem/model"
	"tandem/model/task"
	"tandem/workspace/state"
)

// planned returns a deep lane that plans two steps and answers a step with the block
// that do returns for it.
func planned(do func(step string) string) *script {
	return &script{answer: func(req *model.Request) ([]string, error) {
		last := req.Input[len(req.Input)-1].Text
		_, step, isStep := strings.Cut(last, "Do step ")
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
	b.mu.Lock()
	defer b.mu.Unlock()
	var out Task
	for _, e := range b.events {
		if task, ok := e.(*Task); ok {
			out = *task
		}
	}
	return out
}

func TestEscalationEndsAsOneProposal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast, deep := planned(stepEdit), planned(stepEdit)
		b := newBench(t, lanes{model.Fast: fast, model.Deep: deep}, source, nil)
		started, err := b.engine.Tasks.Escalate(b.session.Snapshot(), TaskRequest{Instruction: "new numbers", Place: Place{URI: b.uri}})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		done := b.task()
		if done.State != TaskDone || len(done.Steps) != 2 || done.Steps[0].Lane != task.Fast || done.Steps[1].Lane != task.Deep {
			t.Fatalf("%s %q %+v", done.State, done.Err, done.Steps)
		}
		if len(fast.requests()) != 1 || len(deep.requests()) != 2 {
			t.Errorf("%d fast and %d deep requests, want 1 and 2", len(fast.requests()), len(deep.requests()))
		}
		b.take(done.ProposalID, -1)
		if want := strings.NewReplacer("return 1", "return 11", "return 2", "return 22").Replace(source); b.text() != want {
			t.Errorf("text is\n%s", b.text())
		}
		kept, _ := b.engine.Tasks.deps.Store.List()
		if len(kept) != 1 || kept[0].ID != started.ID || len(kept[0].Steps[1].Result) != 1 {
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
			b := newBench(t, lanes{model.Fast: nonsense, model.Deep: deep}, source, nil)
			if _, err := b.engine.Tasks.Escalate(b.session.Snapshot(), TaskRequest{Instruction: "x", Place: Place{URI: b.uri}}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			synctest.Wait()
			got := b.task()
			if deepCan && (got.State != TaskDone || got.Steps[0].Lane != task.Deep || got.Steps[0].State != TaskDone) {
				t.Errorf("%s %q %+v", got.State, got.Err, got.Steps)
			}
			if !deepCan && (got.State != TaskFailed || got.Steps[0].State != TaskFailed || !strings.Contains(got.Err, "step 1")) {
				t.Errorf("%s %q", got.State, got.Err)
			}
			if b.text() != source {
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
			deep.first = 3 * time.Second
			b := newBench(t, lanes{model.Deep: deep}, source, nil)
			if _, err := b.engine.Tasks.Escalate(b.session.Snapshot(), TaskRequest{Instruction: "x", Place: Place{URI: b.uri}}); err != nil {
				t.Fatal(err)
			}
			kept := b.engine.Tasks.deps.Store.(*keptTasks)
			kept.mu.Lock()
			kept.messages = []state.TaskMessage{{Action: action, Text: "mind the gap"}}
			kept.mu.Unlock()
			time.Sleep(20 * time.Second)
			synctest.Wait()
			got := b.task()
			if action == "cancel" && got.State != TaskCancelled {
				t.Errorf("cancelled: %s", got.State)
			}
			if action == "steer" {
				asked := deep.requests()
				last := asked[len(asked)-1]
				if got.State != TaskDone || !strings.Contains(fmt.Sprint(last.Input), "mind the gap") {
					t.Errorf("steered: %s %s", got.State, got.Err)
				}
			}
		})
	}
}

func TestRefusedEscalationHasAReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, lanes{model.Fast: replies("x")}, source, nil)
		if _, err := b.engine.Tasks.Escalate(b.session.Snapshot(), TaskRequest{Instruction: "x", Place: Place{URI: b.uri}}); err == nil || !strings.Contains(err.Error(), "deep") {
			t.Errorf("without a deep model: %v", err)
		}
		b.lanes[model.Deep] = replies("x")
		if _, err := b.engine.Tasks.Escalate(b.session.SetTrusted(false), TaskRequest{Instruction: "x", Place: Place{URI: b.uri}}); err == nil || !strings.Contains(err.Error(), "trust") {
			t.Errorf("untrusted: %v", err)
		}
	})
}

func TestAskCitesOnlyWhatExists(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := replies("It is in `main.go:3`, not in nowhere.go:1 or main.go:999; see also ", "lib/a.go:1.")
		b := newBench(t, lanes{model.Fast: fast}, source, map[string]string{"lib/a.go": "package lib\n", ".env": "SECRET=1\n"})
		var pieces strings.Builder
		got, err := b.engine.Asker.Ask(context.Background(), b.session.Snapshot(), AskRequest{Question: "where", Place: Place{URI: b.uri}, Thread: "t", Piece: func(s string) { pieces.WriteString(s) }})
		if err != nil || pieces.String() != got.Text {
			t.Fatalf("%v, streamed %q", err, pieces.String())
		}
		var cited []string
		for _, c := range got.Citations {
			cited = append(cited, fmt.Sprintf("%s:%d", c.Path, c.Line))
		}
		if strings.Join(cited, " ") != "main.go:3 lib/a.go:1" {
			t.Errorf("cites %q", cited)
		}
		if _, err := b.engine.Asker.Ask(context.Background(), b.session.Snapshot(), AskRequest{Question: "and why", Place: Place{URI: b.uri}, Thread: "t"}); err != nil {
			t.Fatal(err)
		}
		if last := fast.requests()[1]; !strings.Contains(fmt.Sprint(last.Input), "not in nowhere.go") {
			t.Error("the follow-up question did not see the answer before it")
		}
	})
}

func TestInterruptedAnswerIsMarked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cut := &script{answer: func(*model.Request) ([]string, error) {
			return []string{"It is"}, &model.Error{Code: model.CodeInterrupted, Message: "The answer was cut short; ask again."}
		}}
		b := newBench(t, lanes{model.Fast: cut}, source, nil)
		got, err := b.engine.Asker.Ask(context.Background(), b.session.Snapshot(), AskRequest{Question: "where", Place: Place{URI: b.uri}})
		if err == nil || !got.Interrupted || got.Text != "It is" {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

func TestReviewFindings(t *testing.T) {
	answer := "main.go:4:2: error: always one\nfix: return the argument\n- main.go:8: warning: two\nother.go:1: error: elsewhere\nmain.go:99: error: no such line\nprose\n"
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, lanes{model.Fast: replies(answer)}, source, nil)
		got, err := b.engine.Reviewer.Review(context.Background(), b.session.Snapshot(), ReviewRequest{URIs: []string{b.uri}})
		if err != nil || len(got) != 2 {
			t.Fatalf("%+v, %v", got, err)
		}
		if f := got[0]; f.Severity != "error" || f.Message != "always one" || f.Fix != "return the argument" || b.text()[f.Span.Start:f.Span.End] != "return 1" {
			t.Errorf("%+v on %q", f, b.text()[f.Span.Start:f.Span.End])
		}
	})
}

// TestPlanKeepsWhatIsDone: steps that are done stand first where a new plan leaves them out,
// and what the new steps wait for is counted with them.
func TestPlanKeepsWhatIsDone(t *testing.T) {
	old := []state.Step{{Title: "a", Lane: task.Fast, State: string(TaskDone), After: []int{1}}, {Title: "b", Lane: task.Fast, State: string(TaskInterrupted), Partial: "begun"}}
	got := merged(old, []task.Step{{Lane: task.Fast, Title: "B"}, {Lane: task.Deep, Title: "c", After: []int{0}}, {Lane: task.Deep, Title: "d", After: []int{-1}}})
	var lines []string
	for _, s := range got {
		lines = append(lines, fmt.Sprintf("%s %s %v %s", s.Title, s.State, s.After, s.Partial))
	}
	if want := "a done [] |B queued [] begun|c queued [1] |d queued [-1] "; strings.Join(lines, "|") != want {
		t.Errorf("the plan is %q, want %q", lines, want)
	}
}
