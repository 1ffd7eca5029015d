package edit

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"tandem/model"
	"tandem/model/assist/assisttest"
	"tandem/workspace"
)

// TestOldProposalsAreForgotten: the oldest that can no longer be accepted, and no more than there
// are too many.
func TestOldProposalsAreForgotten(t *testing.T) {
	s := newProposals("", func(*Proposal) {})
	live := s.open(Proposal{State: Ready}).ID
	var ended []string
	for range maxProposals + 1 {
		ended = append(ended, s.open(Proposal{State: Rejected}).ID)
	}
	if len(s.order) != maxProposals || len(s.byID) != maxProposals || s.order[0] != live {
		t.Errorf("%d and %d are kept, first %s", len(s.order), len(s.byID), s.order[0])
	}
	for i, id := range ended {
		if _, err := s.get(id); (err != nil) != (i < 2) {
			t.Errorf("%d: %v", i, err)
		}
	}
	s.revive(ended[0], &editRun{overlay: &workspace.Overlay{}})
	if len(s.byID) != maxProposals {
		t.Error("a forgotten proposal takes an answer")
	}
}

// TestEditInTheBackground: an edit that is begun or steered streams to its watcher, at the model's
// own temperature, and names the text of its document.
func TestEditInTheBackground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := replies(makes22[:9], makes22[9:])
		b := newBench(t, lanes{model.Fast: fast}, assisttest.Source, nil)
		var got []string
		watch := func(p Progress) {
			got = append(got, fmt.Sprint(p.State, " ", p.Append, " ", p.Done, " ", p.Lane))
			if p.URI != b.URI || p.Reason == "" || p.ID == "" {
				t.Errorf("%+v", p)
			}
		}
		p, err := b.engine.Editor.Begin(b.Session.Snapshot(), Request{URI: b.URI, Span: b.Selection("return 2"), Instruction: "return 22", Watch: watch})
		if err != nil { // the answer may be there already
			t.Fatal(err)
		}
		synctest.Wait()
		want := []string{"streaming " + makes22[:9] + " false fast", "streaming " + makes22[9:] + " false fast", "checking  true fast"}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		if p, err := b.engine.Editor.Get(p.ID); err != nil || p.State != Ready || p.Files[0].Version != 1 || p.Documents[0] != b.URI || len(b.engine.Editor.Live(b.URI)) != 1 {
			t.Errorf("%+v, %v", p, err)
		}
		got = nil
		if err := b.engine.Editor.Steer(b.Session.Snapshot(), p.ID, "again", false, watch); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if !slices.Equal(got, want) {
			t.Errorf("steered: %q, want %q", got, want)
		}
		for i, req := range fast.Requests() {
			if req.Temperature != nil {
				t.Errorf("request %d has the temperature %v", i, *req.Temperature)
			}
		}
		if err := b.engine.Editor.Steer(b.Session.Snapshot(), "p9", "again", false, watch); err == nil {
			t.Error("a proposal that there is not is steered")
		}
	})
}
