package task

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
)

// A turn is what a scripted model answers to a request whose last message holds a text.
type turn struct{ holds, answer string }

// answers returns a lane that answers by the first turn that fits; what fits none gets no
// answer.
func answers(turns ...turn) *script {
	return &script{Answer: func(req *model.Request) ([]string, error) {
		last := assisttest.LastOf(req)
		for _, t := range turns {
			if strings.Contains(last, t.holds) {
				return []string{t.answer}, nil
			}
		}
		return nil, nil
	}}
}

const (
	libA      = "package lib\n\nfunc One() int {\n\treturn 1\n}\n"
	planBoth  = "1. [DEEP] make alpha return 11 | write: main.go\n2. [DEEP] make One return 111 | write: lib/a.go\n"
	planAlpha = "1. [DEEP] make alpha return 11 | write: main.go\n"
)

var (
	alpha11 = turn{"now and nothing else: make alpha", assisttest.Swap("main.go", "\treturn 1", "\treturn 11")}
	one111  = turn{"now and nothing else: make One", assisttest.Swap("lib/a.go", "\treturn 1", "\treturn 111")}
)

// newTaskBench is a bench with a second file and settings of tasks.
func newTaskBench(t *testing.T, l lanes, settings Settings) *bench {
	b := newBench(t, l, assisttest.Source, map[string]string{"go.mod": "module example.com/m\n", "lib/a.go": libA})
	b.engine.Tasks.deps.Settings = func() Settings { return settings }
	return b
}

func quiet() Settings { return Settings{Running: 2, MaxSteps: 64, Review: "never"} }

func (b *bench) escalate(req Request) Task {
	b.T.Helper()
	if req.Instruction == "" {
		req.Instruction = "new numbers"
	}
	req.URI = b.URI
	started, err := b.engine.Tasks.Escalate(b.Session.Snapshot(), req)
	if err != nil {
		b.T.Fatal(err)
	}
	return started
}

// settled is the task once nothing of it runs.
func (b *bench) settled() Task {
	time.Sleep(5 * time.Second)
	synctest.Wait()
	return b.task()
}

// expect fails the test unless the task is in a state, with a text in its error or its
// question.
func (b *bench) expect(state string, text string) Task {
	b.T.Helper()
	got := b.settled()
	if got.Record.State != state || !strings.Contains(got.Record.Error+got.Question(), text) {
		b.T.Fatalf("the task is %s, error %q, question %q, steps %+v; want %s with %q", got.Record.State, got.Record.Error, got.Question(), got.Record.Steps, state, text)
	}
	return got
}

func stepStates(t Task) string {
	var out []string
	for _, s := range t.Record.Steps {
		out = append(out, s.State)
	}
	return strings.Join(out, " ")
}

// TestTaskWaitsForAgreement: a task that is expected to cost much sends nothing before the
// user agrees, and a plan with several steps runs when the user has seen it; the user's own
// plan replaces what is not done.
func TestTaskWaitsForAgreement(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deep := answers(alpha11, one111, turn{"", planBoth})
		deep.Price = 10
		settings := quiet()
		settings.ConfirmUSD, settings.ShowPlan = 0.0001, 2
		b := newTaskBench(t, lanes{model.Deep: deep}, settings)
		id := b.escalate(Request{}).Record.ID
		waiting := b.expect(Waiting, "Resume it to start")
		if n := len(deep.Requests()); n != 0 || waiting.Record.EstimateTokens < 1000 || waiting.Record.EstimateUSD <= settings.ConfirmUSD {
			t.Errorf("%d requests were sent, the estimate is %+v", n, waiting.Record.EstimateUSD)
		}
		resume := func() error { _, err := b.engine.Tasks.Resume(b.Session.Snapshot(), id); return err }
		if err := resume(); err != nil {
			t.Fatal(err)
		}
		if got := b.expect(Planned, ""); len(deep.Requests()) != 1 || stepStates(got) != "queued queued" || !strings.Contains(Format(got.Record.Steps), "make One return 111") {
			t.Errorf("after %d requests the plan is %q", len(deep.Requests()), Format(got.Record.Steps))
		}
		plan := func(text string) error { return b.engine.Tasks.SetPlan(b.Session.Snapshot(), id, text) }
		if err := plan("as you think best"); err == nil || !strings.Contains(err.Error(), "has no step") {
			t.Errorf("a plan without steps: %v", err)
		}
		if err := plan("1. [DEEP] leave | write: ../out.go"); err != nil {
			t.Fatal(err)
		}
		b.expect(Planned, "outside the workspace")
		if err := resume(); err == nil || !strings.Contains(err.Error(), "cannot be run") {
			t.Errorf("a plan that leaves the workspace: %v", err)
		}
		if err := plan("1. [DEEP] make One return 111 | write: lib/a.go"); err != nil {
			t.Fatal(err)
		}
		b.expect(Planned, "")
		if err := resume(); err != nil {
			t.Fatal(err)
		}
		done := b.expect(Done, "")
		p, err := b.engine.Editor.Get(done.ProposalID)
		if err != nil || len(p.Files) != 1 || p.Files[0].Path != "lib/a.go" {
			t.Errorf("the result is %+v, %v", p, err)
		}
	})
}

