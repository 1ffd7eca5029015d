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

	"tandem/lsp/inert"
	"tandem/workspace/run"
)

// A client holds the capabilities of the client that the server uses.
type client struct {
	watches       bool // takes didChangeWatchedFiles registrations
	configuration bool // takes didChangeConfiguration registrations
	progress      bool // window/workDoneProgress/create
	showDocument  bool
	content       bool // workspace/textDocumentContent
	lenses        bool
	lensRefresh   bool
	markdown      bool // in hovers
	applyEdit     bool

	documentChanges bool // edits with versions and file operations

	actionLiteral bool // code actions rather than commands

	tandem    extensions
	nextEdits atomic.Bool // it has shown that it knows next edits

	reports reports
}

// extensions are the notifications of CONTRACTS that a client asked for.
type extensions struct {
	Proposals bool `json:"proposals"`
	Status    bool `json:"status"`
	Tasks     bool `json:"tasks"`
	Inline    bool `json:"inline"`
	Notices   bool `json:"notices"`
	Jumps     bool `json:"jumps"` // shows a next edit that is only a place to go to
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

// A capabilities is the part of the client's capabilities that the server reads.
type capabilities struct {
	Workspace struct {
		ApplyEdit     bool `json:"applyEdit"`
		WorkspaceEdit struct {
			DocumentChanges bool `json:"documentChanges"`
		} `json:"workspaceEdit"`
		DidChangeWatchedFiles dynamic `json:"didChangeWatchedFiles"`
		DidChangeConfig       dynamic `json:"didChangeConfiguration"`
		TextDocumentContent   *struct {
			DynamicRegistration bool `json:"dynamicRegistration"`
		} `json:"textDocumentContent"`
		CodeLens struct {
			RefreshSupport bool `json:"refreshSupport"`
		} `json:"codeLens"`
	} `json:"workspace"`
	TextDocument struct {
		Hover struct {
			ContentFormat []string `json:"contentFormat"`
		} `json:"hover"`
		CodeAction struct {
			CodeActionLiteralSupport *struct{} `json:"codeActionLiteralSupport"`
		} `json:"codeAction"`
		CodeLens *struct{} `json:"codeLens"`
	} `json:"textDocument"`
	Window struct {
		WorkDoneProgress bool `json:"workDoneProgress"`
		ShowDocument     struct {
			Support bool `json:"support"`
		} `json:"showDocument"`
	} `json:"window"`
	General struct {
		PositionEncodings []string `json:"positionEncodings"`
	} `json:"general"`
	Experimental struct {
		Tandem extensions `json:"tandem"`
	} `json:"experimental"`
}

type dynamic struct {
	DynamicRegistration bool `json:"dynamicRegistration"`
}

// A peer is the client's end of the connection: what is sent to it, what it shows and
// the work that runs on its behalf.
type peer struct {
	version string // of this program
	log     *slog.Logger
	conn    jsonrpc2.Conn
	group   *run.Group // all work; ends with the connection
	life    life

	client client
	enc    encoding

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
	_, err := p.conn.Call(ctx, method, params, result)
	return err
}

// notify sends a notification. A closed connection is only logged at debug level.
func (p *peer) notify(method string, params any) {
	if err := p.conn.Notify(context.Background(), method, params); err != nil {
		p.log.Debug("notification not sent", "method", method, "reason", err.Error())
	}
}

// report shows a message to the user, once a session.
func (p *peer) report(kind protocol.MessageType, message string) {
	if message != "" && p.client.reports.first(message) {
		p.showMessage(kind, inert.Message(message))
	}
}

// showMessage shows an inert text to the user.
func (p *peer) showMessage(kind protocol.MessageType, text string) {
	p.notify(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: kind, Message: text})
}
