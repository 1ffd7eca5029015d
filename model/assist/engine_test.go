package assist_test

import (
	"testing"

	"go.uber.org/goleak"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/model/assist/inline"
	"tandem/workspace/run"
)

// TestMain fails the package if a test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestEveryUseCaseFollowsTheDocument: what was suggested and proposed is about the text as it is
// after a change, and nothing of it is left when the document is closed.
func TestEveryUseCaseFollowsTheDocument(t *testing.T) {
	const text = "package main\n\nvar one = \n"
	lanes := assisttest.Lanes{model.Fast: assisttest.Replies("1\n")}
	var engine *assist.Engine
	b := assisttest.New(t, lanes, text, nil, func(b *assisttest.Bench, group *run.Group) assisttest.Followers {
		engine = assist.New(assist.Deps{Deps: core.Deps{Models: lanes, Group: group, Notify: func(e core.Event) { b.Record(e) }}})
		return engine
	})
	suggest := func() inline.Completions {
		out, err := engine.Completer.Complete(t.Context(), b.Session.Snapshot(), inline.Request{Place: core.Place{URI: b.URI, Offset: b.At("var one = ")}})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	lanes[model.Fast].Answer = func(r *model.Request) ([]string, error) {
		if r.Purpose == model.Edit {
			return []string{"main.go\n<<<<<<< SEARCH\nvar one = \n=======\nvar one = 11\n>>>>>>> REPLACE\n"}, nil
		}
		return []string{"1\n"}, nil
	}
	if got := suggest(); len(got.Items) != 1 || got.Items[0].Text != "1" {
		t.Fatalf("suggested %+v", got)
	}
	p, err := engine.Editor.Edit(t.Context(), b.Session.Snapshot(), edit.Request{URI: b.URI, Span: edits.Span{Start: 14, End: 24}, Instruction: "count"})
	if err != nil {
		t.Fatal(err)
	}
	b.Edit(0, 0, "// x\n")
	if got := suggest(); len(got.Items) != 1 || got.Items[0].Version != b.Version {
		t.Errorf("after typing: %+v", got)
	}
	if p, err = engine.Editor.Get(p.ID); err != nil || p.Files[0].Version != b.Version || p.Files[0].Base.String() != b.Text() {
		t.Errorf("the proposal is about %+v, %v", p.Files, err)
	}
	engine.Rejected(suggest().Items[0].ID)
	if got := suggest(); len(got.Items) != 0 {
		t.Errorf("what was rejected is suggested again: %+v", got)
	}
	old := b.Session.Snapshot()
	earlier := p
	b.Close()
	if earlier.Files[0].Version != b.Version {
		t.Errorf("a proposal that was handed out is changed: it is about version %d, want %d", earlier.Files[0].Version, b.Version)
	}
	if p, err = engine.Editor.Get(p.ID); err != nil || p.Files[0].Version != 0 || p.State != edit.Ready {
		t.Errorf("after closing, the proposal is about version %d of the document, and %v, %v", p.Files[0].Version, p.State, err)
	}
	if got, err := engine.Completer.Complete(t.Context(), old, inline.Request{Place: core.Place{URI: b.URI, Offset: 1}}); err != nil || len(got.Items) > 0 || got.Reason == "" {
		t.Errorf("a closed document is answered %+v, %v", got, err)
	}
}
