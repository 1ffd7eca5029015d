package provider

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"slices"
	"time"

	"tandem/model"
	"tandem/model/provider/dialect"
	"tandem/workspace/run"
)

// Stream sends a request to the model. See model.Client.
func (c *client) Stream(ctx context.Context, req *model.Request) model.Stream {
	return func(yield func(model.Delta, error) bool) {
		m := c.config()
		d := dialect.For(c.provider.WireAPI, m, req, c.options.Shared.refusedBy(c.served()))
		newExchange(c, m, req, d, newStopper(d, req.Stop), yield).run(ctx)
	}
}

// An exchange is one request until its answer or its error, over as many
// attempts as the rules allow.
type exchange struct {
	client    *client
	model     *model.ModelConfig
	req       *model.Request
	texts     []string // of req, as they were last written
	dialect   *dialect.Dialect
	deadlines model.Deadlines
	answer    answer

	tries map[string]int // by class of fault
	tried []string       // base URLs that failed in this exchange
	fresh bool           // do not continue a chain
}

func newExchange(c *client, m *model.ModelConfig, req *model.Request, d *dialect.Dialect, stops *stopper, yield func(model.Delta, error) bool) *exchange {
	return &exchange{client: c, model: m, req: req, dialect: d, deadlines: c.deadlines(req), tries: map[string]int{},
		answer: answer{client: c, req: req, yield: yield, stops: stops}}
}

func (x *exchange) run(ctx context.Context) {
	end := x.client.load.begin()
	defer func() {
		shared := end(!x.answer.ended && x.answer.timing.first.IsZero())
		if speed := x.answer.timing.speed(x.answer.textBytes); speed != (model.Speed{}) {
			speed.Shared = shared
			x.client.options.Observe.Measured(x.client.model.Name, speed)
		}
	}()
	for {
		f := x.attempt(ctx)
		if x.answer.ended || x.answer.stopped {
			return
		}
		if f == nil {
			f = x.client.errorContext(x.client.bases[0], model.Secret{}).Streamed(dialect.ErrEarlyEnd, time.Time{})
		}
		again := ctx.Err() == nil
		if again {
			var wait time.Duration
			wait, again = x.retry(ctx, f)
			if again && waitedOut[f.Code] {
				x.client.options.Observe.Failing(x.client.model.Name, f.Error)
			}
			again = again && run.Sleep(ctx, wait)
		}
		if ctx.Err() != nil {
			f = x.client.errorContext(x.client.bases[0], model.Secret{}).Stopped(ctx)
		}
		if !again {
			x.answer.timing.isLate = f.Code == model.CodeTimeout && f.Kind != dialect.KindDial
			x.answer.fail(f)
			return
		}
	}
}

// waitedOut are the failures after which a person waits for the next attempt, and is told so.
var waitedOut = map[model.Code]bool{model.CodeServer: true, model.CodeOverloaded: true, model.CodeRateLimit: true}

// attempt sends the request once: over a socket if there is one, else over HTTP.
func (x *exchange) attempt(ctx context.Context) *dialect.Failure {
	c, shared := x.client, x.client.options.Shared
	c.checkDrift()
	done, refused := shared.limiter(c.provider.Name, c.model.Name).acquire(ctx, model.MaxWait(x.req.Purpose))
	if refused != nil {
		return refused
	}
	raw := shared.endpoint(c.provider.Name, c.provider.BaseURLs, x.tried)
	x.answer.marks, x.answer.timing.first = x.marks(), time.Time{} // nothing was delivered before
	f := x.at(ctx, c.base(raw))
	if f != nil && ctx.Err() != nil {
		f = c.errorContext(c.base(raw), model.Secret{}).Stopped(ctx)
	}
	if f != nil && f.Code == model.CodeRateLimit && f.RetryAfter == 0 {
		f.RetryAfter = time.Second << x.tries["rate"]
	}
	done(f)
	if f != nil && f.Code == model.CodeContextLength {
		c.learnContext(f.MostTokens, x.answer.timing.bodyBytes)
	}
	switch {
	case f == nil || x.answer.stopped:
		shared.markUp(raw)
	case ctx.Err() == nil && serverDown(f):
		shared.markDown(raw)
		x.tried = append(x.tried, raw)
	}
	return f
}

