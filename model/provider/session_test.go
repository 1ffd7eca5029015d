package provider

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"tandem/model"
	"tandem/model/provider/dialect"
	"tandem/workspace/redact"
)

// A chainServer keeps response chains as real servers do: the latest response
// of each logical stream, while the socket is open, at most 60 minutes.
type chainServer struct {
	mu      sync.Mutex
	life    time.Duration
	lose    bool // forget every chain once
	limit   bool // report once that the socket is too old
	sockets int
	creates []created
	ids     int
	hold    chan struct{} // while set, answers wait after their first delta
}

// A created holds the members of a request that tests check.
type created struct {
	Previous string `json:"previous_response_id"`
	StreamID string `json:"stream_id"`
	Generate *bool  `json:"generate"`
	Input    []any  `json:"input"`
	bytes    int
}

func (c created) warm() bool { return c.Generate != nil && !*c.Generate }

func (s *chainServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	conn := accept(w, r)
	defer conn.CloseNow()
	s.mu.Lock()
	s.sockets++
	s.mu.Unlock()
	k := &chainSocket{server: s, conn: conn, born: time.Now(), latest: map[string]string{}}
	defer k.work.Wait()
	for {
		_, body, err := conn.Read(context.Background())
		if err != nil {
			return
		}
		var c created
		if json.Unmarshal(body, &c) != nil {
			return
		}
		c.bytes = len(body)
		k.take(c)
	}
}

type chainSocket struct {
	server *chainServer
	conn   *websocket.Conn
	born   time.Time
	work   sync.WaitGroup

	latest map[string]string // guarded by server.mu
}

func (k *chainSocket) take(c created) {
	s := k.server
	s.mu.Lock()
	defer s.mu.Unlock()
	s.creates = append(s.creates, c)
	if s.limit || time.Since(k.born) > s.life {
		s.limit = false
		k.send(`{"type":"error","status":400,"error":{"type":"invalid_request_error","code":"websocket_connection_limit_reached","message":"limit"}}`)
		return
	}
	if s.lose {
		s.lose = false
		clear(k.latest)
	}
	known := c.Previous == ""
	for _, id := range k.latest {
		known = known || id == c.Previous
	}
	if !known {
		k.send(fmt.Sprintf(`{"type":"error","status":400,"stream_id":%q,"error":{"code":"previous_response_not_found","message":"not found"}}`, c.StreamID))
		return
	}
	s.ids++
	id := fmt.Sprintf("resp_%d", s.ids)
	hold := s.hold
	k.work.Go(func() { k.answer(c, id, hold) })
}

func (k *chainSocket) send(event string) {
	_ = k.conn.Write(context.Background(), websocket.MessageText, []byte(event))
}

func (k *chainSocket) answer(c created, id string, hold chan struct{}) {
	events := responseEvents(id, "one ", "two")
	if c.warm() {
		events = []string{events[0], fmt.Sprintf(`{"type":"response.completed","sequence_number":1,"response":{"id":%q}}`, id)}
	}
	for i, e := range events {
		if i == 3 && hold != nil {
			<-hold
		}
		if i == len(events)-1 {
			k.server.mu.Lock()
			k.latest[c.StreamID] = id
			k.server.mu.Unlock()
		}
		k.send(k.withStreamID(e, c))
	}
}

func (k *chainSocket) withStreamID(event string, c created) string {
	if c.StreamID != "" {
		return strings.TrimSuffix(event, "}") + fmt.Sprintf(`,"stream_id":%q}`, c.StreamID)
	}
	return event
}

func (s *chainServer) taken() []created {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.creates)
}

func (s *chainServer) last() created {
	all := s.taken()
	return all[len(all)-1]
}

// chainClient is a client on a chain server.
func chainClient(t *testing.T, s *chainServer, change func(*model.ProviderConfig, *model.ModelConfig, *Options)) (model.Client, *recordingObserver, func()) {
	t.Helper()
	s.life = cmp.Or(s.life, time.Hour)
	n := newFakeNet(t)
	stop := n.serve("model.test:443", s)
	client, obs := newTestClient(t, n, func(p *model.ProviderConfig, m *model.ModelConfig, o *Options) {
		p.SupportsWebsockets = true
		if change != nil {
			change(p, m, o)
		}
	})
	return client, obs, func() {
		_ = client.Close()
		stop()
	}
}

