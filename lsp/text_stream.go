package lsp

import (
	"sync"
	"time"
)

// streamInterval is the time between two pieces of one stream: a client gets at
// most 30 a second.
const streamInterval = time.Second / 30

// A textStream carries one answer to the one client request or proposal that
// asked for it, in order and in pieces that grow while the client is slow. It
// holds the only buffer between the model and the connection. The first piece is
// sent at once.
type textStream struct {
	queue  *notificationQueue
	method string
	params func(text string) any

	mu   sync.Mutex // guards all below
	text string     // not sent yet
	next time.Time  // when the next piece may be sent
}

func newTextStream(q *notificationQueue, method string, params func(text string) any) *textStream {
	return &textStream{queue: q, method: method, params: params}
}

// add appends to what the client will get.
func (t *textStream) add(text string) {
	if text == "" {
		return
	}
	t.mu.Lock()
	t.text += text
	after := t.next
	t.mu.Unlock()
	t.queue.enqueue(&queuedNotification{key: t, method: t.method, params: t.drain, after: after})
}

// drain returns the notification with the text that was added since the last one.
func (t *textStream) drain() any {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := t.text
	t.text, t.next = "", time.Now().Add(streamInterval)
	if text == "" {
		return nil
	}
	return t.params(text)
}

// flush sends the rest; it has been written when flush returns.
func (t *textStream) flush() { t.queue.flush(t) }
