// Package provider speaks to model servers: the encoders of requests, the
// decoders of streams, the connections under them and the rules for what is
// tried again.
//
// Invariant: text reaches the caller exactly once and in order, or the stream
// ends with an error that says it is not whole; nothing is sent again once text
// was delivered. There is deliberately no prompt, routing, pricing or limit
// keeping here, no file is read but a CA bundle that the user named, and no
// address is contacted that the configuration does not name (FindLocal, on
// request, asks this machine alone).
package provider
