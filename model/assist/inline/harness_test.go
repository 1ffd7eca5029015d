package inline

import (
	"context"
	"testing"

	"go.uber.org/goleak"

	"tandem/edits"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
	"tandem/workspace"
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
	Core      *core.Core
	Completer *Completer
}

// newBench opens main.go with text; the other files are on disk only.
func newBench(t *testing.T, l lanes, text string, others map[string]string) *bench {
	t.Helper()
	b := &bench{}
	b.Bench = assisttest.New(t, l, text, others, func(under *assisttest.Bench, group *run.Group) assisttest.Followers {
		c := core.New(core.Deps{Models: l, Group: group, Notify: func(e core.Event) { under.Record(e) }})
		b.engine = &engine{c, New(c)}
		return assisttest.Each{documents{c}, b.engine.Completer}
	})
	return b
}

// documents follow the texts and begin and end the lives of the work for them.
type documents struct{ *core.Core }

func (d documents) Opened(o *workspace.Overlay) { d.Docs.Opened(o, func(*core.Document) {}) }
func (d documents) Changed(_ *workspace.Snapshot, o *workspace.Overlay, steps []workspace.Step) {
	d.Docs.Changed(o, steps, func(*core.Document, edits.Text) {})
}
func (d documents) Closed(uri string) { d.Docs.Closed(uri, func(*core.Document) {}) }

// ready counts the Ready events so far.
func (b *bench) ready() int {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	n := 0
	for _, e := range b.Events {
		if _, ok := e.(Ready); ok {
			n++
		}
	}
	return n
}

// complete asks as a client does while its user types: one that follows, or one that
// waits for the answer.
func (b *bench) complete(offset int, c client) Completions {
	b.T.Helper()
	out, err := b.engine.Completer.Complete(context.Background(), b.Session.Snapshot(), Request{Place: core.Place{URI: b.URI, Offset: offset}, Follows: c == follows})
	if err != nil {
		b.T.Fatal(err)
	}
	return out
}

func texts(c Completions) []string {
	var out []string
	for _, item := range c.Items {
		out = append(out, item.Text)
	}
	return out
}

// A client is what a caller does with an answer that is late.
type client int

const (
	plain   client = iota // it waits for it
	follows               // it asks again when it is notified
)

// TestMain fails the package if a test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
