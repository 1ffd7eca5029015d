package assist

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tandem/edits"
	"tandem/workspace"
)

// TestNextEditsHaveOutcomes: how each next edit ended that an editor showed is kept once.
func TestNextEditsHaveOutcomes(t *testing.T) {
	const text = "package m\n\nvar a = old\nvar b = old\n"
	offer := func(b *bench, id, at, new string) {
		start := b.at(at)
		b.engine.docs.open(workspace.Key(b.uri)).next.offer(NextEdit{ID: id, URI: b.uri, Edit: edits.Edit{Span: edits.Span{Start: start - len("old"), End: start}, New: new}})
	}
	apply := func(b *bench, at, new string) { end := b.at(at); b.edit(end-len("old"), end, new) }
	for name, c := range map[string]struct {
		do   func(b *bench)
		want []string
	}{
		"accepted": {func(b *bench) {
			apply(b, "a = old", "fresh")
			b.engine.Completer.Accepted(b.session.Snapshot(), "n1")
		}, []string{endAccepted}},
		"dismissed": {func(b *bench) { b.engine.Completer.Rejected("n1") }, []string{endDismissed}},
		"dismissed twice": {func(b *bench) {
			b.engine.Completer.Rejected("n1")
			b.engine.Completer.Rejected("n1")
		}, []string{endDismissed}},
		"shown again by another request": {func(b *bench) {
			offer(b, "n2", "a = old", "fresh")
			b.engine.Completer.Shown("n2")
			b.engine.Completer.Rejected("n2")
		}, []string{endDismissed}},
		"moved, then accepted": {func(b *bench) {
			b.edit(0, 0, "// one more line\n")
			apply(b, "a = old", "fresh")
			b.engine.Completer.Accepted(b.session.Snapshot(), "n1")
		}, []string{endAccepted}},
		"typed, then another": {func(b *bench) {
			apply(b, "a = old", "fresh")
			offer(b, "n2", "b = old", "fresh")
			b.engine.Completer.Shown("n2")
			time.Sleep(time.Second)
			b.engine.Completer.Rejected("n2")
		}, []string{endTyped, endDismissed}},
		"left for another": {func(b *bench) {
			offer(b, "n2", "b = old", "fresh")
			b.engine.Completer.Shown("n2")
			time.Sleep(time.Second)
			b.engine.Completer.Rejected("n2")
		}, []string{endLeft, endDismissed}},
		"typed, then closed": {func(b *bench) {
			apply(b, "a = old", "fresh")
			b.engine.Closed(b.uri)
		}, []string{endTyped}},
		"typed against": {func(b *bench) {
			apply(b, "a = old", "other")
			time.Sleep(time.Hour)
			b.engine.Closed(b.uri)
		}, []string{endAgainst}},
		"rejected under two ids": {func(b *bench) {
			offer(b, "n2", "a = old", "fresh")
			b.engine.Completer.Rejected("n1")
			b.engine.Completer.Rejected("n2")
		}, []string{endDismissed}},
		"closed":       {func(b *bench) { b.engine.Closed(b.uri) }, []string{endLeft}},
		"never ended":  {func(*bench) {}, nil},
		"another's id": {func(b *bench) { b.engine.Completer.Rejected("n9") }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, lanes{}, text, nil)
				kept := &keptOutcomes{}
				b.engine.Outcomes = kept
				offer(b, "n1", "a = old", "fresh")
				b.engine.Completer.Shown("n1")
				time.Sleep(time.Second)
				c.do(b)
				synctest.Wait()
				list, _ := kept.Read()
				var got []string
				for _, o := range list {
					if o.Kind != kindNextEdit || o.Model != "built-in" || o.Language != "go" || o.Length != len("fresh") || usedAs(o.End) != (o.Taken == o.Length) || len(o.Place) > 0 {
						t.Errorf("outcome %+v", o)
					}
					if o.Shown > 2000 {
						t.Errorf("%s was shown for %d ms", o.End, o.Shown)
					}
					got = append(got, o.End)
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("ended %v, want %v", got, c.want)
				}
			})
		})
	}
}

