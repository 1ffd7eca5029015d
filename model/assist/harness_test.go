package assist

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/workspace"
	"tandem/workspace/run"
	"tandem/workspace/state"
)

// A script is a fake lane: its answer to each request, how long it takes for the first
// piece and between pieces, and the requests that it got.
type script struct {
	answer  func(req *model.Request) (pieces []string, err error)
	first   time.Duration
	gap     time.Duration
	several int     // answers to one prompt that it gives; each piece is one answer then
	format  string  // in which it writes edits; "" is the default
	price   float64 // USD per million tokens
	tools   bool    // it takes function calls: a piece "CALL NAME ARGUMENTS" is one

	mu    sync.Mutex
	asked []*model.Request
}

func (s *script) requests() []*model.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*model.Request(nil), s.asked...)
}

// replies returns a lane that gives the same answer to every request.
func replies(pieces ...string) *script {
	return &script{answer: func(*model.Request) ([]string, error) { return pieces, nil }}
}

// lanes are fake models.
type lanes map[model.Lane]*script

func (l lanes) Config(lane model.Lane) (model.ModelConfig, bool) {
	s, ok := l[lane]
	cfg := model.ModelConfig{Name: "fake-" + string(lane), Model: "fake", ContextWindow: 128000, MaxOutputTokens: 1000}
	if ok {
		cfg.EditFormat, cfg.Choices = s.format, s.several > 0
		cfg.InputPrice, cfg.OutputPrice, cfg.Tools = s.price, s.price, s.tools
	}
	return cfg, ok
}

func (l lanes) Stream(ctx context.Context, lane model.Lane, req *model.Request) model.Stream {
	return func(yield func(model.Delta, error) bool) {
		s := l[lane]
		s.mu.Lock()
		s.asked = append(s.asked, req)
		s.mu.Unlock()
		pieces, err := s.answer(req)
		wait := s.first
		for i, piece := range pieces {
			if !run.Sleep(ctx, wait) {
				yield(model.Delta{}, &model.Error{Code: model.CodeCancelled, Message: "cancelled", Err: ctx.Err()})
				return
			}
			wait = s.gap
			d := model.Delta{Text: piece}
			if call, ok := strings.CutPrefix(piece, "CALL "); ok && s.tools {
				name, arguments, _ := strings.Cut(call, " ")
				d = model.Delta{Call: &model.ToolCall{ID: fmt.Sprint("c", i), Name: name, Arguments: arguments}}
			}
			if req.N > 1 {
				d.Choice = i
			}
			if !yield(d, nil) {
				return
			}
		}
		if err != nil {
			yield(model.Delta{}, err)
			return
		}
		yield(model.Delta{Final: &model.Final{StopReason: "stop", Choices: min(s.several, req.N)}}, nil)
	}
}

func (l lanes) BackoffFor(model.Purpose) float64                  { return 1 }
func (l lanes) ConfigFor(model.Purpose) (model.ModelConfig, bool) { return l.Config(model.Fast) }
func (l lanes) Usage(string) (edits.Provenance, bool)             { return edits.Provenance{Model: "fake"}, true }
func (l lanes) Status() model.Status                              { return model.Status{} }
func (l lanes) Warm(context.Context, model.Lane)                  {}

// A bench is an engine on a small workspace with one open document.
type bench struct {
	t       *testing.T
	root    string
	uri     string
	session *workspace.Session
	engine  *Engine
	lanes   lanes
	version int32

	mu     sync.Mutex
	events []Event
}

// newBench opens main.go with text; the other files are on disk only.
func newBench(t *testing.T, l lanes, text string, others map[string]string) *bench {
	t.Helper()
	root := t.TempDir()
	for name, content := range others {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	group := run.NewGroup(context.Background(), func(p *run.Panic) { t.Errorf("%v\n%s", p, p.Stack) })
	session, err := workspace.Open(group.Context(), workspace.Options{Folders: []string{root}, Trusted: true, ClientWatches: true, Group: group})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, root: root, uri: workspace.URIOf(filepath.Join(root, "main.go")), session: session, lanes: l, version: 1}
	b.engine = New(Deps{SharedDeps: SharedDeps{Models: l, Group: group, Notify: b.recordEvent}, Tasks: TaskDeps{Store: &keptTasks{}}})
	t.Cleanup(func() {
		group.Close()
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	})
	b.open(text)
	if err := session.WaitIdle(context.Background()); err != nil {
		t.Fatal(err)
	}
	return b
}

