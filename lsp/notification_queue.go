package lsp

import (
	"context"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"golang.org/x/time/rate"

	"tandem/workspace/run"
)

// Limits of the notifications that the server sends without a request: an
// editor that receives more spends its time on redrawing, not on the user's keys.
const (
	notificationsPerSecond = 45
	notificationsBurst     = 5
	bytesPerSecond         = 1 << 20
	maxNotificationBytes   = bytesPerSecond // a larger one uses this much of the byte limit
)

// A notificationQueue sends the server's own notifications at a bounded rate,
// in order. A posted notification always arrives. Of the notifications put
// under one key only the latest arrives, at the position of the first. A
// notification is made after the limits let it pass, so it is never older than
// the moment it leaves.
type notificationQueue struct {
	send         func(method string, params any)
	onPanic      func(*run.Panic) // called when making a notification panicked
	countLimiter *rate.Limiter
	byteLimiter  *rate.Limiter

	// sending is held from taking a notification out of the queue until it is
	// sent, so that no sender overtakes another.
	sending sync.Mutex

	mu    sync.Mutex // guards queue
	queue []*queuedNotification
	wake  chan struct{} // holds one token when queue may have changed
}

type queuedNotification struct {
	key    any // nil for a notification that must arrive unchanged
	method string
	params func() any // called when the notification is sent; nil: nothing is sent
	after  time.Time  // not sent before
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
	q.enqueue(&queuedNotification{method: method, params: func() any { return params }})
}

// put queues a notification; it replaces a queued one with the same key.
func (q *notificationQueue) put(key, method string, params func() any) {
	q.enqueue(&queuedNotification{key: key, method: method, params: params})
}

func (q *notificationQueue) enqueue(n *queuedNotification) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if i := q.find(n.key); n.key != nil && i >= 0 {
		q.queue[i].params = n.params
		return
	}
	q.queue = append(q.queue, n)
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

func (q *notificationQueue) find(key any) int {
	return slices.IndexFunc(q.queue, func(n *queuedNotification) bool { return n.key == key })
}

// run sends until ctx ends.
func (q *notificationQueue) run(ctx context.Context) {
	for {
		if !q.waitReady(ctx) || q.countLimiter.Wait(ctx) != nil {
			return
		}
		sent := q.sendOne(func() int { return q.firstReady(time.Now()) })
		if q.byteLimiter.WaitN(ctx, min(sent, maxNotificationBytes)) != nil {
			return
		}
	}
}

// waitReady waits until a notification may be sent; false: ctx has ended.
func (q *notificationQueue) waitReady(ctx context.Context) bool {
	for {
		q.mu.Lock()
		now := time.Now()
		ready, wait := q.firstReady(now) >= 0, time.Duration(-1)
		for _, n := range q.queue {
			if d := n.after.Sub(now); wait < 0 || d < wait {
				wait = d
			}
		}
		q.mu.Unlock()
		if ready {
			return true
		}
		var timer <-chan time.Time
		if wait >= 0 {
			timer = time.After(wait)
		}
		select {
		case <-ctx.Done():
			return false
		case <-q.wake:
		case <-timer:
		}
	}
}

// firstReady is the index of the first notification that may be sent, or -1.
func (q *notificationQueue) firstReady(now time.Time) int {
	return slices.IndexFunc(q.queue, func(n *queuedNotification) bool { return !n.after.After(now) })
}

// sendOne sends the notification that choose finds in the queue, if any, and
// returns its size in bytes. choose runs with mu held.
func (q *notificationQueue) sendOne(choose func() int) int {
	q.sending.Lock()
	defer q.sending.Unlock()
	n := q.take(choose)
	if n == nil {
		return 0
	}
	raw := q.encode(n)
	if raw != nil {
		q.send(n.method, jsonrpc2.RawMessage(raw))
	}
	return len(raw)
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

// flush sends the notification queued under key now, past the limits, so that
// it arrives before the caller's next message.
func (q *notificationQueue) flush(key any) {
	sent := q.sendOne(func() int { return q.find(key) })
	q.byteLimiter.ReserveN(time.Now(), min(sent, maxNotificationBytes))
}

// remove removes the notification queued under key.
func (q *notificationQueue) remove(key any) { q.take(func() int { return q.find(key) }) }

// take removes the notification that choose finds; nil if it finds none.
func (q *notificationQueue) take(choose func() int) *queuedNotification {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := choose()
	if i < 0 {
		return nil
	}
	n := q.queue[i]
	q.queue = slices.Delete(q.queue, i, i+1)
	return n
}
