package model

import "time"

// An Observer hears from a Client what is no part of an answer. Lanes is the
// one that listens; a Client calls it from any goroutine and never blocks on it
// for longer than it takes to note a value.
type Observer interface {
	// Sent is called once for every request body that leaves the machine,
	// retries and fail-overs included, just before its first byte is written.
	Sent(Sent)
	// Limits is called with what the server said of its limits: response
	// headers, a codex.rate_limits event, the headers of an error event.
	Limits(Limits)
	// Dropped is called when the server refused a parameter (CodeParameter)
	// and the Client will leave it out from now on.
	Dropped(model, param string)
}

// A Sent is one request that left the machine. Only Body holds text of it.
type Sent struct {
	RequestID string // Request.ID
	Model     string // configured model name
	Host      string // host:port that it went to
	Bytes     int    // length of the body
	BodyHash  string // hex SHA-256 of the body
	Body      []byte // for the user to look at; kept in memory alone, not changed after
	Time      time.Time
}

// Limits is what a server said of the limits of one configured model. Zero
// fields were not said.
type Limits struct {
	Model       string        // configured model name
	Requests    Allowance     // per window
	Tokens      Allowance     // per window
	UsedPercent float64       // of the plan's nearest window, 0..100; valid when UsedKnown
	UsedKnown   bool          //
	ResetsAt    time.Time     // when that window starts again
	Pool        string        // the server's name of the pool, such as GPT-5.3-Codex-Spark
	RetryAfter  time.Duration // asked for by the server
}

// An Allowance is one counter of a server's rate limit.
type Allowance struct {
	Limit, Remaining int
	Known            bool
	Reset            time.Duration // until it is whole again
}
