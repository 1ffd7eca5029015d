package lsp

import (
	"slices"

	"go.lsp.dev/protocol"
)

// A Client is what an editor announced at initialize, and so how each thing reaches its user.
// It is made once and does not change. Handlers say what is to be shown, changed or asked;
// which messages of the protocol that takes is decided here and nowhere else.
type Client struct {
	name string       // what it calls itself
	can  capabilities // what it announced
}

func clientOf(p *initializeParams) Client { return Client{p.ClientInfo.Name, p.Capabilities} }

// wants are the notifications of CONTRACTS that it asked for.
func (c *Client) wants() extensions { return c.can.Experimental.Tandem }

// appliesEdits reports whether it applies an edit that the server sends.
func (c *Client) appliesEdits() bool { return c.can.Workspace.ApplyEdit }

// appliesOperation reports whether an edit may create or delete a file, as kind says.
func (c *Client) appliesOperation(kind string) bool {
	return slices.Contains(c.can.Workspace.WorkspaceEdit.ResourceOperations, kind)
}

// writesNewFiles are the clients without the operation create that make a file by an edit of its
// text where there is none: each was tried.
var writesNewFiles = []string{"Eglot", "vim-lsp"}

// createsByEdit reports whether an edit of a file that does not exist creates it.
func (c *Client) createsByEdit() bool { return slices.Contains(writesNewFiles, c.name) }

// cursorsAreSelections are the clients whose cursor is a selection of one character.
var cursorsAreSelections = []string{"helix", "kakoune-lsp"}

// selectsCursor reports whether one selected character may be only the cursor.
func (c *Client) selectsCursor() bool { return slices.Contains(cursorsAreSelections, c.name) }

// versionsEdits reports whether it compares the versions that an edit was made for.
func (c *Client) versionsEdits() bool { return c.can.Workspace.WorkspaceEdit.DocumentChanges }

// hasActionLiterals reports whether its menu takes more than commands.
func (c *Client) hasActionLiterals() bool {
	return c.can.TextDocument.CodeAction.CodeActionLiteralSupport != nil
}

// resolvesEdits reports whether it asks for the edit of an action that was chosen.
func (c *Client) resolvesEdits() bool {
	a := &c.can.TextDocument.CodeAction
	return a.DataSupport && slices.Contains(a.ResolveSupport.Properties, "edit")
}

// acceptsByAction reports whether a proposal is accepted by the edit of an action: there is no
// other way to its text.
func (c *Client) acceptsByAction() bool { return !c.appliesEdits() && c.hasActionLiterals() }

// kindOf is the kind under which it groups an action. Most menus leave out what they do not know,
// and light bulbs the kind source.
func (c *Client) kindOf(kind string) string {
	if kind == kindAnswer && !c.wants().Proposals {
		return kindRefactor
	}
	return kind
}

// prefersMarkdown reports whether a hover is Markdown: its formats are in its order.
func (c *Client) prefersMarkdown() bool {
	formats := c.can.TextDocument.Hover.ContentFormat
	return len(formats) > 0 && formats[0] == "markdown"
}

// opensTexts reports whether it opens documents that only the server has. Neovim announces
// content that it does not ask for.
func (c *Client) opensTexts() bool {
	return c.can.Workspace.TextDocumentContent != nil && c.name != "Neovim" && c.opensDocuments()
}

func (c *Client) opensDocuments() bool { return c.can.Window.ShowDocument.Support }

// asksForInline reports whether it announced that it asks for inline completions.
func (c *Client) asksForInline() bool { return c.can.TextDocument.InlineCompletion != nil }

// watchesFiles and watchesSettings report whether it registers for these events.
func (c *Client) watchesFiles() bool {
	return c.can.Workspace.DidChangeWatchedFiles.DynamicRegistration
}

func (c *Client) watchesSettings() bool { return c.can.Workspace.DidChangeConfig.DynamicRegistration }

// sends is every message that the server sends by itself, with what a client must have announced
// to get it. What is not listed is not sent.
var sends = map[string]func(*Client) bool{
	protocol.MethodWindowShowMessage:              everyClient,
	protocol.MethodWindowShowMessageRequest:       everyClient,
	protocol.MethodTextDocumentPublishDiagnostics: everyClient,
	protocol.MethodProgress:                       everyClient, // under a token that it gave or granted
	"didChangeStatus":                             everyClient, // once it has asked for a next edit

	protocol.MethodWindowWorkDoneProgressCreate: func(c *Client) bool { return c.can.Window.WorkDoneProgress },
	protocol.MethodWindowShowDocument:           (*Client).opensDocuments,
	protocol.MethodWorkspaceApplyEdit:           (*Client).appliesEdits,
	protocol.MethodWorkspaceCodeLensRefresh:     func(c *Client) bool { return c.can.Workspace.CodeLens.RefreshSupport },
	protocol.MethodClientRegisterCapability:     func(c *Client) bool { return c.watchesFiles() || c.watchesSettings() },

	"tandem/proposal":    func(c *Client) bool { return c.wants().Proposals },
	"tandem/status":      func(c *Client) bool { return c.wants().Status },
	"tandem/task":        func(c *Client) bool { return c.wants().Tasks },
	"tandem/inlineReady": func(c *Client) bool { return c.wants().Inline },
	"tandem/inlineMark":  func(c *Client) bool { return c.wants().Inline },
	"tandem/notice":      func(c *Client) bool { return c.wants().Notices },
}

func everyClient(*Client) bool { return true }

// takes reports whether a message may be sent to it.
func (c *Client) takes(method string) bool {
	may, listed := sends[method]
	return listed && may(c)
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

// A capabilities is the part of the client's capabilities that the server reads.
type capabilities struct {
	Workspace struct {
		ApplyEdit     bool `json:"applyEdit"`
		WorkspaceEdit struct {
			DocumentChanges    bool     `json:"documentChanges"`
			ResourceOperations []string `json:"resourceOperations"`
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
			IsPreferredSupport       bool      `json:"isPreferredSupport"`
			DataSupport              bool      `json:"dataSupport"`
			ResolveSupport           struct {
				Properties []string `json:"properties"`
			} `json:"resolveSupport"`
		} `json:"codeAction"`
		InlineCompletion *struct{} `json:"inlineCompletion"`
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
