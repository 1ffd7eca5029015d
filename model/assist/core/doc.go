// Package core is what the use cases share and none owns: the texts of the open documents, what runs,
// what was refused, whether suggestions are wanted now, and what the host is notified of.
//
// Invariant: it proposes nothing and applies nothing; what it keeps of a document ends with the
// document's life. There is deliberately no use case here: they are in the packages beside it.
//
//	deps.go       what the use cases of a session depend on
//	events.go     what the host is notified of
//	wanted.go     whether suggestions are wanted now
//	place.go      places in documents, and edits of them
//	documents.go  the lives of open documents, their texts and changes
//	refusals.go   what was not wanted at a place
//	use.go        what became of suggestions
//	corpus.go     the workspace as the built-in engine reads it
//	unusable.go   answers that cannot be used
//	runs.go       what runs under an id and can be stopped
package core
