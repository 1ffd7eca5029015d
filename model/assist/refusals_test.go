package assist

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"tandem/edits"
	"tandem/model"
	"tandem/workspace"
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
		{lanes{}, "x", "a line is wrong", nil, model.CodeNotConfigured, "The configuration has a mistake, so no model is in use: a line is wrong"},
		{lanes{model.Fast: replies()}, "x", "", nil, model.CodeNeedsModel, `No deep model is configured; set deep = "MODEL" in the configuration (tandem doctor shows which models it finds).`},
	} {
		b := newTaskBench(t, c.lanes, quiet())
		b.engine.core.Mistake = func() string { return c.mistake }
		b.engine.core.Allow = func(feature string) error {
			if feature != "escalate" {
				return nil
			}
			return c.policy
		}
		_, err := b.engine.Tasks.Escalate(b.session.Snapshot(), TaskRequest{Instruction: c.ask, Place: Place{URI: b.uri}})
		if err == nil || err.Error() != c.want || model.AsError(err).Code != c.code {
			t.Errorf("%v, want %q", err, c.want)
		}
		for _, s := range []TaskState{TaskInterrupted, TaskFailed} {
			if err := b.engine.Tasks.deps.Store.Save(state.Task{ID: "t", State: string(s), Root: b.root}); err != nil {
				t.Fatal(err)
			}
			if c.ask != "x" {
				continue
			}
			_, resumed := b.engine.Tasks.Resume(b.session.Snapshot(), "t")
			_, steered := b.engine.Tasks.Steer(b.session.Snapshot(), "t", "x")
			if resumed == nil || steered == nil || resumed.Error() != c.want || steered.Error() != c.want {
				t.Errorf("resumed: %v, steered: %v, want %q", resumed, steered, c.want)
			}
		}
	}
	b := newBench(t, lanes{model.Fast: replies()}, source, nil)
	core := b.engine.core
	for _, c := range []struct {
		models lanes
		policy error
		code   model.Code
		want   string
	}{
		{lanes{}, errors.New("no"), model.CodeNeedsModel, "The built-in engine cannot do it; set fast = "},
		{lanes{model.Fast: replies()}, errors.New("no"), model.CodePolicy, "no"},
		{lanes{model.Fast: replies()}, nil, model.CodeNeedsModel, "The built-in engine cannot do it; set fast = "},
	} {
		core.Models, core.Allow = c.models, func(string) error { return c.policy }
		if err := core.needsModel("do it"); err.Code != c.code || !strings.HasPrefix(err.Message, c.want) {
			t.Errorf("%+v", err)
		}
	}
}

// TestWhyNothingIsSuggested: what the user has switched off, and for which requests.
func TestWhyNothingIsSuggested(t *testing.T) {
	b := newBench(t, lanes{}, source, nil)
	o, _ := b.session.Snapshot().Overlay(b.uri)
	on := Preferences{Enabled: true, Automatic: true}
	for _, c := range []struct {
		change          func(*Preferences)
		typing, invoked string
	}{
		{func(*Preferences) {}, "", ""},
		{func(p *Preferences) { p.Disabled = []string{"*.txt"} }, "", ""},
		{func(p *Preferences) { p.Disabled = []string{"*.txt", "*.go"} }, "Suggestions are off for *.go in your configuration.", "Suggestions are off for *.go in your configuration."},
		{func(p *Preferences) { p.Enabled = false }, "Suggestions are off for go in your configuration.", "Suggestions are off for go in your configuration."},
		{func(p *Preferences) { p.Automatic = false }, `Suggestions come only when asked for: trigger is "invoked" in your configuration.`, ""},
	} {
		p := on
		c.change(&p)
		b.engine.core.Preferences = func(language string) Preferences {
			if language != "go" {
				t.Errorf("asked for %q", language)
			}
			return p
		}
		for invoked, want := range map[bool]string{false: c.typing, true: c.invoked} {
			if got := b.engine.core.quiet(b.session.Snapshot(), o, invoked); got != want {
				t.Errorf("%+v, invoked %v: %q, want %q", p, invoked, got, want)
			}
		}
	}
	for _, c := range []struct {
		others []string
		want   string
	}{
		{[]string{"A", "B"}, "A and B may suggest at the cursor too, and the editor shows one suggestion at a time; switch off the inline suggestions of the others to see tandem's."},
		{nil, ""},
	} {
		before := len(b.events)
		b.engine.OtherProviders(c.others)
		if got := b.engine.core.status(b.session.Snapshot()).Others; got != c.want || len(b.events) != before+1 || b.events[before].(*Status) == nil {
			t.Errorf("%q: %q, events %+v", c.others, got, b.events[before:])
		}
	}
	if now := newTaskBench(t, lanes{}, quiet()); now.engine.core.status(now.session.Snapshot()).Files != 2 {
		t.Error("the files of the folder are not counted")
	}
	b.engine.core.Preferences = func(string) Preferences { return Preferences{HoverModel: true} }
	if !b.engine.Asker.Describes("go") || b.engine.Reviewer.Reviews("go") {
		t.Error("a model describes on hover, and none reviews")
	}
	b.engine.core.Preferences = func(string) Preferences { return Preferences{Review: true} }
	if b.engine.Asker.Describes("go") || !b.engine.Reviewer.Reviews("go") {
		t.Error("a model reviews, and none describes on hover")
	}
}

