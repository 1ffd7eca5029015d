// Package assist is what tandem does for a person: complete, next edit, edit,
// ask, explain a symbol, review, run a task, write a commit message. The
// protocol and the command line both call it.
//
// Invariant: every use case takes one immutable Snapshot and what it returns
// is pinned to that snapshot's document versions. There is deliberately no
// wire type, network, disk or flag in this package, and nothing in it applies
// an edit: it proposes, and its callers apply.
package assist
