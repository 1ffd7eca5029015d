package provider

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"tandem/model"
	"tandem/workspace/redact"
)

// A trickle is a server that sends the same piece each second, for ever, after
// the events in front of it.
type trickle struct {
	name, wire string
	socket     bool
	before     []string
	piece      string // a whole event, or a line that begins with ":"
	counts     bool   // it shows that the server works
}

const emptyChunk = `{"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":"","reasoning":null},"finish_reason":null}],"usage":null}`

var trickles = []trickle{
	{name: "comments before text", wire: "responses", piece: ": still here"},
	{name: "comments after text", wire: "responses", before: whole[:3], piece: ": still here"},
	{name: "empty deltas", wire: "responses", before: whole[:2], piece: `{"type":"response.output_text.delta","sequence_number":#,"delta":""}`},
	{name: "keepalive events", wire: "responses", before: whole[:2], piece: `{"type":"keepalive"}`},
	{name: "a repeated event", wire: "responses", piece: whole[0]},
	{name: "empty chunks", wire: "chat", piece: emptyChunk},
	{name: "empty chunks after text", wire: "chat", before: chatEvents("one ")[:1], piece: emptyChunk},
	{name: "chunks of another choice", wire: "chat", piece: `{"choices":[{"index":1,"delta":{"content":"other"}}]}`},
	{name: "empty texts", wire: "completions", piece: `{"choices":[{"index":0,"text":""}]}`},
	{name: "pings", wire: "messages", piece: `{"type":"ping"}`},
	{name: "empty text deltas", wire: "messages", piece: `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":""}}`},
	{name: "empty content", wire: "infill", piece: `{"content":"","stop":false}`},
	{name: "empty responses", wire: "ollama", piece: `{"response":"","done":false}`},
	{name: "keepalive on a socket", wire: "responses", socket: true, before: whole[:2], piece: `{"type":"keepalive"}`},
	{name: "keepalive on a socket after text", wire: "responses", socket: true, before: whole[:3], piece: `{"type":"keepalive"}`},
	{name: "empty deltas on a socket", wire: "responses", socket: true, before: whole[:2], piece: `{"type":"response.output_text.delta","sequence_number":#,"delta":""}`},

	{name: "reasoning", wire: "responses", before: whole[:2], piece: `{"type":"response.reasoning_text.delta","sequence_number":#,"delta":"hm"}`, counts: true},
	{name: "reasoning on a socket", wire: "responses", socket: true, before: whole[:2], piece: `{"type":"response.reasoning_text.delta","sequence_number":#,"delta":"hm"}`, counts: true},
	{name: "events without text", wire: "responses", before: whole[:2], piece: `{"type":"response.output_item.added","sequence_number":#}`, counts: true},
	{name: "reasoning chunks", wire: "chat", piece: `{"choices":[{"index":0,"delta":{"content":null,"reasoning_content":"hm"}}]}`, counts: true},
	{name: "thinking", wire: "messages", piece: `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}`, counts: true},
	{name: "thinking lines", wire: "ollama", piece: `{"response":"","thinking":"hm","done":false}`, counts: true},
}

func (c trickle) serve(w http.ResponseWriter, r *http.Request) {
	var send func(string) error
	if c.socket {
		conn := accept(w, r)
		defer conn.CloseNow()
		_, _, _ = conn.Read(context.Background())
		conn.CloseRead(context.Background())
		send = func(e string) error { return conn.Write(context.Background(), websocket.MessageText, []byte(e)) }
	} else {
		_, _ = io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		send = func(e string) error {
			if c.wire != "ollama" && !strings.HasPrefix(e, ":") {
				e = "data: " + e
			}
			_, _ = fmt.Fprintf(w, "%s\n\n", e)
			if err := http.NewResponseController(w).Flush(); err != nil {
				return err
			}
			return r.Context().Err()
		}
	}
	for _, e := range c.before {
		_ = send(e)
	}
	for n := len(c.before); n < 10000; n++ {
		if send(strings.Replace(c.piece, "#", fmt.Sprint(n), 1)) != nil {
			return
		}
		time.Sleep(time.Second)
	}
}

