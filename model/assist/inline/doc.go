// Package inline completes what the user is typing.
//
// Invariant: a suggestion follows the typing or ends, so none is ever shown for an outdated text,
// and user text is never replaced. There is deliberately no prompt and no stream of its own here:
// core has them.
//
//	complete.go    a request for completions: cache, built-in engine or model
//	completion.go  requests and answers
//	inline.go      the state of a document: live suggestions and requests in flight
//	inflight.go    one request in flight, which several callers may wait for
//	candidate.go   the model's answers, shaped and checked
//	shape.go       what of an answer is shown at a place
//	suggestion.go  a suggestion that follows the typing
//	belief.go      how likely a model takes its text to be
//	vets.go        checks that run while the answer still arrives
//	fallback.go    what the built-in engine has instead
//	around.go      the prompt, and the text around a place
//	report.go      what the editor reports about suggestions
//	pace.go        when a model is asked while the user types
//	allowance.go   how many prompt tokens typing pays for
package inline