// TestHastyNextEditIsUnseen: what was shown too short to be read counts as unseen, and what
// an editor accepts without a report that it was shown as accepted.
func TestHastyNextEditIsUnseen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, lanes{}, "package m\n", nil)
		kept := &keptOutcomes{}
		b.engine.Outcomes = kept
		next := &b.engine.docs.open(workspace.Key(b.uri)).next
		next.offer(NextEdit{ID: "n1", URI: b.uri, Edit: edits.Edit{New: "// a\n"}})
		b.engine.Completer.Shown("n1")
		b.engine.Completer.Rejected("n1")
		synctest.Wait()
		next.offer(NextEdit{ID: "n2", URI: b.uri, Edit: edits.Edit{New: "// b\n"}})
		b.engine.Completer.Accepted(b.session.Snapshot(), "n2")
		next.offer(NextEdit{ID: "n3", URI: b.uri, Jump: "an error"})
		b.engine.Completer.Shown("n3")
		b.engine.Completer.Accepted(b.session.Snapshot(), "n3")
		synctest.Wait()
		if got := kept.ends(); !slices.Equal(got, []string{endUnseen, endAccepted}) {
			t.Errorf("ended %v", got)
		}
	})
}

// TestShorterNameIsNotTyped: what an edit writes may stand at its place before: the beginning
// of a longer name.
func TestShorterNameIsNotTyped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, lanes{}, "package m\n\nvar a = parseFile\n", nil)
		kept := &keptOutcomes{}
		b.engine.Outcomes = kept
		end := b.at("parseFile")
		b.engine.docs.open(workspace.Key(b.uri)).next.offer(NextEdit{ID: "n1", URI: b.uri, Edit: edits.Edit{Span: edits.Span{Start: end - 9, End: end}, New: "parse"}})
		b.engine.Completer.Shown("n1")
		time.Sleep(time.Second)
		b.engine.Closed(b.uri)
		synctest.Wait()
		if got := kept.ends(); !slices.Equal(got, []string{endLeft}) {
			t.Errorf("ended %v", got)
		}
	})
}

// TestRejectedInARow: two places of a change have to be rejected, whichever ids they had, with
// none accepted between, in whichever document.
func TestRejectedInARow(t *testing.T) {
	b := newBench(t, lanes{}, "package m\n", nil)
	uri := strings.Replace(b.uri, "main.go", "two.go", 1)
	b.engine.Opened(b.session.Update(workspace.CauseEditor, workspace.Opened{URI: uri, Language: "go", Version: 1, Text: edits.NewText("package m\n")}), uri)
	one, two := &b.engine.docs.open(workspace.Key(b.uri)).next, &b.engine.docs.open(workspace.Key(uri)).next
	place := func(id string, at int) NextEdit {
		return NextEdit{ID: id, URI: b.uri, Edit: edits.Edit{Span: edits.Span{Start: at, End: at}, New: "x"}, Change: "c"}
	}
	reject := func(id string, at int) {
		one.offer(place(id, at))
		b.engine.Completer.Rejected(id)
	}
	refused := func(want bool, when string) {
		t.Helper()
		if got := b.engine.NextEdits.refused(place("", 9)); got != want {
			t.Errorf("%s: what else follows is refused: %v", when, got)
		}
	}
	reject("n1", 1)
	reject("n2", 1)
	refused(false, "one place under two ids")
	two.offer(place("n3", 3))
	b.engine.Completer.Accepted(b.session.Snapshot(), "n3")
	reject("n4", 5)
	refused(false, "one accepted between")
	reject("n5", 7)
	refused(true, "two in a row")
}

// TestPredictionForElsewhereFollowsItsText: what was predicted for another document ends with
// the text that it was predicted from.
func TestPredictionForElsewhereFollowsItsText(t *testing.T) {
	b := newBench(t, lanes{}, "package m\n\nvar a = old\n", nil)
	uri := strings.Replace(b.uri, "main.go", "two.go", 1)
	snap := b.session.Update(workspace.CauseEditor, workspace.Opened{URI: uri, Language: "go", Version: 1, Text: edits.NewText("package m\n\nvar b = old\n")})
	b.engine.Opened(snap, uri)
	there, _ := snap.Overlay(uri)
	end := b.at("a = old")
	b.edit(end-3, end, "fresh")
	here, _ := b.session.Snapshot().Overlay(b.uri)
	next := &b.engine.docs.open(workspace.Key(b.uri)).next
	next.keep(prediction{revision: here.Revision, line: 2, old: "old", made: true,
		next: &NextEdit{ID: "n1", URI: uri, Base: there.Hash(), Edit: edits.Edit{Span: edits.Span{Start: 19, End: 22}, New: "fresh"}}})
	if _, ok := b.engine.NextEdits.fromElsewhere(there, b.engine.docs.of(there)); !ok {
		t.Error("it is not offered where it is for")
	}
	b.edit(end-3, end+2, "old")
	if _, ok := b.engine.NextEdits.fromElsewhere(there, b.engine.docs.of(there)); ok {
		t.Error("it is offered although its cause was undone")
	}
}