func conversation(texts ...string) *model.Request {
	req := &model.Request{ID: "q", Purpose: model.Complete, Instructions: redact.Said("Continue."), MaxOutputTokens: 64}
	for i, text := range texts {
		role := "user"
		if i%2 == 1 {
			role = "assistant"
		}
		req.Input = append(req.Input, model.Message{Role: role, Text: redact.Said(text)})
	}
	return req
}

func wantText(t *testing.T, got outcome) {
	t.Helper()
	if got.err != nil || got.text != "one two" {
		t.Errorf("the answer is %q, error %v", got.text, got.err)
	}
}

// TestThreeHours is a session of three virtual hours with a request every three
// minutes: no error reaches the user, and each fault costs at most one request.
func TestThreeHours(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &chainServer{}
		suspended := time.Duration(0)
		client, obs, stop := chainClient(t, s, func(_ *model.ProviderConfig, _ *model.ModelConfig, o *Options) {
			o.Clock = func() time.Time { return time.Now().Add(suspended) }
		})
		defer stop()
		extra := 0
		for i := range 60 {
			switch i {
			case 25:
				s.mu.Lock()
				s.lose = true
				s.mu.Unlock()
				extra++
			case 35:
				s.mu.Lock()
				s.limit = true
				s.mu.Unlock()
				extra++
			case 45:
				suspended += 6 * time.Minute
			}
			before := obs.requests()
			texts := []string{"a"}
			for range i % 5 {
				texts = append(texts, "one two", "next")
			}
			wantText(t, ask(t, t.Context(), client, conversation(texts...)))
			if n := obs.requests() - before; n > 2 {
				t.Errorf("request %d was sent %d times", i, n)
			}
			time.Sleep(3 * time.Minute)
		}
		if got := obs.requests(); got > 60+extra {
			t.Errorf("%d requests were sent for 60 and %d faults", got, extra)
		}
		if s.opened() < 4 || s.opened() > 8 {
			t.Errorf("%d sockets were opened, want one an hour and one for each fault", s.opened())
		}
	})
}

// TestContinuationSendsOnlyWhatIsNew holds the delta rule.
func TestContinuationSendsOnlyWhatIsNew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &chainServer{}
		client, _, stop := chainClient(t, s, nil)
		defer stop()
		wantText(t, ask(t, t.Context(), client, conversation("first")))
		wantText(t, ask(t, t.Context(), client, conversation("first", "one two", "second")))
		if c := s.last(); c.Previous != "resp_1" || len(c.Input) != 1 {
			t.Errorf("the second request continues %q with %d items, want resp_1 with 1", c.Previous, len(c.Input))
		}
		wantText(t, ask(t, t.Context(), client, conversation("first", "one two", "changed", "one two", "third")))
		if c := s.last(); c.Previous != "" || len(c.Input) != 5 {
			t.Errorf("a changed conversation continues %q with %d items, want all 5", c.Previous, len(c.Input))
		}
		other := conversation("first", "one two", "changed", "one two", "third", "one two", "fourth")
		other.Instructions = redact.Said("Explain.")
		wantText(t, ask(t, t.Context(), client, other))
		if c := s.last(); c.Previous != "" || len(c.Input) != 7 {
			t.Errorf("other instructions continue %q with %d items, want all 7", c.Previous, len(c.Input))
		}
		if s.opened() != 1 {
			t.Errorf("%d sockets for four requests, want 1", s.opened())
		}
	})
}

