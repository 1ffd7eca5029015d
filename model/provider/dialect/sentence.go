package dialect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

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
	Own                   bool // the user runs the server
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
	f := ec.classify(e)
	f.Status = e.Status
	f.RetryAfter = e.wait(now)
	f.ResetsAt = e.ResetsAt
	f.Err = ec.hide(e)
	return f
}

// classify chooses code and message: named errors first, then by status.
func (ec ErrorContext) classify(e *APIError) *Failure {
	switch {
	case e.is("previous_response_not_found"):
		return ec.Fail(model.CodeServer, KindChainLost, nil, "ask again: %s no longer knows the conversation.", ec.Provider)
	case e.is("websocket_connection_limit_reached"):
		return ec.Fail(model.CodeServer, KindSocketLimit, nil, "ask again: %s closed a connection that had become too old.", ec.Provider)
	case e.is("context_length_exceeded", "exceed_context_size_error") || tooLong.MatchString(e.Message):
		f := ec.Fail(model.CodeContextLength, KindOther, nil, "lower context_window in [models.%s]: the request is longer than its server takes%s.", ec.Model, ec.quote(e))
		f.MostTokens = e.mostTokens()
		return f
	case e.is("insufficient_quota", "credit_balance_exhausted", "organization_spend_limit_exceeded", "project_spend_limit_exceeded", "organization_usage_limit_exceeded", "billing_error") || e.Status == 402:
		return ec.Fail(model.CodeQuota, KindOther, nil, "add credit at %s or choose another model: the account has used up its credit or its spending limit%s.", ec.Provider, ec.quote(e))
	case e.is("usage_limit_reached"):
		return ec.Fail(model.CodeQuota, KindOther, nil, "%s or choose another model: the plan at %s is used up for now%s.", waitUntil(e.ResetsAt), ec.Provider, ec.quote(e))
	case e.is("usage_not_included"):
		return ec.Fail(model.CodeNotFound, KindOther, nil, "choose another model than %s: the plan at %s does not include it.", ec.Model, ec.Provider)
	case e.unsupported():
		f := ec.Fail(model.CodeParameter, KindOther, nil, "add %s to omit in [models.%s]: its server does not take that parameter.", e.parameter(), ec.Model)
		f.Param = e.parameter()
		return f
	case e.noTools():
		f := ec.Fail(model.CodeParameter, KindOther, nil, "add \"tools\" to omit in [models.%s]: it takes no function calls%s.", ec.Model, ec.quote(e))
		f.Param = "tools"
		return f
	case e.noSuffix():
		return ec.Fail(model.CodeBadRequest, KindNoSuffix, nil, "name the family of %s in fim of [models.%s] (%s): %s takes no text after the cursor by itself.", ec.Model, ec.Model, strings.Join(model.FIMNames(), ", "), ec.Provider)
	case loading.MatchString(e.Message):
		return ec.Fail(model.CodeOverloaded, KindOther, nil, "wait a moment: %s is still loading its model.", ec.At())
	case noneLoaded.MatchString(e.Message):
		return ec.Fail(model.CodeNotFound, KindOther, nil, "load %s in %s: it has no model loaded.", ec.Asked, ec.At())
	case e.missingModel():
		return ec.Fail(model.CodeNotFound, KindOther, nil, "%s", ec.missing())
	}
	return ec.byStatus(e)
}

// What servers say that have no code for it.
var (
	loading    = regexp.MustCompile(`(?i)loading model|model is (?:currently |still )?loading`)
	noneLoaded = regexp.MustCompile(`(?i)no models? (?:is |are )?(?:currently )?loaded`)
)

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

