package provider

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode"

	"tandem/model"
)

// A failure is the error of one attempt: the message for the caller, and what
// only the retry rules need.
type failure struct {
	*model.Error
	kind kind
	host string
}

// A kind distinguishes faults that are the same for a caller.
type kind int

const (
	kindOther       kind = iota
	kindCut              // the connection broke or the answer ended early
	kindChainLost        // previous_response_not_found
	kindSocketLimit      // websocket_connection_limit_reached
	kindNoSocket         // the upgrade failed: use server-sent events
	kindDial             // nothing was sent: no connection
	kindDNS              // the name has no address
	kindConflict         // 408 and 409
	kindBusy             // every socket is busy: use server-sent events for this request
)

// An errorContext holds what error messages name.
type errorContext struct {
	provider, model, host string
	key                   model.Secret
	envKey                string
}

func (ec errorContext) fail(code model.Code, k kind, cause error, format string, args ...any) *failure {
	e := &model.Error{Code: code, Provider: ec.provider, Model: ec.model, Message: ec.scrub(fmt.Sprintf(format, args...))}
	if cause != nil {
		e.Err = ec.hide(cause)
	}
	return &failure{e, k, ec.host}
}

// keyHint names the source of the key.
func (ec errorContext) keyHint() string {
	if ec.envKey != "" {
		return "the key in " + ec.envKey
	}
	return "the key for [providers." + ec.provider + "]"
}

// answered returns the failure for a server's error.
func (ec errorContext) answered(e *apiError, now time.Time) *failure {
	f := ec.classify(e)
	f.Status = e.Status
	f.RetryAfter = e.wait(now)
	f.ResetsAt = e.ResetsAt
	f.Err = ec.hide(e)
	return f
}

// classify chooses code and message: named errors first, then by status.
func (ec errorContext) classify(e *apiError) *failure {
	switch {
	case e.is("previous_response_not_found"):
		return ec.fail(model.CodeServer, kindChainLost, nil, "%s no longer knows the conversation it was asked to continue; ask again.", ec.provider)
	case e.is("websocket_connection_limit_reached"):
		return ec.fail(model.CodeServer, kindSocketLimit, nil, "%s closed a connection that had become too old; ask again.", ec.provider)
	case e.is("context_length_exceeded", "exceed_context_size_error") || strings.Contains(e.Message, "maximum context length"):
		return ec.fail(model.CodeContextLength, kindOther, nil, "the request is longer than %s takes%s; lower context_window in [models.%s].", ec.model, ec.quote(e), ec.model)
	case e.is("insufficient_quota", "credit_balance_exhausted", "organization_spend_limit_exceeded", "project_spend_limit_exceeded", "organization_usage_limit_exceeded", "billing_error") || e.Status == 402:
		return ec.fail(model.CodeQuota, kindOther, nil, "the account at %s has used up its credit or its spending limit%s; add credit there or choose another model.", ec.provider, ec.quote(e))
	case e.is("usage_limit_reached"):
		return ec.fail(model.CodeQuota, kindOther, nil, "the plan at %s is used up for now%s; %s or choose another model.", ec.provider, ec.quote(e), waitUntil(e.ResetsAt))
	case e.is("usage_not_included"):
		return ec.fail(model.CodeForbidden, kindOther, nil, "the plan at %s does not include %s; choose another model in the configuration.", ec.provider, ec.model)
	case e.unsupported():
		f := ec.fail(model.CodeParameter, kindOther, nil, "%s does not take the parameter %s; add it to omit in [models.%s].", ec.model, e.parameter(), ec.model)
		f.Param = e.parameter()
		return f
	case e.noSuffix():
		return ec.fail(model.CodeBadRequest, kindOther, nil, "%s takes no text after the cursor; name the family of %s in fim of [models.%s] (%s).", ec.provider, ec.model, ec.model, strings.Join(FIMFamilies(), ", "))
	case e.missingModel():
		return ec.fail(model.CodeNotFound, kindOther, nil, "%s has no model that answers for [models.%s]%s; correct its model = or ask the provider for access.", ec.provider, ec.model, ec.quote(e))
	}
	return ec.byStatus(e)
}

func (ec errorContext) byStatus(e *apiError) *failure {
	switch st := e.Status; {
	case st == http.StatusUnauthorized || e.is("invalid_api_key", "authentication_error"):
		return ec.fail(model.CodeAuth, kindOther, nil, "%s did not accept %s (401); set a valid one with tandem key set, or in the environment.", ec.provider, ec.keyHint())
	case st == http.StatusForbidden || e.is("permission_error"):
		return ec.fail(model.CodeForbidden, kindOther, nil, "%s refuses this request (403)%s; check what the key is allowed to do.", ec.provider, ec.quote(e))
	case st == http.StatusNotFound || st == http.StatusMethodNotAllowed:
		return ec.fail(model.CodeNotFound, kindOther, nil, "%s has nothing at that address (%d)%s; check base_url and wire_api of [providers.%s].", ec.at(), st, ec.quote(e), ec.provider)
	case st == http.StatusProxyAuthRequired:
		return ec.fail(model.CodeProxy, kindOther, nil, "the proxy wants a user name and password (407); put them into proxy of [providers.%s] or into HTTPS_PROXY.", ec.provider)
	case st >= 300 && st < 400:
		return ec.fail(model.CodeProtocol, kindOther, nil, "%s answers with a redirect (%d)%s, which is not followed with a key; put the final address into base_url of [providers.%s].", ec.at(), st, toHost(e), ec.provider)
	case e.HTML:
		return ec.html(st)
	case st == http.StatusTooManyRequests || e.is("rate_limit_exceeded", "rate_limit_error", "slow_down") && st < 500:
		return ec.fail(model.CodeRateLimit, kindOther, nil, "%s limits how often it may be asked%s; wait a moment or choose another model.", ec.provider, ec.quote(e))
	case st == http.StatusServiceUnavailable || st == 529 || e.is("server_is_overloaded", "overloaded_error", "slow_down"):
		return ec.fail(model.CodeOverloaded, kindOther, nil, "%s is overloaded%s; try again in a moment or choose another model.", ec.provider, ec.quote(e))
	case st == http.StatusRequestTimeout || st == http.StatusConflict:
		return ec.fail(model.CodeServer, kindConflict, nil, "%s could not take the request just now (%d)%s; try again.", ec.provider, st, ec.quote(e))
	case st >= 400 && st < 500 || e.is("invalid_request_error"):
		return ec.fail(model.CodeBadRequest, kindOther, nil, "%s does not understand the request (%d)%s; check wire_api of [providers.%s].", ec.provider, cmp.Or(st, 400), ec.quote(e), ec.provider)
	}
	return ec.fail(model.CodeServer, kindOther, nil, "%s has a fault of its own%s%s; try again, or choose another model.", ec.provider, statusText(e.Status), ec.quote(e))
}

