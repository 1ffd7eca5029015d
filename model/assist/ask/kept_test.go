package ask

import (
	"testing"

	"tandem/model/assist/assisttest"
	"tandem/workspace"
	"tandem/workspace/run"
)

// TestWhereNothingCanBeCommitted: which repository a commit message is about.
func TestWhereNothingCanBeCommitted(t *testing.T) {
	b := newBench(t, lanes{}, assisttest.Source, nil)
	group := run.NewGroup(t.Context(), func(*run.Panic) {})
	t.Cleanup(group.Close)
	empty, err := workspace.Open(t.Context(), workspace.Options{Trusted: true, ClientWatches: true, Group: group})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = empty.Close() })
	for _, c := range []struct {
		snap *workspace.Snapshot
		uri  string
		want string
	}{
		{b.Session.Snapshot(), b.URI, b.Root + " is in no git repository; nothing can be committed there."}, {b.Session.Snapshot(), "untitled:x", b.Root + " is in no git repository; nothing can be committed there."},
		{empty.Snapshot(), b.URI, "No folder is open, so there is no repository; open one and ask again."},
	} {
		if _, err := stagedAround(t.Context(), c.snap, c.uri); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %q", c.uri, err, c.want)
		}
	}
}
