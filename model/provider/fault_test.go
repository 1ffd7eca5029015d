package provider

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"tandem/model"
	"tandem/model/provider/dialect"
	"tandem/workspace/redact"
)

// responseEvents are the events of a whole answer in pieces, as JSON.
func responseEvents(id string, pieces ...string) []string {
	var out []string
	add := func(format string, args ...any) {
		out = append(out, strings.Replace(fmt.Sprintf(format, args...), "#", fmt.Sprint(len(out)), 1))
	}
	add(`{"type":"response.created","sequence_number":#,"response":{"id":%q,"model":"m-1"}}`, id)
	add(`{"type":"response.in_progress","sequence_number":#,"response":{"id":%q}}`, id)
	for _, p := range pieces {
		add(`{"type":"response.output_text.delta","sequence_number":#,"output_index":0,"content_index":0,"delta":%s}`, quoted(p))
	}
	whole := strings.Join(pieces, "")
	add(`{"type":"response.output_text.done","sequence_number":#,"output_index":0,"content_index":0,"text":%s}`, quoted(whole))
	add(`{"type":"response.completed","sequence_number":#,"response":{"id":%q,"status":"completed","usage":{"input_tokens":7,"output_tokens":2}}}`, id)
	return out
}

// chatEvents are the chunks of a whole answer.
func chatEvents(pieces ...string) []string {
	var out []string
	for _, p := range pieces {
		out = append(out, fmt.Sprintf(`{"id":"c","model":"m-1","choices":[{"index":0,"delta":{"content":%s},"finish_reason":null}]}`, quoted(p)))
	}
	return append(out, `{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`, "[DONE]")
}

// stream sends events as SSE; each is flushed.
func stream(w http.ResponseWriter, events []string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range events {
		fmt.Fprintf(w, "data: %s\n\n", e)
		_ = http.NewResponseController(w).Flush()
	}
}

// cut ends the connection without ending the answer.
func cut(w http.ResponseWriter) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_ = conn.Close()
	}
}

