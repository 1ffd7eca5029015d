package provider

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"net/url"
	"slices"
	"time"

	"tandem/model"
	"tandem/model/provider/dialect"
)

// Stream sends a request to the model. See model.Client.
func (c *client) Stream(ctx context.Context, req *model.Request) model.Stream {
	return func(yield func(model.Delta, error) bool) {
		x := &exchange{client: c, req: req, yield: yield, deadlines: c.deadlines(req), tries: map[string]int{}}
		x.dialect = dialect.For(c.provider.WireAPI, &c.model, req)
		x.stops = newStopper(x.dialect, req.Stop)
		x.run(ctx)
	}
}

// An exchange is one request until its answer or its error, over as many
// attempts as the rules allow.
type exchange struct {
	client    *client
	req       *model.Request
	dialect   *dialect.Dialect
	yield     func(model.Delta, error) bool
	deadlines model.Deadlines
	stops     *stopper

	tries          map[string]int // by class of fault
	tried          []string       // base URLs that failed in this exchange
	fresh          bool           // do not continue a chain
	single         bool           // a request for several answers was refused: ask for one
	delivered      bool           // text reached the caller
	textBytes      int
	reasoning      bool // reasoning arrived from the model
	refusal        []byte
	served         string // model named by a header, until the first event
	servedReported bool   // the caller has received the served model's name
	stopped        bool   // the caller has stopped ranging, or a stop string came
	ended          bool   // Final was delivered
	receivedAll    bool   // the last event arrived: only the end of the body is missing
}

func (x *exchange) run(ctx context.Context) {
	for {
		f := x.attempt(ctx)
		if x.ended || x.stopped {
			return
		}
		if f == nil {
			f = x.errorContext(x.client.bases[0], model.Secret{}).Streamed(dialect.ErrEarlyEnd, time.Time{})
		}
		again := ctx.Err() == nil
		if again {
			var wait time.Duration
			wait, again = x.retry(ctx, f)
			again = again && sleep(ctx, wait)
		}
		if ctx.Err() != nil {
			f = x.errorContext(x.client.bases[0], model.Secret{}).Streamed(context.Cause(ctx), time.Time{})
		}
		if !again {
			x.fail(f)
			return
		}
	}
}

func (x *exchange) fail(f *dialect.Failure) {
	f.Delivered = x.delivered
	x.yield(model.Delta{}, f.Error)
}

func (x *exchange) errorContext(base *url.URL, key model.Secret) dialect.ErrorContext {
	return x.client.errorContext(base, key)
}

func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// attempt sends the request once: over a socket if there is one, else over HTTP.
func (x *exchange) attempt(ctx context.Context) *dialect.Failure {
	c, shared := x.client, x.client.options.Shared
	c.checkDrift()
	done, refused := shared.limiter(c.provider.Name, c.model.Name).acquire(ctx, maxWait(x.req.Purpose))
	if refused != nil {
		return refused
	}
	raw := shared.endpoint(c.provider.Name, c.provider.BaseURLs, x.tried)
	f := x.at(ctx, c.base(raw))
	if f != nil && f.Code == model.CodeRateLimit && f.RetryAfter == 0 {
		f.RetryAfter = time.Second << x.tries["rate"]
	}
	done(f)
	switch {
	case f == nil || x.stopped:
		shared.markUp(raw)
	case ctx.Err() == nil && serverDown(f):
		shared.markDown(raw)
		x.tried = append(x.tried, raw)
	}
	return f
}

// serverDown reports whether another base URL may do better.
func serverDown(f *dialect.Failure) bool {
	switch f.Code {
	case model.CodeUnreachable, model.CodeTLS, model.CodeProxy, model.CodeServer, model.CodeOverloaded:
		return f.Kind != dialect.KindChainLost && f.Kind != dialect.KindSocketLimit
	}
	return f.Kind == dialect.KindDial
}

