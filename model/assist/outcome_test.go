package assist

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/workspace"
	"tandem/workspace/state"
)

// keptOutcomes is a store of outcomes in memory.
type keptOutcomes struct {
	mu   sync.Mutex
	list []state.Outcome
}

func (k *keptOutcomes) Add(o state.Outcome) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.list = append(k.list, o)
	return nil
}

func (k *keptOutcomes) Read() ([]state.Outcome, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.list), nil
}

// ends lists how suggestions ended.
func (k *keptOutcomes) ends() (out []string) {
	list, _ := k.Read()
	for _, o := range list {
		if o.Since == "" {
			out = append(out, o.End)
		}
	}
	return out
}

// TestOutcomesAreRecorded: each suggestion that was shown has one outcome, without text.
func TestOutcomesAreRecorded(t *testing.T) {
	for name, c := range map[string]struct {
		do    func(b *bench, at int, item Completion)
		want  string
		taken int
	}{
		"accepted": {func(b *bench, at int, item Completion) {
			b.edit(at, at, item.Text)
			b.engine.Completer.Accepted(b.session.Snapshot(), item.ID)
		}, endAccepted, 10},
		"typed": {func(b *bench, at int, item Completion) {
			for i, key := range item.Text {
				b.edit(at+i, at+i, string(key))
			}
			b.edit(0, 0, "// next\n")
		}, endTyped, 10},
		"partly": {func(b *bench, at int, item Completion) {
			b.engine.Completer.PartlyAccepted(item.ID)
			b.edit(at, at, "compute")
			b.edit(at+7, at+7, "!")
		}, endPartly, 7},
		"dismissed": {func(b *bench, _ int, item Completion) { b.engine.Completer.Rejected(item.ID) }, endDismissed, 0},
		"against":   {func(b *bench, at int, _ Completion) { b.edit(at, at, "other") }, endAgainst, 0},
		"left":      {func(b *bench, _ int, _ Completion) { b.edit(0, 0, "// x\n") }, endLeft, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, lanes{model.Fast: replies("compute(1)")}, program, nil)
				kept := &keptOutcomes{}
				b.engine.Outcomes = kept
				at := b.at("x := ")
				item := b.complete(at, plain).Items[0]
				time.Sleep(time.Second)
				c.do(b, at, item)
				synctest.Wait()
				if got := kept.ends(); !slices.Equal(got, []string{c.want}) {
					t.Fatalf("recorded %q, want %q", got, c.want)
				}
				got := kept.list[0]
				if got.Model == "" || got.Language != "go" || got.Kind != "line" || got.Shown != 1000 || got.Length != len(item.Text) || got.Taken != c.taken || len(got.Place) == 0 {
					t.Errorf("recorded %+v", got)
				}
			})
		})
	}
}

// TestLateSuggestionIsUnseen: what was on screen for a moment does not count against it.
func TestLateSuggestionIsUnseen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, lanes{model.Fast: replies("compute(1)")}, program, nil)
		kept := &keptOutcomes{}
		b.engine.Outcomes = kept
		at := b.at("x := ")
		b.complete(at, plain)
		b.edit(at, at, "other")
		synctest.Wait()
		if got := kept.ends(); !slices.Equal(got, []string{endUnseen}) {
			t.Errorf("recorded %q", got)
		}
	})
}

// TestRetention: the share of an accepted text that is left is recorded after 30 s, after
// 5 minutes and at the next commit.
func TestRetention(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, lanes{model.Fast: replies("compute(1)")}, program, nil)
		kept := &keptOutcomes{}
		var head atomic.Value
		head.Store("one")
		b.engine.Outcomes = kept
		b.engine.Commit = func(context.Context, string) string { return head.Load().(string) }
		at := b.at("x := ")
		item := b.complete(at, plain).Items[0]
		b.edit(at, at, item.Text)
		b.engine.Completer.Accepted(b.session.Snapshot(), item.ID)
		time.Sleep(time.Minute)
		b.edit(0, 0, "// above\n")
		at += len("// above\n")
		b.edit(at+len("compute"), at+len("compute(1)"), "2") // of ten bytes seven are left
		time.Sleep(10 * time.Minute)
		head.Store("two")
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		var got []string
		for _, o := range kept.list {
			if o.Since != "" {
				got = append(got, o.Since)
				if want := map[string]float64{"30s": 1, "5m": 0.7, "commit": 0.7}[o.Since]; o.Left != want || o.ID != kept.list[0].ID {
					t.Errorf("after %s %v is left of %s, want %v", o.Since, o.Left, o.ID, want)
				}
			}
		}
		if !slices.Equal(got, []string{"30s", "5m", "commit"}) {
			t.Errorf("recorded at %q", got)
		}
	})
}

