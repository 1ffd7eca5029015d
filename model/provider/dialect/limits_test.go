package dialect

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tandem/model"
)

func TestLimitsFromHeaders(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name   string
		header map[string]string
		want   model.Limits
	}{
		{"OpenAI", map[string]string{"x-ratelimit-limit-requests": "500", "x-ratelimit-remaining-requests": "499", "x-ratelimit-reset-requests": "120ms",
			"x-ratelimit-limit-tokens": "30000", "x-ratelimit-remaining-tokens": "29000", "x-ratelimit-reset-tokens": "6m0s"},
			model.Limits{Requests: model.Allowance{Limit: 500, Remaining: 499, Known: true, Reset: 120 * time.Millisecond},
				Tokens: model.Allowance{Limit: 30000, Remaining: 29000, Known: true, Reset: 6 * time.Minute}}},
		{"Cerebras", map[string]string{"x-ratelimit-limit-requests-day": "14400", "x-ratelimit-remaining-requests-day": "14399", "x-ratelimit-reset-requests-day": "86399.5",
			"x-ratelimit-limit-tokens-minute": "60000", "x-ratelimit-remaining-tokens-minute": "0", "x-ratelimit-reset-tokens-minute": "42.5"},
			model.Limits{Requests: model.Allowance{Limit: 14400, Remaining: 14399, Known: true, Reset: 86399500 * time.Millisecond},
				Tokens: model.Allowance{Limit: 60000, Known: true, Reset: 42500 * time.Millisecond}}},
		{"Anthropic", map[string]string{"anthropic-ratelimit-tokens-limit": "80000", "anthropic-ratelimit-tokens-remaining": "79000", "anthropic-ratelimit-tokens-reset": "2026-11-20T12:00:30Z"},
			model.Limits{Tokens: model.Allowance{Limit: 80000, Remaining: 79000, Known: true, Reset: 30 * time.Second}}},
		{"a plan's pool, the fuller window", map[string]string{"x-codex-bengalfox-primary-used-percent": "42.5", "x-codex-bengalfox-primary-reset-at": "1795203300",
			"x-codex-bengalfox-secondary-used-percent": "88", "x-codex-bengalfox-secondary-reset-at": "1795303300"},
			model.Limits{UsedKnown: true, UsedPercent: 88, ResetsAt: time.Unix(1795303300, 0)}},
		{"nothing", map[string]string{"x-request-id": "1"}, model.Limits{}},
	} {
		h := http.Header{}
		for k, v := range c.header {
			h.Set(k, v)
		}
		got, known := HeaderLimits(h, now)
		if diff := cmp.Diff(c.want, got); diff != "" || known != (c.want != model.Limits{}) {
			t.Errorf("%s: known %v, -want +got:\n%s", c.name, known, diff)
		}
	}
}

