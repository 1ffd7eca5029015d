package dialect

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Faults of a stream, before they become failures with a message.
var (
	errBadEvent  = errors.New("an event is not JSON")
	errBadEvents = errors.New("several events of one answer are not JSON")
	ErrGap       = errors.New("events are missing")
	ErrLostText  = errors.New("a piece of the answer was unreadable")
	ErrEarlyEnd  = errors.New("the answer ended before its last event")
)

// MaxErrorBody is the most that is read of an error body.
const MaxErrorBody = 64 << 10

// An APIError is an error as the server sent it, in a response's body or in an
// event.
type APIError struct {
	Status     int
	Type       string
	Code       string
	Message    string
	Param      string
	ResetsAt   time.Time
	Header     http.Header
	MostTokens int  // that fit
	HTML       bool // the body was a web page
}

func (e *APIError) Error() string {
	return strings.Join(strings.Fields(fmt.Sprintf("%s %s %s", e.Type, e.Code, e.Message)), " ")
}

// is reports whether the error's code or type is one of the names.
func (e *APIError) is(names ...string) bool {
	return slices.Contains(names, e.Code) || slices.Contains(names, e.Type)
}

// UnmarshalJSON reads the shapes that servers use: an object, one in a member
// "error", a string, members of other types than documented.
func (e *APIError) UnmarshalJSON(b []byte) error {
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	e.read(v)
	return nil
}

func (e *APIError) read(v any) {
	switch v := v.(type) {
	case string:
		e.Message = v
	case []any:
		if len(v) > 0 {
			e.read(v[0])
		}
	case map[string]any:
		for key, value := range v {
			e.member(key, value)
		}
		if inner, ok := v["error"]; ok && inner != nil {
			e.read(inner)
		}
	}
}

func (e *APIError) member(key string, v any) {
	switch key {
	case "status", "status_code":
		if n, ok := v.(float64); ok && n >= 100 {
			e.Status = int(n)
		}
	case "type":
		if kind := stringOf(v); kind != "error" || e.Type == "" {
			e.Type = kind
		}
	case "code":
		e.code(v)
	case "message", "detail":
		e.Message = stringOf(v)
	case "param":
		e.Param = stringOf(v)
	case "n_ctx":
		if n, ok := v.(float64); ok && n > 0 && n < 1e9 {
			e.MostTokens = int(n)
		}
	case "resets_at":
		if n, err := strconv.ParseFloat(stringOf(v), 64); err == nil {
			e.ResetsAt = time.Unix(int64(n), 0)
		}
	case "headers":
		e.headers(v)
	}
}

// code reads the error code: a string from most servers, the status from some.
func (e *APIError) code(v any) {
	if n, ok := v.(float64); ok {
		if n >= 400 && n < 600 && e.Status == 0 {
			e.Status = int(n)
		}
		return
	}
	e.Code = stringOf(v)
}

func (e *APIError) headers(v any) {
	m, ok := v.(map[string]any)
	if !ok {
		return
	}
	if e.Header == nil {
		e.Header = http.Header{}
	}
	for k, v := range m {
		e.Header.Set(k, stringOf(v))
	}
}

func stringOf(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any, map[string]any:
		b, _ := json.Marshal(v)
		return string(b)
	}
	return fmt.Sprint(v)
}

// readAPIError reads an error body or event; status is that of the response,
// 0 where there is none.
func readAPIError(status int, body []byte) *APIError {
	e := &APIError{}
	if json.Unmarshal(body, e) != nil {
		e.HTML = isHTML(body)
		if !e.HTML && utf8.Valid(body) {
			e.Message = string(bytes.TrimSpace(body))
		}
	}
	if status != 0 {
		e.Status = status
	}
	return e
}

func isHTML(body []byte) bool {
	head := bytes.ToLower(bytes.TrimSpace(body[:min(len(body), 512)]))
	return bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html")) || bytes.Contains(head, []byte("<head"))
}

// ReadError reads the beginning of an error response, with its headers. Nobody asks for
// compressed ones, and some proxies send them.
func ReadError(resp *http.Response) *APIError {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, MaxErrorBody))
	if packed, err := gzip.NewReader(bytes.NewReader(body)); err == nil {
		body, _ = io.ReadAll(io.LimitReader(packed, MaxErrorBody))
	}
	e := readAPIError(resp.StatusCode, body)
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
		e.HTML, e.Message = true, ""
	}
	e.Header = resp.Header
	return e
}

var tryAgainIn = regexp.MustCompile(`(?i)try again in ([0-9.]+) ?(ms|seconds|second|s|m)\b`)

// maxWait bounds how long a server may be left alone because it asked for that: quotas begin
// again once a day.
const maxWait = 24 * time.Hour

// wait is how long the server asked to wait: from its headers, else from its
// message. now is the wall clock, for dates.
func (e *APIError) wait(now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(e.Header.Get("Retry-After-Ms"), 64); err == nil && ms >= 0 {
		return waiting(ms, time.Millisecond)
	}
	if after := e.Header.Get("Retry-After"); after != "" {
		if s, err := strconv.ParseFloat(after, 64); err == nil && s >= 0 {
			return waiting(s, time.Second)
		}
		if at, err := http.ParseTime(after); err == nil && at.After(now) {
			return min(at.Sub(now), maxWait)
		}
	}
	m := tryAgainIn.FindStringSubmatch(e.Message)
	if m == nil {
		return 0
	}
	n, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		return 0
	}
	unit := map[string]time.Duration{"ms": time.Millisecond, "m": time.Minute}[strings.ToLower(m[2])]
	if unit == 0 {
		unit = time.Second
	}
	return waiting(n, unit)
}

// waiting is n units, which may be more than a Duration holds.
func waiting(n float64, unit time.Duration) time.Duration {
	return time.Duration(min(n*float64(unit), float64(maxWait)))
}
