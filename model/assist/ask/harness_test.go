package ask

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
	Asker    *Asker
	Reviewer *Reviewer
}

// newBench opens main.go with text; the other files are on disk only.
func newBench(t *testing.T, l lanes, text string, others map[string]string) *bench {
	t.Helper()
	b := &bench{}
	b.Bench = assisttest.New(t, l, text, others, func(under *assisttest.Bench, group *run.Group) assisttest.Followers {
		d := core.Deps{Models: l, Group: group, Notify: func(e core.Event) { under.Record(e) }}.Whole()
		wanted := &core.Wanted{Preferences: d.Preferences}
		p := prompt.New(d, wanted)
		b.engine = &engine{&Asker{Prompts: p, Wanted: wanted}, &Reviewer{Prompts: p, Wanted: wanted}}
		return assisttest.Each{}
	})
	return b
}

// TestMain fails the package if a test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
