package assist

import (
	"fmt"
	"strings"
	"testing"

	"tandem/edits"
)

// TestLogOfADocument: the changes since a revision, as long as all of them are known; no more are
// kept than the bound.
func TestLogOfADocument(t *testing.T) {
	l := textLog{first: 5}
	if got, known := l.since(5); !known || len(got) != 0 || l.last() != 5 {
		t.Errorf("%v, %v, last %d", got, known, l.last())
	}
	if _, known := l.since(4); known {
		t.Error("what was before the first revision is known")
	}
	for i := range uint64(3 * maxLog) {
		l.add(logged{6 + i, []edits.Edit{{New: fmt.Sprint(6 + i)}}})
	}
	end := uint64(5 + 3*maxLog)
	first := end - maxLog
	if len(l.changes) != maxLog || l.last() != end || l.first != first {
		t.Errorf("%d changes are kept, from %d to %d", len(l.changes), l.first, l.last())
	}
	if _, known := l.since(first - 1); known {
		t.Error("what was dropped is known")
	}
	if got, known := l.since(first); !known || len(got) != maxLog || got[0].New != fmt.Sprint(first+1) {
		t.Errorf("%d edits, %v", len(got), known)
	}
	if got, known := l.since(end - 2); !known || len(got) != 2 || got[0].New != fmt.Sprint(end-1) || got[1].New != fmt.Sprint(end) {
		t.Errorf("%v, %v", got, known)
	}
}

// TestPlacesOfRequests: a request is about a place of an open document, or is refused.
func TestPlacesOfRequests(t *testing.T) {
	b := newBench(t, lanes{}, source, nil)
	snap := b.session.Snapshot()
	for _, c := range []struct {
		uri    string
		offset int
		want   string
	}{{b.uri, 0, ""}, {b.uri, len(source), ""}, {b.uri, -1, "is outside main.go"}, {b.uri, len(source) + 1, "is outside main.go"}, {"untitled:none", 0, "is not open"}} {
		_, err := openAt(snap, Place{URI: c.uri, Offset: c.offset})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d of %s: %v", c.offset, c.uri, err)
		}
	}
	if got, want := fmt.Sprintf("%+v", defaultTaskSettings()), fmt.Sprintf("%+v", TaskSettings{Running: 2, MaxSteps: 64, LimitUSD: 2, ConfirmUSD: 0.25, ShowPlan: 3, Review: "risk"}); got != want {
		t.Errorf("the settings of tasks are %s", got)
	}
}
