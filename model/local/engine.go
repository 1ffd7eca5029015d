package local

import (
	"context"
	"strings"
	"sync"

	"tandem/model"
	"tandem/workspace/run"
)

// Name is what the built-in engine is called where a model's name stands.
const Name = "built-in"

// An Engine is the built-in engine of one session. It keeps what it learned of
// each folder and learns on in the background as the folder changes.
type Engine struct {
	group *run.Group

	mu    sync.Mutex         // guards roots
	roots map[string]*school // by Corpus.Root
}

// New returns an engine whose background work runs in group. A nil group
// learns where it is asked, before it answers: for commands and tests.
func New(group *run.Group) *Engine {
	return &Engine{group: group, roots: map[string]*school{}}
}

// For is the engine as a model that has read a corpus.
func (e *Engine) For(c Corpus) model.Client { return &client{e, c} }

// school is what is learned of the corpus' folder.
func (e *Engine) school(c Corpus) *school {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.roots[c.Root()]
	if s == nil {
		s = &school{}
		e.roots[c.Root()] = s
	}
	return s
}

// Consider is everything the engine can think of for a hole, the surest
// first, whether it would be shown or not.
func (e *Engine) Consider(c Corpus, f *model.Fill) []Candidate {
	h := newHole(f)
	return h.candidates(e.learn(c, f.Path))
}

// learn is what is known of a corpus now; what is not is learned behind. The
// document that is being typed is left out.
func (e *Engine) learn(c Corpus, without string) knowledge {
	s := e.school(c)
	if e.group == nil {
		s.attend(context.Background(), c, without)
	} else if s.missing(c, without) && !s.busy.Swap(true) {
		started := e.group.Go("learning the workspace", func(ctx context.Context) {
			defer s.busy.Store(false)
			s.attend(ctx, c, without)
		})
		if !started {
			s.busy.Store(false)
		}
	}
	return s.knows()
}

// A client is the engine on one corpus, as a model.
type client struct {
	engine *Engine
	corpus Corpus
}

// Stream answers a Fill. Anything else takes a model, and says so.
func (c *client) Stream(ctx context.Context, req *model.Request) model.Stream {
	return func(yield func(model.Delta, error) bool) {
		if req.Fill == nil || req.Purpose != model.Complete {
			yield(model.Delta{}, &model.Error{Code: model.CodeNeedsModel, Model: Name,
				Message: "The built-in engine completes code and answers questions about where things are; for this set fast = \"MODEL\" in the configuration."})
			return
		}
		said := c.complete(ctx, req.Fill)
		if said == "" {
			yield(model.Delta{}, &model.Error{Code: model.CodeEmpty, Model: Name, Message: "The built-in engine has seen nothing like this line often enough to suggest it."})
			return
		}
		if yield(model.Delta{Text: said, Served: Name}, nil) {
			yield(model.Delta{Final: &model.Final{StopReason: "stop"}}, nil)
		}
	}
}

// complete is the suggestion for a hole, or "".
func (c *client) complete(ctx context.Context, f *model.Fill) string {
	return strings.Join(c.engine.Suggest(ctx, c.corpus, f, 1, false), "")
}

// Warm learns the corpus in the background.
func (c *client) Warm(context.Context) error {
	c.engine.learn(c.corpus, "")
	return nil
}

// Close does nothing: what was learned serves the next client.
func (c *client) Close() error { return nil }
