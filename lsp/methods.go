package lsp

import "go.lsp.dev/protocol"

// methods is the table of all methods. It is filled in init because the
// handlers refer to it.
var methods map[string]method

func init() {
	methods = map[string]method{
		protocol.MethodInitialize:  early(inOrder(initialize)),
		protocol.MethodInitialized: notification(initialized),
		protocol.MethodShutdown:    inOrder(shutdown),
		protocol.MethodExit:        early(notification(exit)),
		protocol.MethodSetTrace:    notification(ignored),

		protocol.MethodTextDocumentDidOpen:   notification(didOpen),
		protocol.MethodTextDocumentDidChange: notification(didChange),
		protocol.MethodTextDocumentDidSave:   notification(didSave),
		protocol.MethodTextDocumentDidClose:  notification(didClose),

		protocol.MethodNotebookDocumentDidOpen:   notification(didOpenNotebook),
		protocol.MethodNotebookDocumentDidChange: notification(didChangeNotebook),
		protocol.MethodNotebookDocumentDidSave:   notification(ignored),
		protocol.MethodNotebookDocumentDidClose:  notification(didCloseNotebook),

		protocol.MethodWorkspaceDidChangeWatchedFiles:     notification(didChangeWatchedFiles),
		protocol.MethodWorkspaceDidChangeWorkspaceFolders: notification(didChangeWorkspaceFolders),
		protocol.MethodWorkspaceDidChangeConfiguration:    notification(didChangeConfiguration),
		"tandem/didChangeTrust":                           notification(didChangeTrust),
		"tandem/didChangeDiagnostics":                     notification(didChangeDiagnostics),
		"tandem/didChangeOtherInline":                     notification(didChangeOtherInline),
		"tandem/references":                               notification(references),

		protocol.MethodTextDocumentInlineCompletion: async(inlineCompletion),
		protocol.MethodTextDocumentHover:            async(hover),
		protocol.MethodTextDocumentCodeAction:       inOrder(codeActions),
		protocol.MethodCodeActionResolve:            inOrder(resolveAction),
		protocol.MethodTextDocumentCodeLens:         inOrder(codeLenses),
		protocol.MethodWorkspaceExecuteCommand:      async(executeCommand),
		protocol.MethodWorkspaceTextDocumentContent: inOrder(textDocumentContent),
		protocol.MethodWindowWorkDoneProgressCancel: notification(progressCancel),

		"textDocument/copilotInlineEdit":            async(nextEdit),
		"textDocument/didShowInlineEdit":            notification(didShow),
		"textDocument/didShowCompletion":            notification(didShow),
		"textDocument/didPartiallyAcceptCompletion": notification(didPartiallyAccept),
		"textDocument/didFocus":                     notification(didFocus),
		"notifyAccepted":                            inOrder(notifyAccepted),
		"notifyRejected":                            inOrder(notifyRejected),
		"notifyShown":                               inOrder(notifyShown),
		"notifyNextEditRejected":                    inOrder(notifyRejected),
		"tandem/declarations":                       async(declarations),

		"tandem/edit":        async(tandemEdit),
		"tandem/estimate":    async(estimate),
		"tandem/ask":         async(askQuestion),
		"tandem/resolve":     async(resolve),
		"tandem/steer":       async(steer),
		"tandem/tasks":       inOrder(listTasks),
		"tandem/resume":      inOrder(resume),
		"tandem/plan":        inOrder(setPlan),
		"tandem/cancel":      inOrder(cancel),
		"tandem/window":      async(window),
		"tandem/lastPayload": inOrder(lastPayload),
	}
}

// early marks a method that may come before initialize and after shutdown.
func early(m method) method {
	m.early = true
	return m
}

// ignored handles notifications that need no action.
func ignored(*Server, *none) error { return nil }
