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

// Limits of the notifications that the server sends without a request: an
// editor that receives more spends its time on redrawing, not on the user's keys.
const (
	notificationsPerSecond = 25
	notificationsBurst     = 5
	bytesPerSecond         = 1 << 20
	maxNotificationBytes   = bytesPerSecond // a larger one uses this much of the byte limit
)

// A notificationQueue sends the server's own notifications at a bounded rate,
// in order. A posted notification always arrives. Of the notifications put
// under one key only the latest arrives, or all of them merged, at the position
// of the first.
type notificationQueue struct {
	send         func(method string, params any)
	onPanic      func(*run.Panic) // called when making a notification panicked
	countLimiter *rate.Limiter
	byteLimiter  *rate.Limiter

	mu    sync.Mutex // guards queue
	queue []*queuedNotification
	wake  chan struct{} // holds one token when queue may not be empty
}

type queuedNotification struct {
	key    string // "" for a notification that must arrive unchanged
	method string
	params func() any // called when the notification is sent; nil: nothing is sent
}

func newNotificationQueue(send func(string, any), onPanic func(*run.Panic)) *notificationQueue {
	return &notificationQueue{
		send: send, onPanic: onPanic, wake: make(chan struct{}, 1),
		countLimiter: rate.NewLimiter(notificationsPerSecond, notificationsBurst),
		byteLimiter:  rate.NewLimiter(bytesPerSecond, maxNotificationBytes),
	}
}

// post queues a notification that must arrive.
func (q *notificationQueue) post(method string, params any) {
	q.put("", method, func() any { return params })
}

// put queues a notification; it replaces a queued one with the same key.
func (q *notificationQueue) put(key, method string, params func() any) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if i := q.find(key); key != "" && i >= 0 {
		q.queue[i].params = params
		return
	}
	q.queue = append(q.queue, &queuedNotification{key, method, params})
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

func (q *notificationQueue) find(key string) int {
	return slices.IndexFunc(q.queue, func(n *queuedNotification) bool { return n.key == key })
}

// run sends until ctx ends.
func (q *notificationQueue) run(ctx context.Context) {
	for {
		n := q.take("")
		if n == nil {
			select {
			case <-ctx.Done():
				return
			case <-q.wake:
				continue
			}
		}
		if raw := q.encode(n); raw != nil {
			if q.countLimiter.Wait(ctx) != nil {
				return
			}
			q.deliver(ctx, n, raw)
		}
	}
}

// encode makes and encodes a notification; nil means that there is nothing to send.
func (q *notificationQueue) encode(n *queuedNotification) (raw []byte) {
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
		q.onPanic(p)
	}
	return raw
}

// deliver sends a notification as soon as the byte limiter allows it.
func (q *notificationQueue) deliver(ctx context.Context, n *queuedNotification, raw []byte) {
	if q.byteLimiter.WaitN(ctx, min(len(raw), maxNotificationBytes)) == nil {
		q.send(n.method, jsonrpc2.RawMessage(raw))
	}
}

// flush sends the notification queued under key now, so that it arrives before
// the caller's next message.
func (q *notificationQueue) flush(ctx context.Context, key string) {
	if n := q.take(key); n != nil {
		if raw := q.encode(n); raw != nil {
			q.deliver(ctx, n, raw)
		}
	}
}

// take removes the first notification, or the one under key.
func (q *notificationQueue) take(key string) *queuedNotification {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := 0
	if key != "" {
		i = q.find(key)
	}
	if i < 0 || i >= len(q.queue) {
		return nil
	}
	n := q.queue[i]
	q.queue = slices.Delete(q.queue, i, i+1)
	return n
}

// A pieces collects text that is sent in parts.
type pieces struct {
	mu   sync.Mutex // guards text
	text string
}

func (p *pieces) add(s string) {
	p.mu.Lock()
	p.text += s
	p.mu.Unlock()
}

// drain returns the text that was added since the last call.
func (p *pieces) drain() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.text
	p.text = ""
	return s
}
