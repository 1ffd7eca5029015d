// Package complete is the built-in engine's inline completion, learned from the
// workspace itself: an n-gram and retrieval engine of unbounded context, not a
// language model.
//
// Invariant: all text it suggests is in the given corpus or in the current
// document, with names adapted. It never holds text that Corpus.Text does not
// return, and without confidence it suggests nothing. Deliberately absent: the
// network, the disk, JSON, and every go statement: background training runs in
// the Group that the caller passes.
package complete
