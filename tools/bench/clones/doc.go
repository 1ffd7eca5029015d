// Package clones reads git clones for the tools that measure on real commits: their history
// and the places where it wrote, their trees as words and chunks, ranked by BM25 and by
// likeness, and the windows that tandem makes of them.
//
// **Invariant:** a clone is read and never written; trees are checked out beside it, and
// rules of its own judge them, never tandem's index.
package clones
