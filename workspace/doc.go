// Package workspace is what the user sees: the open documents over the files
// on disk, what may be shown to a model, and what has changed lately.
//
// Invariant: a Session holds the one mutable thing, a pointer to the current
// Snapshot, and only its writer lock may replace it; a Snapshot never changes
// after it was published. Everything that is sent to a model passes the gate
// (Snapshot.Allowed). There is deliberately no line-and-column position, prompt,
// network or child process in this layer: git's metadata is read, git is never
// run.
package workspace
