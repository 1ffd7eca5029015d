// Package assisttest is what the tests of the use cases share: models that answer as a script
// says, a store of tasks in memory, and a small workspace with one open document.
//
// Invariant: it knows no use case; each package's tests add their own. Deliberately absent:
// anything that a program uses.
package assisttest

import (
	"cmp"
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
	"tandem/workspace/redact"
	"tandem/workspace/run"
	"tandem/workspace/state"
)

// A Script is a fake lane: its answer to each request, how long it takes for the first
// piece and between pieces, and the requests that it got.
type Script struct {
	Answer  func(req *model.Request) (pieces []string, err error)
	First   time.Duration
	Gap     time.Duration
	Model   string    // what it is called; "" is "fake"
	Several int       // answers to one prompt that it gives; each piece is one answer then
	Format  string    // in which it writes edits; "" is the default
	Price   float64   // USD per million tokens
	End     model.End // of its answers; zero is whole
	Tools   bool      // it takes function calls: a piece "CALL NAME ARGUMENTS" is one
	// LogProbs say how likely each piece is; none where its server does not say.
	LogProbs []float64

	Mu    sync.Mutex // guards Asked
	Asked []*model.Request
}

func (s *Script) Requests() []*model.Request {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return append([]*model.Request(nil), s.Asked...)
}

// Replies returns a lane that gives the same answer to every request.
func Replies(pieces ...string) *Script {
	return &Script{Answer: func(*model.Request) ([]string, error) { return pieces, nil }}
}

// Lanes are fake models.
type Lanes map[model.Lane]*Script

func (l Lanes) Config(lane model.Lane) (model.ModelConfig, bool) {
	s, ok := l[lane]
	cfg := model.ModelConfig{Name: "fake-" + string(lane), Model: "fake", ContextWindow: 128000, MaxOutputTokens: 1000}
	if ok {
		cfg.Model, cfg.EditFormat, cfg.Choices = cmp.Or(s.Model, cfg.Model), s.Format, s.Several > 0
		cfg.InputPrice, cfg.OutputPrice, cfg.Tools = s.Price, s.Price, s.Tools
	}
	return cfg, ok
}

func (l Lanes) Stream(ctx context.Context, lane model.Lane, req *model.Request) model.Stream {
	return func(yield func(model.Delta, error) bool) {
		s := l[lane]
		s.Mu.Lock()
		s.Asked = append(s.Asked, req)
		s.Mu.Unlock()
		pieces, err := s.Answer(req)
		wait := s.First
		for i, piece := range pieces {
			if !run.Sleep(ctx, wait) {
				yield(model.Delta{}, &model.Error{Code: model.CodeCancelled, Message: "cancelled", Err: ctx.Err()})
				return
			}
			wait = s.Gap
			d := model.Delta{Text: piece}
			if call, ok := strings.CutPrefix(piece, "CALL "); ok && s.Tools {
				name, arguments, _ := strings.Cut(call, " ")
				d = model.Delta{Call: &model.ToolCall{ID: fmt.Sprint("c", i), Name: name, Arguments: redact.Said(arguments)}}
			}
			if req.N > 1 {
				d.Choice = i
			}
			if i < len(s.LogProbs) {
				d.LogProb = s.LogProbs[i]
			}
			if !yield(d, nil) {
				return
			}
		}
		if err != nil {
			yield(model.Delta{}, err)
			return
		}
		yield(model.Delta{Final: &model.Final{End: cmp.Or(s.End, model.Ended(model.WhyWhole, "stop")), Choices: min(s.Several, req.N)}}, nil)
	}
}

func (l Lanes) BackoffFor(model.Purpose) float64                  { return 1 }
func (l Lanes) ConfigFor(model.Purpose) (model.ModelConfig, bool) { return l.Config(model.Fast) }
func (l Lanes) Usage(string) (edits.Provenance, bool)             { return edits.Provenance{Model: "fake"}, true }
func (l Lanes) Status() model.Status                              { return model.Status{} }
func (l Lanes) Warm(context.Context, model.Lane)                  {}

// Followers are the use cases of a Bench: they follow its document.
type Followers interface {
	Opened(snap *workspace.Snapshot, uri string)
	Changed(snap *workspace.Snapshot, uri string, steps []workspace.Step)
	Closed(uri string)
	Offered(o *workspace.Overlay, edit edits.Edit) bool
}

// A Bench is a small workspace with one open document, main.go, and what follows it.
type Bench struct {
	T       *testing.T
	Root    string
	URI     string
	Session *workspace.Session
	Lanes   Lanes
	Version int32
	Follow  Followers

	Mu     sync.Mutex // guards Events
	Events []any
}

// New opens main.go with a text; the other files are on disk only. follow makes what follows
// it.
func New(t *testing.T, l Lanes, text string, others map[string]string, follow func(b *Bench, group *run.Group) Followers) *Bench {
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
	b := &Bench{T: t, Root: root, URI: workspace.URIOf(filepath.Join(root, "main.go")), Session: session, Lanes: l, Version: 1}
	b.Follow = follow(b, group)
	t.Cleanup(func() {
		group.Close()
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	})
	b.Open(text)
	if err := session.WaitIdle(context.Background()); err != nil {
		t.Fatal(err)
	}
	return b
}

// Open opens main.go with a text, at version 1 as editors do.
func (b *Bench) Open(text string) {
	b.Version = 1
	snap := b.Session.Update(workspace.Opened{URI: b.URI, Language: "go", Version: 1, Text: edits.NewText(text)})
	b.Follow.Opened(snap, b.URI)
}

