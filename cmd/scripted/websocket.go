package main

import (
	"context"
	"iter"
	"net/http"
	"regexp"
	"strings"
	"sync"

	"github.com/coder/websocket"
)

// A socket is one WebSocket of the Responses protocol: logical streams that run
// concurrently, each of them one response after the other.
type socket struct {
	server *server
	id     int64
	path   string
	conn   *websocket.Conn
	work   sync.WaitGroup

	mu      sync.Mutex                // guards streams and what is in them
	streams map[string]*logicalStream // by stream id; "" is the default stream
}

// A logicalStream is a chain of responses. It remembers only the latest of them.
type logicalStream struct {
	queue  chan *request
	latest chain
}

// A chain is a response that can be continued: its id and the conversation so far.
type chain struct {
	id       string
	messages []message
}

var streamIDPattern = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,256}$`)

// upgrade answers GET /v1/responses.
func (s *server) upgrade(w http.ResponseWriter, r *http.Request) {
	s.rec.upgrade(r)
	if !strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
		httpError(w, &wireError{Status: 405, Type: "invalid_request_error", Message: "Use POST, or upgrade to a WebSocket."})
		return
	}
	if !s.authorized(r.Header) {
		httpError(w, (&fault{}).wire(401))
		return
	}
	s.serveSocket(w, r)
}

func (s *server) serveSocket(w http.ResponseWriter, r *http.Request) {
	for _, rule := range s.script.Rules {
		if rule.ServedModel != "" && rule.Model == "" {
			w.Header().Set("Openai-Model", rule.ServedModel)
		}
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{CompressionMode: websocket.CompressionDisabled, InsecureSkipVerify: true})
	if err != nil {
		return
	}
	conn.SetReadLimit(maxBody)
	k := &socket{server: s, id: s.rec.sockets.Add(1), path: r.URL.Path, conn: conn, streams: map[string]*logicalStream{}}
	ctx, cancel := context.WithCancel(context.Background())
	k.read(ctx)
	cancel()
	_ = conn.CloseNow()
	k.work.Wait()
}

// read takes the client's messages until the socket ends.
func (k *socket) read(ctx context.Context) {
	for {
		kind, body, err := k.conn.Read(ctx)
		if err != nil {
			return
		}
		if kind != websocket.MessageText {
			_ = k.conn.Close(websocket.StatusUnsupportedData, "text frames only")
			return
		}
		k.server.rec.frame(k.id, k.path, body)
		if e := k.accept(ctx, body); e != nil {
			_ = k.write(e)
		}
	}
}

func (k *socket) write(b []byte) error {
	return k.conn.Write(context.Background(), websocket.MessageText, b)
}

// accept queues a request on its stream, or returns the error event that answers it.
func (k *socket) accept(ctx context.Context, body []byte) []byte {
	req, err := parseRequest("ws:"+k.path, body)
	if err != nil {
		return badRequest("invalid_json", "", "%s", err).event("")
	}
	if req.wire.Type != "response.create" {
		return badRequest("invalid_value", "type", "Unknown event type '%s'.", req.wire.Type).event("")
	}
	return k.enqueue(ctx, req)
}

func (k *socket) enqueue(ctx context.Context, req *request) []byte {
	name := ""
	if id := req.wire.StreamID; id != nil {
		if name = *id; !streamIDPattern.MatchString(name) {
			return badRequest("invalid_stream_id", "stream_id", "Invalid stream_id: 1 to 256 of [A-Za-z0-9_.-].").event("")
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	l := k.streams[name]
	if l == nil {
		l = &logicalStream{queue: make(chan *request, 256)}
		k.streams[name] = l
		k.work.Go(func() { k.run(ctx, name, l) })
	}
	select {
	case l.queue <- req:
		return nil
	default:
		return (&wireError{Status: 429, Type: "rate_limit_error", Code: "slow_down", Message: "Too many queued requests."}).event(name)
	}
}

// run answers the requests of one logical stream, one after the other.
func (k *socket) run(ctx context.Context, name string, l *logicalStream) {
	for {
		select {
		case <-ctx.Done():
			return
		case req := <-l.queue:
			k.respond(ctx, name, l, req)
		}
	}
}

// respond answers one request on its stream, with the conversation it continues.
func (k *socket) respond(ctx context.Context, name string, l *logicalStream, req *request) {
	previous := req.wire.PreviousResponseID
	if previous != "" {
		before, ok := k.chain(previous)
		if !ok {
			k.fail(name, l, previous, previousNotFound(previous))
			return
		}
		req.Messages = append(append([]message{}, before...), req.Messages...)
		req.InputTokens = roughTokens(req.text())
	}
	c := &call{req: req, rule: k.server.script.match(req.Where, req.Model, req.text())}
	if e := c.refused(); e != nil {
		if sleep(ctx, msec(c.rule.DelayMS)) == nil {
			k.fail(name, l, previous, e)
		}
		return
	}
	k.produce(ctx, l, c.req, c.rule)
}

// produce sends one response.
func (k *socket) produce(ctx context.Context, l *logicalStream, req *request, r *rule) {
	resp := k.server.newResponse(req, r)
	messages := req.Messages
	if !resp.warm {
		messages = append(messages[:len(messages):len(messages)], message{Role: "assistant", Text: resp.text, Calls: resp.calls})
	}
	_ = play(ctx, &socketSink{k, r.Fault.CutBytes}, r, k.remembered(l, resp, chain{resp.id, messages})) // the client has gone, or the script cuts it off
}

// remembered returns the frames of a response. The stream remembers the response
// just before the last frame: a client that receives that frame may continue the
// response at once.
func (k *socket) remembered(l *logicalStream, resp *response, c chain) iter.Seq[frame] {
	return func(yield func(frame) bool) {
		for f := range resp.frames() {
			if f.name == "response.completed" || f.name == "response.incomplete" {
				k.mu.Lock()
				l.latest = c
				k.mu.Unlock()
			}
			if !yield(f) {
				return
			}
		}
	}
}

// chain finds a response that a stream of this socket still remembers.
func (k *socket) chain(id string) ([]message, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, l := range k.streams {
		if l.latest.id == id {
			return l.latest.messages, true
		}
	}
	return nil, false
}

// fail answers with an error, after which the stream no longer remembers the
// parent.
func (k *socket) fail(name string, l *logicalStream, previous string, e *wireError) {
	k.mu.Lock()
	if l.latest.id == previous {
		l.latest = chain{}
	}
	k.mu.Unlock()
	_ = k.write(e.event(name))
}

// A socketSink sends events as text messages. With left, the connection is reset before the
// event that would exceed so many bytes.
type socketSink struct {
	*socket
	left int
}

func (s *socketSink) send(f frame) error {
	if s.left > 0 {
		if s.left -= len(f.data); s.left <= 0 {
			s.cut()
			return errCut
		}
	}
	return s.write(f.data)
}

func (s *socketSink) flush() error { return nil }

func (s *socketSink) cut() { _ = s.conn.CloseNow() }
