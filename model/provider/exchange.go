package provider

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"net/url"
	"slices"
	"time"

	"tandem/model"
)

// Stream asks the model. See model.Client.
func (c *client) Stream(ctx context.Context, req *model.Request) model.Stream {
	return func(yield func(model.Delta, error) bool) {
		x := &exchange{client: c, req: req, yield: yield, deadlines: c.deadlines(req), tries: map[string]int{}}
		x.stops = newStopper(c.dialect, req.Stop)
		x.run(ctx)
	}
}

// An exchange is one request until its answer or its error, over as many
// attempts as the rules allow.
type exchange struct {
	client    *client
	req       *model.Request
	yield     func(model.Delta, error) bool
	deadlines model.Deadlines
	stops     *stopper

	tries     map[string]int // by class of fault
	tried     []string       // base URLs that failed in this exchange
	fresh     bool           // do not continue a chain
	delivered bool           // text reached the caller
	textBytes int
	reasoning bool // the model was heard thinking
	refusal   []byte
	served    string // by a header, until the first event
	told      bool   // the caller knows who serves
	stopped   bool   // the caller has stopped ranging, or a stop string came
	ended     bool   // Final was delivered
	heardAll  bool   // the last event came: only the body's end is missing
}

func (x *exchange) run(ctx context.Context) {
	for {
		f := x.attempt(ctx)
		if x.ended || x.stopped {
			return
		}
		if f == nil {
			f = x.scene(x.client.bases[0], model.Secret{}).streamed(errEarlyEnd, time.Time{})
		}
		if ctx.Err() != nil {
			x.fail(x.scene(x.client.bases[0], model.Secret{}).streamed(context.Cause(ctx), time.Time{}))
			return
		}
		wait, again := x.again(ctx, f)
		if !again || !pause(ctx, wait) {
			x.fail(f)
			return
		}
	}
}

func (x *exchange) fail(f *failure) {
	f.Delivered = x.delivered
	x.yield(model.Delta{}, f.Error)
}

func (x *exchange) scene(base *url.URL, key model.Secret) scene { return x.client.scene(base, key) }

func pause(ctx context.Context, d time.Duration) bool {
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

// attempt sends the request once: over a socket where there is one, else over HTTP.
func (x *exchange) attempt(ctx context.Context) *failure {
	c, shared := x.client, x.client.options.Shared
	c.checkDrift()
	done, refused := shared.gate(c.provider.Name, c.model.Name).pass(ctx, maxWait(x.req.Purpose))
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
		shared.rose(raw)
	case ctx.Err() == nil && f.serverDown():
		shared.fell(raw)
		x.tried = append(x.tried, raw)
	}
	return f
}

// serverDown reports whether another base URL may do better.
func (f *failure) serverDown() bool {
	switch f.Code {
	case model.CodeUnreachable, model.CodeTLS, model.CodeProxy, model.CodeServer, model.CodeOverloaded:
		return f.kind != kindChainLost && f.kind != kindSocketLimit
	}
	return f.kind == kindDial
}

func (x *exchange) at(ctx context.Context, base *url.URL) *failure {
	c := x.client
	if x.failsAtOnce(base) {
		return x.scene(base, model.Secret{}).fail(model.CodeUnreachable, kindOther, nil,
			"the name %s had no address a moment ago; check base_url of [providers.%s] and the network.", base.Hostname(), c.provider.Name)
	}
	key, f := c.key(ctx, base)
	if f != nil {
		return f
	}
	if f = x.overSocket(ctx, base, key); f == nil || f.kind != kindNoSocket && f.kind != kindBusy {
		return f
	}
	return x.overHTTP(ctx, base, key)
}

// failsAtOnce spares automatic suggestions the wait for a name that was just
// found to have no address.
func (x *exchange) failsAtOnce(base *url.URL) bool {
	automatic := x.req.Purpose == model.Complete || x.req.Purpose == model.NextEdit
	return automatic && len(x.tries) == 0 && len(x.client.bases) == 1 && x.client.options.Shared.isDown("dns:"+base.Host)
}

