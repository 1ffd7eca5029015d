package provider

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync"
	"time"

	"tandem/model"
	"tandem/model/provider/dialect"
	"tandem/model/provider/socket"
)

// overHTTP sends the request as a POST and reads the answer as it comes.
func (x *exchange) overHTTP(ctx context.Context, base *url.URL, key model.Secret) *dialect.Failure {
	c, ec := x.client, x.errorContext(base, key)
	f, failed := x.body(ec)
	if failed != nil {
		return failed
	}
	if x.dialect == dialect.All["responses"] {
		f.Set("stream", true)
	}
	body := f.AppendJSON(nil)
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watch{cancel: cancel, errorContext: ec}
	req, err := http.NewRequestWithContext(httptrace.WithClientTrace(ctx, x.trace(w)), http.MethodPost,
		dialect.Address(base, x.dialect.Path, c.provider.QueryParams).String(), bytes.NewReader(body))
	if err != nil {
		return ec.Fail(model.CodeInternal, dialect.KindOther, err, "the request to %s cannot be written: %v", ec.Provider, err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", x.accept())
	dialect.SetHeaders(req.Header, &c.provider, base.Hostname(), key, c.headers, c.options.UserAgent)
	w.phase("connect", x.deadlines.Connect)
	x.sent(base.Host, f, body, false)
	resp, err := c.http.Do(req)
	if err != nil {
		w.stop()
		cancel(nil)
		return x.notAnswered(err, w, ec)
	}
	failed = x.answered(resp, w, ec)
	w.stop()
	x.releaseBody(resp.Body, cancel)
	return failed
}

// Bounds for reading what follows the last event. Reading to the body's end
// keeps the connection for the next request.
const (
	drainBytes  = 64 << 10
	drainWithin = time.Second
)

// releaseBody closes an answer's body: at once if the answer is not complete,
// which ends the generation; else in the background, after the body's end.
func (x *exchange) releaseBody(body io.ReadCloser, cancel context.CancelCauseFunc) {
	closeBody := func() {
		cancel(nil)
		_ = body.Close()
	}
	started := x.receivedAll && x.client.group.Go("ending a model's answer", func(context.Context) {
		defer closeBody()
		defer time.AfterFunc(drainWithin, func() { cancel(nil) }).Stop()
		_, _ = io.CopyN(io.Discard, body, drainBytes)
	})
	if !started {
		closeBody()
	}
}

func (x *exchange) accept() string {
	if x.dialect.Lines {
		return "application/x-ndjson"
	}
	return "text/event-stream"
}

// trace moves the watch from phase to phase of a request.
func (x *exchange) trace(w *watch) *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		DNSStart: func(httptrace.DNSStartInfo) { w.phase("connect", min(x.deadlines.Connect, x.dnsDeadline())) },
		DNSDone:  func(httptrace.DNSDoneInfo) { w.phase("connect", x.deadlines.Connect) },
		GotConn: func(httptrace.GotConnInfo) {
			w.connected()
			w.phase("first", x.deadlines.FirstByte)
		},
	}
}

func (x *exchange) dnsDeadline() time.Duration {
	if x.req.Purpose == model.Task || x.req.Purpose == model.Review {
		return 5 * time.Second
	}
	return 2 * time.Second
}

// notAnswered returns the failure for a request that got no response.
func (x *exchange) notAnswered(err error, w *watch, ec dialect.ErrorContext) *dialect.Failure {
	if f := w.expired(); f != nil {
		return f
	}
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	if w.hasConn() {
		return ec.Streamed(err, time.Time{})
	}
	return dialed(ec, err)
}

func (x *exchange) answered(resp *http.Response, w *watch, ec dialect.ErrorContext) *dialect.Failure {
	c := x.client
	now := c.options.Clock()
	c.observeHeaders(resp.Header, now)
	if resp.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(io.LimitReader(resp.Body, dialect.MaxErrorBody))
		return ec.Answered(dialect.ReadError(resp, body), now)
	}
	kind := resp.Header.Get("Content-Type")
	if strings.HasPrefix(kind, "text/html") {
		return ec.WebPage(resp.StatusCode)
	}
	x.served = resp.Header.Get("Openai-Model")
	body := &watchedBody{r: resp.Body, watch: w, idle: x.idleDeadline}
	if strings.HasPrefix(kind, "application/json") && !x.dialect.Lines {
		return x.whole(body, w, ec)
	}
	return x.read(dialect.NewEventReader(body, x.dialect.Lines, c.model.MaxOutputTokens), body.active, w, ec)
}

// read decodes a stream, and reports each event that counts to active. Before
// it waits for more, it delivers everything that has arrived, so pieces that
// arrived together are delivered together.
func (x *exchange) read(events *dialect.EventReader, active func(), w *watch, ec dialect.ErrorContext) *dialect.Failure {
	dec := x.dialect.Decoder(x.req.N)
	b := &dialect.Batch{}
	for {
		if !b.Empty() && (b.Events >= socket.MaxQueued || !events.Ready()) {
			if done, f := x.deliver(b, ec); done || f != nil {
				return f
			}
		}
		data, err := events.Next()
		done := false
		if err == nil {
			done, err = dec.Event(data, b)
			if b.Active {
				b.Active = false
				active()
			}
		} else if errors.Is(err, io.EOF) {
			done, err = true, dec.Ended(b)
		}
		if err != nil {
			return x.broken(err, b, w, ec)
		}
		if done {
			x.receivedAll = true
			_, f := x.deliver(b, ec)
			return f
		}
	}
}

