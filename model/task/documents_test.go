package task

import (
	"fmt"
	"strings"
	"testing"

	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
)

// TestPlacesOfRequests: a request is about a place of an open document, or is refused.
func TestPlacesOfRequests(t *testing.T) {
	b := newBench(t, lanes{}, assisttest.Source, nil)
	snap := b.Session.Snapshot()
	for _, c := range []struct {
		uri    string
		offset int
		want   string
	}{{b.URI, 0, ""}, {b.URI, len(assisttest.Source), ""}, {b.URI, -1, "is outside main.go"}, {b.URI, len(assisttest.Source) + 1, "is outside main.go"}, {"untitled:none", 0, "is not open"}} {
		_, err := core.OpenAt(snap, core.Place{URI: c.uri, Offset: c.offset})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d of %s: %v", c.offset, c.uri, err)
		}
	}
	if got, want := fmt.Sprintf("%+v", defaultSettings()), fmt.Sprintf("%+v", Settings{Running: 2, MaxSteps: 64, LimitUSD: 2, ConfirmUSD: 0.25, ShowPlan: 3, Review: "risk"}); got != want {
		t.Errorf("the settings of tasks are %s", got)
	}
}