func (b *Bench) Close() {
	b.Session.Update(workspace.Closed{URI: b.URI})
	b.Follow.Closed(b.URI)
}

func (b *Bench) Record(e any) {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	b.Events = append(b.Events, e)
}

func (b *Bench) Text() string {
	o, _ := b.Session.Snapshot().Overlay(b.URI)
	return o.Text.String()
}

// Edit is the user's typing: one change, as an editor sends it.
func (b *Bench) Edit(start, end int, text string) {
	b.T.Helper()
	b.Version++
	list := []edits.Edit{{Span: edits.Span{Start: start, End: end}, New: text}}
	steps, err := workspace.Steps(edits.NewText(b.Text()), list...)
	if err != nil {
		b.T.Fatal(err)
	}
	if o, ok := b.Session.Snapshot().Overlay(b.URI); ok {
		steps[0].Accepted = b.Follow.Offered(o, list[0])
	}
	snap := b.Session.Update(workspace.Edited{URI: b.URI, Version: b.Version, Steps: steps})
	b.Follow.Changed(snap, b.URI, steps)
}

// At returns the offset just after the first occurrence of mark.
func (b *Bench) At(mark string) int {
	b.T.Helper()
	i := strings.Index(b.Text(), mark)
	if i < 0 {
		b.T.Fatalf("%q is not in the text:\n%s", mark, b.Text())
	}
	return i + len(mark)
}

// KeptTasks is a store of tasks in memory.
type KeptTasks struct {
	Mu       sync.Mutex
	Saved    map[string]state.Task
	Texts    map[string]string
	Messages []state.TaskMessage
}

func (k *KeptTasks) Save(t state.Task) error {
	k.Mu.Lock()
	defer k.Mu.Unlock()
	if k.Saved == nil {
		k.Saved = map[string]state.Task{}
	}
	k.Saved[t.ID] = t
	return nil
}

func (k *KeptTasks) Get(id string) (state.Task, error) {
	k.Mu.Lock()
	defer k.Mu.Unlock()
	t, ok := k.Saved[id]
	if !ok {
		return t, state.ErrNoTask
	}
	return t, nil
}

func (k *KeptTasks) Take(id string) (state.Task, error) {
	t, err := k.Get(id)
	if err == nil && t.Running() {
		err = state.ErrOwned
	}
	return t, err
}

func (k *KeptTasks) Change(id string, change func(*state.Task)) error {
	t, err := k.Take(id)
	if err != nil {
		return err
	}
	change(&t)
	return k.Save(t)
}

func (k *KeptTasks) List() ([]state.Task, error) {
	k.Mu.Lock()
	defer k.Mu.Unlock()
	var out []state.Task
	for _, t := range k.Saved {
		out = append(out, t)
	}
	return out, nil
}

func (k *KeptTasks) Send(_ string, m state.TaskMessage) error {
	k.Mu.Lock()
	defer k.Mu.Unlock()
	k.Messages = append(k.Messages, m)
	return nil
}

func (k *KeptTasks) Receive(string) ([]state.TaskMessage, error) {
	k.Mu.Lock()
	defer k.Mu.Unlock()
	messages := k.Messages
	k.Messages = nil
	return messages, nil
}

func (k *KeptTasks) PutText(_, text string) (string, error) {
	k.Mu.Lock()
	defer k.Mu.Unlock()
	if k.Texts == nil {
		k.Texts = map[string]string{}
	}
	name := workspace.HashOf(text).String()
	k.Texts[name] = text
	return name, nil
}

func (k *KeptTasks) Text(_, name string) (string, error) {
	k.Mu.Lock()
	defer k.Mu.Unlock()
	return k.Texts[name], nil
}

// AskedFor returns the requests whose last message holds a text.
func (s *Script) AskedFor(text string) (out []*model.Request) {
	for _, req := range s.Requests() {
		if strings.Contains(req.Input[len(req.Input)-1].Text.String(), text) {
			out = append(out, req)
		}
	}
	return out
}

func (b *Bench) Selection(text string) edits.Span {
	end := b.At(text)
	return edits.Span{Start: end - len(text), End: end}
}

// A Follower follows single documents.
type Follower interface {
	Opened(o *workspace.Overlay)
	Changed(snap *workspace.Snapshot, o *workspace.Overlay, steps []workspace.Step)
	Closed(uri string)
}

// Each are followers of single documents, in their order.
type Each []Follower

// Opened begins the life of a document for each.
func (e Each) Opened(snap *workspace.Snapshot, uri string) {
	if o, ok := snap.Overlay(uri); ok {
		for _, f := range e {
			f.Opened(o)
		}
	}
}

// Changed gives a change to each.
func (e Each) Changed(snap *workspace.Snapshot, uri string, steps []workspace.Step) {
	if o, ok := snap.Overlay(uri); ok {
		for _, f := range e {
			f.Changed(snap, o, steps)
		}
	}
}

// Closed ends the life of a document for each.
func (e Each) Closed(uri string) {
	for _, f := range e {
		f.Closed(uri)
	}
}

// Offered reports whether one of them has offered an edit.
func (e Each) Offered(o *workspace.Overlay, edit edits.Edit) bool {
	for _, f := range e {
		if f, ok := f.(interface {
			Offered(*workspace.Overlay, edits.Edit) bool
		}); ok && f.Offered(o, edit) {
			return true
		}
	}
	return false
}
