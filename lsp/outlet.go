package lsp

import (
	"context"
	"slices"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"golang.org/x/time/rate"

	"tandem/workspace/run"
)

// How much the server says on its own: an editor that is told more redraws
// instead of typing.
const (
	notesPerSecond = 25
	notesBurst     = 5
	bytesPerSecond = 1 << 20
	maxNote        = bytesPerSecond // a larger notification is paid for in full
)

// An outlet sends the server's own notifications at a bounded rate, in order.
// What was posted arrives; of what was put under a key only the latest, or all
// of it merged, in the place of the first.
type outlet struct {
	send   func(method string, params any)
	broken func(*run.Panic) // told when a notification could not be made
	notes  *rate.Limiter
	bytes  *rate.Limiter

	mu    sync.Mutex // guards queue
	queue []*note
	wake  chan struct{} // holds one token when queue may not be empty
}

type note struct {
	key    string // "" for what must arrive as it is
	method string
	params func() any // made when the note is sent; nil then is no note
}

func newOutlet(send func(string, any), broken func(*run.Panic)) *outlet {
	return &outlet{
		send: send, broken: broken, wake: make(chan struct{}, 1),
		notes: rate.NewLimiter(notesPerSecond, notesBurst),
		bytes: rate.NewLimiter(bytesPerSecond, maxNote),
	}
}

// post queues a notification that must arrive.
func (o *outlet) post(method string, params any) {
	o.put("", method, func() any { return params })
}

// put queues a notification, in place of the one that waits under the same key.
func (o *outlet) put(key, method string, params func() any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if i := o.find(key); key != "" && i >= 0 {
		o.queue[i].params = params
		return
	}
	o.queue = append(o.queue, &note{key, method, params})
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

func (o *outlet) find(key string) int {
	return slices.IndexFunc(o.queue, func(n *note) bool { return n.key == key })
}

// run sends until ctx ends.
func (o *outlet) run(ctx context.Context) {
	for {
		n := o.take("")
		if n == nil {
			select {
			case <-ctx.Done():
				return
			case <-o.wake:
				continue
			}
		}
		if raw := o.make(n); raw != nil {
			if o.notes.Wait(ctx) != nil {
				return
			}
			o.deliver(ctx, n, raw)
		}
	}
}

// make encodes a note, or is nil when there is nothing to say after all.
func (o *outlet) make(n *note) (raw []byte) {
	p := run.Call("notification "+n.method, func() {
		params := n.params()
		if params == nil {
			return
		}
		var err error
		if raw, err = protocol.Marshal(params); err != nil {
			raw = nil
		}
	})
	if p != nil {
		o.broken(p)
	}
	return raw
}

// deliver sends a note, once its bytes are within the rate.
func (o *outlet) deliver(ctx context.Context, n *note, raw []byte) {
	if o.bytes.WaitN(ctx, min(len(raw), maxNote)) == nil {
		o.send(n.method, jsonrpc2.RawMessage(raw))
	}
}

// flush sends what waits under a key now, so that it comes before what the
// caller sends next.
func (o *outlet) flush(ctx context.Context, key string) {
	if n := o.take(key); n != nil {
		if raw := o.make(n); raw != nil {
			o.deliver(ctx, n, raw)
		}
	}
}

// take removes the first note, or the one under key.
func (o *outlet) take(key string) *note {
	o.mu.Lock()
	defer o.mu.Unlock()
	i := 0
	if key != "" {
		i = o.find(key)
	}
	if i < 0 || i >= len(o.queue) {
		return nil
	}
	n := o.queue[i]
	o.queue = slices.Delete(o.queue, i, i+1)
	return n
}

// A pieces gathers text that is sent in parts.
type pieces struct {
	mu   sync.Mutex // guards text
	text string
}

func (p *pieces) add(s string) {
	p.mu.Lock()
	p.text += s
	p.mu.Unlock()
}

// drain returns what was gathered since the last call.
func (p *pieces) drain() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.text
	p.text = ""
	return s
}
