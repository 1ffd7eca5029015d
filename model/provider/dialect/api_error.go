package dialect

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"tandem/model"
)

// Faults of a stream, before they become failures with a message.
var (
	errBadEvent  = errors.New("an event is not JSON")
	errBadEvents = errors.New("several events of one answer are not JSON")
	ErrGap       = errors.New("events are missing")
	ErrLostText  = errors.New("a piece of the answer was unreadable")
	ErrEarlyEnd  = errors.New("the answer ended before its last event")
	errNoReason  = fmt.Errorf("%w, in order", ErrEarlyEnd)
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
	After      time.Duration // to be left alone, as the body says
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

// maxNested bounds how errors hold each other.
const maxNested = 6

func (e *APIError) read(v any) { e.readIn(v, 0) }

func (e *APIError) readIn(v any, depth int) {
	if depth > maxNested {
		return
	}
	switch v := v.(type) {
	case string:
		if inner := []byte(v); len(inner) > 1 && (inner[0] == '{' || inner[0] == '[') { // a server passes on another's body
			var nested any
			if json.Unmarshal(inner, &nested) == nil {
				if e.readIn(nested, depth+1); e.Message != "" {
					return
				}
			}
		}
		e.Message = v
	case []any:
		e.list(v, depth)
	case map[string]any:
		e.object(v, depth)
	}
}

// Members of errors by what they hold. The first that has it counts.
var (
	errorTypes    = []string{"type", "error_type", "errorType", "__type", "status"}
	errorCodes    = []string{"code", "error_code", "errorCode", "err_code", "status_code", "reason"}
	errorMessages = []string{"message", "msg", "detail", "Message", "error_msg", "error_message", "errorMessage", "error_description", "err_msg", "errmsg", "status_msg", "description", "title"}
	errorParams   = []string{"param", "parameter", "field", "loc", "additionalProperty"}
	waitSeconds   = []string{"retry_after", "retry_after_seconds", "retryAfter", "retryAfterSeconds", "resets_in_seconds", "reset_in_seconds", "wait_seconds"}
	waitMillis    = []string{"retry_after_ms", "retryAfterMs"}
	waitUntils    = []string{"resets_at", "reset_at", "resetsAt", "resetAt"}
	errorsWithin  = []string{"metadata", "cause", "raw", "innererror", "inner_error", "upstream_error", "params", "details", "errors", "err", "base_resp", "error"}
)

// object reads an error, then the ones within it, which say more.
func (e *APIError) object(v map[string]any, depth int) {
	first := func(names []string, use func(any) bool) {
		for _, name := range names {
			if value, ok := v[name]; ok && value != nil && use(value) {
				return
			}
		}
	}
	first([]string{"status_code", "statusCode", "status", "http_status"}, func(v any) bool {
		n, ok := v.(float64)
		if ok = ok && n >= 100 && n < 600; ok {
			e.Status = int(n)
		}
		return ok
	})
	first(errorTypes, func(v any) bool {
		kind, ok := v.(string)
		if ok = ok && kind != "" && kind != "error" && !strings.HasPrefix(kind, "response."); ok {
			e.Type = kind
		}
		return ok
	})
	first(errorCodes, func(v any) bool { return e.code(v) })
	first(errorMessages, func(v any) bool { return e.message(v, depth) })
	first(errorParams, func(v any) bool {
		if list, ok := v.([]any); ok {
			return e.place(list)
		}
		e.Param = stringOf(v)
		return e.Param != ""
	})
	if n, ok := v["n_ctx"].(float64); ok && n > 0 && n < 1e9 {
		e.MostTokens = int(n)
	}
	e.waits(first)
	if headers, ok := v["headers"]; ok {
		e.headers(headers)
	}
	for _, name := range errorsWithin {
		if inner, ok := v[name]; ok && inner != nil {
			e.within(inner, depth)
		}
	}
	if e.Message != "" {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(v)) { // one that a gateway calls otherwise
		switch inner := v[name].(type) {
		case map[string]any, []any:
			e.within(inner, depth)
		}
	}
}

// within reads an error that another one holds. What it does not say stays.
func (e *APIError) within(inner any, depth int) {
	if word, ok := inner.(string); ok && !strings.ContainsAny(word, " {[") {
		e.Code = cmp.Or(e.Code, word[:min(len(word), maxCode)])
	}
	outer := e.Message
	e.Message = ""
	e.readIn(inner, depth+1)
	if _, ok := inner.(string); e.Message == "" || ok && len(e.Message) < len(outer) {
		e.Message = outer
	}
}

// message reads what a server says: text, or a list of what was wrong with a request.
func (e *APIError) message(v any, depth int) bool {
	switch v := v.(type) {
	case string:
		if v == "" {
			return false
		}
	case map[string]any, []any:
	default:
		return false
	}
	e.readIn(v, depth+1)
	return e.Message != ""
}

// list reads several errors: the first one, and of a check of a request what each says of its
// place.
func (e *APIError) list(list []any, depth int) {
	var all []string
	for _, one := range list {
		var each APIError
		each.readIn(one, depth+1)
		if each.Message != "" {
			all = append(all, strings.TrimPrefix(cmp.Or(each.Param, "")+": "+each.Message, ": "))
		}
		e.Type, e.Code, e.Param = cmp.Or(e.Type, each.Type), cmp.Or(each.Code, e.Code), cmp.Or(e.Param, each.Param)
		e.Status, e.After, e.ResetsAt = cmp.Or(e.Status, each.Status), max(e.After, each.After), latest(e.ResetsAt, each.ResetsAt)
		e.MostTokens = cmp.Or(e.MostTokens, each.MostTokens)
	}
	if len(all) > 0 {
		e.Message = strings.Join(all, "; ")
	}
}

// place reads the path to a member of a request: ["body", "stream_options"].
func (e *APIError) place(path []any) bool {
	var names []string
	for _, step := range path {
		if name := stringOf(step); name != "body" {
			names = append(names, name)
		}
	}
	e.Param = strings.Join(names, ".")
	return e.Param != ""
}

// waits reads when the server may be asked again.
func (e *APIError) waits(first func([]string, func(any) bool)) {
	number := func(v any) (float64, bool) {
		n, err := strconv.ParseFloat(stringOf(v), 64)
		return n, err == nil && n >= 0
	}
	read := func(unit time.Duration) func(any) bool {
		return func(v any) bool {
			n, ok := number(v)
			if ok {
				e.After = max(e.After, waiting(n, unit))
			}
			return ok
		}
	}
	first(waitSeconds, read(time.Second))
	first(waitMillis, read(time.Millisecond))
	first([]string{"retryDelay", "retry_delay"}, func(v any) bool { // Gemini: "37s"
		wait, ok := durationIn(stringOf(v))
		if ok {
			e.After = max(e.After, wait)
		}
		return ok
	})
	first(waitUntils, func(v any) bool {
		at, ok := timeOf(stringOf(v))
		if ok {
			e.ResetsAt = latest(e.ResetsAt, at)
		}
		return ok
	})
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// timeOf reads a time as servers write it: seconds or milliseconds since 1970, RFC 3339, or that
// without a zone, which is UTC's.
func timeOf(s string) (time.Time, bool) {
	if n, err := strconv.ParseFloat(s, 64); err == nil && n > 1e9 && n < 1e14 {
		if n > 1e11 {
			return time.UnixMilli(int64(n)), true
		}
		return time.Unix(int64(n), 0), true
	}
	for _, layout := range []string{time.RFC3339, time.DateTime, "2006-01-02T15:04:05"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// code reads the error code: a string from most servers, the status or another number from
// some.
func (e *APIError) code(v any) bool {
	code := stringOf(v)
	if n, err := strconv.Atoi(code); err == nil && n >= 400 && n < 600 {
		e.Status = cmp.Or(e.Status, n)
		return true
	}
	if len(code) > maxCode || code == "" {
		return false
	}
	e.Code = code
	return true
}

// maxCode bounds a code: longer ones are sentences.
const maxCode = 64

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

// EventError reads an event that is named as an error.
func EventError(data []byte) error { return readAPIError(0, data) }

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
	for name, values := range resp.Header {
		if e.Header == nil {
			e.Header = http.Header{}
		}
		e.Header[name] = values
	}
	if kind, _, _ := strings.Cut(resp.Header.Get("X-Amzn-Errortype"), ":"); kind != "" { // Bedrock
		e.Type = cmp.Or(e.Type, kind)
	}
	return e
}

// maxWait bounds how long a server may be left alone because it asked for that: quotas begin
// again once a month at the latest.
const maxWait = 31 * 24 * time.Hour

// wait is how long the server asked to wait: the longest that its headers, its body and its
// words name. now is the wall clock, for dates.
func (e *APIError) wait(now time.Time) time.Duration {
	wait := e.After
	if !e.ResetsAt.IsZero() {
		wait = max(wait, e.ResetsAt.Sub(now))
	}
	wait = max(wait, headerWait(e.Header, now), waitIn(e.Message, now))
	return min(max(wait, 0), maxWait)
}

// headerWait is how long the headers ask to wait: Retry-After, else until a limit of which
// nothing remains begins anew.
func headerWait(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms >= 0 {
		return waiting(ms, time.Millisecond)
	}
	if after := h.Get("Retry-After"); after != "" {
		if at, ok := timeOf(after); ok {
			return at.Sub(now)
		}
		if s, err := strconv.ParseFloat(after, 64); err == nil && s >= 0 {
			return waiting(s, time.Second)
		}
		if at, err := http.ParseTime(after); err == nil {
			return at.Sub(now)
		}
		if wait, ok := durationIn(after); ok {
			return wait
		}
	}
	var wait time.Duration
	limits, _ := HeaderLimits(h, now)
	for _, a := range []model.Allowance{limits.Requests, limits.Tokens} {
		if a.Known && a.Remaining <= 0 {
			wait = max(wait, a.Reset)
		}
	}
	if at, ok := timeOf(h.Get("X-Ratelimit-Reset")); ok { // OpenRouter
		wait = max(wait, at.Sub(now))
	}
	return wait
}

// Waits in words: "try again in 2m37.44s", "retry after 26 seconds", "will reset at
// 2026-11-27T16:00:00Z", "retry_delay { seconds: 3 }", "将在 2026-11-28 07:54:13 重置".
var (
	asksToWait = regexp.MustCompile(`(?is)(?:(?:try(?:ing)?(?: it)? again|retry(?:ing|_?delay)?|wait(?:ing)?|resets?|resume|available(?: again)?|come back|refresh\w*|cool ?down)\b|将在|请在|等待)\D{0,60}(\d.{0,40})`)
	secondsOf  = regexp.MustCompile(`(?is)retry_?delay\W{0,4}seconds\W{1,3}(\d{1,7})\b`)
	clock      = regexp.MustCompile(`^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?`)
	waitPart   = regexp.MustCompile(`(?i)^[ ,]*(?:and )?(\d+(?:\.\d+)?) ?(milliseconds?|millis|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)(?:\b|(\d))`)
	units      = map[byte]time.Duration{'s': time.Second, 'm': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour}
)

// waitIn is the wait that a message names, or 0.
func waitIn(message string, now time.Time) (longest time.Duration) {
	for _, m := range asksToWait.FindAllStringSubmatch(message[:min(len(message), maxSaid)], 8) {
		if wait, ok := durationIn(m[1]); ok {
			longest = max(longest, wait)
			continue
		}
		said := cmp.Or(clock.FindString(m[1]), strings.TrimRight(strings.Fields(m[1])[0], ".,;)\"'"))
		if at, ok := timeOf(said); ok {
			longest = max(longest, at.Sub(now))
		}
	}
	if m := secondsOf.FindStringSubmatch(message); m != nil {
		n, _ := strconv.Atoi(m[1])
		longest = max(longest, waiting(float64(n), time.Second))
	}
	return longest
}

// durationIn reads the duration with which a text begins: numbers, each with its unit.
func durationIn(text string) (total time.Duration, ok bool) {
	for {
		m := waitPart.FindStringSubmatchIndex(text)
		if m == nil {
			return min(total, maxWait), ok
		}
		n, err := strconv.ParseFloat(text[m[2]:m[3]], 64)
		if err != nil {
			return total, ok
		}
		name := strings.ToLower(text[m[4]:m[5]])
		unit := units[name[0]]
		if name == "ms" || strings.HasPrefix(name, "milli") {
			unit = time.Millisecond
		}
		total, ok = min(total+waiting(n, unit), maxWait), true
		text = text[m[5]:]
	}
}

// waiting is n units, which may be more than a Duration holds.
func waiting(n float64, unit time.Duration) time.Duration {
	return time.Duration(min(n*float64(unit), float64(maxWait)))
}