const twoPlaces = "package main\n\n// compute \nfunc main() {\n\tx := \n}\n"

// unwantedPlaces are outcomes of a user who uses what comes after := and never what
// comes in a comment.
func unwantedPlaces() *keptOutcomes {
	kept := &keptOutcomes{}
	o := overlay(twoPlaces)
	for i := range 2000 {
		end, at := endAccepted, strings.Index(twoPlaces, ":= ")+3
		if i%2 == 0 {
			end, at = endAgainst, strings.Index(twoPlaces, "compute ")+8
		}
		kept.list = append(kept.list, state.Outcome{V: 1, End: end, Control: true, Place: flat(siteNumbers(o, at))})
	}
	return kept
}

// TestLearnsWhereToAsk: places whose suggestions were not used are not asked about, what
// the user asks for always is, and one setting turns it off.
func TestLearnsWhereToAsk(t *testing.T) {
	run := func(t *testing.T, kept OutcomeStore, prefers Preferences, invoked bool, mark string) int {
		fast := replies("something(1)")
		b := newBench(t, lanes{model.Fast: fast}, twoPlaces, nil)
		prefers.Enabled, prefers.Automatic = true, true
		b.engine.Preferences = func(string) Preferences { return prefers }
		b.engine.Outcomes = kept
		b.engine.outcomes.remember()
		_, err := b.engine.Completer.Complete(t.Context(), b.session.Snapshot(), CompleteRequest{Place: Place{URI: b.uri, Offset: b.at(mark)}, Invoked: invoked})
		if err != nil {
			t.Fatal(err)
		}
		return len(fast.requests())
	}
	for _, c := range []struct {
		name    string
		kept    OutcomeStore
		prefers Preferences
		invoked bool
		mark    string
		want    int
	}{
		{"on the first day", &keptOutcomes{}, Preferences{}, false, "compute ", 1},
		{"where nothing was used", unwantedPlaces(), Preferences{}, false, "compute ", 0},
		{"where it was used", unwantedPlaces(), Preferences{}, false, "x := ", 1},
		{"invoked", unwantedPlaces(), Preferences{}, true, "compute ", 1},
		{"turned off", unwantedPlaces(), Preferences{ShowAll: true}, false, "compute ", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if got := run(t, c.kept, c.prefers, c.invoked, c.mark); got != c.want {
					t.Errorf("%d requests, want %d", got, c.want)
				}
			})
		})
	}
}

// TestRetainedFollowsEdits: what an edit replaces is gone, what it inserts is not counted.
func TestRetainedFollowsEdits(t *testing.T) {
	r := &retained{total: 10, left: []edits.Span{{Start: 10, End: 20}}}
	r.edited(insert(0, "12345"))
	r.edited(edits.Edit{Span: edits.Span{Start: 18, End: 20}, New: "xyz"})
	r.edited(remove(30, 40))
	if r.share() != 0.8 || !slices.Equal(r.left, []edits.Span{{Start: 15, End: 18}, {Start: 21, End: 26}}) {
		t.Errorf("%v of %v is left", r.share(), r.left)
	}
	r.edited(remove(0, 100))
	if r.share() != 0 {
		t.Errorf("%v is left of what was removed", r.share())
	}
}

func overlay(text string) *workspace.Overlay {
	return &workspace.Overlay{URI: "file:///main.go", Language: "go", Version: 1, Text: edits.NewText(text)}
}