func (ec ErrorContext) byStatus(e *APIError) *Failure {
	switch st := e.Status; {
	case st == http.StatusUnauthorized || e.is("invalid_api_key", "authentication_error"):
		return ec.Fail(model.CodeAuth, KindOther, nil, "set a valid key%s: %s did not accept the one there (401).", ec.keyHint(), ec.Provider)
	case st == http.StatusForbidden || e.is("permission_error"):
		return ec.Fail(model.CodeForbidden, KindOther, nil, "check what the key for %s is allowed to do: this request is refused (403)%s.", ec.Provider, ec.quote(e))
	case st == http.StatusNotFound || st == http.StatusMethodNotAllowed:
		return ec.Fail(model.CodeNotFound, KindOther, nil, "%s", ec.misplaced(st))
	case st == http.StatusProxyAuthRequired:
		return ec.Fail(model.CodeProxy, KindOther, nil, "put a user name and password into proxy of [providers.%s] or into HTTPS_PROXY: the proxy asks for them (407).", ec.Provider)
	case st >= 300 && st < 400:
		return ec.Fail(model.CodeProtocol, KindOther, nil, "put the final address into base_url of [providers.%s]: %s sends elsewhere (%d)%s, where a key is not taken along.", ec.Provider, ec.At(), st, toHost(e))
	case e.HTML:
		return ec.WebPage(st)
	case st == http.StatusTooManyRequests || e.is("rate_limit_exceeded", "rate_limit_error", "slow_down") && st < 500:
		return ec.Fail(model.CodeRateLimit, KindOther, nil, "wait a moment or choose another model: %s limits how often it may be asked%s.", ec.Provider, ec.quote(e))
	case st == http.StatusServiceUnavailable || st == 529 || e.is("server_is_overloaded", "overloaded_error", "slow_down"):
		return ec.Fail(model.CodeOverloaded, KindOther, nil, "try again in a moment or choose another model: %s is overloaded%s.", ec.Provider, ec.quote(e))
	case st == http.StatusRequestTimeout || st == http.StatusConflict:
		return ec.Fail(model.CodeServer, kindConflict, nil, "try again: %s could not take the request just now (%d)%s.", ec.Provider, st, ec.quote(e))
	case st >= 400 && st < 500 || e.is("invalid_request_error"):
		return ec.Fail(model.CodeBadRequest, KindOther, nil, "check wire_api of [providers.%s]: its server does not understand the request (%d)%s.", ec.Provider, cmp.Or(st, 400), ec.quote(e))
	}
	return ec.Fail(model.CodeServer, KindOther, nil, "try again, or choose another model: %s has a fault of its own%s%s.", ec.Provider, statusText(e.Status), ec.quote(e))
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
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar {
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

// unsupported reports whether the error is about a parameter that could be left out.
func (e *APIError) unsupported() bool {
	return e.is("unsupported_parameter", "unknown_parameter", "unsupported_value") && e.parameter() != "" ||
		e.Status == 400 && e.parameter() != "" && mentionsUnsupported(e.Message)
}

func mentionsUnsupported(m string) bool {
	m = strings.ToLower(m)
	for _, w := range []string{"unsupported parameter", "unknown parameter", "unrecognized request argument", "extra inputs are not permitted"} {
		if strings.Contains(m, w) {
			return true
		}
	}
	return false
}

// parameter is the parameter that the error is about: from its own member, or
// quoted in its message.
func (e *APIError) parameter() string {
	if e.Param != "" {
		return Printable(e.Param, 64)
	}
	if _, rest, ok := strings.Cut(e.Message, "'"); ok && mentionsUnsupported(e.Message) {
		if name, _, ok := strings.Cut(rest, "'"); ok && !strings.Contains(name, " ") {
			return Printable(name, 64)
		}
	}
	return ""
}

// noSuffix reports whether the server, or the model's template, cannot fill in
// the middle by itself.
func (e *APIError) noSuffix() bool {
	m := strings.ToLower(e.Message)
	return strings.Contains(m, "suffix is not") || strings.Contains(m, "does not support insert") || strings.Contains(m, "infill is not supported")
}

// tooLong is what servers say that have no code for it. The number is how much fits.
var tooLong = regexp.MustCompile(`(?i)maximum context length(?: (?:is|of) (\d{3,9}))?|exceeds? the (?:available |maximum )?context (?:length|size|window)(?: \((\d{3,9}))?|context length of only (\d{3,9})|input length exceeds`)

// mostTokens is how many tokens fit, or 0.
func (e *APIError) mostTokens() int {
	if e.MostTokens > 0 {
		return e.MostTokens
	}
	for _, digits := range tooLong.FindStringSubmatch(e.Message) {
		if n, err := strconv.Atoi(digits); err == nil {
			return n
		}
	}
	return 0
}

var noTools = regexp.MustCompile(`(?i)(not support|unsupported|no endpoints).{0,60}\btool|\btools?\b.{0,60}(not support|unsupported|requires?|disabled|not permitted|not allowed)`)

// noTools reports whether the model, or the server as it was started, takes no function calls.
func (e *APIError) noTools() bool { return e.Status >= 400 && noTools.MatchString(e.Message) }

func (e *APIError) missingModel() bool {
	m := strings.ToLower(e.Message)
	return e.is("model_not_found", "model_not_supported", "DeploymentNotFound") ||
		(e.Status == 404 || e.Status == 400) && strings.Contains(m, "model") &&
			(strings.Contains(m, "not found") || strings.Contains(m, "does not exist") || strings.Contains(m, "not supported when"))
}

// Streamed returns the failure for a fault of a running stream.
func (ec ErrorContext) Streamed(err error, now time.Time) *Failure {
	var api *APIError
	var known *model.Error
	switch {
	case errors.As(err, &api):
		return ec.Answered(api, now)
	case errors.As(err, &known): // the cause of a cancelled context
		own := *known
		return &Failure{&own, KindOther, ec.Host}
	case errors.Is(err, ErrTooLarge):
		return ec.Fail(model.CodeProtocol, KindOther, err, "ask for less or choose another model: %s sent %v and was cut off.", ec.Provider, err)
	case errors.Is(err, errBadEvents):
		return ec.Fail(model.CodeProtocol, KindOther, err, "check wire_api of [providers.%s]: %s answers in another form.", ec.Provider, ec.At())
	case errors.Is(err, ErrGap), errors.Is(err, ErrLostText):
		return ec.Fail(model.CodeInterrupted, KindCut, err, "ask again: a piece of the answer from %s was lost on the way.", ec.Provider)
	case errors.Is(err, ErrEarlyEnd), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return ec.Fail(model.CodeInterrupted, KindCut, err, "ask again: %s broke off before the answer was whole.", ec.Provider)
	case errors.Is(err, context.Canceled):
		return ec.Fail(model.CodeCancelled, KindOther, err, "the request was stopped.")
	}
	return ec.Fail(model.CodeInterrupted, KindCut, err, "ask again: the connection to %s broke before the answer was whole.", ec.At())
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
