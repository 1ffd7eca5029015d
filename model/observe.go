package model

import "time"

// An Observer receives from a Client what is not part of an answer. Lanes implements
// it. A Client calls it from any goroutine, and a call only records a value, so it
// never blocks for long.
type Observer interface {
	// Sent is called once for every request body that is sent from the machine,
	// retries and fail-overs included, just before its first byte is written.
	Sent(Sent)
	// Limits is called with the limits that the server reported: response
	// headers, a codex.rate_limits event, the headers of an error event.
	Limits(Limits)
	// ParameterRefused is called when the server refused a parameter (CodeParameter)
	// and the Client will leave it out from now on.
	ParameterRefused(model, param string)
	// Server is called with what the server of a model says of itself.
	Server(model string, s Server)
	// Measured is called when a request has ended, also where its caller has stopped it,
	// with what is known of the server's work.
	Measured(model string, s Speed)
	// Failing is called when the server answered a request with a fault of its own, or asked to
	// be left alone for a while, and the Client will send it again.
	Failing(model string, err *Error)
}

// A Sent is one request that was sent. Only Body holds its text.
type Sent struct {
	RequestID string // Request.ID
	Model     string // configured model name
	Host      string // host:port that it went to
	Bytes     int    // length of the body
	BodyHash  string // hex SHA-256 of the body
	Body      []byte // for the user to inspect; kept in memory only, never changed
	Time      time.Time

	MaxOutputTokens int  // bound on the answer that the body has; 0: none
	Continued       bool // the server adds to the body what it holds of earlier ones

	// Texts are all of the request's, those that the server holds included.
	Texts []string
}

// Limits are the limits of one configured model as its server reported them. Zero
// fields were not reported.
type Limits struct {
	Model       string    // configured model name
	Requests    Allowance // per window
	Tokens      Allowance // per window
	UsedPercent float64   // of the plan's nearest window, 0..100; valid when UsedKnown
	UsedKnown   bool      //
	ResetsAt    time.Time // when that window starts again
}

// An Allowance is one counter of a server's rate limit.
type Allowance struct {
	Limit, Remaining int
	Known            bool
	Reset            time.Duration // until the full limit is available again
}
