// Package local is the built-in engine: inline completion, next edits, ripples
// and answers learned from the workspace itself, for whoever has configured no
// model, has no network, or has used a limit up. It is an n-gram and retrieval
// engine of unbounded context, not a language model.
//
// Invariant: what it says is in the corpus it was given or in the document
// asked about, names adapted; it never holds text that Corpus.Text does not
// give out, and where it is not confident it says nothing. Deliberately absent:
// the network, the disk, JSON, and every go statement: background training runs
// in the Group the caller gave.
package local
