// Package prompt makes the requests that go to a model: of a question about a place it chooses the
// model, shares its window out, collects what it is shown and renders the whole.
//
// Invariant: a request never exceeds its model's window, and nothing that the user wrote in it is
// cut. Deliberately absent: what becomes of the answer.
//
//	maker.go   what a session's prompts need, and the way to a model
//	prompt.go  from a question to a request: model, room, window, rendered
//	held.go    what a conversation shows already
//	unseen.go  which lines the model was shown
//	route.go   the lane for a request
package prompt
