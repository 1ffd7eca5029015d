package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.lsp.dev/jsonrpc2"

	"tandem/model"
	"tandem/workspace/run"
)

// sentNotification is a notification as the connection got it, and when.
type sentNotification struct {
	method, text string
	at           time.Duration
}

// withQueue runs f beside a queue in virtual time and returns what was sent. A
// params value that is a string is the text of the notification.
func withQueue(t *testing.T, f func(q *notificationQueue)) []sentNotification {
	var mu sync.Mutex // guards sent
	var sent []sentNotification
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		q := newNotificationQueue(func(method string, params any) {
			var text string
			_ = json.Unmarshal(params.(jsonrpc2.RawMessage), &text)
			mu.Lock()
			defer mu.Unlock()
			sent = append(sent, sentNotification{method, text, time.Since(start)})
		}, func(p *run.Panic) { t.Errorf("%v", p.Value) })
		ctx, cancel := context.WithCancel(t.Context())
		go q.run(ctx)
		f(q)
		synctest.Wait()
		cancel()
		synctest.Wait()
	})
	return sent
}

func joined(sent []sentNotification, method string) (text string, count int) {
	for _, n := range sent {
		if n.method == method {
			text, count = text+n.text, count+1
		}
	}
	return text, count
}

func asText(text string) any { return text }

func TestStreamsArriveInOrderAndWhole(t *testing.T) {
	var want strings.Builder
	sent := withQueue(t, func(q *notificationQueue) {
		a, b := newTextStream(q, "a", asText), newTextStream(q, "b", asText)
		for i := range 1000 {
			piece := fmt.Sprintf("%d ", i)
			want.WriteString(piece)
			a.add(piece)
			b.add(piece)
			if i%50 == 0 {
				q.post("other", "x")
			}
			time.Sleep(3 * time.Millisecond)
		}
		a.flush()
		q.post("reply", "of a") // stands for the reply: nothing of the stream may follow
		b.flush()
	})
	for _, method := range []string{"a", "b"} {
		text, count := joined(sent, method)
		if text != want.String() {
			t.Errorf("%s: the pieces are not the text in order", method)
		}
		if took := sent[len(sent)-1].at; float64(count) > took.Seconds()*30+2 {
			t.Errorf("%s: %d notifications in %v", method, count, took)
		}
	}
	if sent[0].at != 0 {
		t.Errorf("the first piece waited %v", sent[0].at)
	}
}

// TestFastProducerRests holds that the producer of a fast stream collects what arrives
// instead of waking up for each piece, that no piece is later for it than a stream's
// interval, and that the producer of a slow one does not rest.
func TestFastProducerRests(t *testing.T) {
	for _, c := range []struct {
		gap  time.Duration // from one piece to the next
		adds int           // at most
	}{{time.Millisecond, 1000}, {20 * time.Millisecond, 150}} {
		const lasts = 3 * time.Second
		pieces := int(lasts / c.gap)
		adds := 0
		var rested time.Duration
		sent := withQueue(t, func(q *notificationQueue) {
			s := newTextStream(q, "a", asText)
			start := time.Now()
			for n := 0; n < pieces; {
				time.Sleep(time.Until(start.Add(time.Duration(n) * c.gap)))
				arrived := ""
				for ; n < pieces && time.Since(start) >= time.Duration(n)*c.gap; n++ {
					arrived += fmt.Sprintf("n%03d ", n)
				}
				before := time.Now()
				s.add(arrived)
				rested += time.Since(before)
				adds++
			}
			s.flush()
		})
		for _, m := range sent {
			for _, word := range strings.Fields(m.text) {
				var n int
				_, _ = fmt.Sscanf(word, "n%d", &n)
				if late := m.at - time.Duration(n)*c.gap; late > streamInterval {
					t.Errorf("a piece every %v: piece %d is late by %v", c.gap, n, late)
				}
			}
		}
		if adds > c.adds || (rested > 0) != (c.gap < 5*time.Millisecond) {
			t.Errorf("a piece every %v: the producer woke up %d times and rested %v", c.gap, adds, rested)
		}
	}
}

// A flush while the sender waits for the limits sends the rest once, after what
// came before it.
func TestFlushDoesNotOvertake(t *testing.T) {
	for delay := time.Duration(0); delay < 60*time.Millisecond; delay += time.Millisecond {
		sent := withQueue(t, func(q *notificationQueue) {
			for range notificationsBurst + 3 { // uses up the burst
				q.post("other", "x")
			}
			a := newTextStream(q, "a", asText)
			a.add("one ")
			time.Sleep(delay)
			a.add("two ")
			time.Sleep(delay / 3)
			a.add("three")
			a.flush()
			q.send("reply", jsonrpc2.RawMessage(`""`))
		})
		if text, _ := joined(sent, "a"); text != "one two three" {
			t.Fatalf("after %v: %q", delay, text)
		}
		var order []string
		for _, n := range sent {
			if n.method != "other" {
				order = append(order, n.method)
			}
		}
		if order[len(order)-1] != "reply" {
			t.Fatalf("after %v: a piece follows the reply: %v", delay, order)
		}
	}
}

