package ask

import (
	"testing"

	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
)

// TestWhoDescribesAndReviews: what the user has switched on.
func TestWhoDescribesAndReviews(t *testing.T) {
	b := newBench(t, lanes{}, assisttest.Source, nil)
	b.engine.Asker.Wanted.Preferences = func(string) core.Preferences { return core.Preferences{HoverModel: true} }
	if !b.engine.Asker.Describes("go") || b.engine.Reviewer.Reviews("go") {
		t.Error("a model describes on hover, and none reviews")
	}
	b.engine.Asker.Wanted.Preferences = func(string) core.Preferences { return core.Preferences{Review: true} }
	if b.engine.Asker.Describes("go") || !b.engine.Reviewer.Reviews("go") {
		t.Error("a model reviews, and none describes on hover")
	}
}
