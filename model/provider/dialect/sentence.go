package dialect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"tandem/edits"
	"tandem/model"
)

// A Failure is the error of one attempt: the message for the caller, and what
// only the retry rules need.
type Failure struct {
	*model.Error
	Kind Kind
	Host string
}

// A Kind distinguishes faults that are the same for a caller.
type Kind int

// The kinds of faults that the retry rules tell apart.
const (
	KindOther       Kind = iota
	KindCut              // the connection broke or the answer ended early
	KindChainLost        // previous_response_not_found
	KindSocketLimit      // websocket_connection_limit_reached
	KindNoSocket         // the upgrade failed: use server-sent events
	KindDial             // nothing was sent: no connection
	KindDNS              // the name has no address
	kindConflict         // 408 and 409
	KindBusy             // every socket is busy: use server-sent events for this request
	KindNoSuffix         // the model, or the server, cannot fill in by itself
)

// An ErrorContext holds what error messages name.
type ErrorContext struct {
	Provider, Model, Host string
	Asked                 string // the model, by what the provider calls it
	Path                  string // of the base URL
	Wire                  string
	Own                   bool   // the user runs the server
	Sent                  Fields // of the request, if there is one
	Key                   model.Secret
	EnvKey                string
}

// Fail returns a failure with a message from format; cause is kept without the key.
func (ec ErrorContext) Fail(code model.Code, k Kind, cause error, format string, args ...any) *Failure {
	e := &model.Error{Code: code, Provider: ec.Provider, Model: ec.Model, Message: ec.scrub(fmt.Sprintf(format, args...))}
	if cause != nil {
		e.Err = ec.hide(cause)
	}
	return &Failure{e, k, ec.Host}
}

// keyHint names where the key belongs.
func (ec ErrorContext) keyHint() string {
	if ec.EnvKey != "" {
		return " in " + ec.EnvKey + " or with tandem key set"
	}
	return " for [providers." + ec.Provider + "] with tandem key set"
}

// Answered returns the failure for a server's error.
func (ec ErrorContext) Answered(e *APIError, now time.Time) *Failure {
	s := said{APIError: e, ec: &ec, text: e.Message[:min(len(e.Message), maxSaid)], told: e.wait(now), now: now}
	is := meaningOf(s)
	f := ec.Fail(is.code, is.kind, nil, "%s", is.say(s))
	if is.find != nil {
		is.find(s, f)
	}
	f.Status = e.Status
	f.RetryAfter = s.told
	f.ResetsAt = e.ResetsAt
	f.Err = ec.hide(e)
	return f
}

// missing says what to do about a model that the provider does not have.
func (ec ErrorContext) missing() string {
	switch {
	case ec.Wire == "ollama":
		return fmt.Sprintf("run ollama pull %s, or choose another model in [models.%s]: %s does not have it.", ec.Asked, ec.Model, ec.At())
	case ec.Own:
		return fmt.Sprintf("choose a model in [models.%s] that %s has: it has no %s.", ec.Model, ec.At(), ec.Asked)
	}
	return fmt.Sprintf("choose a model in [models.%s] that tandem models %s lists: %s does not know %s, or your key has no access to it.", ec.Model, ec.Provider, ec.Provider, ec.Asked)
}

// misplaced says what to do about an address that answers with 404.
func (ec ErrorContext) misplaced(status int) string {
	hint := ""
	if strings.Trim(ec.Path, "/") == "" && ec.Wire != "ollama" && ec.Wire != "infill" {
		hint = " (most servers' ends in /v1)"
	}
	return fmt.Sprintf("correct base_url%s or wire_api of [providers.%s]: %s has nothing there (%d).", hint, ec.Provider, ec.Host+ec.Path, status)
}

// WebPage returns the failure for a web page in place of an answer.
func (ec ErrorContext) WebPage(status int) *Failure {
	if status >= 500 {
		return ec.Fail(model.CodeServer, KindOther, nil, "try again in a moment: %s answers with a web page (%d) and may be down.", ec.At(), status)
	}
	return ec.Fail(model.CodeProtocol, KindOther, nil, "correct base_url of [providers.%s]: %s answers with a web page, not as a model.", ec.Provider, ec.At())
}

// At is the provider's name and host, for messages.
func (ec ErrorContext) At() string { return fmt.Sprintf("%s (%s)", ec.Provider, ec.Host) }

func statusText(status int) string {
	if status == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d)", status)
}

