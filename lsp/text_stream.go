package lsp

import (
	"sync"
	"time"
)

// streamInterval is the time between two pieces of one stream: a client gets at
// most 30 a second.
const streamInterval = time.Second / 30

// A producer that adds more than fastBytes for a piece is faster than a person reads. It
// waits restTime after what it has added, and collects what arrives meanwhile at once:
// else it wakes up for each word, most of which wait for the next piece anyway. It is
// ready leadTime before the next piece leaves, so that no piece is later for it.
const (
	fastBytes = 48
	restTime  = 10 * time.Millisecond
	leadTime  = 3 * time.Millisecond
)

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
	last int        // bytes of the last piece
	next time.Time  // when the next piece may be sent
}

func newTextStream(q *notificationQueue, method string, params func(text string) any) *textStream {
	return &textStream{queue: q, method: method, params: params}
}

// add appends to what the client will get. It returns after a rest if the producer is fast.
func (t *textStream) add(text string) {
	if text == "" {
		return
	}
	t.mu.Lock()
	begins := t.text == ""
	t.text += text
	after, fast := t.next, max(t.last, len(t.text)) > fastBytes
	t.mu.Unlock()
	if begins {
		t.queue.enqueue(&queuedNotification{key: t, method: t.method, params: t.drain, after: after})
	}
	if fast {
		time.Sleep(min(restTime, time.Until(after)-leadTime)) // at once where the next piece is due
	}
}

// drain returns the notification with the text that was added since the last one.
func (t *textStream) drain() any {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := t.text
	t.text, t.last, t.next = "", len(text), time.Now().Add(streamInterval)
	if text == "" {
		return nil
	}
	return t.params(text)
}

// flush sends the rest; it has been written when flush returns.
func (t *textStream) flush() { t.queue.flush(t) }
