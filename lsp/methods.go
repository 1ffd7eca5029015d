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

		protocol.MethodWorkspaceDidChangeWatchedFiles:     told(didChangeWatchedFiles),
		protocol.MethodWorkspaceDidChangeWorkspaceFolders: told(didChangeWorkspaceFolders),
		protocol.MethodWorkspaceDidChangeConfiguration:    told(ignored),
		"tandem/didChangeTrust":                           told(didChangeTrust),

		protocol.MethodTextDocumentInlineCompletion: aside(inlineCompletion),
	}
}

// early marks a method that may come before initialize and after shutdown.
func early(m method) method {
	m.early = true
	return m
}

// ignored is for notifications that clients send and nothing depends on.
func ignored(*Server, *none) error { return nil }