// open opens main.go with a text, at version 1 as editors do.
func (b *bench) open(text string) {
	b.version = 1
	snap := b.session.Update(workspace.CauseEditor, workspace.Opened{URI: b.uri, Language: "go", Version: 1, Text: edits.NewText(text)})
	b.engine.Opened(snap, b.uri)
}

func (b *bench) close() {
	b.session.Update(workspace.CauseEditor, workspace.Closed{URI: b.uri})
	b.engine.Closed(b.uri)
}

func (b *bench) recordEvent(e Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.events = append(b.events, e)
}

// ready counts the inlineReady events so far.
func (b *bench) ready() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	for _, e := range b.events {
		if _, ok := e.(InlineReady); ok {
			n++
		}
	}
	return n
}

func (b *bench) text() string {
	o, _ := b.session.Snapshot().Overlay(b.uri)
	return o.Text.String()
}

// edit is the user's typing: one change, as an editor sends it.
func (b *bench) edit(start, end int, text string) {
	b.t.Helper()
	b.version++
	list := []edits.Edit{{Span: edits.Span{Start: start, End: end}, New: text}}
	steps, err := workspace.Steps(edits.NewText(b.text()), list...)
	if err != nil {
		b.t.Fatal(err)
	}
	if o, ok := b.session.Snapshot().Overlay(b.uri); ok {
		steps[0].Accepted = b.engine.Offered(o, list[0])
	}
	snap := b.session.Update(workspace.CauseEditor, workspace.Edited{URI: b.uri, Version: b.version, Steps: steps})
	b.engine.Changed(snap, b.uri, steps)
}

// at returns the offset just after the first occurrence of mark.
func (b *bench) at(mark string) int {
	b.t.Helper()
	i := strings.Index(b.text(), mark)
	if i < 0 {
		b.t.Fatalf("%q is not in the text:\n%s", mark, b.text())
	}
	return i + len(mark)
}

// complete asks as a client does while its user types: one that follows, or one that
// waits for the answer.
func (b *bench) complete(offset int, c client) Completions {
	b.t.Helper()
	out, err := b.engine.Completer.Complete(context.Background(), b.session.Snapshot(), CompleteRequest{Place: Place{URI: b.uri, Offset: offset}, Follows: c == follows})
	if err != nil {
		b.t.Fatal(err)
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

// keptTasks is a store of tasks in memory.
type keptTasks struct {
	mu       sync.Mutex
	saved    map[string]state.Task
	texts    map[string]string
	messages []state.TaskMessage
}

func (k *keptTasks) Save(t state.Task) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.saved == nil {
		k.saved = map[string]state.Task{}
	}
	k.saved[t.ID] = t
	return nil
}

func (k *keptTasks) Get(id string) (state.Task, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	t, ok := k.saved[id]
	if !ok {
		return t, state.ErrNoTask
	}
	return t, nil
}

func (k *keptTasks) Take(id string) (state.Task, error) {
	t, err := k.Get(id)
	if err == nil && t.Running() {
		err = state.ErrOwned
	}
	return t, err
}

func (k *keptTasks) Change(id string, change func(*state.Task)) error {
	t, err := k.Take(id)
	if err != nil {
		return err
	}
	change(&t)
	return k.Save(t)
}

func (k *keptTasks) List() ([]state.Task, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	var out []state.Task
	for _, t := range k.saved {
		out = append(out, t)
	}
	return out, nil
}

func (k *keptTasks) Send(_ string, m state.TaskMessage) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.messages = append(k.messages, m)
	return nil
}

func (k *keptTasks) Receive(string) ([]state.TaskMessage, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	messages := k.messages
	k.messages = nil
	return messages, nil
}

func (k *keptTasks) PutText(_, text string) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.texts == nil {
		k.texts = map[string]string{}
	}
	name := workspace.HashOf(text).String()
	k.texts[name] = text
	return name, nil
}

func (k *keptTasks) Text(_, name string) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.texts[name], nil
}