// TestIdle holds that what says nothing about the answer keeps no request
// alive, before the first text and after it, and that reasoning does.
func TestIdle(t *testing.T) {
	const idle = 7500 * time.Millisecond
	for _, c := range trickles {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newFakeNet(t)
				stop := n.serve("model.test:443", http.HandlerFunc(c.serve))
				defer time.Sleep(2 * time.Second) // the server notices with its next piece
				defer stop()
				client, _ := newTestClient(t, n, func(p *model.ProviderConfig, m *model.ModelConfig, _ *Options) {
					p.WireAPI, p.SupportsWebsockets, p.StreamIdleTimeout, m.FIM = c.wire, c.socket, idle, "qwen"
				})
				defer client.Close()
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				req := hello()
				req.Fill = &model.Infill{Prefix: redact.Said("a"), Suffix: redact.Said("b")}
				got := ask(t, ctx, client, req)
				switch {
				case c.counts && got.took != time.Minute:
					t.Errorf("it ended after %v with %v, want it kept until the caller stops", got.took, got.err)
				case !c.counts && (got.err == nil || got.err.Code != model.CodeTimeout || got.took > idle+100*time.Millisecond):
					t.Errorf("it ended after %v with %v, want a timeout after %v", got.took, got.err, idle)
				}
			})
		})
	}
}

// TestIdleBeforeHeaders holds that stream_idle_timeout_ms also bounds the wait
// for an answer's first byte.
func TestIdleBeforeHeaders(t *testing.T) {
	for _, socket := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			n := newFakeNet(t)
			stop := n.serve("model.test:443", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet {
					conn := accept(w, r)
					defer conn.CloseNow()
					_, _, _ = conn.Read(context.Background())
					_, _, _ = conn.Read(context.Background())
					return
				}
				_, _ = io.ReadAll(r.Body)
				hangs(r)
			}))
			defer stop()
			client, _ := newTestClient(t, n, func(p *model.ProviderConfig, _ *model.ModelConfig, _ *Options) {
				p.SupportsWebsockets, p.StreamIdleTimeout = socket, 2*time.Second
			})
			defer client.Close()
			req := hello()
			req.Purpose = model.Task
			want := 2 * time.Second
			if socket {
				want *= 2 // then it is asked without one
			}
			for range 2 {
				if got := ask(t, t.Context(), client, req); got.err == nil || got.err.Code != model.CodeTimeout || got.took != want {
					t.Errorf("socket %v: %v after %v, want a timeout after %v", socket, got.err, got.took, want)
				}
				want = 2 * time.Second // the server is known now
			}
		})
	}
}