func (x *exchange) at(ctx context.Context, base *url.URL) *dialect.Failure {
	c := x.client
	if err := c.options.Allow.refuses(hostPort(base)); err != nil { // also over a socket that is open
		return notAllowed(x.errorContext(base, model.Secret{}), err)
	}
	if x.failsAtOnce(base) {
		return x.errorContext(base, model.Secret{}).Fail(model.CodeUnreachable, dialect.KindOther, nil,
			"the name %s had no address a moment ago; check base_url of [providers.%s] and the network.", base.Hostname(), c.provider.Name)
	}
	key, f := c.key(ctx, base)
	if f != nil {
		return f
	}
	if f = x.overSocket(ctx, base, key); f == nil || f.Kind != dialect.KindNoSocket && f.Kind != dialect.KindBusy {
		return f
	}
	return x.overHTTP(ctx, base, key)
}

// failsAtOnce reports whether an automatic suggestion fails without waiting,
// because its host name was just found to have no address.
func (x *exchange) failsAtOnce(base *url.URL) bool {
	automatic := x.req.Purpose == model.Complete || x.req.Purpose == model.NextEdit
	return automatic && len(x.tries) == 0 && len(x.client.bases) == 1 && x.client.options.Shared.isDown("dns:"+base.Host)
}

// body writes the request without the parameters that the model does not accept.
func (x *exchange) body(ec dialect.ErrorContext) (dialect.Fields, *dialect.Failure) {
	c := x.client
	e := &dialect.Encoder{ErrorContext: ec, Provider: &c.provider, Model: &c.model, Req: x.req, Host: hostOf(ec.Host), Refused: c.options.Shared.refusedBy(c.provider.Name, c.model.Name)}
	f, failed := x.dialect.Encode(e)
	if failed != nil {
		return nil, failed
	}
	omitted := append(e.Omitted(), e.Refused...)
	if x.single {
		omitted = append(omitted, "n")
	}
	for _, param := range omitted {
		if param != "model" { // else the server chooses the model, whatever was asked for and allowed
			f = f.Without(param)
		}
	}
	return f, nil
}

func hostOf(hostport string) string { return (&url.URL{Host: hostport}).Hostname() }

// sent reports to the observer what is sent: body, which is f with what the
// transport adds. continued is true if the server holds context for it.
func (x *exchange) sent(host string, f dialect.Fields, body []byte, continued bool) {
	x.client.observeSent(x.req.ID, host, body, f.OutputLimit(), continued)
}

// observeSent reports a message to the observer. limit is its bound on the
// answer, 0 if it has none.
func (c *client) observeSent(requestID, host string, body []byte, limit int, continued bool) {
	if _, discarded := c.options.Observe.(discardObserver); discarded {
		return
	}
	sum := sha256.Sum256(body)
	c.options.Observe.Sent(model.Sent{RequestID: requestID, Model: c.model.Name, Host: host,
		Bytes: len(body), BodyHash: hex.EncodeToString(sum[:]), Body: body, Time: c.options.Clock(),
		MaxOutputTokens: limit, Continued: continued})
}

// maxWait is the longest wait that a server may ask for, by purpose.
func maxWait(p model.Purpose) time.Duration {
	if p == model.Complete || p == model.NextEdit {
		return 8 * time.Second
	}
	return time.Minute
}

// retry decides whether a failed attempt is followed by another, and when. After
// text was delivered there is no other attempt.
func (x *exchange) retry(ctx context.Context, f *dialect.Failure) (time.Duration, bool) {
	if x.delivered {
		return 0, false
	}
	if serverDown(f) && slices.ContainsFunc(x.client.provider.BaseURLs, func(u string) bool { return !slices.Contains(x.tried, u) }) {
		return 0, true
	}
	switch f.Kind {
	case dialect.KindChainLost, dialect.KindSocketLimit:
		x.fresh = true
		return 0, x.once("chain")
	case dialect.KindCut:
		x.fresh = true
		return 0, x.count("cut") <= configured(x.client.provider.StreamMaxRetries, 1)
	case dialect.KindDNS:
		x.client.options.Shared.markDown("dns:" + f.Host)
		return 200 * time.Millisecond, x.once("dial")
	case dialect.KindDial:
		return 200 * time.Millisecond, f.Code != model.CodeTimeout && x.once("dial")
	}
	return x.retryByCode(ctx, f)
}

