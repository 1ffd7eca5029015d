package lsp

import "go.lsp.dev/protocol"

// methods is everything the server does. It is filled in init because the
// handlers refer to it.
var methods map[string]method

func init() {
	methods = map[string]method{
		protocol.MethodInitialize:  early(inOrder(initialize)),
		protocol.MethodInitialized: told(initialized),
		protocol.MethodShutdown:    inOrder(shutdown),
		protocol.MethodExit:        early(told(exit)),
		protocol.MethodSetTrace:    told(ignored),

		protocol.MethodTextDocumentDidOpen:   told(didOpen),
		protocol.MethodTextDocumentDidChange: told(didChange),
		protocol.MethodTextDocumentDidSave:   told(didSave),
		protocol.MethodTextDocumentDidClose:  told(didClose),

		protocol.MethodNotebookDocumentDidOpen:   told(didOpenNotebook),
		protocol.MethodNotebookDocumentDidChange: told(didChangeNotebook),
		protocol.MethodNotebookDocumentDidSave:   told(ignored),
		protocol.MethodNotebookDocumentDidClose:  told(didCloseNotebook),

		protocol.MethodWorkspaceDidChangeWatchedFiles:     told(didChangeWatchedFiles),
		protocol.MethodWorkspaceDidChangeWorkspaceFolders: told(didChangeWorkspaceFolders),
		protocol.MethodWorkspaceDidChangeConfiguration:    told(didChangeConfiguration),
		"tandem/didChangeTrust":                           told(didChangeTrust),

		protocol.MethodTextDocumentInlineCompletion: aside(inlineCompletion),
		protocol.MethodTextDocumentHover:            aside(hover),
		protocol.MethodTextDocumentCodeAction:       inOrder(codeActions),
		protocol.MethodCodeActionResolve:            inOrder(resolveAction),
		protocol.MethodTextDocumentCodeLens:         inOrder(codeLenses),
		protocol.MethodWorkspaceExecuteCommand:      aside(executeCommand),
		protocol.MethodWorkspaceTextDocumentContent: inOrder(textDocumentContent),
		protocol.MethodWindowWorkDoneProgressCancel: told(progressCancel),

		"textDocument/copilotInlineEdit":            aside(nextEdit),
		"textDocument/didShowInlineEdit":            told(didShow),
		"textDocument/didShowCompletion":            told(didShow),
		"textDocument/didPartiallyAcceptCompletion": told(didPartiallyAccept),
		"textDocument/didFocus":                     told(didFocus),
		"notifyAccepted":                            inOrder(notifyAccepted),
		"notifyRejected":                            inOrder(notifyRejected),
		"notifyShown":                               inOrder(notifyShown),
		"notifyNextEditRejected":                    inOrder(notifyRejected),

		"tandem/edit":        aside(tandemEdit),
		"tandem/ask":         aside(ask),
		"tandem/resolve":     aside(resolve),
		"tandem/steer":       inOrder(steer),
		"tandem/window":      aside(window),
		"tandem/lastPayload": inOrder(lastPayload),
	}
}

// early marks a method that may come before initialize and after shutdown.
func early(m method) method {
	m.early = true
	return m
}

// ignored is for notifications that clients send and nothing depends on.
func ignored(*Server, *none) error { return nil }