// body writes the request, less what the model does not take.
func (x *exchange) body(s scene) (fields, *failure) {
	c := x.client
	e := &encoder{scene: s, provider: &c.provider, model: &c.model, req: x.req, host: hostOf(s.host), refused: c.options.Shared.refusedBy(c.provider.Name, c.model.Name)}
	f, failed := c.dialect.encode(e)
	if failed != nil {
		return nil, failed
	}
	for _, param := range append(e.omitted(), e.refused...) {
		f = f.without(param)
	}
	return f, nil
}

func hostOf(hostport string) string { return (&url.URL{Host: hostport}).Hostname() }

// sent tells the observer what leaves.
func (x *exchange) sent(host string, body []byte) {
	if _, deaf := x.client.options.Observe.(silent); deaf {
		return
	}
	sum := sha256.Sum256(body)
	x.client.options.Observe.Sent(model.Sent{RequestID: x.req.ID, Model: x.client.model.Name, Host: host,
		Bytes: len(body), BodyHash: hex.EncodeToString(sum[:]), Body: body, Time: x.client.options.Clock()})
}

// maxWait is how long a server may ask each purpose to wait.
func maxWait(p model.Purpose) time.Duration {
	if p == model.Complete || p == model.NextEdit {
		return 8 * time.Second
	}
	return time.Minute
}

// again decides whether a failed attempt is followed by another, and when.
// Nothing is, once text was delivered.
func (x *exchange) again(ctx context.Context, f *failure) (time.Duration, bool) {
	if x.delivered {
		return 0, false
	}
	if f.serverDown() && slices.ContainsFunc(x.client.provider.BaseURLs, func(u string) bool { return !slices.Contains(x.tried, u) }) {
		return 0, true
	}
	switch f.kind {
	case kindChainLost, kindSocketLimit:
		x.fresh = true
		return 0, x.once("chain")
	case kindCut:
		x.fresh = true
		return 0, x.count("cut") <= configured(x.client.provider.StreamMaxRetries, 1)
	case kindDNS:
		x.client.options.Shared.fell("dns:" + f.host)
		return 200 * time.Millisecond, x.once("dial")
	case kindDial:
		return 200 * time.Millisecond, f.Code != model.CodeTimeout && x.once("dial")
	}
	return x.againByCode(ctx, f)
}

