// Package provider communicates with model servers: the transport, the choice
// of an address, limits and retries. What is sent and read is in
// model/provider/dialect, WebSocket sessions are in model/provider/socket.
//
// Invariant: text reaches the caller exactly once and in order, or the stream
// ends with an error that reports that it is not complete; nothing is sent again
// once text was delivered. There is deliberately no prompt, routing, pricing or limit
// accounting here, no file is read except a CA bundle that the user named, and no
// address is contacted that the configuration does not name (FindLocal, on
// request, queries only this machine, and Find the address that the user has just given).
package provider
