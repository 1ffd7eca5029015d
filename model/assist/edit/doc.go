// Package edit changes documents as an instruction says, and holds the proposals until the user
// has decided.
//
// Invariant: a proposal is pinned to the texts that it was made for and is rebased over what the
// user types, or ends; nothing in this package applies it. There is deliberately no task here.
//
//	edit.go       one edit, from its instruction to its proposal
//	answer.go     from a model's answer to changes
//	draft.go      what an answer makes of its document so far
//	proposal.go   requests, proposals and their states
//	proposals.go  the proposals of a session
//	rebase.go     proposals over changed texts
//	resolve.go    what the user decides: accept, reject, steer
//	parts.go      parts of a task's result
//	estimate.go   what an edit would cost
//	quick_fix.go  corrections of names without a model
package edit