// TestUnattendedTaskAsksNobody: what costs too much is refused, unless that was agreed to;
// a plan is not shown.
func TestUnattendedTaskAsksNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deep := answers(turn{"nobody can be asked", alpha11.answer}, turn{alpha11.holds, "LOOK ask Which number?"}, turn{"", planAlpha})
		deep.Price = 10
		settings := quiet()
		settings.ConfirmUSD, settings.ShowPlan, settings.Unattended = 0.0001, 1, true
		b := newTaskBench(t, lanes{model.Deep: deep}, settings)
		_, err := b.engine.Tasks.Escalate(b.Session.Snapshot(), Request{Instruction: "x", Place: core.Place{URI: b.URI}})
		if err == nil || !strings.Contains(err.Error(), "agree to the price") {
			t.Errorf("what costs too much: %v", err)
		}
		b.escalate(Request{Confirmed: true})
		if got := b.expect(Done, ""); len(got.Record.Calls) != 1 || got.Record.Calls[0].Error == "" {
			t.Errorf("the question is recorded as %+v", got.Record.Calls)
		}
	})
}

// TestTaskAsksTheUser holds that a question of the model waits for the user: the next
// message of the user is the answer, and nothing else continues the task.
func TestTaskAsksTheUser(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deep := answers(turn{"The user answers: eleven", alpha11.answer}, turn{alpha11.holds, "LOOK ask Which number?"}, turn{"", planAlpha})
		b := newTaskBench(t, lanes{model.Deep: deep}, quiet())
		id := b.escalate(Request{}).Record.ID
		if got := b.expect(Waiting, ""); got.Question() != "Which number?" {
			t.Errorf("the question is %q", got.Question())
		}
		if _, err := b.engine.Tasks.Resume(b.Session.Snapshot(), id); err == nil || !strings.Contains(err.Error(), "waits for your answer") {
			t.Errorf("resumed without an answer: %v", err)
		}
		if is, err := b.engine.Tasks.Steer(b.Session.Snapshot(), id, "eleven", false); !is || err != nil {
			t.Fatal(is, err)
		}
		var said []string
		for _, m := range b.expect(Done, "").Record.Messages {
			said = append(said, m.From+" "+m.Kind+": "+m.Text)
		}
		if want := []string{"task question: Which number?", "user answer: eleven"}; !slices.Equal(said, want) {
			t.Errorf("said: %q", said)
		}
	})
}

