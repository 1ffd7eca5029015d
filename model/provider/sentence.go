package provider

import (
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

// A failure is an error on its way out of one attempt: the sentence for the
// caller, and what only the retry rules need to know.
type failure struct {
	*model.Error
	kind kind
	host string
}

// A kind tells faults apart that a caller sees as the same.
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
	kindBusy             // every socket is at work: use server-sent events this once
)

// scene is what a sentence speaks of.
type scene struct {
	provider, model, host string
	key                   model.Secret
	envKey                string
}

func (s scene) fail(code model.Code, k kind, cause error, format string, args ...any) *failure {
	e := &model.Error{Code: code, Provider: s.provider, Model: s.model, Message: s.scrub(fmt.Sprintf(format, args...))}
	if cause != nil {
		e.Err = s.hide(cause)
	}
	return &failure{e, k, s.host}
}

// keyHint names where the key comes from.
func (s scene) keyHint() string {
	if s.envKey != "" {
		return "the key in " + s.envKey
	}
	return "the key for [providers." + s.provider + "]"
}

// answered puts a server's error into words.
func (s scene) answered(e *apiError, now time.Time) *failure {
	f := s.worded(e)
	f.Status = e.Status
	f.RetryAfter = e.wait(now)
	f.ResetsAt = e.ResetsAt
	f.Err = s.hide(e)
	return f
}

// worded chooses code and sentence: named errors first, then by status.
func (s scene) worded(e *apiError) *failure {
	switch {
	case e.is("previous_response_not_found"):
		return s.fail(model.CodeServer, kindChainLost, nil, "%s no longer knows the conversation it was asked to continue; ask again.", s.provider)
	case e.is("websocket_connection_limit_reached"):
		return s.fail(model.CodeServer, kindSocketLimit, nil, "%s closed a connection that had become too old; ask again.", s.provider)
	case e.is("context_length_exceeded", "exceed_context_size_error") || strings.Contains(e.Message, "maximum context length"):
		return s.fail(model.CodeContextLength, kindOther, nil, "the request is longer than %s takes%s; lower context_window in [models.%s].", s.model, s.said(e), s.model)
	case e.is("insufficient_quota", "credit_balance_exhausted", "organization_spend_limit_exceeded", "project_spend_limit_exceeded", "organization_usage_limit_exceeded", "billing_error") || e.Status == 402:
		return s.fail(model.CodeQuota, kindOther, nil, "the account at %s has used up its credit or its spending limit%s; add credit there or choose another model.", s.provider, s.said(e))
	case e.is("usage_limit_reached"):
		return s.fail(model.CodeQuota, kindOther, nil, "the plan at %s is used up for now%s; %s or choose another model.", s.provider, s.said(e), waitUntil(e.ResetsAt))
	case e.is("usage_not_included"):
		return s.fail(model.CodeForbidden, kindOther, nil, "the plan at %s does not include %s; choose another model in the configuration.", s.provider, s.model)
	case e.unsupported():
		f := s.fail(model.CodeParameter, kindOther, nil, "%s does not take the parameter %s; add it to omit in [models.%s].", s.model, e.parameter(), s.model)
		f.Param = e.parameter()
		return f
	case e.noSuffix():
		return s.fail(model.CodeBadRequest, kindOther, nil, "%s takes no text after the cursor; name the family of %s in fim of [models.%s] (%s).", s.provider, s.model, s.model, strings.Join(FIMFamilies(), ", "))
	case e.missingModel():
		return s.fail(model.CodeNotFound, kindOther, nil, "%s has no model that answers for [models.%s]%s; correct its model = or ask the provider for access.", s.provider, s.model, s.said(e))
	}
	return s.byStatus(e)
}

