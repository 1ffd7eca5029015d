package next

import (
	"testing"

	"go.uber.org/goleak"

	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
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
	Editor    *edit.Editor
	NextEdits *Editor
}

// newBench opens main.go with text; the other files are on disk only.
func newBench(t *testing.T, l lanes, text string, others map[string]string) *bench {
	t.Helper()
	b := &bench{}
	b.Bench = assisttest.New(t, l, text, others, func(under *assisttest.Bench, group *run.Group) assisttest.Followers {
		d := core.Deps{Models: l, Group: group, Notify: func(e core.Event) { under.Record(e) }}.Whole()
		wanted := &core.Wanted{Preferences: d.Preferences}
		p := prompt.New(d, wanted)
		e := edit.New(p, d, &core.Documents{Group: group}, "")
		b.engine = &engine{e, New(p, d, wanted, e)}
		b.engine.NextEdits.judged.rest = 0
		return assisttest.Each{b.engine.NextEdits.Open, b.engine.Editor}
	})
	return b
}

// TestMain fails the package if a test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
