package inline

import (
	"slices"
	"testing"

	"tandem/model"
	"tandem/model/assist/core"
	"tandem/workspace/window"
)

// TestWindowsFollowEachOther: the window of a completion is the previous one of the next.
func TestWindowsFollowEachOther(t *testing.T) {
	d, w := &inlineDoc{refusals: &core.Refusals{}}, &window.Window{}
	if d.previous() != nil {
		t.Error("there is a window before the first")
	}
	if d.storeWindow(w); d.previous() != w {
		t.Error("the window is not kept")
	}
}

// TestMoreAnswersThanAsked: what a server gives beyond what was asked for is left out.
func TestMoreAnswersThanAsked(t *testing.T) {
	fast := &script{Several: 2, Answer: func(*model.Request) ([]string, error) { return []string{"one()", "two()", "three()"}, nil }}
	b := newBench(t, lanes{model.Fast: fast}, program, nil)
	got, err := b.engine.Completer.Complete(t.Context(), b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: b.At("x := ")}, Invoked: true, N: 2})
	if err != nil || !slices.Equal(texts(got), []string{"one()", "two()"}) {
		t.Errorf("%q, %v", texts(got), err)
	}
}
