package assist

import (
	"slices"
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
