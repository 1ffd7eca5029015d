package lsp

import (
	"context"
	"sync"

	"go.lsp.dev/protocol"
)

// A client is what the other side can do, as far as it matters here.
type client struct {
	Name string

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
	actionResolve bool // resolves an action's edit and command
	disabled      bool // code actions may say why they are disabled

	tandem extensions

	said said
}

// extensions are the notifications of CONTRACTS that a client asked for.
type extensions struct {
	Proposals bool `json:"proposals"`
	Status    bool `json:"status"`
	Tasks     bool `json:"tasks"`
	Inline    bool `json:"inline"`
}

// said remembers what the user was told, so that it is told once.
type said struct {
	mu   sync.Mutex // guards seen
	seen map[string]bool
}

// first reports whether sentence is new.
func (s *said) first(sentence string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	if s.seen[sentence] {
		return false
	}
	s.seen[sentence] = true
	return true
}

// A capabilities is the part of the client's capabilities that is looked at.
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
			DisabledSupport          bool      `json:"disabledSupport"`
			DataSupport              bool      `json:"dataSupport"`
			ResolveSupport           struct {
				Properties []string `json:"properties"`
			} `json:"resolveSupport"`
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

// call asks the client and waits for its answer. It must not run on the read loop.
func (s *Server) call(ctx context.Context, method string, params, result any) error {
	_, err := s.conn.Call(ctx, method, params, result)
	return err
}

// notify tells the client something; a connection that is over is no news.
func (s *Server) notify(method string, params any) {
	if err := s.conn.Notify(context.Background(), method, params); err != nil {
		s.log.Debug("notification not sent", "method", method, "reason", err.Error())
	}
}

// say shows a sentence to the user, once a session.
func (s *Server) say(kind protocol.MessageType, sentence string) {
	if sentence != "" && s.client.said.first(sentence) {
		s.notify(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: kind, Message: printableText(sentence)})
	}
}
