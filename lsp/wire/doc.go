// Package wire carries JSON-RPC messages between an editor and the server: it
// is the jsonrpc2.Stream under the connection.
//
// Invariant: every frame that leaves ReadFrame is one JSON-RPC object that
// passed every check, in the order it came in; bad input is answered here and
// reading goes on, and memory for both directions is bounded. There is
// deliberately no knowledge of LSP here but the name of the one notification
// that overtakes the queue, $/cancelRequest.
package wire