// marks is the reader of the thoughts that may come in the text of an answer: none where the
// text continues another. Where answers and thoughts are known to come apart, and where somebody
// types, nothing is held for long.
func (x *exchange) marks() *dialect.Marks {
	if x.req.Fill != nil || x.req.Raw.Len() > 0 || x.req.Ahead {
		return nil
	}
	m := &dialect.Marks{Habit: dialect.HabitPlain}
	apart := dialect.TellsThoughts(x.client.bases)
	if typing := typed(x.req.Purpose) || x.req.N > 1; !apart && !typing {
		m.Habit = x.client.options.Shared.habit(x.client.provider.Name, x.client.model.Name)
	}
	return m
}

// learnHabit stores what a whole answer shows of its server.
func (c *client) learnHabit(m *dialect.Marks, end model.End) {
	switch {
	case m == nil || !end.Whole():
	case m.Found == dialect.HabitUnknown:
		c.options.Shared.setHabit(c.provider.Name, c.model.Name, dialect.HabitPlain)
	default:
		c.options.Shared.setHabit(c.provider.Name, c.model.Name, m.Found)
	}
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
		return notAllowed(x.client.errorContext(base, model.Secret{}), err)
	}
	if x.failsAtOnce(base) {
		return x.client.errorContext(base, model.Secret{}).Fail(model.CodeUnreachable, dialect.KindOther, nil,
			"check base_url of [providers.%s] and the network: the name %s had no address a moment ago.", c.provider.Name, base.Hostname())
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
	automatic := typed(x.req.Purpose)
	return automatic && len(x.tries) == 0 && len(x.client.bases) == 1 && x.client.options.Shared.isDown("dns:"+base.Host)
}

// body writes the request without the parameters that the model does not accept.
func (x *exchange) body(ec dialect.ErrorContext) (dialect.Fields, *dialect.Failure) {
	c := x.client
	e := &dialect.Encoder{ErrorContext: ec, Provider: &c.provider, Model: x.model, Req: x.req, Host: hostOf(ec.Host), Refused: c.options.Shared.refusedBy(c.served())}
	f, failed := x.dialect.Encode(e)
	x.texts, x.answer.stops.begun = e.Texts, opening{text: e.Begun}
	if failed != nil {
		return nil, failed
	}
	return f.Omitting(x.omitted(e)), nil
}

// omitted are the parameters that this request is sent without.
func (x *exchange) omitted(e *dialect.Encoder) []string {
	omitted := append(e.Omitted(), e.Refused...)
	if x.answer.single {
		omitted = append(omitted, "n")
	}
	if slices.Contains(omitted, "stream") {
		omitted = append(omitted, "stream_options")
	}
	return slices.DeleteFunc(omitted, func(param string) bool {
		return param == "model" // else the server chooses the model, whatever was asked for and allowed
	})
}

func hostOf(hostport string) string { return (&url.URL{Host: hostport}).Hostname() }

// sent reports to the observer what is sent: body, which is f with what the
// transport adds. continued is true if the server holds context for it.
func (x *exchange) sent(host string, f dialect.Fields, body []byte, continued bool) {
	c := x.client
	if _, discarded := c.options.Observe.(discardObserver); !discarded {
		sum := sha256.Sum256(body)
		c.options.Observe.Sent(model.Sent{RequestID: x.req.ID, Model: c.model.Name, Host: host,
			Bytes: len(body), BodyHash: hex.EncodeToString(sum[:]), Body: body, Time: c.options.Clock(),
			MaxOutputTokens: f.OutputLimit(), Continued: continued, Texts: x.texts})
	}
	if !continued {
		t := &x.answer.timing
		t.sent, t.bodyBytes, t.newShare = time.Now(), len(body), c.newShare(body)
	}
}

// newShare is the part of a body that the one before it did not begin with.
func (c *client) newShare(body []byte) float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	same := 0
	for same < min(len(body), len(c.body)) && body[same] == c.body[same] {
		same++
	}
	c.body = body
	return 1 - float64(same)/float64(max(len(body), 1))
}
