package lsp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tandem/model"
	"tandem/model/assist/core"
)

// troubled is a cassette whose lanes are in the states that a test sets.
type troubled struct {
	cassette
	mu    sync.Mutex // guards lanes
	lanes []model.LaneStatus
}

func (m *troubled) Status() model.Status {
	m.mu.Lock()
	defer m.mu.Unlock()
	return model.Status{Lanes: slices.Clone(m.lanes)}
}

func (m *troubled) set(lanes ...model.LaneStatus) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lanes = lanes
}

// messages are the texts of the messages that the user was shown, and whether all are warnings.
func (e *editor) messages() (texts []string, warnings bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	warnings = true
	for _, m := range e.received {
		var p struct {
			Type    int
			Message string
		}
		if m.Method == "window/showMessage" {
			if err := json.Unmarshal(m.Params, &p); err != nil {
				e.t.Error(err)
			}
			texts, warnings = append(texts, p.Message), warnings && p.Type == 2
		}
	}
	return texts, warnings
}

// TestOutageIsShown: a client that shows no status is shown why a lane does not work, once
// an outage and not often; a client that shows it, only there.
func TestOutageIsShown(t *testing.T) {
	fast := func(state model.LaneState, reason string) model.LaneStatus {
		return model.LaneStatus{Lane: model.Fast, Model: "m", State: state, Reason: reason}
	}
	deep := func(state model.LaneState, reason string) model.LaneStatus {
		return model.LaneStatus{Lane: model.Deep, Model: "d", State: state, Reason: reason}
	}
	ready, away := fast(model.LaneReady, ""), fast(model.LaneUnreachable, "nothing listens there; start it.")
	refused, unnamed := fast(model.LaneDisabled, "The key is refused; set another."), fast(model.LaneMisconfigured, "The model has no name; give it one.")
	next := away
	next.For = model.NextEdit
	shown, shownRefused, shownUnnamed := "Nothing listens there; start it.", refused.Reason, unnamed.Reason
	type step struct {
		wait  time.Duration // before
		lanes []model.LaneStatus
	}
	at := func(wait time.Duration, lanes ...model.LaneStatus) step { return step{wait, lanes} }
	var flapping []step
	for i := range 70 {
		other := fast(model.LaneUnreachable, fmt.Sprintf("No answer for %d ms; start it.", i))
		flapping = append(flapping, at(0, other), at(0, ready))
	}
	status := object{"experimental": object{"tandem": object{"status": true}}}
	for _, c := range []struct {
		name   string
		client object
		focus  bool   // the client knows next edits
		notice string // shown before
		failed bool   // a command has failed with the same sentence
		snooze bool
		steps  []step
		want   []string
	}{
		{name: "unreachable", steps: []step{at(0, ready), at(0, away), at(0, away), at(time.Hour, away)}, want: []string{shown}},
		{name: "refused", steps: []step{at(0, refused), at(0, refused)}, want: []string{shownRefused}},
		{name: "misconfigured", steps: []step{at(0, unnamed), at(0, unnamed)}, want: []string{shownUnnamed}},
		{name: "works", steps: []step{at(0, ready), at(0, fast(model.LaneBuiltIn, "x")), at(0, fast(model.LaneLimited, "Wait."))}},
		{name: "a client with the status", client: status, steps: []step{at(0, away), at(0, refused)}},
		{name: "a client of next edits", focus: true, steps: []step{at(0, away), at(0, refused)}},
		{name: "snoozed", snooze: true, steps: []step{at(0, away)}},
		{name: "the next outage", steps: []step{at(0, away), at(0, ready), at(time.Hour, away)}, want: []string{shown, shown}},
		{name: "limited is no recovery", steps: []step{at(0, away), at(0, fast(model.LaneLimited, "Wait.")), at(time.Hour, away)}, want: []string{shown}},
		{name: "up and down", steps: flapping, want: []string{"No answer for 0 ms; start it."}},
		{name: "down after up and down", steps: append(flapping[:10:10], at(0, away), at(outageQuiet, away), at(0, away)), want: []string{"No answer for 0 ms; start it.", shown}},
		{name: "down for other reasons", steps: []step{at(0, away), at(0, refused), at(0, away), at(0, refused)}, want: []string{shown, shownRefused}},
		{name: "two lanes", steps: []step{at(0, away, deep(model.LaneReady, "")), at(0, away, deep(model.LaneDisabled, "No key.")), at(0, ready, deep(model.LaneDisabled, "No key."))}, want: []string{shown, "No key."}},
		{name: "two lanes in one state", steps: []step{at(0, away, deep(model.LaneUnreachable, "No network."))}, want: []string{shown, "No network."}},
		{name: "two lanes of one server", steps: []step{at(0, away, deep(model.LaneUnreachable, away.Reason), next)}, want: []string{shown}},
		{name: "shown as a notice", notice: refused.Reason, steps: []step{at(0, refused)}, want: []string{shownRefused}},
		{name: "the error of a command", failed: true, steps: []step{at(0, away)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := &troubled{cassette: cassette{answers: map[model.Purpose][]reply{
					model.Ask: {{err: &model.Error{Code: model.CodeUnreachable, Message: away.Reason}}},
				}}}
				o := observe(t, deps(t, m), nil)
				defer func() { o.out.Close(); <-o.ended }()
				m.set(ready)
				if c.client == nil {
					c.client = object{}
				}
				o.initialize(c.client)
				if c.focus {
					o.notify("textDocument/didFocus", object{})
				}
				o.settled()
				if c.snooze {
					o.use.Completer.Snooze(time.Now().Add(time.Hour))
				}
				if c.notice != "" {
					o.setup.OnEngine(core.Notice(c.notice))
				}
				if c.failed {
					m.set(away)
					o.open("untitled:a.go", "go", "package a\n")
					_, err := o.call("workspace/executeCommand", object{"command": "tandem.ask", "arguments": []object{{"uri": "untitled:a.go", "question": "why"}}})
					if err == nil || !strings.Contains(err.Error(), away.Reason) {
						t.Fatalf("the command has failed with %v", err)
					}
				}
				for _, step := range c.steps {
					time.Sleep(step.wait)
					m.set(step.lanes...)
					o.setup.OnEngine(core.StatusChanged{})
					time.Sleep(2 * outageDelay)
					synctest.Wait()
				}
				if got, warnings := o.messages(); !slices.Equal(got, c.want) || !warnings {
					t.Errorf("shown %q, want %q, as warnings: %v", got, c.want, warnings)
				}
			})
		})
	}
}