func fail(w http.ResponseWriter, status int, body string, headers ...string) {
	for i := 0; i+1 < len(headers); i += 2 {
		w.Header().Set(headers[i], headers[i+1])
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

// hangs sends nothing until the client disconnects.
func hangs(r *http.Request) { <-r.Context().Done() }

// A faultCase is one row of the fault table: what the server does to each
// attempt, and what the caller sees.
type faultCase struct {
	name     string
	purpose  model.Purpose // "" is Complete
	chat     bool
	serve    func(w http.ResponseWriter, r *http.Request, attempt int)
	net      func(*fakeNet)
	text     string
	code     model.Code // "" for success
	requests int
	failing  int // how often it is reported that the server fails; 0: any
	atLeast  time.Duration
	atMost   time.Duration
	message  string // part of the error's message
}

var whole = responseEvents("r", "one ", "two")

func ok(w http.ResponseWriter) { stream(w, whole) }

// statusThen answers with a status n times, then with a whole answer.
func statusThen(n, status int, body string, headers ...string) func(http.ResponseWriter, *http.Request, int) {
	return func(w http.ResponseWriter, _ *http.Request, attempt int) {
		if attempt <= n {
			fail(w, status, body, headers...)
			return
		}
		ok(w)
	}
}

func just(events ...string) func(http.ResponseWriter, *http.Request, int) {
	return func(w http.ResponseWriter, _ *http.Request, _ int) { stream(w, events) }
}

func without(list []string, i int) []string {
	return append(append([]string{}, list[:i]...), list[i+1:]...)
}

func insert(list []string, i int, more ...string) []string {
	return append(append(append([]string{}, list[:i]...), more...), list[i:]...)
}

var faultCases = []faultCase{
	{name: "healthy", serve: just(whole...), text: "one two", requests: 1},
	{name: "name without address", net: func(n *fakeNet) { delete(n.up, "model.test:443") }, code: model.CodeUnreachable, atMost: 2 * time.Second, message: "has no address"},
	{name: "refused on Windows", net: func(n *fakeNet) { n.fail["model.test:443"] = refusedByWindows }, code: model.CodeUnreachable, atMost: time.Second, message: "nothing listens"},
	{name: "refused", net: func(n *fakeNet) { n.fail["model.test:443"] = syscall.ECONNREFUSED }, code: model.CodeUnreachable, atMost: time.Second, message: "nothing listens"},
	{name: "connect hangs, completion", net: func(n *fakeNet) { n.hang["model.test:443"] = true }, code: model.CodeTimeout, requests: 1, atLeast: 3 * time.Second, atMost: 3 * time.Second},
	{name: "connect hangs, task", purpose: model.Task, net: func(n *fakeNet) { n.hang["model.test:443"] = true }, code: model.CodeTimeout, requests: 1, atLeast: 10 * time.Second, atMost: 10 * time.Second},
	{name: "no first byte, completion", serve: func(_ http.ResponseWriter, r *http.Request, _ int) { hangs(r) }, code: model.CodeTimeout, requests: 1, atLeast: 5 * time.Second, atMost: 5 * time.Second},
	{name: "no first byte, ask", purpose: model.Ask, serve: func(_ http.ResponseWriter, r *http.Request, _ int) { hangs(r) }, code: model.CodeTimeout, requests: 1, atLeast: 15 * time.Second, atMost: 15 * time.Second},
	{name: "no first byte, task", purpose: model.Task, serve: func(_ http.ResponseWriter, r *http.Request, _ int) { hangs(r) }, code: model.CodeTimeout, requests: 1, atLeast: time.Minute, atMost: time.Minute},
	{name: "stall after text, completion", serve: stalls, text: "one ", code: model.CodeTimeout, requests: 1, atLeast: 3 * time.Second, atMost: 3 * time.Second},
	{name: "stall after text, ask", purpose: model.Ask, serve: stalls, text: "one ", code: model.CodeTimeout, requests: 1, atLeast: 10 * time.Second, atMost: 10 * time.Second},
	{name: "stall after text, task", purpose: model.Task, serve: stalls, text: "one ", code: model.CodeTimeout, requests: 1, atLeast: 2 * time.Minute, atMost: 2 * time.Minute},
	{name: "cut before text, once", serve: cutAfter(2, 1), text: "one two", requests: 2},
	{name: "cut before text, twice", serve: cutAfter(2, 2), code: model.CodeInterrupted, requests: 2},
	{name: "cut after text", serve: cutAfter(3, 9), text: "one ", code: model.CodeInterrupted, requests: 1},
	{name: "ends early after text", serve: just(whole[:3]...), text: "one ", code: model.CodeInterrupted, requests: 1},
	{name: "ends early before text", serve: func(w http.ResponseWriter, _ *http.Request, n int) {
		stream(w, whole[:2+(n-1)*len(whole)/2*2%len(whole)])
	}, code: model.CodeInterrupted, requests: 2},
	{name: "429 with Retry-After", serve: statusThen(1, 429, `{"error":{"code":"rate_limit_exceeded","message":"slow"}}`, "Retry-After", "2"), text: "one two", requests: 2, atLeast: 2 * time.Second, atMost: 2 * time.Second},
	{name: "429 with Retry-After-Ms", serve: statusThen(1, 429, `{}`, "Retry-After-Ms", "1500", "Retry-After", "7"), text: "one two", requests: 2, atLeast: 1500 * time.Millisecond, atMost: 1500 * time.Millisecond},
	{name: "429 with a hint in words", serve: statusThen(1, 429, `{"error":{"code":"rate_limit_exceeded","message":"Please try again in 1.25s."}}`), text: "one two", requests: 2, atLeast: 1250 * time.Millisecond, atMost: 1250 * time.Millisecond},
	{name: "429 too long for a completion", serve: statusThen(1, 429, `{}`, "Retry-After", "9"), code: model.CodeRateLimit, requests: 1, atMost: time.Second, message: "limits how often"},
	{name: "429 not too long for a task", purpose: model.Task, serve: statusThen(1, 429, `{}`, "Retry-After", "50"), text: "one two", requests: 2, atLeast: 50 * time.Second, atMost: 50 * time.Second},
	{name: "429 too long for a task", purpose: model.Task, serve: statusThen(1, 429, `{}`, "Retry-After", "61"), code: model.CodeRateLimit, requests: 1, atMost: time.Second},
	{name: "quota", serve: statusThen(9, 429, `{"error":{"type":"insufficient_quota","message":"no money"}}`), code: model.CodeQuota, requests: 1, message: "spending limit"},
	{name: "plan used up", serve: statusThen(9, 429, `{"error":{"type":"usage_limit_reached","resets_at":4102444800}}`), code: model.CodeQuota, requests: 1, message: "used up"},
	{name: "500 twice", serve: statusThen(2, 500, `{}`), text: "one two", requests: 3, failing: 2, atLeast: 1125 * time.Millisecond, atMost: 1500 * time.Millisecond},
	{name: "500 always", serve: statusThen(9, 500, `{}`), code: model.CodeServer, requests: 3, failing: 2, atMost: 1500 * time.Millisecond},
	{name: "503", serve: statusThen(1, 503, `{"error":{"code":"server_is_overloaded"}}`), text: "one two", requests: 2},
	{name: "408", serve: statusThen(2, 408, `{}`), text: "one two", requests: 3},
	{name: "409", serve: statusThen(2, 409, `{}`), text: "one two", requests: 3},
	{name: "400", serve: statusThen(1, 400, `{"error":{"message":"bad"}}`), code: model.CodeBadRequest, requests: 1, message: "“bad”"},
	{name: "401", serve: statusThen(1, 401, `{"error":{"message":"Incorrect API key"}}`), code: model.CodeAuth, requests: 1, message: "set a valid key"},
	{name: "403", serve: statusThen(1, 403, `{}`), code: model.CodeForbidden, requests: 1},
	{name: "404 model", serve: statusThen(1, 404, `{"error":{"code":"model_not_found","message":"The model x does not exist"}}`), code: model.CodeNotFound, requests: 1, message: "choose a model in [models.fast]"},
	{name: "404 path", serve: statusThen(1, 404, `404 page not found`), code: model.CodeNotFound, requests: 1, message: "base_url"},
	{name: "not supported with this login", serve: statusThen(1, 400, `{"error":{"message":"The 'x' model is not supported when using Codex with a ChatGPT account."}}`), code: model.CodeNotFound, requests: 1},
	{name: "too long", serve: statusThen(1, 400, `{"error":{"code":"context_length_exceeded","message":"too many tokens"}}`), code: model.CodeContextLength, requests: 1},
	{name: "HTML", serve: func(w http.ResponseWriter, _ *http.Request, _ int) {
		fail(w, 200, "<html><body>Welcome</body></html>", "Content-Type", "text/html")
	}, code: model.CodeProtocol, requests: 1, message: "web page"},
	{name: "redirect", serve: statusThen(9, 307, "", "Location", "https://evil.test/v1?key=1"), code: model.CodeProtocol, requests: 1, message: "sends elsewhere"},
	{name: "one event is no JSON", serve: just(insert(whole, 3, `{"type":"response.output_te`)...), text: "one two", requests: 1},
	{name: "a delta is broken, the end repeats it", serve: just(insert(without(whole, 2), 2, whole[2][:40])...), text: "one two", requests: 1},
	{name: "three events are no JSON", serve: just(insert(whole, 3, "{", "{", "{")...), text: "one ", code: model.CodeProtocol, requests: 1},
	{name: "chat: one alien event", chat: true, serve: just(insert(chatEvents("one ", "two"), 1, "nonsense")...), text: "one two", requests: 1},
	{name: "chat: a broken chunk", chat: true, serve: just(insert(chatEvents("one ", "two", "three"), 1, chatEvents("lost")[0][:50])...), text: "one ", code: model.CodeInterrupted, requests: 1},
	{name: "chat: without [DONE]", chat: true, serve: just(chatEvents("one ", "two")[:3]...), text: "one two", requests: 1},
	{name: "chat: cut before the end", chat: true, serve: just(chatEvents("one ", "two")[:2]...), text: "one two", code: model.CodeInterrupted, requests: 1},
	{name: "chat: error in the stream", chat: true, serve: just(chatEvents("one ")[0], `{"error":{"message":"gone","type":"server_error"},"status_code":500}`), text: "one ", code: model.CodeServer, requests: 1},
	{name: "chat: two choices in turns", chat: true, serve: just(twoChoices...), text: "one two", requests: 1},
	{name: "chat: two choices in one chunk", chat: true, serve: just(`{"choices":[{"index":1,"delta":{"content":"other"},"finish_reason":"length"} , {"index":0,"delta":{"content":"one two"}}]}`, twoChoices[len(twoChoices)-2], "[DONE]"), text: "one two", requests: 1},
	{name: "chat: only another choice ends", chat: true, serve: just(twoChoices[:len(twoChoices)-2]...), text: "one two", code: model.CodeInterrupted, requests: 1},
	{name: "the last events repeat a number", serve: just(repeatedFrom(3, whole)...), text: "one two", requests: 1},
	{name: "only the end repeats a number", serve: just(append(without(without(whole, 5), 4), strings.Replace(whole[5], `"sequence_number":5`, `"sequence_number":3`, 1))...), text: "one two", requests: 1},
	{name: "a delta repeats a number, the end has the text", serve: just(whole[0], whole[1], whole[2], strings.Replace(whole[3], `"sequence_number":3`, `"sequence_number":2`, 1),
		`{"type":"response.completed","sequence_number":3,"response":{"id":"r","output":[{"type":"message","content":[{"type":"output_text","text":"one two"}]}]}}`), text: "one two", requests: 1},
	{name: "a delta repeats a number, nothing has the text", serve: just(whole[0], whole[1], whole[2], strings.Replace(whole[3], `"sequence_number":3`, `"sequence_number":2`, 1),
		`{"type":"response.completed","sequence_number":3,"response":{"id":"r"}}`), text: "one ", code: model.CodeInterrupted, requests: 1},
	{name: "failed, repeating a number", serve: just(whole[0], `{"type":"response.failed","sequence_number":0,"response":{"id":"r","error":{"code":"server_error","message":"oops"}}}`), code: model.CodeServer, requests: 3, message: "oops"},
	{name: "every event twice", serve: twice(whole), text: "one two", requests: 1},
	{name: "two events change places", serve: just(insert(without(whole, 2), 3, whole[2])...), code: model.CodeInterrupted, requests: 2},
	{name: "a delta is missing", serve: just(without(whole, 3)...), text: "one ", code: model.CodeInterrupted, requests: 1},
	{name: "unknown events", serve: just(insert(whole, 2, `{"type":"weather.report","delta":"rain"}`, `{"type":"codex.rate_limits","rate_limits":{"primary":{"used_percent":3}}}`)...), text: "one two", requests: 1},
	{name: "an event of 1 MiB", serve: just(insert(whole, 2, `{"type":"x","pad":"`+strings.Repeat("x", 1<<20)+`"}`)...), text: "one two", requests: 1},
	{name: "an event of more than 4 MiB", serve: just(insert(whole, 2, `{"type":"x","pad":"`+strings.Repeat("x", dialect.MaxEvent)+`"}`)...), code: model.CodeProtocol, requests: 1, message: "4 MiB"},
	{name: "an answer of more than 16 MiB", serve: endless, code: model.CodeProtocol, requests: 1, message: "cut off"},
	{name: "an answer that does not stop", serve: just(responseEvents("r", "one ", strings.Repeat("x", 10<<20/4), strings.Repeat("x", 10<<20/4), "y")...), text: "one " + strings.Repeat("x", 10<<20/4), code: model.CodeProtocol, requests: 1, message: "does not stop"},
	{name: "no suffix", serve: statusThen(1, 400, `{"message":"suffix is not currently supported","type":"BadRequestError"}`), code: model.CodeBadRequest, requests: 1, message: "in fim of"},
	{name: "nothing", serve: just(responseEvents("r")...), code: model.CodeEmpty, requests: 1, message: "nothing"},
	{name: "refusal", serve: just(whole[0], `{"type":"response.refusal.delta","sequence_number":1,"delta":"I will not"}`, `{"type":"response.completed","sequence_number":2,"response":{"id":"r"}}`), code: model.CodeRefused, requests: 1, message: "I will not"},
	{name: "error event", serve: just(whole[0], `{"type":"error","error":{"code":"rate_limit_exceeded","message":"Please try again in 1s."},"status":429}`), code: model.CodeRateLimit, requests: 3},
	{name: "failed", serve: just(whole[0], `{"type":"response.failed","sequence_number":1,"response":{"id":"r","error":{"code":"server_error","message":"oops"}}}`), code: model.CodeServer, requests: 3, message: "oops"},
	{name: "not streamed", serve: func(w http.ResponseWriter, _ *http.Request, _ int) {
		fail(w, 200, `{"id":"r","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"one two"}]}]}`, "Content-Type", "application/json")
	}, text: "one two", requests: 1},
}

func stalls(w http.ResponseWriter, r *http.Request, _ int) {
	stream(w, whole[:3])
	hangs(r)
}

// twoChoices are the chunks of two answers in turns, of which the second ends first.
var twoChoices = []string{
	`{"choices":[{"index":0,"delta":{"role":"assistant","content":"one "}}]}`,
	`{"choices":[{"index":1,"delta":{"role":"assistant","content":"other "}}]}`,
	`{"choices":[{"index":1,"delta":{"content":"text"},"finish_reason":"stop"}]}`,
	`{"choices":[{"index":0,"delta":{"content":"two"}}]}`,
	`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
	"[DONE]",
}

// repeatedFrom gives every event after the i-th the number of that one.
func repeatedFrom(i int, events []string) []string {
	var out []string
	for n, e := range events {
		out = append(out, strings.Replace(e, fmt.Sprintf(`"sequence_number":%d`, n), fmt.Sprintf(`"sequence_number":%d`, min(n, i)), 1))
	}
	return out
}

func twice(events []string) func(http.ResponseWriter, *http.Request, int) {
	var out []string
	for _, e := range events {
		out = append(out, e, e)
	}
	return just(out...)
}

// cutAfter cuts the first n attempts after so many events.
func cutAfter(events, n int) func(http.ResponseWriter, *http.Request, int) {
	return func(w http.ResponseWriter, _ *http.Request, attempt int) {
		if attempt > n {
			ok(w)
			return
		}
		stream(w, whole[:events])
		cut(w)
	}
}

func endless(w http.ResponseWriter, r *http.Request, _ int) {
	w.Header().Set("Content-Type", "text/event-stream")
	pad := strings.Repeat("x", 64<<10)
	for r.Context().Err() == nil {
		if _, err := fmt.Fprintf(w, "data: {\"type\":\"x\",\"pad\":%q}\n\n", pad); err != nil {
			return
		}
	}
}

// newTestClient is a client of model.test on a network in memory.
func newTestClient(t *testing.T, n *fakeNet, change func(*model.ProviderConfig, *model.ModelConfig, *Options)) (model.Client, *recordingObserver) {
	t.Helper()
	obs := &recordingObserver{}
	p := model.ProviderConfig{Name: "lab", BaseURLs: []string{"http://model.test:443/v1"}, AllowHTTP: true, WireAPI: "responses"}
	m := model.ModelConfig{Name: "fast", Model: "m-1", MaxOutputTokens: 4096}
	o := Options{Dial: n.Dial, Observe: obs, Key: func(context.Context) (model.Secret, error) { return model.NewSecret("sk-test-0123456789"), nil }}
	if change != nil {
		change(&p, &m, &o)
	}
	c, err := New(p, m, o)
	if err != nil {
		t.Fatal(err)
	}
	return c, obs
}

func hello() *model.Request {
	return &model.Request{ID: "q1", Purpose: model.Complete, Instructions: redact.Said("Continue."), Input: []model.Message{{Role: "user", Text: redact.Said("hello")}}}
}

func TestFaults(t *testing.T) {
	for _, c := range faultCases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { c.run(t) })
		})
	}
}

func (c faultCase) run(t *testing.T) {
	n := newFakeNet(t)
	var attempts atomic.Int32
	stop := n.serve("model.test:443", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		c.serve(w, r, int(attempts.Add(1)))
	}))
	defer stop()
	if c.net != nil {
		c.net(n)
	}
	client, obs := newTestClient(t, n, func(p *model.ProviderConfig, _ *model.ModelConfig, _ *Options) {
		if c.chat {
			p.WireAPI = "chat"
		}
	})
	defer client.Close()
	req := hello()
	req.Purpose = cmp.Or(c.purpose, model.Complete)
	got := ask(t, t.Context(), client, req)
	c.judge(t, got, obs)
}

func (c faultCase) judge(t *testing.T, got outcome, obs *recordingObserver) {
	t.Helper()
	if got.text != c.text {
		t.Errorf("text is %.100q, want %.100q", got.text, c.text)
	}
	var code model.Code
	if got.err != nil {
		code = got.err.Code
		if got.err.Delivered != (c.text != "") {
			t.Errorf("Delivered is %v with text %q", got.err.Delivered, c.text)
		}
		if !strings.Contains(got.err.Message, c.message) || strings.Count(got.err.Message, "\n") > 0 {
			t.Errorf("the message is %q, want one with %q", got.err.Message, c.message)
		}
	}
	if code != c.code {
		t.Errorf("error is %q (%v), want %q", code, got.err, c.code)
	}
	if c.requests > 0 && obs.requests() != c.requests {
		t.Errorf("%d requests were sent, want %d", obs.requests(), c.requests)
	}
	if c.failing > 0 && len(obs.failing) != c.failing {
		t.Errorf("faults that are reported while the request goes on: %v, want %d", obs.failing, c.failing)
	}
	if got.took < c.atLeast || c.atMost > 0 && got.took > c.atMost {
		t.Errorf("it took %v, want %v to %v", got.took, c.atLeast, c.atMost)
	}
}

// TestOneRequestWhileLimited holds that no other request is sent while a limit is
// waited for, and that one is sent first when the wait is over.
func TestOneRequestWhileLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newFakeNet(t)
		var mu sync.Mutex
		var at []time.Duration
		start := time.Now()
		stop := n.serve("model.test:443", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			at = append(at, time.Since(start).Round(time.Millisecond))
			first := len(at) == 1
			mu.Unlock()
			if first {
				fail(w, 429, `{}`, "Retry-After", "4")
				return
			}
			time.Sleep(time.Second)
			ok(w)
		}))
		defer stop()
		client, _ := newTestClient(t, n, nil)
		defer client.Close()
		var wg sync.WaitGroup
		for i := range 5 {
			wg.Go(func() {
				time.Sleep(time.Duration(i) * 100 * time.Millisecond)
				if o := ask(t, t.Context(), client, hello()); o.text != "one two" {
					t.Errorf("request %d gives %q, %v", i, o.text, o.err)
				}
			})
		}
		wg.Wait()
		want := []time.Duration{0, 4 * time.Second}
		for i, w := range want {
			if at[i] != w {
				t.Errorf("request %d arrived at %v, want %v", i+1, at[i], w)
			}
		}
		if at[2] < 5*time.Second {
			t.Errorf("the third request arrived at %v, while the second was in flight", at[2])
		}
	})
}

// TestEveryCut cuts an answer of 4 KiB at each of its bytes: the caller gets the
// whole answer, or its beginning and an error.
func TestEveryCut(t *testing.T) {
	var pieces []string
	for len(strings.Join(pieces, "")) < 1200 {
		pieces = append(pieces, fmt.Sprintf("wörd%d ", len(pieces)))
	}
	full := strings.Join(pieces, "")
	for _, wire := range []string{"responses", "chat"} {
		events := responseEvents("r", pieces...)
		if wire == "chat" {
			events = chatEvents(pieces...)
		}
		body := ""
		for _, e := range events {
			body += "data: " + e + "\r\n\r\n"
		}
		body = body[max(0, len(body)-4096):]
		body = body[strings.Index(body, "data: "):]
		known := wholeOf(t, wire, body)
		if !strings.HasSuffix(full, known) || known == "" {
			t.Fatalf("%s: the uncut answer is %q", wire, known)
		}
		for at := range body {
			text, done := cutAt(t, wire, body[:at])
			if !strings.HasPrefix(known, text) || done && text != known {
				t.Fatalf("%s cut at byte %d: text %q, done %v", wire, at, text, done)
			}
		}
	}
}

func wholeOf(t *testing.T, wire, body string) string {
	t.Helper()
	text, done := cutAt(t, wire, body)
	if !done {
		t.Fatalf("%s: the uncut answer is not done", wire)
	}
	return text
}

// cutAt decodes a body as the client does.
func cutAt(t *testing.T, wire, body string) (string, bool) {
	t.Helper()
	x := newExchange(&client{dialect: dialect.All[wire], options: Options{}.withDefaults(), model: model.ModelConfig{Model: "m-1"}}, &model.ModelConfig{}, hello(), dialect.All[wire], &stopper{}, nil)
	var text string
	x.answer.yield = func(d model.Delta, _ error) bool {
		text += d.Text
		return true
	}
	f := (&httpCall{exchange: x, watch: &watch{}}).read(dialect.NewEventReader(strings.NewReader(body), false, 0), func() {})
	if x.answer.ended == (f != nil) {
		t.Fatalf("%s: ended is %v with failure %v", wire, x.answer.ended, f)
	}
	return text, x.answer.ended
}

// TestSlowCaller holds that the reader stops reading if the caller does not take
// what arrives, and that nothing is lost.
func TestSlowCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pieces := make([]string, 20000)
		for i := range pieces {
			pieces[i] = fmt.Sprintf("%d ", i)
		}
		n := newFakeNet(t)
		var written atomic.Int32
		stop := n.serve("model.test:443", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			conn := accept(w, r)
			defer conn.CloseNow()
			_, _, _ = conn.Read(context.Background())
			for _, e := range responseEvents("r", pieces...) {
				if conn.Write(context.Background(), websocket.MessageText, []byte(e)) != nil {
					return
				}
				written.Add(1)
			}
			_, _, _ = conn.Read(context.Background())
		}))
		defer stop()
		client, _ := newTestClient(t, n, withSockets)
		defer client.Close()
		var got strings.Builder
		first := true
		for d, err := range client.Stream(t.Context(), hello()) {
			if err != nil {
				t.Fatal(err)
			}
			got.WriteString(d.Text)
			if first && d.Text != "" {
				first = false
				time.Sleep(time.Minute)
				if n := written.Load(); n > 5000 {
					t.Errorf("the server could write %d events while the caller took none", n)
				}
			}
		}
		if got.String() != strings.Join(pieces, "") {
			t.Errorf("%d bytes arrived, want %d", got.Len(), len(strings.Join(pieces, "")))
		}
	})
}

// TestCancelStopsAtOnce holds that stopping to range and cancelling both end the
// request at the server.
func TestCancelStopsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newFakeNet(t)
		gone := make(chan time.Duration, 2)
		start := time.Now()
		stop := n.serve("model.test:443", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			stream(w, whole[:3])
			hangs(r)
			gone <- time.Since(start)
		}))
		defer stop()
		client, _ := newTestClient(t, n, nil)
		defer client.Close()
		for d := range client.Stream(t.Context(), hello()) {
			if d.Text != "" {
				break
			}
		}
		<-gone
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		got := ask(t, ctx, client, hello())
		if got.err == nil || got.err.Code != model.CodeCancelled || !errors.Is(got.err, context.Canceled) || got.took != time.Second {
			t.Errorf("a cancelled request gives %v after %v", got.err, got.took)
		}
		<-gone
	})
}