// TestTaskIsSteered: what the user says while a plan runs changes what is still to do, and
// what is done stays done; a task that is over goes on from its result.
func TestTaskIsSteered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deep := answers(alpha11, one111, turn{"now and nothing else: add gamma", assisttest.Swap("main.go", "func beta() int {", "func gamma() {}\n\nfunc beta() int {")},
			turn{"also gamma", planBoth + "3. [DEEP] add gamma | write: main.go | after: 1\n"}, turn{"not One", planAlpha}, turn{"", planBoth + "after: 1\n"})
		deep.First = time.Second
		b := newTaskBench(t, lanes{model.Deep: deep}, quiet())
		id := b.escalate(Request{}).Record.ID
		steer := func(text string) {
			t.Helper()
			if is, err := b.engine.Tasks.Steer(b.Session.Snapshot(), id, text, false); !is || err != nil {
				t.Fatal(is, err)
			}
		}
		time.Sleep(1500 * time.Millisecond) // in the first step
		steer("not One")
		if got := b.expect(Done, ""); stepStates(got) != "done" || len(deep.AskedFor(one111.holds)) != 0 {
			t.Errorf("steps %+v", got.Record.Steps)
		}
		plans := deep.AskedFor("The plan so far")
		if len(plans) != 1 || !strings.Contains(assisttest.LastOf(plans[0]), "- not One") || !strings.Contains(assisttest.LastOf(plans[0]), "make alpha return 11 | write: main.go (") {
			t.Fatalf("%d plans were asked for again", len(plans))
		}
		steps := len(deep.AskedFor(alpha11.holds))
		steer("also gamma")
		done := b.expect(Done, "")
		if stepStates(done) != "done done done" || len(deep.AskedFor(alpha11.holds)) != steps {
			t.Errorf("%+v, and the first step was asked %d times, %d before", done.Record.Steps, len(deep.AskedFor(alpha11.holds)), steps)
		}
		if plans = deep.AskedFor("The plan so far"); len(plans) != 2 || !strings.Contains(fmt.Sprint(plans[1].Input), "\treturn 11\n") {
			t.Error("the plan that is asked for again does not show what was done")
		}
		p, err := b.engine.Editor.Get(done.ProposalID)
		if err != nil || len(p.Files) != 2 {
			t.Fatalf("%+v, %v", p, err)
		}
		main := p.Files[slices.IndexFunc(p.Documents, func(uri string) bool { return uri == b.URI })]
		change, err := main.Change()
		if err != nil || !strings.Contains(change.After, "return 11\n") || !strings.Contains(change.After, "gamma") {
			t.Errorf("the result is\n%s, %v", change.After, err)
		}
		if is, err := b.engine.Tasks.Steer(b.Session.Snapshot(), "unknown", "x", false); is || err != nil {
			t.Errorf("an unknown task was steered: %v, %v", is, err)
		}
	})
}