func (x *exchange) retryByCode(ctx context.Context, f *dialect.Failure) (time.Duration, bool) {
	c := x.client
	switch f.Code {
	case model.CodeParameter:
		return 0, x.drop(f.Param)
	case model.CodeBadRequest:
		return 0, x.withoutChoices()
	case model.CodeAuth:
		return 0, x.rotated(ctx)
	case model.CodeServer, model.CodeOverloaded:
		n := x.count("server")
		wait, _ := model.Retry(f.Error, x.req.Purpose, 1, rand.Float64())
		if f.RetryAfter == 0 {
			wait <<= n - 1
		}
		return wait, n <= configured(c.provider.RequestMaxRetries, 2) && wait <= maxWait(x.req.Purpose)
	case model.CodeRateLimit:
		// The limiter waits, which all requests of the model share.
		return 0, x.count("rate") <= configured(c.provider.RequestMaxRetries, 2) && f.RetryAfter <= maxWait(x.req.Purpose)
	}
	return 0, false
}

func configured(n *int, def int) int {
	if n != nil {
		return *n
	}
	return def
}

func (x *exchange) count(class string) int {
	x.tries[class]++
	return x.tries[class]
}

func (x *exchange) once(class string) bool { return x.count(class) == 1 }

// drop omits a refused parameter from now on. It returns false if the request
// did not have the parameter, or cannot be sent without it. Without tools a model has to
// be asked in other words, which its caller does.
func (x *exchange) drop(param string) bool {
	c := x.client
	f, failed := x.body(x.errorContext(c.bases[0], model.Secret{}))
	if failed != nil || !f.Has(param) || slices.Contains([]string{"model", "input", "messages", "prompt", "stream", "tools"}, param) {
		return false
	}
	if c.options.Shared.refuse(c.provider.Name, c.model.Name, param) {
		c.options.Observe.Dropped(c.model.Name, param)
	}
	return true
}

// withoutChoices asks for one answer from now on in this exchange, and reports whether
// that makes a difference: servers refuse "n" in words of their own. It is remembered once
// the request is answered without it (see finish).
func (x *exchange) withoutChoices() bool {
	f, failed := x.body(x.errorContext(x.client.bases[0], model.Secret{}))
	x.single = failed == nil && f.Has("n")
	return x.single
}

// rotated reports whether there is now another key than the refused one.
func (x *exchange) rotated(ctx context.Context) bool {
	o := x.client.options
	if o.Rejected == nil || o.Key == nil || !x.once("key") {
		return false
	}
	base := x.client.bases[0]
	old, failed := x.client.key(ctx, base)
	if failed != nil {
		return false
	}
	o.Rejected(old)
	fresh, failed := x.client.key(ctx, base)
	return failed == nil && fresh.Reveal() != old.Reveal()
}

// deliver passes a batch to the caller. done is true when no more is needed.
func (x *exchange) deliver(b *dialect.Batch, ec dialect.ErrorContext) (done bool, f *dialect.Failure) {
	defer b.Reset()
	if b.Limits != nil {
		b.Limits.Model = x.client.model.Name
		x.client.options.Observe.Limits(*b.Limits)
	}
	x.refusal = append(x.refusal, b.Refusal...)
	final := b.Final
	text, stopped := x.stops.filter(b.Text, final != nil)
	if !x.reportServed(b.Served) || !x.emitReasoning(b.Reasoning) || !x.emitText(0, text) || !x.emitOthers(b.Others) || !x.emitCalls(b.Calls) {
		return true, nil
	}
	if x.textBytes > x.maxText() {
		return true, ec.Fail(model.CodeProtocol, dialect.KindOther, dialect.ErrTooLarge, "%s does not stop: it sent %d KiB, more than was asked for; it was cut off, choose another model.", x.client.model.Name, x.textBytes>>10)
	}
	if stopped && final == nil {
		final = &model.Final{StopReason: "stop"}
	}
	if final == nil {
		return false, nil
	}
	return true, x.finish(final, ec)
}

// reportServed reports once which model serves the request: the one that a
// header names, if it is not the requested model, else the one that the first
// event names.
func (x *exchange) reportServed(served string) bool {
	if x.servedReported || served == "" && x.served == "" {
		return true
	}
	if x.served != "" && (served == "" || !model.SameModel(x.client.model.Model, x.served)) {
		served = x.served
	}
	x.servedReported = true
	return x.emit(model.Delta{Served: served})
}

