// Package clones reads git clones for the tools that measure on real commits: their history
// and the places where it wrote, their trees as words and chunks, ranked by BM25 and by
// likeness, and the windows that tandem makes of them.
//
// **Invariant:** a clone is read and never written; trees are checked out beside it. What is
// shown of them is judged by git and by definitions, whose scanner ctags judges (make oracle-ctags).
package clones
