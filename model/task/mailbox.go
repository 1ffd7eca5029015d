package task

import (
	"context"
	"errors"
	"sync"
)

// The kinds of message to a task, as other processes write them.
const (
	steerMessage  = "steer"
	resumeMessage = "resume"
	planMessage   = "plan"
	cancelMessage = "cancel"
)

// A taskMessage is what the user wants of a running task.
type taskMessage struct {
	kind, text  string
	sendSecrets bool // those in the text
}

// errSteered ends the work of a task before its time.
var errSteered = errors.New("the user has a message for the task")

// A mailbox holds what the user sends to a running task, and stops what runs so that it is
// read.
type mailbox struct {
	mu        sync.Mutex // guards all below
	inbox     []taskMessage
	wake      chan struct{} // has a value when inbox has one
	interrupt context.CancelCauseFunc
	open      bool // a question waits for the user's answer
	answer    chan taskMessage
	cancelled bool
	ended     bool
}

func newMailbox() *mailbox {
	return &mailbox{wake: make(chan struct{}, 1), answer: make(chan taskMessage, 1)}
}

// post adds a message and stops what runs, so that it is read; it is false if the task
// has ended. A sentence that comes while a question is open is its answer.
func (b *mailbox) post(m taskMessage) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended || b.cancelled {
		return false
	}
	if b.open && m.kind == steerMessage {
		b.open = false
		b.answer <- m
		return true
	}
	b.inbox = append(b.inbox, m)
	if b.interrupt != nil {
		b.interrupt(errSteered)
	}
	select {
	case b.wake <- struct{}{}:
	default:
	}
	return true
}

// cancel marks the task as cancelled by the user; it is false if it has ended.
func (b *mailbox) cancel() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return false
	}
	b.cancelled = true
	return true
}

func (b *mailbox) asks() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.open
}

// take returns the messages that were not read yet.
func (b *mailbox) take() []taskMessage {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := b.inbox
	b.inbox = nil
	return out
}

// phase is a context that a message ends with the cause errSteered.
func (b *mailbox) phase(ctx context.Context) (context.Context, func()) {
	inner, cancel := context.WithCancelCause(ctx)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.interrupt = cancel
	if len(b.inbox) > 0 {
		cancel(errSteered)
	}
	return inner, func() {
		b.mu.Lock()
		b.interrupt = nil
		b.mu.Unlock()
		cancel(nil)
	}
}

// wait returns when there is a message, or with the context's error.
func (b *mailbox) wait(ctx context.Context) error {
	for {
		b.mu.Lock()
		some := len(b.inbox) > 0
		b.mu.Unlock()
		if some {
			return nil
		}
		select {
		case <-b.wake:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// openQuestion is false if a question waits for the user already.
func (b *mailbox) openQuestion() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open {
		return false
	}
	b.open = true
	return true
}

// waitForAnswer ends the question.
func (b *mailbox) waitForAnswer(ctx context.Context) (taskMessage, error) {
	select {
	case m := <-b.answer:
		return m, nil
	case <-ctx.Done():
		b.mu.Lock()
		defer b.mu.Unlock()
		b.open = false
		return taskMessage{}, ctx.Err()
	}
}

// finish marks the run as ended: no message is taken from now on. It is false if one is
// left to be read.
func (b *mailbox) finish() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.inbox) > 0 && !b.cancelled {
		return false
	}
	b.ended = true
	return true
}

// end marks the run as ended, whatever is left to be read.
func (b *mailbox) end() (cancelled bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
	return b.cancelled
}

func (b *mailbox) over() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.ended
}