// TestCancelInEveryPhase cancels a request in each of its phases: the stream
// ends at that moment, although the server, or the program that prints the
// key, goes on waiting.
func TestCancelInEveryPhase(t *testing.T) {
	held := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		hangs(r)
	}
	deaf := func(context.Context, string, string) (net.Conn, error) {
		client, _ := newPipe()
		return client, nil
	}
	for _, c := range []struct {
		name   string
		serve  http.HandlerFunc
		change func(*model.ProviderConfig, *Options, *fakeNet, chan struct{})
	}{
		{name: "key", serve: held, change: func(_ *model.ProviderConfig, o *Options, _ *fakeNet, end chan struct{}) {
			o.Key = func(context.Context) (model.Secret, error) { <-end; return model.Secret{}, nil }
		}},
		{name: "dial", serve: held, change: func(_ *model.ProviderConfig, _ *Options, n *fakeNet, _ chan struct{}) {
			n.hang["model.test:443"] = true
		}},
		{name: "dial that cannot be interrupted", serve: held, change: func(_ *model.ProviderConfig, o *Options, _ *fakeNet, end chan struct{}) {
			o.Dial = func(context.Context, string, string) (net.Conn, error) { <-end; return nil, io.EOF }
		}},
		{name: "TLS", serve: held, change: func(p *model.ProviderConfig, o *Options, _ *fakeNet, _ chan struct{}) {
			p.BaseURLs, o.Dial = []string{"https://model.test/v1"}, deaf
		}},
		{name: "proxy", serve: held, change: func(p *model.ProviderConfig, o *Options, _ *fakeNet, _ chan struct{}) {
			p.BaseURLs, p.Proxy, o.Dial = []string{"https://model.test/v1"}, "http://proxy.test:3128", deaf
		}},
		{name: "upgrade", serve: held, change: func(p *model.ProviderConfig, _ *Options, _ *fakeNet, _ chan struct{}) {
			p.SupportsWebsockets = true
		}},
		{name: "sending over a socket", serve: func(w http.ResponseWriter, r *http.Request) {
			conn := accept(w, r)
			defer conn.CloseNow()
			time.Sleep(time.Minute)
		}, change: func(p *model.ProviderConfig, _ *Options, _ *fakeNet, _ chan struct{}) { p.SupportsWebsockets = true }},
		{name: "sending over HTTP", serve: func(http.ResponseWriter, *http.Request) { time.Sleep(time.Minute) }},
		{name: "headers", serve: held},
		{name: "first event on a socket", serve: func(w http.ResponseWriter, r *http.Request) {
			conn := accept(w, r)
			defer conn.CloseNow()
			_, _, _ = conn.Read(context.Background())
			_, _, _ = conn.Read(context.Background())
		}, change: func(p *model.ProviderConfig, _ *Options, _ *fakeNet, _ chan struct{}) { p.SupportsWebsockets = true }},
		{name: "stream", serve: func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.ReadAll(r.Body)
			stream(w, whole[:3])
			hangs(r)
		}},
		{name: "wait after a rate limit", serve: func(w http.ResponseWriter, _ *http.Request) { fail(w, 429, `{}`, "Retry-After", "50") }},
		{name: "wait after a fault", serve: func(w http.ResponseWriter, _ *http.Request) { fail(w, 503, `{}`, "Retry-After", "50") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n, end := newFakeNet(t), make(chan struct{})
				stop := n.serve("model.test:443", c.serve)
				defer time.Sleep(2 * time.Minute)
				defer stop()
				client, _ := newTestClient(t, n, func(p *model.ProviderConfig, _ *model.ModelConfig, o *Options) {
					if c.change != nil {
						c.change(p, o, n, end)
					}
				})
				defer client.Close()
				defer close(end)
				ctx, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(1500*time.Millisecond, func() { cancel(errors.New("the caller's own reason")) })
				req := hello()
				req.Purpose = model.Task
				req.Input[0].Text = redact.Said(strings.Repeat("a long request ", 1<<16))
				got := ask(t, ctx, client, req)
				if got.err == nil || got.err.Code != model.CodeCancelled || got.took != 1500*time.Millisecond {
					t.Errorf("%v after %v, want it cancelled after 1.5s", got.err, got.took)
				}
			})
		})
	}
}

// TestCancelledUpgrade holds that a caller who stops during an upgrade does not
// switch sockets off for the next one.
func TestCancelledUpgrade(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, u := newFakeNet(t), &upgrades{}
		stop := n.serve("model.test:443", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if u.count(r.Method == http.MethodGet) == 1 {
				hangs(r)
				return
			}
			conn := accept(w, r)
			defer conn.CloseNow()
			serveSocket(conn, func(int, string) []string { return whole })
		}))
		defer stop()
		client, _ := newTestClient(t, n, withSockets)
		defer client.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		ask(t, ctx, client, hello())
		got := ask(t, t.Context(), client, hello())
		if sockets, posts := u.seen(); got.text != "one two" || sockets != 2 || posts != 0 {
			t.Errorf("%q after %d upgrades and %d posts, want the second upgrade to answer", got.text, sockets, posts)
		}
	})
}

// TestCauseOfTheEnd holds that the caller's own reason for a cancelled context
// is the stream's error.
func TestCauseOfTheEnd(t *testing.T) {
	late := &model.Error{Code: model.CodeTimeout, Message: "too late"}
	for _, socket := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			n := newFakeNet(t)
			stop := n.serve("model.test:443", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { trickles[len(trickles)-4].at(socket).serve(w, r) }))
			defer time.Sleep(2 * time.Second)
			defer stop()
			client, _ := newTestClient(t, n, func(p *model.ProviderConfig, _ *model.ModelConfig, _ *Options) { p.SupportsWebsockets = socket })
			defer client.Close()
			ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, late)
			defer cancel()
			if got := ask(t, ctx, client, hello()); got.err == nil || got.err.Code != model.CodeTimeout || got.err.Message != "too late" || got.took != time.Minute {
				t.Errorf("socket %v: %v after %v", socket, got.err, got.took)
			}
		})
	}
}

func (c trickle) at(socket bool) trickle {
	c.socket = socket
	return c
}
