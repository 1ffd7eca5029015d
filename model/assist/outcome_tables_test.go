package assist

import (
	"errors"
	"testing"
	"testing/synctest"

	"tandem/edits"
	"tandem/model"
	"tandem/workspace/state"
)

// TestNothingToShowIsAnOutcome: a request that the user's typing sent and that has nothing to
// show counts, one that they asked for does not.
func TestNothingToShowIsAnOutcome(t *testing.T) {
	for invoked, want := range map[bool]int{false: 1, true: 0} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, lanes{model.Fast: replies(" \n")}, program, nil)
			kept := &keptOutcomes{}
			b.engine.Outcomes = kept
			if _, err := b.engine.Completer.Complete(t.Context(), b.session.Snapshot(), CompleteRequest{Place: Place{URI: b.uri, Offset: b.at("x := ")}, Invoked: invoked}); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if n := len(kept.list); n != want || n > 0 && (kept.list[0].End != endNothing || kept.list[0].Model != "fake-fast" || kept.list[0].Language != "go" || len(kept.list[0].Place) == 0) {
				t.Errorf("invoked %v: %+v", invoked, kept.list)
			}
		})
	}
}

// TestWhatIsRetained: only an accepted text with an outcome that is kept is followed, and no more
// at once than the bound.
func TestWhatIsRetained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, lanes{}, source, nil)
		d := &document{key: "k", uri: "u"}
		r := &retention{outcomes: &b.engine.core.outcomes}
		for _, c := range []struct {
			kept OutcomeStore
			id   string
			span edits.Span
			want int
		}{{nil, "i", edits.Span{End: 3}, 0}, {&keptOutcomes{}, "", edits.Span{End: 3}, 0}, {&keptOutcomes{}, "i", edits.Span{Start: 3, End: 3}, 0}, {&keptOutcomes{}, "i", edits.Span{End: 3}, 1}} {
			b.engine.Outcomes = c.kept
			r.retain(d, c.id, c.span)
			if len(r.list) != c.want {
				t.Errorf("%+v: %d texts are followed", c, len(r.list))
			}
		}
		for range maxRetained + 2 {
			r.retain(d, "i", edits.Span{End: 3})
		}
		if len(r.list) != maxRetained {
			t.Errorf("%d texts are followed", len(r.list))
		}
	})
}

// TestEarlierOutcomesAreRead: an engine that keeps outcomes learns from those of earlier
// sessions, and says where it cannot.
func TestEarlierOutcomesAreRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &readOutcomes{}
		b := newBench(t, lanes{}, program, nil)
		e := New(Deps{Models: b.lanes, Group: b.engine.Group, Notify: b.recordEvent, Outcomes: store})
		synctest.Wait()
		if store.reads != 1 {
			t.Errorf("read %d times", store.reads)
		}
		store.err = errors.New("no disk")
		e.core.outcomes.remember()
		b.mu.Lock()
		defer b.mu.Unlock()
		if last := b.events[len(b.events)-1].Notice; last != "How suggestions ended cannot be read, so nothing is learned from it: no disk." {
			t.Errorf("the notice is %q", last)
		}
	})
}

// A readOutcomes counts how often it is read.
type readOutcomes struct {
	reads int
	err   error
}

func (r *readOutcomes) Add(state.Outcome) error { return nil }

func (r *readOutcomes) Read() ([]state.Outcome, error) {
	r.reads++
	return nil, r.err
}

// TestHowSuggestionsEnd: which edit ends a suggestion in which way.
func TestHowSuggestionsEnd(t *testing.T) {
	edit := func(start, end int, text string) edits.Edit {
		return edits.Edit{Span: edits.Span{Start: start, End: end}, New: text}
	}
	for _, c := range []struct {
		done int
		part bool
		e    edits.Edit
		want string
	}{
		{3, false, edit(13, 13, "x"), endTyped}, {3, true, edit(13, 13, "x"), endTyped}, {0, true, edit(10, 10, "x"), endPartly}, {0, false, edit(10, 10, "x"), endAgainst},
		{0, false, edit(10, 11, "x"), endLeft}, {0, false, edit(9, 9, "x"), endLeft},
	} {
		s := suggested("s", "abc", 10, "fast")
		s.move(c.done)
		s.part = c.part
		if got := s.howEnded(c.e); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
	for end, want := range map[string]bool{endAccepted: true, endTyped: true, endPartly: true, endDismissed: false, endAgainst: false, endLeft: false, endReplaced: false, endUnseen: false, endNothing: false} {
		if usedAs(end) != want {
			t.Errorf("%s counts as used: %v", end, !want)
		}
	}
}