// TestCancelledTaskGoesOn: cancelling stops a task at once and keeps what is done; resumed,
// it does what is left.
func TestCancelledTaskGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deep := answers(alpha11, one111, turn{"", planBoth + "after: 1\n"})
		deep.First = time.Second
		b := newTaskBench(t, lanes{model.Deep: deep}, quiet())
		first := b.escalate(Request{})
		id := first.Record.ID
		time.Sleep(2500 * time.Millisecond) // in the second step
		if err := b.engine.Tasks.Cancel(id); err != nil {
			t.Fatal(err)
		}
		if got := b.expect(Cancelled, "Cancelled"); stepStates(got) != "done queued" || got.ProposalID != "p1" {
			t.Errorf("steps %q, proposal %q", stepStates(got), got.ProposalID)
		}
		if n := len(deep.Requests()); n != 3 {
			t.Errorf("%d requests, want a plan and two steps", n)
		}
		if err := b.engine.Tasks.Cancel(id); err == nil || !strings.Contains(err.Error(), "already cancelled") {
			t.Errorf("cancelled again: %v", err)
		}
		if p, err := b.engine.Tasks.Propose(t.Context(), b.Session.Snapshot(), id); err != nil || len(p.Files) != 1 || p.Files[0].Path != "main.go" {
			t.Errorf("what was done is %+v, %v", p, err)
		}
		if _, err := b.engine.Tasks.Resume(b.Session.Snapshot(), id); err != nil {
			t.Fatal(err)
		}
		if got := b.expect(Done, ""); stepStates(got) != "done done" || len(deep.Requests()) != 4 {
			t.Errorf("%q after %d requests", stepStates(got), len(deep.Requests()))
		}
		if _, err := b.engine.Tasks.Resume(b.Session.Snapshot(), id); err == nil || !strings.Contains(err.Error(), "The task is done") {
			t.Errorf("resumed when done: %v", err)
		}
		time.Sleep(time.Second)
		second := b.escalate(Request{})
		b.settled()
		list := b.engine.Tasks.List(b.Session.Snapshot())
		if len(list) != 2 || list[0].Record.ID != second.Record.ID || list[1].Record.ID != id || list[0].Record.Running() {
			t.Errorf("listed: %+v", list)
		}
		for name, err := range map[string]error{"cancel": b.engine.Tasks.Cancel("unknown"), "plan": b.engine.Tasks.SetPlan(b.Session.Snapshot(), "unknown", planAlpha)} {
			if err == nil {
				t.Errorf("%s of an unknown task is no error", name)
			}
		}
		if _, err := b.engine.Tasks.Get("unknown"); !errors.Is(err, ErrNoTask) {
			t.Errorf("an unknown task: %v", err)
		}
		if _, err := b.engine.Tasks.Resume(b.Session.Snapshot(), "unknown"); !errors.Is(err, ErrNoTask) {
			t.Errorf("an unknown task resumed: %v", err)
		}
		if got, err := b.engine.Tasks.Get(id); err != nil || got.Record.State != Done || got.Record.Root != b.Root {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

// TestPlanIsCorrected: the model learns once what is wrong with its plan, then the user.
func TestPlanIsCorrected(t *testing.T) {
	const outside = "1. [DEEP] leave | write: ../out.go\n"
	for _, c := range []struct {
		name, first, second string
		state               string
		text, said          string
	}{
		{"corrected", outside, planAlpha, Done, "", "This plan cannot be run"},
		{"wrong twice", outside, outside, Planned, "outside the workspace", "This plan cannot be run"},
		{"a cycle", "1. [DEEP] a | write: main.go | after: 2\n2. [DEEP] b | write: lib/a.go | after: 1\n", planAlpha, Done, "", "wait for each other"},
		{"an unknown lane", "1. [ODD] make alpha return 11 | write: main.go\n", planAlpha, Done, "", "ODD"},
		{"no file to read", "1. [DEEP] a | write: main.go | read: none.go\n", planAlpha, Done, "", "does not exist"},
		{"cut off", "cut", planAlpha, Done, "", "cut off"},
		{"cut off twice", "cut", "cut", Interrupted, "twice", "cut off"},
		{"a plan in prose is one step", "I would make alpha return 11.", "", Done, "", "now and nothing else: new numbers"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := 0
				deep := &script{}
				deep.Answer = func(req *model.Request) ([]string, error) {
					if strings.Contains(assisttest.LastOf(req), "now and nothing else") {
						return []string{alpha11.answer}, nil
					}
					n++
					answer := c.first
					if n > 1 {
						answer = c.second
					}
					if answer == "cut" {
						return []string{"1. [DEEP] make"}, &model.Error{Code: model.CodeInterrupted, Message: "cut"}
					}
					return []string{answer}, nil
				}
				b := newTaskBench(t, lanes{model.Deep: deep}, quiet())
				b.escalate(Request{})
				b.expect(c.state, c.text)
				if !slices.ContainsFunc(deep.Requests(), func(req *model.Request) bool { return strings.Contains(fmt.Sprint(req.Input), c.said) }) {
					t.Errorf("no request says %q", c.said)
				}
			})
		})
	}
}

// TestStepsKeepToTheirFiles: an answer that changes another file than its step may is asked
// for again with the reason; a step that waits for one that failed fails.
func TestStepsKeepToTheirFiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deep := answers(turn{"may change main.go alone", alpha11.answer}, turn{alpha11.holds, one111.answer}, turn{"", planAlpha})
		b := newTaskBench(t, lanes{model.Deep: deep}, quiet())
		b.escalate(Request{})
		if got := b.expect(Done, ""); len(got.Record.Steps[0].Checks) != 1 || !slices.Equal(got.Record.Steps[0].Files(), []string{"main.go"}) {
			t.Errorf("%+v", got.Record.Steps)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		deep := answers(turn{alpha11.holds, "I cannot."}, one111, turn{"", planBoth + "after: 1\n3. [DEEP] make One return 111 again | write: lib/a.go | after: 2"})
		b := newTaskBench(t, lanes{model.Deep: deep}, quiet())
		b.escalate(Request{})
		got := b.expect(Failed, "It waits for step 1, which failed")
		if stepStates(got) != "failed failed failed" || len(deep.AskedFor(one111.holds)) != 0 || !strings.Contains(got.Record.Error, "It waits for step 2, which failed") {
			t.Errorf("%q: %s", stepStates(got), got.Record.Error)
		}
		if _, err := b.engine.Tasks.Propose(t.Context(), b.Session.Snapshot(), got.Record.ID); err == nil || !strings.Contains(err.Error(), "has no result") {
			t.Errorf("its result: %v", err)
		}
	})
}