func (x *exchange) emitReasoning(reasoning []byte) bool {
	if len(reasoning) == 0 {
		return true
	}
	x.reasoning = true
	return x.emit(model.Delta{Reasoning: string(reasoning)})
}

// emitOthers passes on the answers besides the first one.
func (x *exchange) emitOthers(texts [][]byte) bool {
	for i, text := range texts {
		if !x.emitText(i+1, text) {
			return false
		}
	}
	return true
}

func (x *exchange) emitText(choice int, text []byte) bool {
	if len(text) == 0 {
		return true
	}
	x.delivered = true
	x.textBytes += len(text)
	return x.emit(model.Delta{Text: string(text), Choice: choice})
}

func (x *exchange) emitCalls(calls []model.ToolCall) bool {
	for _, call := range calls {
		x.delivered = true
		if !x.emit(model.Delta{Call: &call}) {
			return false
		}
	}
	return true
}

func (x *exchange) emit(d model.Delta) bool {
	if !x.yield(d, nil) {
		x.stopped = true
	}
	return !x.stopped
}

// maxText is the most text that an answer may have: far more than the bound on
// the output allows.
func (x *exchange) maxText() int {
	n := cmp.Or(x.req.MaxOutputTokens, x.client.model.MaxOutputTokens)
	if n == 0 {
		return dialect.MaxStream / 2
	}
	return 64<<10 + 32*n*max(x.req.N, 1)
}

// finish ends a stream normally, or returns why an answer without text is a
// failure.
func (x *exchange) finish(final *model.Final, ec dialect.ErrorContext) *dialect.Failure {
	if x.delivered || final.StopReason == "steered" {
		x.ended = true
		if x.single && x.client.options.Shared.refuse(x.client.provider.Name, x.client.model.Name, "n") {
			x.client.options.Observe.Dropped(x.client.model.Name, "n")
		}
		x.emit(model.Delta{Final: final})
		return nil
	}
	switch {
	case len(x.refusal) > 0:
		return ec.Fail(model.CodeRefused, dialect.KindOther, nil, "%s declined: “%s”; ask for it in other words.", x.client.model.Name, dialect.Printable(string(x.refusal), 200))
	case final.StopReason == "content_filter":
		return ec.Fail(model.CodeRefused, dialect.KindOther, nil, "a content filter of %s withheld the answer; ask for it in other words.", x.client.provider.Name)
	case final.StopReason == "length" && x.reasoning:
		return ec.Fail(model.CodeEmpty, dialect.KindOther, nil, "%s used up its %d tokens thinking and answered nothing; raise max_output_tokens or lower reasoning_effort in [models.%s].", x.client.model.Name, x.req.MaxOutputTokens, x.client.model.Name)
	}
	return ec.Fail(model.CodeEmpty, dialect.KindOther, nil, "%s answered with nothing; ask again, or in other words.", x.client.model.Name)
}

// A stopper ends an answer at a stop string if the API cannot.
type stopper struct {
	stops [][]byte
	held  []byte // may be the beginning of a stop
}

func newStopper(d *dialect.Dialect, stops []string) *stopper {
	s := &stopper{}
	if d.Stops {
		stops = stops[min(len(stops), dialect.MaxStops):]
	}
	for _, stop := range stops {
		if stop != "" {
			s.stops = append(s.stops, []byte(stop))
		}
	}
	return s
}

// filter returns the part of text that may be delivered, and whether a stop
// string was found. It holds back a possible beginning of one, unless last is
// true.
func (s *stopper) filter(text []byte, last bool) ([]byte, bool) {
	if len(s.stops) == 0 {
		return text, false
	}
	all := append(s.held, text...)
	cut := -1
	for _, stop := range s.stops {
		if i := bytes.Index(all, stop); i >= 0 && (cut < 0 || i < cut) {
			cut = i
		}
	}
	if cut >= 0 {
		return all[:cut], true
	}
	keep := 0
	for _, stop := range s.stops {
		for n := min(len(stop)-1, len(all)); n > keep && !last; n-- {
			if bytes.HasSuffix(all, stop[:n]) {
				keep = n
			}
		}
	}
	ready := all[:len(all)-keep]
	s.held = bytes.Clone(all[len(all)-keep:])
	return ready, false
}

func asError(err error, target **model.Error) bool { return errors.As(err, target) }
