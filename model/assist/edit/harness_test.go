package edit

import (
	"testing"

	"go.uber.org/goleak"

	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
	"tandem/model/assist/prompt"
	"tandem/workspace/run"
)

type (
	lanes  = assisttest.Lanes
	script = assisttest.Script
)

var replies = assisttest.Replies

// A bench is a small workspace with one open document, and the use cases of this package.
type bench struct {
	*assisttest.Bench
	engine *engine
}

type engine struct {
	Editor *Editor
}

// newBench opens main.go with text; the other files are on disk only.
func newBench(t *testing.T, l lanes, text string, others map[string]string) *bench {
	t.Helper()
	b := &bench{}
	b.Bench = assisttest.New(t, l, text, others, func(under *assisttest.Bench, group *run.Group) assisttest.Followers {
		d := core.Deps{Models: l, Group: group, Notify: func(e core.Event) { under.Record(e) }}.Whole()
		b.engine = &engine{New(prompt.New(d, &core.Wanted{Preferences: d.Preferences}), d, &core.Documents{Group: group}, "")}
		return assisttest.Each{b.engine.Editor}
	})
	return b
}

// take accepts a proposal and applies its edits, as an editor does.
func (b *bench) take(id string, hunk int) {
	b.T.Helper()
	list, err := b.engine.Editor.Accept(b.T.Context(), b.Session.Snapshot(), id, hunk, false)
	if err != nil {
		b.T.Fatal(err)
	}
	for _, d := range list {
		shift := 0
		for _, e := range d.Edits {
			b.Edit(e.Start+shift, e.End+shift, e.New)
			shift += len(e.New) - e.Len()
		}
	}
}

// TestMain fails the package if a test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
