package lsp

import (
	"context"
	"log/slog"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"tandem/lsp/client"
	"tandem/lsp/inert"
	"tandem/workspace/run"
)

// A peer is the client's end of the connection: what is sent to it, what it shows and
// the work that runs on its behalf.
type peer struct {
	version string // of this program
	log     *slog.Logger
	conn    jsonrpc2.Conn
	group   *run.Group // all work; ends with the connection
	life    life

	client  client.Client
	enc     encoding
	reports reports

	asksNext   atomic.Bool // it has shown that it asks for next edits
	asksInline atomic.Bool // or for inline completions

	names         names
	notebooks     notebooks
	notifications *notificationQueue
	progresses    progresses
	virtual       virtualDocuments
	consents      consents
}

func newPeer(d *Deps) *peer {
	log := d.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &peer{version: d.Version, log: log, life: life{exit: make(chan int, 1)}, virtual: virtualDocuments{preview: d.Preview}}
}

// asksForText reports whether the client asks for what the user is about to type: it announced
// that, or it has asked.
func (p *peer) asksForText() bool {
	return p.client.AsksForInline() || p.asksInline.Load() || p.asksNext.Load()
}

// Phases of the connection's life.
const (
	phaseNew int32 = iota
	phaseRunning
	phaseShutDown
)

// A life is how far a connection is.
type life struct {
	phase atomic.Int32
	exit  chan int // the exit code, once it is known
}

// end asks for the program's end with an exit code; the first one counts.
func (l *life) end(code int) {
	select {
	case l.exit <- code:
	default:
	}
}

// call sends a request to the client and waits for its response. It must not run on the read loop.
func (p *peer) call(ctx context.Context, method string, params, result any) error {
	message, err := p.client.Params(method, params)
	if err == nil {
		_, err = p.conn.Call(ctx, method, message, result)
	}
	return err
}

// notify sends a notification. What the client does not take is an error of the program; of a closed
// connection the log has a line at debug level.
func (p *peer) notify(method string, params any) {
	message, err := p.client.Params(method, params)
	if err != nil {
		p.log.Error("notification not sent", "method", method, "reason", err.Error())
	} else if err = p.conn.Notify(context.Background(), method, message); err != nil {
		p.log.Debug("notification not sent", "method", method, "reason", err.Error())
	}
}

// report shows a message to the user, once a session.
func (p *peer) report(kind protocol.MessageType, message string) {
	if message != "" && p.reports.first(message) {
		p.showMessage(kind, inert.Message(message))
	}
}

// showMessage shows an inert text to the user.
func (p *peer) showMessage(kind protocol.MessageType, text string) {
	p.notify(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: kind, Message: text})
}

// reports remembers when the user was last shown each message, so that none is shown twice.
type reports struct {
	mu   sync.Mutex // guards seen
	seen map[string]time.Time
}

// first reports whether message is new, and remembers it as shown.
func (s *reports) first(message string) bool { return s.again(message, math.MaxInt64) }

// again reports whether message was not shown for this long, and then remembers it as shown.
func (s *reports) again(message string, quiet time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if last, shown := s.seen[message]; shown && now.Sub(last) < quiet {
		return false
	}
	if s.seen == nil {
		s.seen = map[string]time.Time{}
	}
	s.seen[message] = now
	return true
}

// noticed remembers that a message was shown as a notice, with what mends it.
func (s *reports) noticed(message string) { s.again("notice: "+message, 0) }

// asNotice reports whether a message was just shown as a notice.
func (s *reports) asNotice(message string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	last, shown := s.seen["notice: "+message]
	return shown && time.Since(last) < sameFailure
}

// sameFailure is how long after a notice the error of a request with the same message is
// about the same failure.
const sameFailure = 5 * time.Second
