package model

import (
	"fmt"
	"math"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// Cost returns what usage costs in USD by the model's configured prices.
func Cost(m ModelConfig, u Usage) float64 {
	cached, written := m.CachedPrice, m.CacheWritePrice
	if cached < 0 {
		cached = m.InputPrice
	}
	if written < 0 {
		written = m.InputPrice
	}
	fresh := max(0, u.Input-u.Cached-u.CacheWrite)
	return (float64(fresh)*max(0, m.InputPrice) + float64(u.Cached)*max(0, cached) + float64(u.CacheWrite)*max(0, written) + float64(u.Output)*max(0, m.OutputPrice)) / 1e6
}

// counted is usd as it counts towards a limit: no request may take anything
// back from what others have cost, and what is no number is beyond every limit.
func counted(usd float64) float64 {
	if math.IsNaN(usd) {
		return math.Inf(1)
	}
	return max(0, usd)
}

// Unpriced reports whether a model may cost money, and nobody said how much: a
// price is not given, and its provider is not on this machine alone. A price of
// 0 is given: it costs nothing.
func Unpriced(m ModelConfig, p ProviderConfig) bool {
	return (m.InputPrice < 0 || m.OutputPrice < 0) && !p.OnThisMachine()
}

// OnThisMachine reports whether all addresses of a provider are loopback ones.
func (p ProviderConfig) OnThisMachine() bool {
	return len(p.BaseURLs) > 0 && !slices.ContainsFunc(p.BaseURLs, func(address string) bool {
		u, err := url.Parse(address)
		return err != nil || !Loopback(u.Hostname())
	})
}

// Plain reports whether a provider is a server of models that the user runs: one that needs
// no key, on this machine or where plain HTTP is allowed, and no gateway to others.
func (p ProviderConfig) Plain() bool {
	hasKey := p.EnvKey != "" || p.Keyring != "" || len(p.AuthCommand) > 0
	return !hasKey && (p.OnThisMachine() || p.AllowHTTP)
}

// Loopback reports whether a host's name or address is this machine's own.
func Loopback(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.Unmap().IsLoopback()
}

// Paid reports whether a model has a price.
func Paid(m ModelConfig) bool {
	return m.InputPrice > 0 || m.OutputPrice > 0
}

// Spend reports what every process of the user has spent in a day.
type Spend interface {
	// Spent is the USD spent on the day that holds t. Its error means that this is
	// not known, or that what is spent next could not be added.
	Spent(t time.Time) (float64, error)
}

// budget enforces the daily limit. A running request counts with the cost of its
// input, so that many requests at once do not exceed the limit together.
type budget struct {
	spend Spend

	mu       sync.Mutex // guards all below
	limit    *float64
	underWay float64
	own      float64 // spent by this process on day, for use without spend
	day      string
}

func dayOf(t time.Time) string { return t.Format(time.DateOnly) }

// priced refuses a model whose cost the daily limit could not count.
func (b *budget) priced(m ModelConfig, p ProviderConfig) *Error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.limit == nil || !Unpriced(m, p) {
		return nil
	}
	return &Error{Code: CodeNotConfigured, Message: fmt.Sprintf(
		"Set input_price and output_price in [models.%s], 0 where it costs nothing: without them daily_limit_usd cannot count what it costs.", m.Name)}
}

// admit reserves the estimate, or returns an error if the limit is reached. charge
// releases the reservation.
func (b *budget) admit(now time.Time, estimate float64) *Error {
	spent, unknown := b.spent(now)
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.refusal(now, spent, b.underWay, unknown); err != nil {
		return err
	}
	b.underWay += estimate
	return nil
}

// refusal is why the limit admits nothing beside what is spent and reserved. b.mu is held.
func (b *budget) refusal(now time.Time, spent, reserved float64, unknown error) *Error {
	switch {
	case b.limit == nil:
		return nil
	case unknown != nil:
		return uncounted(unknown)
	case !(spent+reserved < *b.limit): // so that what is no number admits nothing
		return &Error{Code: CodeDailyLimit, ResetsAt: midnight(now), Message: fmt.Sprintf(
			"Raise daily_limit_usd, or wait for midnight: the daily limit of %s is reached (%s spent), and until then no paid model is asked.", Dollars(*b.limit), Dollars(spent))}
	}
	return nil
}

// uncounted refuses a paid model while nobody can count what a day costs: other
// processes spend too, and the next one would begin at nothing.
func uncounted(err error) *Error {
	return &Error{Code: CodeDailyLimit, Err: err, Message: fmt.Sprintf(
		"Correct this, or remove daily_limit_usd: %v. What is spent today cannot be counted, so no paid model is asked.", err)}
}

// charge releases a reservation and records what the request really cost.
func (b *budget) charge(now time.Time, estimate, cost float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.underWay = max(0, b.underWay-estimate)
	if b.day != dayOf(now) {
		b.day, b.own = dayOf(now), 0
	}
	b.own += cost
}

// spent returns today's USD, of other processes too. Where that cannot be counted,
// it is this process's own sum, with the error.
func (b *budget) spent(now time.Time) (usd float64, err error) {
	if b.spend != nil {
		usd, err = b.spend.Spent(now)
		usd = counted(usd)
		if err != nil {
			usd = 0
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.day == dayOf(now) {
		usd = max(usd, b.own)
	}
	return usd, err
}

// percent returns how much of the daily limit is used, 0 without a limit, and why no paid model is
// asked until midnight where it is reached or cannot be counted: all of it is used then.
func (b *budget) percent(now time.Time) (float64, *Error) {
	b.mu.Lock()
	limit := b.limit
	b.mu.Unlock()
	if limit == nil {
		return 0, nil
	}
	spent, unknown := b.spent(now)
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.refusal(now, spent, 0, unknown); err != nil {
		return 100, err
	}
	return 100 * spent / *limit, nil
}

// Dollars formats a sum: small ones with enough digits to be useful.
func Dollars(usd float64) string {
	switch {
	case usd > 0 && usd < 0.0001:
		return "less than $0.0001"
	case usd > 0 && usd < 0.1:
		return fmt.Sprintf("$%.4f", usd)
	}
	return fmt.Sprintf("$%.2f", usd)
}

func midnight(now time.Time) time.Time {
	y, m, d := now.Date()
	return time.Date(y, m, d+1, 0, 0, 0, 0, now.Location())
}