func toHost(e *APIError) string {
	if l, _, _ := strings.Cut(e.Header.Get("Location"), "?"); l != "" {
		return " to " + Printable(l, 100)
	}
	return ""
}

// roughly formats a wait for a person, rounded up; 0 is not known.
func roughly(d time.Duration) string {
	up := func(unit time.Duration) int { return int((d + unit - 1) / unit) }
	switch {
	case d <= 0:
		return "a moment"
	case d <= time.Second:
		return "a second"
	case d <= 2*time.Minute:
		return fmt.Sprintf("%d seconds", up(time.Second))
	case d <= 2*time.Hour:
		return fmt.Sprintf("%d minutes", up(time.Minute))
	}
	return fmt.Sprintf("%d hours", up(time.Hour))
}

func waitUntil(t time.Time) string {
	if t.IsZero() {
		return "wait for it to reset"
	}
	return "wait until " + t.Local().Format("15:04 on 2 January")
}

// quote returns the server's message in brackets and quotation marks, if there is one.
func (ec ErrorContext) quote(e *APIError) string {
	if m := Printable(ec.scrub(e.Message), 160); m != "" {
		return " (“" + m + "”)"
	}
	return ""
}

// Printable makes text from outside safe for a line on a terminal: no control or
// formatting characters, at most n runes.
func Printable(text string, n int) string {
	var b strings.Builder
	for _, r := range strings.Join(strings.Fields(text), " ") {
		if unicode.IsControl(r) || edits.HiddenKind(r) != "" || r == unicode.ReplacementChar {
			continue
		}
		if n--; n < 0 {
			b.WriteRune('…')
			break
		}
		b.WriteRune(r)
	}
	return strings.TrimRight(b.String(), ". ")
}

// Streamed returns the failure for a fault of a running stream.
func (ec ErrorContext) Streamed(err error, now time.Time) *Failure {
	var api *APIError
	switch {
	case errors.As(err, &api):
		return ec.Answered(api, now)
	case errors.Is(err, ErrTooLarge):
		return ec.Fail(model.CodeProtocol, KindOther, err, "ask for less or choose another model: %s sent %v and was cut off.", ec.Provider, err)
	case errors.Is(err, errPacked):
		return ec.Fail(model.CodeProtocol, KindOther, err, "write http_headers = { Accept-Encoding = \"identity\" } in [providers.%s]: %v, though nobody asked for it.", ec.Provider, err)
	case errors.Is(err, errBadEvents):
		return ec.Fail(model.CodeProtocol, KindOther, err, "check wire_api of [providers.%s]: %s answers in another form.", ec.Provider, ec.At())
	case errors.Is(err, ErrGap), errors.Is(err, ErrLostText):
		return ec.Fail(model.CodeInterrupted, KindCut, err, "ask again: a piece of the answer from %s was lost on the way.", ec.Provider)
	case errors.Is(err, errNoReason):
		f := ec.Fail(model.CodeInterrupted, KindCut, err, "ask again: %s broke off before the answer was whole.", ec.Provider)
		f.Word = model.NoReason
		return f
	case errors.Is(err, ErrEarlyEnd), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return ec.Fail(model.CodeInterrupted, KindCut, err, "ask again: %s broke off before the answer was whole.", ec.Provider)
	case errors.Is(err, context.Canceled):
		return ec.Fail(model.CodeCancelled, KindOther, err, "the request was stopped.")
	}
	return ec.Fail(model.CodeInterrupted, KindCut, err, "ask again: the connection to %s broke before the answer was whole.", ec.At())
}

// Stopped returns the failure for a request whose context has ended, whatever the cause: it says
// nothing about the server.
func (ec ErrorContext) Stopped(ctx context.Context) *Failure {
	if known, ok := errors.AsType[*model.Error](context.Cause(ctx)); ok {
		own := *known
		return &Failure{&own, KindOther, ec.Host}
	}
	return ec.Fail(model.CodeCancelled, KindOther, context.Cause(ctx), "the request was stopped.")
}

// TimedOut returns the failure for a missed deadline.
func (ec ErrorContext) TimedOut(phase string, d time.Duration) *Failure {
	k := KindOther
	if phase == "connect" {
		k = KindDial
	}
	what := map[string]string{"connect": "did not accept a connection", "first": "did not begin to answer", "stall": "stopped in the middle of its answer"}[phase]
	return ec.Fail(model.CodeTimeout, k, nil, "check the network, try again or choose another model: %s %s within %v.", ec.At(), what, d)
}