// Each alternative of an edit is a stream of its own, and what a model says
// carries nothing that hides text.
func TestAlternativesStreamApart(t *testing.T) {
	answer := "Here \x1b[31m\u202eit is:\n\n<<<<<<< SEARCH\none\n=======\ntwo words\n>>>>>>> REPLACE\n"
	models := &cassette{answers: map[model.Purpose][]reply{model.Edit: {{text: answer}}}}
	e := start(t, deps(t, models))
	e.initialize(fullClient(), t.TempDir())
	e.notify("textDocument/didOpen", object{"textDocument": object{"uri": "untitled:a.go", "languageId": "text", "version": 1, "text": "one\n"}})
	_, err := e.call("tandem/edit", object{"textDocument": object{"uri": "untitled:a.go"}, "instruction": "x", "alternatives": 2, "partialResultToken": "p"})
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, m := range e.received {
		var p struct {
			Token string
			Value struct{ Proposal proposalNote }
		}
		if m.Method == "$/progress" && json.Unmarshal(m.Params, &p) == nil && p.Token == "p" {
			texts[p.Value.Proposal.ID] += p.Value.Proposal.Append.Text
		}
	}
	want := strings.NewReplacer("\x1b", "", "\u202e", "").Replace(answer)
	if len(texts) != 3 {
		t.Errorf("%d streams for three candidates", len(texts))
	}
	for id, text := range texts {
		if text != want {
			t.Errorf("%s: %q, want %q", id, text, want)
		}
	}
}

// An answer and its pieces are inert, and the pieces are the answer.
func TestAnswersAreInert(t *testing.T) {
	models := &cassette{answers: map[model.Purpose][]reply{model.Ask: {{text: "See ![x](http://evil/i.png), [run](command:evil) \x1b[2J and \u202ethis: `ok`.\n\n- one\n- two\n"}}}}
	e := start(t, deps(t, models))
	e.initialize(fullClient(), t.TempDir())
	e.notify("textDocument/didOpen", object{"textDocument": object{"uri": "untitled:a.go", "languageId": "text", "version": 1, "text": "one\n"}})
	e.untilIndexed() // else an answer says what was not read
	ask := func(method string, params object) string {
		raw, err := e.call(method, params)
		if err != nil {
			t.Fatal(err)
		}
		var out askResult
		if err := json.Unmarshal(raw, &out); err != nil {
			t.Fatal(err)
		}
		return out.Answer
	}
	whole := ask("tandem/ask", object{"question": "q", "partialResultToken": "p"})
	if strings.ContainsAny(whole, "\x1b\u202e") || strings.Contains(whole, "](") || !strings.Contains(whole, "`ok`") {
		t.Errorf("the answer is not inert: %q", whole)
	}
	if again := ask("workspace/executeCommand", object{"command": "tandem.ask", "arguments": []any{object{"question": "q"}}}); again != whole {
		t.Errorf("the command answers %q, the request %q", again, whole)
	}
	pieces := ""
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, m := range e.received {
		var p struct {
			Token string
			Value struct{ Answer string }
		}
		if m.Method == "$/progress" && json.Unmarshal(m.Params, &p) == nil && p.Token == "p" {
			pieces += p.Value.Answer
		}
	}
	if pieces != whole {
		t.Errorf("the pieces are %q, the answer %q", pieces, whole)
	}
}

// TestFastProducersRest: who adds more than a person reads rests until the next piece is about
// to leave, and nobody else does.
func TestFastProducersRest(t *testing.T) {
	for _, c := range []struct {
		first, second int
		want          time.Duration
	}{{fastBytes, fastBytes, 0}, {fastBytes, fastBytes + 1, restTime}, {fastBytes + 1, 1, restTime}, {1, 1, 0}} {
		withQueue(t, func(q *notificationQueue) {
			s := newTextStream(q, "a", asText)
			s.add(strings.Repeat("x", c.first)) // it leaves at once
			synctest.Wait()
			start := time.Now()
			if s.add(strings.Repeat("x", c.second)); time.Since(start) != c.want {
				t.Errorf("%d and %d bytes: rested %v, want %v", c.first, c.second, time.Since(start), c.want)
			}
			s.flush()
		})
	}
}
