package task

import (
	"errors"
	"strings"
	"testing"

	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
	"tandem/workspace/state"
)

// TestWhoMayRunATask: why no task starts, in the user's words.
func TestWhoMayRunATask(t *testing.T) {
	deep := lanes{model.Deep: replies("x")}
	for _, c := range []struct {
		lanes   lanes
		ask     string
		mistake string
		policy  error
		code    model.Code
		want    string
	}{
		{deep, " \n", "", nil, model.CodeBadRequest, "A deep task needs an instruction: say what it should do."},
		{deep, "x", "", errors.New("The policy forbids it."), model.CodePolicy, "The policy forbids it."},
		{lanes{}, "x", "a line is wrong", nil, model.CodeNotConfigured, "Correct the configuration, until then no model is in use: a line is wrong"},
		{lanes{model.Fast: replies()}, "x", "", nil, model.CodeNeedsModel, `No deep model is configured; set deep = "MODEL" in the configuration (tandem doctor shows which models it finds).`},
	} {
		b := newTaskBench(t, c.lanes, quiet())
		b.engine.Tasks.prompts.Mistake = func() string { return c.mistake }
		b.engine.Tasks.prompts.Allow = func(feature string) error {
			if feature != "escalate" {
				return nil
			}
			return c.policy
		}
		_, err := b.engine.Tasks.Escalate(b.Session.Snapshot(), Request{Instruction: c.ask, Place: core.Place{URI: b.URI}})
		if err == nil || err.Error() != c.want || model.AsError(err).Code != c.code {
			t.Errorf("%v, want %q", err, c.want)
		}
		for _, s := range []string{Interrupted, Failed} {
			if err := b.engine.Tasks.deps.Store.Save(state.Task{ID: "t", State: s, Root: b.Root}); err != nil {
				t.Fatal(err)
			}
			if c.ask != "x" {
				continue
			}
			_, resumed := b.engine.Tasks.Resume(b.Session.Snapshot(), "t")
			_, steered := b.engine.Tasks.Steer(b.Session.Snapshot(), "t", "x", false)
			if resumed == nil || steered == nil || resumed.Error() != c.want || steered.Error() != c.want {
				t.Errorf("resumed: %v, steered: %v, want %q", resumed, steered, c.want)
			}
		}
	}
	b := newBench(t, lanes{model.Fast: replies()}, assisttest.Source, nil)
	prompts := b.engine.Tasks.prompts
	for _, c := range []struct {
		models lanes
		policy error
		code   model.Code
		want   string
	}{
		{lanes{}, errors.New("no"), model.CodeNeedsModel, "Set up a model (tandem setup): the built-in engine cannot do it."},
		{lanes{model.Fast: replies()}, errors.New("no"), model.CodePolicy, "no"},
		{lanes{model.Fast: replies()}, nil, model.CodeNeedsModel, "Set up a model (tandem setup): the built-in engine cannot do it."},
	} {
		prompts.Models, prompts.Allow = c.models, func(string) error { return c.policy }
		if err := prompts.NeedsModel("do it"); err.Code != c.code || !strings.HasPrefix(err.Message, c.want) {
			t.Errorf("%+v", err)
		}
	}
}