func (x *exchange) againByCode(ctx context.Context, f *failure) (time.Duration, bool) {
	c := x.client
	switch f.Code {
	case model.CodeParameter:
		return 0, x.drop(f.Param)
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
		// The wait itself is the gate's, which all requests of the model share.
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

// drop leaves a refused parameter out from now on. It is no use where the
// request did not have it, or cannot do without.
func (x *exchange) drop(param string) bool {
	c := x.client
	f, failed := x.body(x.scene(c.bases[0], model.Secret{}))
	if failed != nil || !f.has(param) || slices.Contains([]string{"model", "input", "messages", "prompt", "stream"}, param) {
		return false
	}
	if c.options.Shared.refuse(c.provider.Name, c.model.Name, param) {
		c.options.Observe.Dropped(c.model.Name, param)
	}
	return true
}

// rotated reports whether there is another key than the one just refused.
func (x *exchange) rotated(ctx context.Context) bool {
	o := x.client.options
	if o.Rejected == nil || o.Key == nil || !x.once("key") {
		return false
	}
	old, err := o.Key(ctx)
	if err != nil {
		return false
	}
	o.Rejected(old)
	fresh, err := o.Key(ctx)
	return err == nil && fresh.Reveal() != old.Reveal()
}

// deliver hands a batch to the caller. done is true when nothing more is wanted.
func (x *exchange) deliver(b *batch, s scene) (done bool, f *failure) {
	defer b.reset()
	if b.limits != nil {
		b.limits.Model = x.client.model.Name
		x.client.options.Observe.Limits(*b.limits)
	}
	x.refusal = append(x.refusal, b.refusal...)
	final := b.final
	text, stopped := x.stops.filter(b.text, final != nil)
	if !x.tell(b.served) || !x.think(b.reasoning) || !x.say(text) {
		return true, nil
	}
	if x.textBytes > x.maxText() {
		return true, s.fail(model.CodeProtocol, kindOther, errTooLarge, "%s does not stop: it sent %d KiB, more than was asked for; it was cut off, choose another model.", x.client.model.Name, x.textBytes>>10)
	}
	if stopped && final == nil {
		final = &model.Final{StopReason: "stop"}
	}
	if final == nil {
		return false, nil
	}
	return true, x.finish(final, s)
}

// tell says once who serves: what a header said, where it is another model
// than was asked for, else what the first event says.
func (x *exchange) tell(served string) bool {
	if x.told || served == "" && x.served == "" {
		return true
	}
	if x.served != "" && (served == "" || !model.SameModel(x.client.model.Model, x.served)) {
		served = x.served
	}
	x.told = true
	return x.emit(model.Delta{Served: served})
}

func (x *exchange) think(reasoning []byte) bool {
	if len(reasoning) == 0 {
		return true
	}
	x.reasoning = true
	return x.emit(model.Delta{Reasoning: string(reasoning)})
}

func (x *exchange) say(text []byte) bool {
	if len(text) == 0 {
		return true
	}
	x.delivered = true
	x.textBytes += len(text)
	return x.emit(model.Delta{Text: string(text)})
}

func (x *exchange) emit(d model.Delta) bool {
	if !x.yield(d, nil) {
		x.stopped = true
	}
	return !x.stopped
}

// maxText is far more than the bound on the output allows.
func (x *exchange) maxText() int {
	n := or(x.req.MaxOutputTokens, x.client.model.MaxOutputTokens)
	if n == 0 {
		return maxStream / 2
	}
	return 64<<10 + 32*n
}

// finish ends a stream well, or says why an answer without text is none.
func (x *exchange) finish(final *model.Final, s scene) *failure {
	if x.delivered || final.StopReason == "steered" {
		x.ended = true
		x.emit(model.Delta{Final: final})
		return nil
	}
	switch {
	case len(x.refusal) > 0:
		return s.fail(model.CodeRefused, kindOther, nil, "%s declined: “%s”; ask for it in other words.", x.client.model.Name, printable(string(x.refusal), 200))
	case final.StopReason == "content_filter":
		return s.fail(model.CodeRefused, kindOther, nil, "a content filter of %s withheld the answer; ask for it in other words.", x.client.provider.Name)
	case final.StopReason == "length" && x.reasoning:
		return s.fail(model.CodeEmpty, kindOther, nil, "%s used up its %d tokens thinking and answered nothing; raise max_output_tokens or lower reasoning_effort in [models.%s].", x.client.model.Name, x.req.MaxOutputTokens, x.client.model.Name)
	}
	return s.fail(model.CodeEmpty, kindOther, nil, "%s answered with nothing; ask again, or in other words.", x.client.model.Name)
}

// A stopper ends an answer at a stop string where the API cannot.
type stopper struct {
	stops [][]byte
	held  []byte // may be the beginning of a stop
}

func newStopper(d *dialect, stops []string) *stopper {
	s := &stopper{}
	if d.stops {
		stops = stops[min(len(stops), maxStops):]
	}
	for _, stop := range stops {
		if stop != "" {
			s.stops = append(s.stops, []byte(stop))
		}
	}
	return s
}

// filter returns what may be said of text, and whether a stop was found. It
// holds back what may be the beginning of one, unless the text ends here.
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
	said := all[:len(all)-keep]
	s.held = bytes.Clone(all[len(all)-keep:])
	return said, false
}

func asError(err error, target **model.Error) bool { return errors.As(err, target) }