// broken delivers what was decoded before a fault, then returns the fault.
func (x *exchange) broken(err error, b *dialect.Batch, w *watch, ec dialect.ErrorContext) *dialect.Failure {
	b.Final = nil
	if done, f := x.deliver(b, ec); done {
		return f
	}
	if f := w.expired(); f != nil {
		return f
	}
	return ec.Streamed(err, x.client.options.Clock())
}

// whole reads an answer that the server did not stream.
func (x *exchange) whole(r io.Reader, w *watch, ec dialect.ErrorContext) *dialect.Failure {
	data, err := io.ReadAll(io.LimitReader(r, dialect.MaxEvent+1))
	b := &dialect.Batch{}
	if err == nil && len(data) > dialect.MaxEvent {
		err = dialect.ErrTooLarge
	}
	if err != nil {
		return x.broken(err, b, w, ec)
	}
	if x.dialect == dialect.All["responses"] && !bytes.Contains(data[:min(len(data), 64)], []byte(`"error"`)) {
		data = append(append([]byte(`{"type":"response.completed","response":`), data...), '}')
	}
	dec := x.dialect.Decoder(x.req.N)
	done, err := dec.Event(data, b)
	if err == nil && !done {
		err = dec.Ended(b)
	}
	if err != nil {
		return x.broken(err, b, w, ec)
	}
	_, f := x.deliver(b, ec)
	return f
}

// deadlines are the request's own, else those of its purpose. They are extended
// for reasoning models, which think before they answer, and by the provider's
// own settings.
func (c *client) deadlines(req *model.Request) model.Deadlines {
	usual := model.DefaultDeadlines(req.Purpose)
	d := model.Deadlines{
		Connect:   cmp.Or(req.Deadline.Connect, usual.Connect),
		FirstByte: cmp.Or(req.Deadline.FirstByte, usual.FirstByte),
		Stall:     cmp.Or(req.Deadline.Stall, usual.Stall),
	}
	if e := c.model.ReasoningEffort; e != "" && e != "none" && e != "minimal" && maxWait(req.Purpose) == time.Minute {
		task := model.DefaultDeadlines(model.Task)
		d.FirstByte, d.Stall = max(d.FirstByte, task.FirstByte), max(d.Stall, task.Stall)
	}
	if idle := c.provider.StreamIdleTimeout; idle > 0 {
		d.FirstByte, d.Stall = idle, idle
	}
	return d
}

// idleDeadline is how long the server may send nothing that counts. Until the
// first text the model may think for as long as a first byte may take, unless
// the provider's own setting bounds both.
func (x *exchange) idleDeadline() time.Duration {
	if x.delivered {
		return x.deadlines.Stall
	}
	return max(x.deadlines.Stall, x.deadlines.FirstByte)
}

// A watch cancels a request whose phase takes too long.
type watch struct {
	cancel       context.CancelCauseFunc
	errorContext dialect.ErrorContext

	mu    sync.Mutex // guards the rest
	timer *time.Timer
	name  string        // of the phase
	limit time.Duration // of the phase
	end   time.Time     // of the phase; zero: none runs
	conn  bool
	late  *dialect.Failure
}

// phase begins the next phase, which may take limit.
func (w *watch) phase(name string, limit time.Duration) { w.resume(name, limit, limit) }

// resume goes on with a phase that may take limit and has d of it left.
func (w *watch) resume(name string, limit, d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.name, w.limit, w.end = name, limit, time.Now().Add(d)
	if d <= 0 {
		w.expire()
		return
	}
	if w.timer == nil {
		w.timer = time.AfterFunc(d, w.fire)
		return
	}
	w.timer.Reset(d)
}

// fire ends the request, unless another phase has begun meanwhile.
func (w *watch) fire() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.end.IsZero() && !time.Now().Before(w.end) {
		w.expire()
	}
}

// expire ends the request. w.mu is held.
func (w *watch) expire() {
	if w.late == nil {
		w.late = w.errorContext.TimedOut(w.name, w.limit)
		w.cancel(context.DeadlineExceeded)
	}
}

// stop ends the last phase; its deadline no longer applies.
func (w *watch) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end = time.Time{}
	if w.timer != nil {
		w.timer.Stop()
	}
}

func (w *watch) connected() {
	w.mu.Lock()
	w.conn = true
	w.mu.Unlock()
}

func (w *watch) hasConn() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.conn
}

// expired is the phase that took too long, or nil.
func (w *watch) expired() *dialect.Failure {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.late
}

// A watchedBody is a body whose reads together may take as long as the idle
// deadline, from one event that counts to the next. While the caller processes
// what was read, no deadline runs.
type watchedBody struct {
	r      io.Reader
	watch  *watch
	idle   func() time.Duration
	waited time.Duration // in reads since the last event that counts
}

func (b *watchedBody) Read(p []byte) (int, error) {
	limit := b.idle()
	b.watch.resume("stall", limit, limit-b.waited)
	start := time.Now()
	n, err := b.r.Read(p)
	b.watch.stop()
	b.waited += time.Since(start)
	return n, err
}

// active notes that an event that counts has been read.
func (b *watchedBody) active() { b.waited = 0 }
