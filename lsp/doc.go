// Package lsp is the language server: it keeps the editor's documents, calls
// the use cases in model/assist and shows their results in the best way that
// the editor supports.
//
// Invariant: a handler decodes, makes one call and encodes; other packages
// decide what is suggested. Whatever changes state runs on the read loop in the
// order the client sent it, and long work gets an immutable Snapshot and a
// context of its own. Only convert.go knows lines and columns.
// There is deliberately no network, disk or clock-driven decision here.
package lsp
