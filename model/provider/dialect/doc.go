// Package dialect is the text of the wire protocols: how a request is written,
// how the events of an answer are read, and what the errors of a server mean.
//
// Invariant: encoding and decoding do no I/O and keep no state beyond one
// answer; the same request always gives the same bytes, and no message of a
// Failure contains the key. There is deliberately no connection, no retry and no
// clock here.
package dialect