func (s scene) byStatus(e *apiError) *failure {
	switch st := e.Status; {
	case st == http.StatusUnauthorized || e.is("invalid_api_key", "authentication_error"):
		return s.fail(model.CodeAuth, kindOther, nil, "%s did not accept %s (401); set a valid one with tandem key set, or in the environment.", s.provider, s.keyHint())
	case st == http.StatusForbidden || e.is("permission_error"):
		return s.fail(model.CodeForbidden, kindOther, nil, "%s refuses this request (403)%s; check what the key is allowed to do.", s.provider, s.said(e))
	case st == http.StatusNotFound || st == http.StatusMethodNotAllowed:
		return s.fail(model.CodeNotFound, kindOther, nil, "%s has nothing at that address (%d)%s; check base_url and wire_api of [providers.%s].", s.at(), st, s.said(e), s.provider)
	case st == http.StatusProxyAuthRequired:
		return s.fail(model.CodeProxy, kindOther, nil, "the proxy wants a user name and password (407); put them into proxy of [providers.%s] or into HTTPS_PROXY.", s.provider)
	case st >= 300 && st < 400:
		return s.fail(model.CodeProtocol, kindOther, nil, "%s answers with a redirect (%d)%s, which is not followed with a key; put the final address into base_url of [providers.%s].", s.at(), st, toHost(e), s.provider)
	case e.HTML:
		return s.html(st)
	case st == http.StatusTooManyRequests || e.is("rate_limit_exceeded", "rate_limit_error", "slow_down") && st < 500:
		return s.fail(model.CodeRateLimit, kindOther, nil, "%s limits how often it may be asked%s; wait a moment or choose another model.", s.provider, s.said(e))
	case st == http.StatusServiceUnavailable || st == 529 || e.is("server_is_overloaded", "overloaded_error", "slow_down"):
		return s.fail(model.CodeOverloaded, kindOther, nil, "%s is overloaded%s; try again in a moment or choose another model.", s.provider, s.said(e))
	case st == http.StatusRequestTimeout || st == http.StatusConflict:
		return s.fail(model.CodeServer, kindConflict, nil, "%s could not take the request just now (%d)%s; try again.", s.provider, st, s.said(e))
	case st >= 400 && st < 500 || e.is("invalid_request_error"):
		return s.fail(model.CodeBadRequest, kindOther, nil, "%s does not understand the request (%d)%s; check wire_api of [providers.%s].", s.provider, or(st, 400), s.said(e), s.provider)
	}
	return s.fail(model.CodeServer, kindOther, nil, "%s has a fault of its own%s%s; try again, or choose another model.", s.provider, statusWord(e.Status), s.said(e))
}

func (s scene) html(status int) *failure {
	if status >= 500 {
		return s.fail(model.CodeServer, kindOther, nil, "%s answers with a web page instead of a model's answer (%d); it may be down, try again.", s.at(), status)
	}
	return s.fail(model.CodeProtocol, kindOther, nil, "%s answers with a web page instead of a model's answer; check base_url of [providers.%s].", s.at(), s.provider)
}

// at is the address as a person knows it.
func (s scene) at() string { return fmt.Sprintf("%s (%s)", s.provider, s.host) }

func statusWord(status int) string {
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

// said quotes the server, if it said anything.
func (s scene) said(e *apiError) string {
	if m := printable(s.scrub(e.Message), 160); m != "" {
		return ": “" + m + "”"
	}
	return ""
}

// printable is text from outside, fit for a line on a terminal: no control or
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
		e.Status == 400 && e.parameter() != "" && unsupportedWords(e.Message)
}

func unsupportedWords(m string) bool {
	m = strings.ToLower(m)
	for _, w := range []string{"unsupported parameter", "unknown parameter", "unrecognized request argument", "extra inputs are not permitted"} {
		if strings.Contains(m, w) {
			return true
		}
	}
	return false
}

// parameter is the parameter the error speaks of: named, or quoted in its sentence.
func (e *apiError) parameter() string {
	if e.Param != "" {
		return printable(e.Param, 64)
	}
	if _, rest, ok := strings.Cut(e.Message, "'"); ok && unsupportedWords(e.Message) {
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

// streamed puts a fault of a running stream into words.
func (s scene) streamed(err error, now time.Time) *failure {
	var api *apiError
	switch {
	case errors.As(err, &api):
		return s.answered(api, now)
	case errors.Is(err, errTooLarge):
		return s.fail(model.CodeProtocol, kindOther, err, "%s sent %v; it was cut off, ask for less or choose another model.", s.provider, err)
	case errors.Is(err, errBadEvents):
		return s.fail(model.CodeProtocol, kindOther, err, "%s sends what is not JSON; check wire_api of [providers.%s].", s.at(), s.provider)
	case errors.Is(err, errGap), errors.Is(err, errLostText):
		return s.fail(model.CodeInterrupted, kindCut, err, "a piece of the answer from %s was lost on the way; ask again.", s.provider)
	case errors.Is(err, errEarlyEnd), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return s.fail(model.CodeInterrupted, kindCut, err, "%s broke off before the answer was whole; ask again.", s.provider)
	case errors.Is(err, context.Canceled):
		return s.fail(model.CodeCancelled, kindOther, err, "the request was stopped.")
	}
	return s.fail(model.CodeInterrupted, kindCut, err, "the connection to %s broke before the answer was whole; ask again.", s.at())
}

// timedOut puts a missed deadline into words.
func (s scene) timedOut(phase string, d time.Duration) *failure {
	k := kindOther
	if phase == "connect" {
		k = kindDial
	}
	what := map[string]string{"connect": "did not accept a connection", "first": "did not begin to answer", "stall": "stopped in the middle of its answer"}[phase]
	return s.fail(model.CodeTimeout, k, nil, "%s %s within %v; check the network, try again or choose another model.", s.at(), what, d)
}

func or[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}
