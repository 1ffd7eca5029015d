// Package lsp is the language server: it keeps the editor's documents, calls
// the use cases in model/assist and shows what they answer by the best means
// the editor has.
//
// Invariant: a handler decodes, makes one call and encodes; what is suggested
// is decided elsewhere. Whatever changes state runs on the read loop in the
// order the client sent it, and what takes long gets an immutable Snapshot and
// a context of its own. Lines and columns live in convert.go and nowhere else.
// There is deliberately no network, disk or clock-driven decision here.
package lsp
