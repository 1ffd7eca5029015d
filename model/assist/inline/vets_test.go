package inline

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"tandem/edits"
	"tandem/model/assist/assisttest"
)

// TestVets shows that suggestions of the same text are checked once, and that each stays
// itself: what the check found is in all of them.
func TestVets(t *testing.T) {
	var v vets
	var checked atomic.Int32
	check := func(item Completion) candidate {
		checked.Add(1)
		if item.Text == "bad" {
			return candidate{reason: "held back"}
		}
		item.Imports = true
		return candidate{completion: item, ok: true}
	}
	var all sync.WaitGroup
	for _, id := range []string{"a", "b", "c"} {
		all.Go(func() {
			got := v.of(Completion{ID: id, Text: "x"}, check)
			if c := got.completion; !got.ok || c.ID != id || c.Text != "x" || !c.Imports {
				t.Errorf("%s became %+v", id, got)
			}
		})
	}
	all.Wait()
	if n := checked.Load(); n != 1 {
		t.Errorf("one text was checked %d times", n)
	}
	if got := v.of(Completion{ID: "d", Text: "bad"}, check); got.ok || got.reason != "held back" {
		t.Errorf("another text: %+v", got)
	}
	v.of(Completion{ID: "e", Text: "x", Replace: edits.Span{Start: 0, End: 1}}, check)
	if n := checked.Load(); n != 3 {
		t.Errorf("three texts were checked %d times", n)
	}
}

// misspelling finds one wrong name.
func misspelling(nearest string) assisttest.Names {
	return assisttest.Names{Wrong: func(text, _ string) []edits.Finding {
		if at := strings.Index(text, "wrng"); at >= 0 {
			return []edits.Finding{{Span: edits.Span{Start: at, End: at + 4}, Severity: "error", Name: "wrng", Nearest: nearest, Message: "There is no wrng."}}
		}
		return nil
	}}
}

// TestVetting: a suggestion with a wrong name is held back; it never becomes another name.
func TestVetting(t *testing.T) {
	b := newBench(t, lanes{}, program, nil)
	at := b.At("x := ")
	o, _ := b.Session.Snapshot().Overlay(b.URI)
	for _, c := range []struct{ nearest, text, want, reason string }{
		{"wrong", "wrng(1)", "", "The suggestion was held back: There is no wrng."}, {"", "wrng(1)", "", "The suggestion was held back: There is no wrng."},
		{"", "right(1)", "right(1)", ""}, {"", " \n", "", "The model had nothing to add here."},
	} {
		b.engine.Completer.Judge = assisttest.Judging(misspelling(c.nearest))
		got := b.engine.Completer.vet(t.Context(), b.Session.Snapshot(), o, Request{}, Completion{Text: c.text, Replace: edits.Span{Start: at, End: at}})
		if got.ok != (c.want != "") || got.ok && got.completion.Text != c.want || got.reason != c.reason {
			t.Errorf("%q with %q: %v %q %q", c.text, c.nearest, got.ok, got.completion.Text, got.reason)
		}
	}
	found := []candidate{{reason: "one"}, {ok: true, completion: Completion{ID: "a", Text: "a"}}, {ok: true, completion: Completion{ID: "b", Text: "a"}}, {ok: true, completion: Completion{ID: "c", Text: "no"}}, {ok: true, completion: Completion{ID: "d", Text: "d"}}, {reason: "two"}}
	d := inlineOf("x")
	d.refusals.Refuse(d.uri, 0, "nox")
	items, reason := choose(found, d, Request{})
	if len(items) != 2 || items[0].ID != "a" || items[1].ID != "d" || reason != "" {
		t.Errorf("chosen %v, %q", items, reason)
	}
	if items, reason := choose(found[3:4], d, Request{}); items != nil || reason != "The suggestion was held back: it was not wanted here." {
		t.Errorf("chosen %v, %q", items, reason)
	}
	if items, reason := choose(found[:1], d, Request{}); items != nil || reason != "one" {
		t.Errorf("chosen %v, %q", items, reason)
	}
}