// TestTaskReview: the whole result is read once more where the settings or its risk ask for
// it, and a review that fails holds up nothing.
func TestTaskReview(t *testing.T) {
	for _, c := range []struct {
		name, setting, instruction, first string
		answer                            string // of the reviewer; "" is an error
		want                              string
	}{
		{"always", "always", "new numbers", "", "main.go:4: warning: magic number", "Reviewed, since the configuration asks for it: main.go:4: warning: magic number"},
		{"nothing found", "always", "new numbers", "", "`None.`", "Reviewed, since the configuration asks for it: nothing found"},
		{"fails", "always", "new numbers", "", "", "Reviewed, since the configuration asks for it: The review failed: The server is away."},
		{"never", "never", "new numbers", "", "main.go:4: warning: magic number", ""},
		{"no risk", "risk", "new numbers", "", "main.go:4: warning: magic number", ""},
		{"done again", "risk", "new numbers", "I cannot.", "fine", "Reviewed, since step 1 was done again: fine"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				deep := &script{}
				deep.Answer = func(req *model.Request) ([]string, error) {
					switch last := assisttest.LastOf(req); {
					case strings.Contains(last, "\n+\treturn 11"):
						if c.answer == "" {
							return nil, &model.Error{Code: model.CodeServer, Message: "The server is away."}
						}
						return []string{c.answer}, nil
					case strings.Contains(last, alpha11.holds) && c.first != "" && !strings.Contains(last, "could not be used"):
						return []string{c.first}, nil
					case strings.Contains(last, alpha11.holds):
						return []string{alpha11.answer}, nil
					}
					return []string{planAlpha}, nil
				}
				settings := quiet()
				settings.Review = c.setting
				b := newTaskBench(t, lanes{model.Deep: deep}, settings)
				b.escalate(Request{Instruction: c.instruction})
				done := b.expect(Done, "")
				if done.Record.Review != c.want {
					t.Errorf("the review is %q, want %q", done.Record.Review, c.want)
				}
				if p, err := b.engine.Editor.Get(done.ProposalID); err != nil || p.Task.Review != c.want {
					t.Errorf("the proposal has the review %q, %v", p.Task.Review, err)
				}
			})
		})
	}
}

// TestTaskAgents: a lane that the user named does its steps with its own model and
// instructions, and the planner learns of it.
func TestTaskAgents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deep := answers(turn{"", "1. [DOCS] make alpha return 11 | write: main.go\n"})
		fast := answers(alpha11)
		settings := quiet()
		settings.Agents = []Agent{{Name: "docs", Lane: model.Fast, Model: model.ModelConfig{Name: "writer", Model: "writer", ContextWindow: 128000}, Instructions: "Write for beginners."}}
		b := newTaskBench(t, lanes{model.Fast: fast, model.Deep: deep}, settings)
		b.escalate(Request{})
		if got := b.expect(Done, ""); got.Record.Steps[0].Lane != "docs" {
			t.Errorf("%+v", got.Record.Steps)
		}
		if n := len(deep.AskedFor("[DOCS] marks steps for a model with these instructions: Write for beginners.")); n != 1 {
			t.Errorf("%d plans name the lane", n)
		}
		if asked := fast.Requests(); len(asked) != 1 || !strings.Contains(asked[0].Instructions.String()+fmt.Sprint(asked[0].Input), "Write for beginners.") {
			t.Errorf("%d requests of the lane's", len(asked))
		}
	})
}

