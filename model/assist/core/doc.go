// Package core is what the use cases share and none owns: prompts and streams, checks, routing,
// the texts of the open documents, what runs, and what was reported to the user.
//
// Invariant: it proposes nothing and applies nothing; what it keeps of a document ends with the
// document's life. There is deliberately no use case here: they are in the packages beside it.
//
//	core.go       what all use cases do: reports, status, whether suggestions are wanted now
//	deps.go       what they depend on
//	events.go     what the host is notified of
//	place.go      places in documents, and edits of them
//	documents.go  the lives of open documents, their texts and changes
//	corpus.go     the workspace as the built-in engine reads it
//	prompt.go     from a question to a request that fits the model
//	unseen.go     which lines the model was shown
//	stream.go     the answer to a request
//	check.go      whether changes parse, name what exists and are safe
//	route.go      the lane for a request
//	runs.go       what runs under an id and can be stopped
package core
