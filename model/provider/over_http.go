package provider

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"time"

	"tandem/model"
	"tandem/model/provider/dialect"
	"tandem/model/provider/socket"
)

// overHTTP sends the request as a POST and reads the answer as it comes.
func (x *exchange) overHTTP(ctx context.Context, base *url.URL, key model.Secret) *dialect.Failure {
	c, ec := x.client, x.client.errorContext(base, key)
	f, failed := x.body(ec)
	if failed != nil {
		return failed
	}
	if x.dialect == dialect.All["responses"] {
		f.Set("stream", true)
	}
	ec.Sent = f
	body := f.AppendJSON(nil)
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watch{cancel: cancel, errorContext: ec}
	call := &httpCall{exchange: x, watch: w, ec: ec}
	req, err := http.NewRequestWithContext(httptrace.WithClientTrace(ctx, call.trace()), http.MethodPost,
		dialect.Address(base, x.dialect.Path, c.provider.QueryParams).String(), bytes.NewReader(body))
	if err != nil {
		return ec.Fail(model.CodeInternal, dialect.KindOther, err, "the request to %s cannot be written: %v", ec.Provider, err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", call.accept())
	dialect.SetHeaders(req.Header, &c.provider, base.Hostname(), key, c.headers, c.options.UserAgent)
	w.phase("connect", x.deadlines.Connect)
	x.sent(base.Host, f, body, false)
	resp, err := c.http.Do(req)
	if err != nil {
		w.stop()
		cancel(nil)
		return call.notAnswered(err)
	}
	failed = call.answered(resp)
	w.stop()
	call.release(resp.Body, cancel)
	return failed
}

// An httpCall is one attempt over HTTP.
type httpCall struct {
	*exchange
	watch       *watch
	ec          dialect.ErrorContext
	receivedAll bool // the last event arrived: only the end of the body is missing
}

// Bounds for reading what follows the last event. Reading to the body's end
// keeps the connection for the next request.
const (
	drainBytes  = 64 << 10
	drainWithin = time.Second
)

// release closes an answer's body: at once if the answer is not complete,
// which ends the generation; else in the background, after the body's end.
func (x *httpCall) release(body io.ReadCloser, cancel context.CancelCauseFunc) {
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

func (x *httpCall) accept() string {
	if x.dialect.Lines {
		return "application/x-ndjson"
	}
	return "text/event-stream"
}

// trace moves the watch from phase to phase of a request.
func (x *httpCall) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		DNSStart: func(httptrace.DNSStartInfo) { x.watch.phase("connect", min(x.deadlines.Connect, x.dnsDeadline())) },
		DNSDone:  func(httptrace.DNSDoneInfo) { x.watch.phase("connect", x.deadlines.Connect) },
		GotConn: func(httptrace.GotConnInfo) {
			x.watch.isConnected.Store(true)
			x.watch.phase("first", x.deadlines.FirstByte)
		},
	}
}

func (x *httpCall) dnsDeadline() time.Duration {
	if x.req.Purpose == model.Task || x.req.Purpose == model.Review {
		return 5 * time.Second
	}
	return 2 * time.Second
}

// notAnswered returns the failure for a request that got no response.
func (x *httpCall) notAnswered(err error) *dialect.Failure {
	if f := x.watch.expired(); f != nil {
		return f
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	if x.watch.isConnected.Load() {
		return x.ec.Streamed(err, time.Time{})
	}
	return dialed(x.ec, err)
}

func (x *httpCall) answered(resp *http.Response) *dialect.Failure {
	c := x.client
	now := c.options.Clock()
	c.observeHeaders(resp.Header, now)
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return x.ec.Answered(dialect.ReadError(resp), now)
	}
	x.answer.served = resp.Header.Get("Openai-Model")
	body := &watchedBody{r: resp.Body, watch: x.watch, idle: x.idleDeadline, gather: gathered(x.req.Purpose)}
	unpacked, form, err := dialect.FormOf(body, resp.Header)
	switch {
	case err != nil:
		return x.broken(err, &dialect.Batch{})
	case form == dialect.FormPage:
		return x.ec.WebPage(resp.StatusCode)
	case form == dialect.FormWhole:
		return x.whole(unpacked)
	}
	return x.read(dialect.NewEventReader(unpacked, form == dialect.FormLines, c.model.MostOutput()), body.active)
}

// read decodes a stream, and reports each event that counts to active. Before
// it waits for more, it delivers everything that has arrived, so pieces that
// arrived together are delivered together.
func (x *httpCall) read(events *dialect.EventReader, active func()) *dialect.Failure {
	dec := x.dialect.Decoder(x.req.N)
	b := &dialect.Batch{}
	for {
		if !b.Empty() && (b.Events >= socket.MaxQueued || !events.Ready()) {
			if done, f := x.answer.deliver(b, x.ec); done || f != nil {
				return f
			}
		}
		data, err := events.Next()
		done := false
		switch {
		case err != nil:
		case events.Failed():
			err = dialect.EventError(data)
		default:
			done, err = dec.Event(data, b)
			if b.Active {
				b.Active = false
				active()
			}
		}
		if err != nil && !errors.Is(err, dialect.ErrTooLarge) {
			// Nothing that comes after its end makes an answer less whole.
			if ended := dec.Ended(b); ended == nil || errors.Is(err, io.EOF) {
				done, err = true, ended
			}
		}
		if err != nil {
			return x.broken(err, b)
		}
		if done {
			x.receivedAll = true
			_, f := x.answer.deliver(b, x.ec)
			return f
		}
	}
}

// broken delivers what was decoded before a fault, then returns the fault.
func (x *httpCall) broken(err error, b *dialect.Batch) *dialect.Failure {
	b.Final = nil
	if done, f := x.answer.deliver(b, x.ec); done {
		return f
	}
	if f := x.watch.expired(); f != nil {
		return f
	}
	return x.ec.Streamed(err, x.client.options.Clock())
}

// whole reads an answer that the server did not stream.
func (x *httpCall) whole(r io.Reader) *dialect.Failure {
	data, err := io.ReadAll(io.LimitReader(r, dialect.MaxEvent+1))
	b := &dialect.Batch{}
	if err == nil && len(data) > dialect.MaxEvent {
		err = dialect.ErrTooLarge
	}
	if err != nil {
		return x.broken(err, b)
	}
	dec := x.dialect.Decoder(x.req.N)
	done := false
	for _, value := range dialect.Values(data) {
		if done, err = dec.Event(value, b); done || err != nil {
			break
		}
	}
	if err == nil && !done {
		if err = dec.Ended(b); errors.Is(err, dialect.ErrEarlyEnd) && len(b.Text) > 0 {
			_, err = dec.Event([]byte("[DONE]"), b) // the body has ended, as JSON does
		}
	}
	if err != nil {
		return x.broken(err, b)
	}
	_, f := x.answer.deliver(b, x.ec)
	return f
}
