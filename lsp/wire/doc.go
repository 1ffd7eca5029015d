// Package wire carries JSON-RPC messages between an editor and the server: it
// is the jsonrpc2.Stream under the connection.
//
// Invariant: every frame that ReadFrame returns is one JSON-RPC object that
// passed every check, in the order of arrival; bad input gets an error response
// here and reading continues, and memory for both directions is bounded. This
// package deliberately knows nothing of LSP except the one notification that
// overtakes the queue, $/cancelRequest.
package wire