// TestStreamsForkFromKeptInput holds that with stream ids the stable beginning of
// the input is kept on the server, and every later request sends only its end.
func TestStreamsForkFromKeptInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &chainServer{}
		client, _, stop := chainClient(t, s, func(p *model.ProviderConfig, _ *model.ModelConfig, _ *Options) { p.StreamIDs = true })
		defer stop()
		stable := strings.Repeat("context ", 2000)
		typing := func(i int) *model.Request {
			return conversation(stable, "", fmt.Sprintf("cursor %d", i))
		}
		for i := range 6 {
			wantText(t, ask(t, t.Context(), client, typing(i)))
		}
		full, small := 0, 0
		for _, c := range s.taken() {
			if c.bytes > len(stable) {
				full++
			} else {
				small++
			}
		}
		if full != 2 || small != 5 {
			t.Errorf("the context was sent %d times and %d requests were small, want 2 (once in full, once to keep) and 5", full, small)
		}
	})
}

// TestNewerRequestDoesNotWait holds that a stopped request does not delay the
// next one, with sockets and with stream ids.
func TestNewerRequestDoesNotWait(t *testing.T) {
	for _, streamIDs := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := &chainServer{hold: make(chan struct{})}
			client, _, stop := chainClient(t, s, func(p *model.ProviderConfig, _ *model.ModelConfig, _ *Options) { p.StreamIDs = streamIDs })
			defer stop()
			start := time.Now()
			for range 12 {
				for d := range client.Stream(t.Context(), conversation("x")) {
					if d.Text != "" {
						break
					}
				}
			}
			if took := time.Since(start); took > 0 {
				t.Errorf("stream ids %v: twelve requests, each stopped after its first text, took %v", streamIDs, took)
			}
			if most := map[bool]int{false: 12, true: 2}[streamIDs]; s.opened() > most {
				t.Errorf("stream ids %v: %d sockets, want at most %d", streamIDs, s.opened(), most)
			}
			close(s.hold)
		})
	}
}

// TestServedModelIsReportedOnce holds that the model that answers is reported
// from the first event, or from a header if that names another model.
func TestServedModelIsReportedOnce(t *testing.T) {
	for header, want := range map[string]string{"": "m-1", "m-1-2026-01-02": "m-1", "other": "other"} {
		synctest.Test(t, func(t *testing.T) {
			n := newFakeNet(t)
			stop := n.serve("model.test:443", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if header != "" {
					w.Header().Set("Openai-Model", header)
				}
				ok(w)
			}))
			defer stop()
			client, _ := newTestClient(t, n, nil)
			defer client.Close()
			got := ask(t, t.Context(), client, hello())
			if !slices.Equal(got.served, []string{want}) {
				t.Errorf("with header %q the caller gets %q, want %q once", header, got.served, want)
			}
		})
	}
}

// TestIdleSocketIsQuiet holds that an idle socket is pinged, not rebuilt, and
// that an old unused one is closed.
func TestIdleSocketIsQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &chainServer{}
		client, obs, stop := chainClient(t, s, nil)
		defer stop()
		if err := client.Warm(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantText(t, ask(t, t.Context(), client, conversation("x")))
		time.Sleep(4 * time.Hour)
		if s.opened() != 1 || obs.requests() != 1 {
			t.Errorf("after four idle hours there were %d sockets and %d requests, want 1 and 1", s.opened(), obs.requests())
		}
		wantText(t, ask(t, t.Context(), client, conversation("x", "one two", "y")))
	})
}

// TestLargeEventsOnSockets holds that an event of 1 MiB is accepted and that one
// above the bound ends the answer.
func TestLargeEventsOnSockets(t *testing.T) {
	for size, fits := range map[int]bool{1 << 20: true, dialect.MaxEvent + 1: false} {
		synctest.Test(t, func(t *testing.T) {
			n := newFakeNet(t)
			stop := n.serve("model.test:443", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				conn := accept(w, r)
				defer conn.CloseNow()
				serveSocket(conn, func(int, string) []string {
					return insert(whole, 3, `{"type":"x","pad":"`+strings.Repeat("x", size)+`"}`)
				})
			}))
			defer stop()
			client, _ := newTestClient(t, n, withSockets)
			defer client.Close()
			got := ask(t, t.Context(), client, hello())
			if fits {
				wantText(t, got)
			} else if got.err == nil || got.err.Code != model.CodeProtocol || got.text != "one " {
				t.Errorf("an event of %d bytes gives %q, %v", size, got.text, got.err)
			}
		})
	}
}
