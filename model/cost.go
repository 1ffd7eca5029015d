package model

import (
	"fmt"
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
	return (float64(fresh)*m.InputPrice + float64(u.Cached)*cached + float64(u.CacheWrite)*written + float64(u.Output)*m.OutputPrice) / 1e6
}

// Paid reports whether a model has a price.
func Paid(m ModelConfig) bool {
	return m.InputPrice > 0 || m.OutputPrice > 0
}

// Spend reports what every process of the user has spent in a day.
type Spend interface {
	// Spent is the USD spent on the day that holds t.
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

// admit reserves the estimate, or returns an error if the limit is reached. charge
// releases the reservation.
func (b *budget) admit(now time.Time, estimate float64) *Error {
	spent := b.spent(now)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.limit != nil && spent+b.underWay >= *b.limit {
		return &Error{Code: CodeDailyLimit, ResetsAt: midnight(now), Message: fmt.Sprintf(
			"The daily limit of %s is reached (%s spent); paid models are asked again from midnight, or raise daily_limit_usd.", dollars(*b.limit), dollars(spent))}
	}
	b.underWay += estimate
	return nil
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

// spent returns today's USD. b.spend includes other processes. Without it the sum
// of this process is used.
func (b *budget) spent(now time.Time) float64 {
	if b.spend != nil {
		if usd, err := b.spend.Spent(now); err == nil {
			return usd
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.day != dayOf(now) {
		return 0
	}
	return b.own
}

// percent returns how much of the daily limit is used; 0 without a limit.
func (b *budget) percent(now time.Time) float64 {
	b.mu.Lock()
	limit := b.limit
	b.mu.Unlock()
	if limit == nil {
		return 0
	}
	if *limit <= 0 {
		return 100
	}
	return 100 * b.spent(now) / *limit
}

// dollars formats a sum: small ones with enough digits to be useful.
func dollars(usd float64) string {
	if usd > 0 && usd < 0.1 {
		return fmt.Sprintf("$%.4f", usd)
	}
	return fmt.Sprintf("$%.2f", usd)
}

func midnight(now time.Time) time.Time {
	y, m, d := now.Date()
	return time.Date(y, m, d+1, 0, 0, 0, 0, now.Location())
}
