package assist

import (
	"context"
	"testing"
	"testing/synctest"

	"tandem/model"
)

// TestNextEditAsksOnce: clients ask on every event; the model is asked once
// for a place of a text, and again when either changes or its answer was refused.
func TestNextEditAsksOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fast := replies("<<<<<<< SEARCH\n\treturn 2\n=======\n\treturn 22\n>>>>>>> REPLACE\n")
		b := newBench(t, lanes{model.Fast: fast}, source, nil)
		at := b.at("return 1")
		b.edit(at, at, "1")
		ask := func(offset int) *NextEdit {
			next, _, err := b.engine.NextEdits.NextEdit(context.Background(), b.session.Snapshot(), NextEditRequest{Place: Place{URI: b.uri, Offset: offset}, Version: b.version})
			if err != nil {
				t.Fatal(err)
			}
			return next
		}
		first := ask(at)
		for range 5 {
			if again := ask(at); again == nil || again.ID != first.ID {
				t.Fatalf("asked again: %+v, first %+v", again, first)
			}
		}
		if n := len(fast.requests()); n != 1 {
			t.Errorf("%d requests for one place of one text", n)
		}
		b.edit(at, at, "1")
		if ask(at); len(fast.requests()) != 2 {
			t.Errorf("%d requests after the text changed, want 2", len(fast.requests()))
		}
		b.engine.Completer.Rejected(ask(at).ID)
		if next := ask(at); next != nil {
			t.Errorf("offered %+v after it was rejected", next)
		}
	})
}
