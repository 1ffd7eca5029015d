package inline

import (
	"context"
	"testing"

	"go.uber.org/goleak"

	"tandem/edits"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
	"tandem/model/assist/prompt"
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
	Completer *Completer
}

// newBench opens main.go with text; the other files are on disk only.
func newBench(t *testing.T, l lanes, text string, others map[string]string) *bench {
	t.Helper()
	b := &bench{}
	b.Bench = assisttest.New(t, l, text, others, func(under *assisttest.Bench, group *run.Group) assisttest.Followers {
		d := core.Deps{Models: l, Group: group, Notify: func(e core.Event) { under.Record(e) }}.Whole()
		wanted, docs := &core.Wanted{Preferences: d.Preferences}, &core.Documents{Group: group}
		b.engine = &engine{&Completer{Prompts: prompt.New(d, wanted), Judge: d.Judge, Docs: docs, Wanted: wanted, Notify: d.Notify}}
		return assisttest.Each{documents{docs}, b.engine.Completer}
	})
	return b
}

// documents follow the texts and begin and end the lives of the work for them.
type documents struct{ docs *core.Documents }

func (d documents) Opened(o *workspace.Overlay) { d.docs.Opened(o, func(*core.Document) {}) }
func (d documents) Changed(_ *workspace.Snapshot, o *workspace.Overlay, steps []workspace.Step) {
	d.docs.Changed(o, steps, func(*core.Document, edits.Text) {})
}
func (d documents) Closed(uri string) { d.docs.Closed(uri, func(*core.Document) {}) }

// ask makes other models answer.
func (e *engine) ask(m core.Models) { e.Completer.Prompts.Models = m }

// reason is the last one that the host was told.
func (b *bench) reason() (last string) {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	for _, e := range b.Events {
		if reason, ok := e.(core.Reason); ok {
			last = string(reason)
		}
	}
	return last
}

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