// TestWaits: how long a server asks to be left alone, at most a month.
func TestWaits(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name   string
		header map[string]string
		want   time.Duration
	}{
		{"a wait", map[string]string{"retry-after": "Fri, 20 Nov 2026 12:00:07 GMT"}, 7 * time.Second},
		{"more than a year", map[string]string{"retry-after": "1e300"}, maxWait},
		{"a date far away", map[string]string{"retry-after": "Fri, 20 Nov 2093 12:00:07 GMT"}, maxWait},
		{"milliseconds without end", map[string]string{"retry-after-ms": "Inf"}, maxWait},
		{"no number", map[string]string{"retry-after": "NaN", "x-request-id": "1"}, 0},
	} {
		h := http.Header{}
		for k, v := range c.header {
			h.Set(k, v)
		}
		if got := (&APIError{Header: h}).wait(now); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestLimitsFromEvents(t *testing.T) {
	t.Parallel()
	got := CodexLimits([]byte(`{"type":"codex.rate_limits","metered_limit_name":"codex_bengalfox","rate_limits":{"primary":{"used_percent":42,"reset_at":1795203300},"secondary":null}}`))
	want := &model.Limits{UsedKnown: true, UsedPercent: 42, ResetsAt: time.Unix(1795203300, 0)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestErrorBodies holds that errors are read in every shape that servers use.
func TestErrorBodies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body string
		want APIError
	}{
		{`{"error":{"message":"m","type":"t","code":"c","param":"p"}}`, APIError{Message: "m", Type: "t", Code: "c", Param: "p"}},
		{`{"type":"error","status":429,"error":{"type":"rate_limit_error","code":"rate_limit_exceeded","message":"m"},"headers":{"retry-after":"2"}}`,
			APIError{Status: 429, Type: "rate_limit_error", Code: "rate_limit_exceeded", Message: "m", Header: http.Header{"Retry-After": {"2"}}}},
		{`{"type":"error","status_code":429,"error":{"message":"m","headers":{"retry-after":2,"x":true}}}`, APIError{Status: 429, Message: "m", Header: http.Header{"Retry-After": {"2"}, "X": {"true"}}}},
		{`{"code":"slow_down","message":"m"}`, APIError{Code: "slow_down", Message: "m"}},
		{`{"error":"model \"x\" not found"}`, APIError{Message: `model "x" not found`}},
		{`{"object":"error","message":"m","type":"BadRequestError","param":null,"code":400}`, APIError{Status: 400, Type: "BadRequestError", Message: "m"}},
		{`{"detail":"Not Found"}`, APIError{Message: "Not Found"}},
		{`[{"error":{"message":"m","code":404}}]`, APIError{Status: 404, Message: "m"}},
		{`{"error":{"type":"usage_limit_reached","resets_at":1795203300}}`, APIError{Type: "usage_limit_reached", ResetsAt: time.Unix(1795203300, 0)}},
		{`plain words`, APIError{Message: "plain words"}},
		{`<!DOCTYPE html><title>x</title>`, APIError{HTML: true}},
		{``, APIError{}},
	} {
		if diff := cmp.Diff(&c.want, readAPIError(0, []byte(c.body))); diff != "" {
			t.Errorf("%s: -want +got:\n%s", c.body, diff)
		}
	}
}

// TestNothingFromOutsideReachesTheTerminal holds that a server's message is
// quoted without its control characters.
func TestNothingFromOutsideReachesTheTerminal(t *testing.T) {
	t.Parallel()
	f := ErrorContext{Provider: "lab"}.Answered(&APIError{Status: 400, Message: "a\x1b[31m\u202eb\u200b\r\nc\x07"}, time.Time{})
	for _, r := range f.Message {
		if r < 0x20 || r == 0x202e || r == 0x200b || r == 0x7f {
			t.Errorf("the message %q holds %U", f.Message, r)
		}
	}
}

// TestCompressedError: a proxy may compress what nobody asked to be compressed. An error that
// cannot be read has no message rather than a wrong one.
func TestCompressedError(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write([]byte(`{"error":{"message":"too many","code":"rate_limit_exceeded"}}`))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	bomb := &bytes.Buffer{}
	w = gzip.NewWriter(bomb)
	_, _ = w.Write(bytes.Repeat([]byte("a"), 64<<20))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, body, message string
	}{
		{"compressed", packed.String(), "too many"},
		{"plain", `{"error":{"message":"too many"}}`, "too many"},
		{"other bytes", "\x8b\xff\xfe\x00", ""},
	} {
		if got := ReadError(&http.Response{StatusCode: 429, Body: io.NopCloser(strings.NewReader(c.body))}); got.Message != c.message || got.Status != 429 {
			t.Errorf("%s: %+v, want the message %q", c.name, got, c.message)
		}
	}
	if got := ReadError(&http.Response{StatusCode: 429, Body: io.NopCloser(bomb)}); len(got.Message) > MaxErrorBody {
		t.Errorf("a message of %d bytes", len(got.Message))
	}
}