// TestEditsThatDoNotBegin: why an edit is refused before a model is asked, and that it goes on
// from an earlier answer.
func TestEditsThatDoNotBegin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := replies(makes22)
		b := newBench(t, lanes{model.Fast: fast}, source, map[string]string{".tandemignore": "hidden.go\n"})
		hidden := strings.Replace(b.uri, "main.go", "hidden.go", 1)
		b.session.Update(workspace.CauseEditor, workspace.Opened{URI: hidden, Language: "go", Version: 1, Text: edits.NewText(source)})
		edit := b.engine.Editor
		for _, c := range []struct {
			req  EditRequest
			code model.Code
			want string
		}{
			{EditRequest{URI: b.uri, Span: edits.Span{Start: 1, End: len(source) + 1}}, model.CodeBadRequest, "The selection lies outside the document; its text may have changed. Select it again."},
			{EditRequest{URI: b.uri, Span: edits.Span{Start: 3, End: 2}}, model.CodeBadRequest, "The selection lies outside the document; its text may have changed. Select it again."},
			{EditRequest{URI: hidden}, model.CodeForbidden, "tandem shows this file to no model: "},
			{EditRequest{URI: b.uri, After: "p9"}, model.CodeBadRequest, `There is no suggestion "p9" any more; ask for it again.`},
			{EditRequest{URI: b.uri + "x"}, model.CodeBadRequest, ""},
		} {
			_, edited := edit.Edit(context.Background(), b.session.Snapshot(), c.req)
			_, begun := edit.Begin(b.session.Snapshot(), c.req)
			for _, err := range []error{edited, begun} {
				if err == nil || model.AsError(err).Code != c.code || !strings.HasPrefix(err.Error(), c.want) {
					t.Errorf("%+v: %v, want %q", c.req, err, c.want)
				}
			}
		}
		if n := len(fast.requests()); n != 0 {
			t.Errorf("%d requests", n)
		}
		first := b.editTwo()
		p, err := edit.Edit(context.Background(), b.session.Snapshot(), EditRequest{URI: b.uri, Span: b.selection("return 2"), Instruction: "return 22", After: first.ID, Steering: "more of it"})
		if err != nil || p.ID == first.ID {
			t.Fatalf("%+v, %v", p, err)
		}
		var said []string
		for _, m := range fast.requests()[1].Input {
			said = append(said, m.Role+": "+m.Text)
		}
		if n := len(said); n != 3 || said[0] != "assistant: "+makes22 || said[1] != "user: more of it" || !strings.HasSuffix(said[2], "Request: return 22") {
			t.Errorf("%q", said)
		}
		list, err := edit.Accept(b.session.Snapshot(), p.ID, -1)
		if err != nil || len(list) != 1 {
			t.Fatalf("%+v, %v", list, err)
		}
		if list[0].Held(b.session.Snapshot()) {
			t.Error("the document has edits that were not made")
		}
		b.take(p.ID, -1)
		b.edit(0, 0, "// mine\n")
		if !list[0].Held(b.session.Snapshot()) {
			t.Error("the document does not have edits that were made")
		}
		list[0].Edits[0].Span.End = 1 << 20
		if list[0].Held(b.session.Snapshot()) {
			t.Error("it has edits that cannot be made")
		}
		edit.Wrote(first.ID)
		if p, _ := edit.Get(first.ID); p.State == Ready {
			t.Errorf("what was written is %s", p.State)
		}
	})
}
