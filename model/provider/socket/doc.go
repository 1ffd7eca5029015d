// Package socket keeps the WebSocket sessions of one model: the sockets, the
// logical streams on them, and which conversation the server holds on each.
//
// Invariant: one goroutine reads a socket, and an event reaches only the response
// that it belongs to, in order; a response whose caller has stopped delays no
// other. There is deliberately no retry here: a response ends with its answer or
// with the fault, and the caller decides.
package socket