// TestTaskKeepsToItsLimit: a request that a task's limit does not cover is not sent, and the
// task can go on when the limit is higher.
func TestTaskKeepsToItsLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deep := answers(alpha11, turn{"", planAlpha})
		deep.Price = 10
		settings := quiet()
		settings.LimitUSD = 0.000001
		b := newTaskBench(t, lanes{model.Deep: deep}, settings)
		b.engine.Tasks.deps.Settings = func() Settings { return settings }
		id := b.escalate(Request{}).Record.ID
		if got := b.expect(Interrupted, "limit_usd"); len(deep.Requests()) != 0 || got.Record.Code != string(model.CodeDailyLimit) {
			t.Errorf("%d requests were sent, code %s", len(deep.Requests()), got.Record.Code)
		}
		settings.LimitUSD = 10
		if _, err := b.engine.Tasks.Resume(b.Session.Snapshot(), id); err != nil {
			t.Fatal(err)
		}
		b.expect(Done, "")
	})
}

// TestTasksTakeTurns: of more tasks than may run, the others wait, and one that waits for the
// user lets another run.
func TestTasksTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deep := answers(alpha11, turn{"", planAlpha})
		deep.First = time.Second
		settings := quiet()
		settings.Running, settings.ShowPlan = 1, 1
		b := newTaskBench(t, lanes{model.Deep: deep}, settings)
		first := b.escalate(Request{Instruction: "one"}).Record.ID
		time.Sleep(time.Millisecond)
		second := b.escalate(Request{Instruction: "two"}).Record.ID
		state := func(id string) string {
			got, err := b.engine.Tasks.Get(id)
			if err != nil {
				t.Fatal(err)
			}
			return got.Record.State
		}
		time.Sleep(500 * time.Millisecond)
		synctest.Wait()
		if state(first) != Planning || state(second) != Queued {
			t.Errorf("%s and %s, want one that runs", state(first), state(second))
		}
		b.settled()
		if state(first) != Planned || state(second) != Planned {
			t.Errorf("%s and %s, want that both wait for the user", state(first), state(second))
		}
		for _, id := range []string{second, first} {
			if _, err := b.engine.Tasks.Resume(b.Session.Snapshot(), id); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(500 * time.Millisecond)
		synctest.Wait()
		if state(second) != Running || state(first) == Running {
			t.Errorf("%s and %s, want the second alone", state(first), state(second))
		}
		if err := b.engine.Tasks.Cancel(first); err != nil {
			t.Fatal(err)
		}
		b.settled()
		if state(first) != Cancelled || state(second) != Done {
			t.Errorf("%s and %s", state(first), state(second))
		}
	})
}

// TestTaskEstimate: the figures before a task runs cover its plan and usual steps.
func TestTaskEstimate(t *testing.T) {
	deep, fast := answers(turn{"", planAlpha}), answers(alpha11)
	deep.Price, fast.Price = 10, 1
	b := newTaskBench(t, lanes{model.Fast: fast, model.Deep: deep}, quiet())
	both := b.engine.Tasks.EstimateTask(Request{Instruction: "new numbers"})
	delete(b.Lanes, model.Fast)
	alone := b.engine.Tasks.EstimateTask(Request{Instruction: "new numbers"})
	if both.Tokens == 0 || both.USD <= 0 || alone.USD <= both.USD || alone.Tokens != both.Tokens {
		t.Errorf("with a fast model %+v, without %+v", both, alone)
	}
	if len(deep.Requests()) != 0 {
		t.Error("an estimate was asked of the model")
	}
	est, err := b.engine.Editor.Estimate(context.Background(), b.Session.Snapshot(), edit.Request{URI: b.URI, Span: b.Selection("return 2"), Instruction: "x", Lane: model.Deep})
	if err != nil || est.Lane != model.Deep || est.Tokens == 0 || est.CostUSD < 10*float64(est.Tokens)/1e6 || len(deep.Requests()) != 0 {
		t.Errorf("%+v, %v", est, err)
	}
	if _, err := b.engine.Editor.Estimate(context.Background(), b.Session.Snapshot(), edit.Request{URI: "untitled:none"}); err == nil {
		t.Error("an edit of no document has an estimate")
	}
}
