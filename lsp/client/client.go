// Package client is what an editor announced, and what may be sent to it.
//
// Invariant: a Message is made by a Client alone, of what its editor takes, and nothing else is
// encoded.
package client

import (
	"slices"

	"go.lsp.dev/protocol"
)

// A Client is what an editor announced at initialize, and so how each thing reaches its user.
// It is made once and does not change. Handlers say what is to be shown, changed or asked;
// which messages of the protocol that takes is decided here and nowhere else.
type Client struct {
	name string       // what it calls itself
	can  Capabilities // what it announced
}

// Of is the client of that name which announced this.
func Of(name string, announced Capabilities) Client { return Client{name, announced} }

// Wants are the notifications of CONTRACTS that it asked for.
func (c *Client) Wants() Extensions { return c.can.Experimental.Tandem }

// AppliesEdits reports whether it applies an edit that the server sends.
func (c *Client) AppliesEdits() bool { return c.can.Workspace.ApplyEdit }

// AppliesOperation reports whether an edit may create or delete a file, as kind says.
func (c *Client) AppliesOperation(kind string) bool {
	return slices.Contains(c.can.Workspace.WorkspaceEdit.ResourceOperations, kind)
}

// writesNewFiles are the clients without the operation create that make a file by an edit of its
// text where there is none: each was tried.
var writesNewFiles = []string{"Eglot", "vim-lsp"}

// CreatesByEdit reports whether an edit of a file that does not exist creates it.
func (c *Client) CreatesByEdit() bool { return slices.Contains(writesNewFiles, c.name) }

// cursorsAreSelections are the clients whose cursor is a selection of one character.
var cursorsAreSelections = []string{"helix", "kakoune-lsp"}

// SelectsCursor reports whether one selected character may be only the cursor.
func (c *Client) SelectsCursor() bool { return slices.Contains(cursorsAreSelections, c.name) }

// VersionsEdits reports whether it compares the versions that an edit was made for.
func (c *Client) VersionsEdits() bool { return c.can.Workspace.WorkspaceEdit.DocumentChanges }

// HasActionLiterals reports whether its menu takes more than commands.
func (c *Client) HasActionLiterals() bool {
	return c.can.TextDocument.CodeAction.CodeActionLiteralSupport != nil
}

// ResolvesEdits reports whether it asks for the edit of an action that was chosen.
func (c *Client) ResolvesEdits() bool {
	a := &c.can.TextDocument.CodeAction
	return a.DataSupport && slices.Contains(a.ResolveSupport.Properties, "edit")
}

// AcceptsByAction reports whether a proposal is accepted by the edit of an action: there is no
// other way to its text.
func (c *Client) AcceptsByAction() bool { return !c.AppliesEdits() && c.HasActionLiterals() }

// Kinds of actions.
const (
	KindRefactor = "refactor"
	KindAnswer   = "tandem" // what changes nothing; VS Code leaves actions of kind source out of its menu
)

// KindOf is the kind under which it groups an action. Most menus leave out what they do not know,
// and light bulbs the kind source.
func (c *Client) KindOf(kind string) string {
	if kind == KindAnswer && !c.Wants().Proposals {
		return KindRefactor
	}
	return kind
}

// MarksPreferred reports whether it takes one of the actions for the likeliest.
func (c *Client) MarksPreferred() bool { return c.can.TextDocument.CodeAction.IsPreferredSupport }

// PrefersMarkdown reports whether a hover is Markdown: its formats are in its order.
func (c *Client) PrefersMarkdown() bool {
	formats := c.can.TextDocument.Hover.ContentFormat
	return len(formats) > 0 && formats[0] == "markdown"
}

// OpensTexts reports whether it opens documents that only the server has. Neovim announces
// content that it does not ask for.
func (c *Client) OpensTexts() bool {
	return c.can.Workspace.TextDocumentContent != nil && c.name != "Neovim" && c.OpensDocuments()
}

// OpensDocuments reports whether it opens a document that the server names.
func (c *Client) OpensDocuments() bool { return c.can.Window.ShowDocument.Support }

// AsksForInline reports whether it announced that it asks for inline completions.
func (c *Client) AsksForInline() bool { return c.can.TextDocument.InlineCompletion != nil }

// CountsBytes reports whether it takes columns in bytes.
func (c *Client) CountsBytes() bool {
	return slices.Contains(c.can.General.PositionEncodings, "utf-8")
}

// WatchesFiles reports whether it registers for changes of files.
func (c *Client) WatchesFiles() bool {
	return c.can.Workspace.DidChangeWatchedFiles.DynamicRegistration
}

// WatchesSettings reports whether it registers for changes of settings.
func (c *Client) WatchesSettings() bool { return c.can.Workspace.DidChangeConfig.DynamicRegistration }

// sends is every message that the server sends by itself, with what a client must have announced
// to get it. What is not listed is not sent.
var sends = map[string]func(*Client) bool{
	protocol.MethodWindowShowMessage:              everyClient,
	protocol.MethodWindowShowMessageRequest:       everyClient,
	protocol.MethodTextDocumentPublishDiagnostics: everyClient,
	protocol.MethodProgress:                       everyClient, // under a token that it gave or granted
	"didChangeStatus":                             everyClient, // once it has asked for a next edit

	protocol.MethodWindowWorkDoneProgressCreate: func(c *Client) bool { return c.can.Window.WorkDoneProgress },
	protocol.MethodWindowShowDocument:           (*Client).OpensDocuments,
	protocol.MethodWorkspaceApplyEdit:           (*Client).AppliesEdits,
	protocol.MethodWorkspaceCodeLensRefresh:     func(c *Client) bool { return c.can.Workspace.CodeLens.RefreshSupport },
	protocol.MethodClientRegisterCapability:     func(c *Client) bool { return c.WatchesFiles() || c.WatchesSettings() },

	"tandem/proposal":    func(c *Client) bool { return c.Wants().Proposals },
	"tandem/status":      func(c *Client) bool { return c.Wants().Status },
	"tandem/task":        func(c *Client) bool { return c.Wants().Tasks },
	"tandem/inlineReady": func(c *Client) bool { return c.Wants().Inline },
	"tandem/inlineMark":  func(c *Client) bool { return c.Wants().Inline },
	"tandem/notice":      func(c *Client) bool { return c.Wants().Notices },
}

func everyClient(*Client) bool { return true }

// Takes reports whether a message may be sent to it.
func (c *Client) Takes(method string) bool {
	may, listed := sends[method]
	return listed && may(c)
}

// Extensions are the notifications of CONTRACTS that a client asks for.
type Extensions struct {
	Proposals bool `json:"proposals"`
	Status    bool `json:"status"`
	Tasks     bool `json:"tasks"`
	Inline    bool `json:"inline"`
	Notices   bool `json:"notices"`
	Jumps     bool `json:"jumps"` // shows a next edit that is only a place to go to
}

// Capabilities are the part of the client's Capabilities that the server reads.
type Capabilities struct {
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
		Tandem Extensions `json:"tandem"`
	} `json:"experimental"`
}

type dynamic struct {
	DynamicRegistration bool `json:"dynamicRegistration"`
}
