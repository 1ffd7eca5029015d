// Package workspace is what the user sees: the open documents over the files
// on disk, what may be shown to a model, and what has changed lately.
//
// Invariant: a Session holds the one mutable thing, a pointer to the current
// Snapshot, and only its writer lock may replace it; a Snapshot never changes
// after it was published. Everything that is sent to a model passes the gate
// (Snapshot.Allowed). There is deliberately no line-and-column position, prompt,
// network or child process in this layer: git's metadata is read, git is never
// run. What a model is shown is put together in workspace/window.
//
// The files:
//
//	session.go         Session: it publishes a snapshot for each change
//	change.go          the changes that a session takes, the events that it reports
//	snapshot.go        Snapshot: every file at one instant
//	supposed.go        snapshots in which documents have other texts
//	view.go            View: one folder, and reading below its root
//	uri.go             paths, file: URIs and the keys of documents
//	overlay.go         Overlay: an open document
//	disk.go            files read from disk, FileHandle
//	gate.go            which files a model may be shown
//	gate_installed.go  the same for files of dependencies
//	history.go         the recent edits
//	indexing.go        making and keeping the index of a folder
//	indexed.go         that index in one snapshot, with what changed since
//	learned.go         the code and history by which windows are chosen
//	watched.go         what a watch reports to the session
//	disk_changes.go    which of the reported files really changed
//	background.go      counting and queueing the session's background work
//	write.go           writing a proposal to disk, all or nothing
//	leftovers.go       removing what a killed write left
package workspace
