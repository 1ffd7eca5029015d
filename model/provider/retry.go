package provider

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"tandem/model"
	"tandem/model/provider/dialect"
)

// firstRetry is how long is waited before a request is sent again that met a fault of the
// server; each time twice as long, less up to a quarter so that many clients do not return
// together.
const firstRetry = 500 * time.Millisecond

// retry decides whether a failed attempt is followed by another, and when. After
// text was delivered there is no other attempt.
func (x *exchange) retry(ctx context.Context, f *dialect.Failure) (time.Duration, bool) {
	if x.answer.delivered {
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
	case dialect.KindNoSuffix:
		return 0, x.converse()
	case dialect.KindDial:
		return 200 * time.Millisecond, f.Code != model.CodeTimeout && x.once("dial")
	}
	return x.retryByCode(ctx, f)
}

func (x *exchange) retryByCode(ctx context.Context, f *dialect.Failure) (time.Duration, bool) {
	c := x.client
	switch f.Code {
	case model.CodeParameter:
		return 0, x.omit(f.Param)
	case model.CodeBadRequest:
		return 0, x.withoutChoices()
	case model.CodeAuth:
		return 0, x.rotated(ctx)
	case model.CodeServer, model.CodeOverloaded:
		n := x.count("server")
		wait := time.Duration(float64(firstRetry<<(n-1)) * (1 - rand.Float64()/4))
		if f.Code == model.CodeOverloaded && f.RetryAfter > 0 {
			wait = f.RetryAfter
		}
		return wait, n <= configured(c.provider.RequestMaxRetries, 2) && wait <= model.MaxWait(x.req.Purpose)
	case model.CodeRateLimit:
		// The limiter waits, which all requests of the model share.
		return 0, x.count("rate") <= configured(c.provider.RequestMaxRetries, 2) && f.RetryAfter <= model.MaxWait(x.req.Purpose)
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

// needed are the parameters without which a request means something else.
var needed = []string{"model", "input", "messages", "prompt", "tools"}

// omit leaves out a refused parameter from now on. It returns false if the request
// did not have the parameter, or cannot be sent without it. Without tools a model has to
// be asked in other words, which its caller does.
func (x *exchange) omit(param string) bool {
	c := x.client
	f, failed := x.body(x.client.errorContext(c.bases[0], model.Secret{}))
	if failed != nil || !f.Has(param) || slices.Contains(needed, param) || param == "max_tokens" && x.dialect == dialect.All["messages"] {
		return false
	}
	if c.options.Shared.refuse(c.served(), param) {
		c.options.Observe.ParameterRefused(c.model.Name, param)
	}
	return true
}

// converse asks for this completion, and those after it, in words: the model cannot fill
// in by itself. It returns false where the server holds no conversations.
func (x *exchange) converse() bool {
	c := x.client
	d := dialect.For(c.provider.WireAPI, x.model, x.req, []string{"suffix"})
	if d == x.dialect {
		return false
	}
	x.dialect = d
	if c.options.Shared.refuse(c.served(), "suffix") {
		c.options.Observe.ParameterRefused(c.model.Name, "suffix")
	}
	return true
}

// withoutChoices asks for one answer from now on in this exchange, and reports whether
// that makes a difference: servers refuse "n" in words of their own. It is remembered once
// the request is answered without it (see finish).
func (x *exchange) withoutChoices() bool {
	f, failed := x.body(x.client.errorContext(x.client.bases[0], model.Secret{}))
	x.answer.single = failed == nil && f.Has("n")
	return x.answer.single
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
