// Package local is the built-in engine: inline completion, next edits,
// propagation of renames and signature changes, and answers, all learned from
// the workspace itself. It serves users who have configured no model, have no
// network or have reached a spending limit. It is an n-gram and retrieval
// engine of unbounded context, not a language model.
//
// Invariant: all text it suggests is in the given corpus or in the current
// document, with names adapted. It never holds text that Corpus.Text does not
// return, and without confidence it suggests nothing. Deliberately absent: the
// network, the disk, JSON, and every go statement: background training runs in
// the Group that the caller passes.
package local
