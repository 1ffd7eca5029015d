package model

import (
	"fmt"
	"time"
)

// A Code is the class of an error, whatever the provider calls it.
type Code string

// The classes of error. Each has one rule for retry and one kind of message.
const (
	CodeAuth          Code = "auth"            // 401: the key
	CodeForbidden     Code = "forbidden"       // 403, usage_not_included
	CodeNotFound      Code = "model_not_found" // 404, model not supported
	CodeQuota         Code = "quota"           // money or plan used up: no request before ResetsAt
	CodeRateLimit     Code = "rate_limit"      // 429: after RetryAfter
	CodeOverloaded    Code = "overloaded"      // 503
	CodeServer        Code = "server"          // 5xx
	CodeContextLength Code = "context_length"  // shrink and send once more
	CodeParameter     Code = "parameter"       // unsupported_parameter: Param
	CodeBadRequest    Code = "bad_request"     // other 4xx
	CodeUnreachable   Code = "unreachable"     // DNS, connect, TLS
	CodeTLS           Code = "tls"             // certificate
	CodeProxy         Code = "proxy"           // 407, proxy unreachable
	CodeTimeout       Code = "timeout"         // first byte or stall
	CodeInterrupted   Code = "interrupted"     // cut after text was delivered
	CodeProtocol      Code = "protocol"        // HTML, bad JSON, gaps, too large
	CodeRefused       Code = "refused"         // the model refused, content filter
	CodeFailedChecks  Code = "failed_checks"   // what is to be applied failed its checks
	CodeEmpty         Code = "empty"           // ended well with no text
	CodeDailyLimit    Code = "daily_limit"     // tandem's own limit
	CodeNeedsModel    Code = "needs_model"     // the built-in engine cannot do this
	CodePolicy        Code = "policy"          // the administrator does not allow it
	CodeNotConfigured Code = "not_configured"  // lane without a model, missing key
	CodeCancelled     Code = "cancelled"       // the caller stopped
	CodeInternal      Code = "internal"        // a bug in tandem
)

// An Error is a failed request. Its message is one sentence that names the problem
// and what to do.
type Error struct {
	Code       Code
	Provider   string
	Model      string
	Status     int
	Param      string // CodeParameter: the one refused
	MostTokens int    // CodeContextLength: as many as fit, where the server says it
	Message    string // the sentence
	RetryAfter time.Duration
	ResetsAt   time.Time
	Delivered  bool   // some text reached the caller before this
	Word       string // CodeInterrupted: what the stream ended with, where it ended in order
	Err        error
}

func (e *Error) Error() string {
	if e.Message != "" {
		return e.Message
	}
	return fmt.Sprintf("%s: %v", e.Code, e.Err)
}

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.Err }
