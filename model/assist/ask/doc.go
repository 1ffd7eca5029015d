// Package ask answers questions about the codebase, explains symbols, reviews documents and
// writes commit messages.
//
// Invariant: nothing here changes a file, and each citation in an answer is a place that exists.
// There is deliberately no rendering: an answer is markdown as it was written.
package ask
