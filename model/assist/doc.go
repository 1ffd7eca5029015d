// Package assist is what tandem does for a person, composed: complete, next edit, edit, ask,
// explain a symbol, review, run a task, write a commit message. The protocol and the command
// line both call it.
//
// Invariant: every use case takes one immutable Snapshot and what it returns is pinned to that
// snapshot's document versions; each open document has one life, which every use case follows by
// itself. There is deliberately no wire type, network, disk or flag in this package and those
// below it, and nothing in them applies an edit: they propose, and their callers apply.
package assist