func (ec errorContext) html(status int) *failure {
	if status >= 500 {
		return ec.fail(model.CodeServer, kindOther, nil, "%s answers with a web page instead of a model's answer (%d); it may be down, try again.", ec.at(), status)
	}
	return ec.fail(model.CodeProtocol, kindOther, nil, "%s answers with a web page instead of a model's answer; check base_url of [providers.%s].", ec.at(), ec.provider)
}

// at is the provider's name and host, for messages.
func (ec errorContext) at() string { return fmt.Sprintf("%s (%s)", ec.provider, ec.host) }

func statusText(status int) string {
	if status == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d)", status)
}

func toHost(e *apiError) string {
	if l := e.Header.Get("Location"); l != "" {
		if i := strings.Index(l, "?"); i >= 0 {
			l = l[:i]
		}
		return " to " + printable(l, 100)
	}
	return ""
}

func waitUntil(t time.Time) string {
	if t.IsZero() {
		return "wait for it to reset"
	}
	return "wait until " + t.Local().Format("15:04 on 2 January")
}

// quote returns the server's message in quotation marks, if there is one.
func (ec errorContext) quote(e *apiError) string {
	if m := printable(ec.scrub(e.Message), 160); m != "" {
		return ": “" + m + "”"
	}
	return ""
}

// printable makes text from outside safe for a line on a terminal: no control or
// formatting characters, at most n runes.
func printable(text string, n int) string {
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
func (e *apiError) unsupported() bool {
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
func (e *apiError) parameter() string {
	if e.Param != "" {
		return printable(e.Param, 64)
	}
	if _, rest, ok := strings.Cut(e.Message, "'"); ok && mentionsUnsupported(e.Message) {
		if name, _, ok := strings.Cut(rest, "'"); ok && !strings.Contains(name, " ") {
			return printable(name, 64)
		}
	}
	return ""
}

// noSuffix reports whether the server, or the model's template, cannot fill in
// the middle by itself.
func (e *apiError) noSuffix() bool {
	m := strings.ToLower(e.Message)
	return strings.Contains(m, "suffix is not") || strings.Contains(m, "does not support insert")
}

func (e *apiError) missingModel() bool {
	m := strings.ToLower(e.Message)
	return e.is("model_not_found", "model_not_supported", "DeploymentNotFound") ||
		(e.Status == 404 || e.Status == 400) && strings.Contains(m, "model") &&
			(strings.Contains(m, "not found") || strings.Contains(m, "does not exist") || strings.Contains(m, "not supported when"))
}

// streamed returns the failure for a fault of a running stream.
func (ec errorContext) streamed(err error, now time.Time) *failure {
	var api *apiError
	var known *model.Error
	switch {
	case errors.As(err, &api):
		return ec.answered(api, now)
	case errors.As(err, &known): // the cause of a cancelled context
		own := *known
		return &failure{&own, kindOther, ec.host}
	case errors.Is(err, errTooLarge):
		return ec.fail(model.CodeProtocol, kindOther, err, "%s sent %v; it was cut off, ask for less or choose another model.", ec.provider, err)
	case errors.Is(err, errBadEvents):
		return ec.fail(model.CodeProtocol, kindOther, err, "%s sends what is not JSON; check wire_api of [providers.%s].", ec.at(), ec.provider)
	case errors.Is(err, errGap), errors.Is(err, errLostText):
		return ec.fail(model.CodeInterrupted, kindCut, err, "a piece of the answer from %s was lost on the way; ask again.", ec.provider)
	case errors.Is(err, errEarlyEnd), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return ec.fail(model.CodeInterrupted, kindCut, err, "%s broke off before the answer was whole; ask again.", ec.provider)
	case errors.Is(err, context.Canceled):
		return ec.fail(model.CodeCancelled, kindOther, err, "the request was stopped.")
	}
	return ec.fail(model.CodeInterrupted, kindCut, err, "the connection to %s broke before the answer was whole; ask again.", ec.at())
}

// timedOut returns the failure for a missed deadline.
func (ec errorContext) timedOut(phase string, d time.Duration) *failure {
	k := kindOther
	if phase == "connect" {
		k = kindDial
	}
	what := map[string]string{"connect": "did not accept a connection", "first": "did not begin to answer", "stall": "stopped in the middle of its answer"}[phase]
	return ec.fail(model.CodeTimeout, k, nil, "%s %s within %v; check the network, try again or choose another model.", ec.at(), what, d)
}
