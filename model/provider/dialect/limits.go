package dialect

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"tandem/model"
)

// HeaderLimits reads the rate-limit headers of OpenAI, Cerebras, Anthropic and
// the Codex backends.
func HeaderLimits(h http.Header, now time.Time) (model.Limits, bool) {
	l := model.Limits{
		Requests: firstAllowance(h, now, "X-Ratelimit-%-Requests", "X-Ratelimit-%-Requests-Day", "Anthropic-Ratelimit-Requests-%"),
		Tokens:   firstAllowance(h, now, "X-Ratelimit-%-Tokens", "X-Ratelimit-%-Tokens-Minute", "Anthropic-Ratelimit-Tokens-%"),
	}
	planLimits(h, &l)
	return l, l.Requests.Known || l.Tokens.Known || l.UsedKnown
}

// firstAllowance reads a counter under the first of several header names that is
// present; % stands for limit, remaining and reset.
func firstAllowance(h http.Header, now time.Time, names ...string) model.Allowance {
	for _, name := range names {
		get := func(field string) string { return h.Get(strings.Replace(name, "%", field, 1)) }
		left, err := strconv.Atoi(get("Remaining"))
		if err != nil {
			continue
		}
		limit, _ := strconv.Atoi(get("Limit"))
		return model.Allowance{Limit: limit, Remaining: left, Known: true, Reset: resetIn(get("Reset"), now)}
	}
	return model.Allowance{}
}

// resetIn reads "6m0s", "120ms", "42.5" (seconds) or a time.
func resetIn(s string, now time.Time) time.Duration {
	if d, err := time.ParseDuration(s); err == nil {
		return d
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return waiting(f, time.Second)
	}
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t.Sub(now)
	}
	return 0
}

// planLimits reads the windows of a plan, x-<pool>-primary-used-percent and
// similar headers: the one with the highest use counts.
func planLimits(h http.Header, l *model.Limits) {
	const end = "-Used-Percent"
	for name, values := range h {
		stem, ok := strings.CutSuffix(name, end)
		if !ok || !strings.HasPrefix(name, "X-") || len(values) == 0 {
			continue
		}
		used, err := strconv.ParseFloat(values[0], 64)
		if err != nil || l.UsedKnown && used < l.UsedPercent {
			continue
		}
		l.UsedKnown, l.UsedPercent = true, used
		if at, err := strconv.ParseInt(h.Get(stem+"-Reset-At"), 10, 64); err == nil {
			l.ResetsAt = time.Unix(at, 0)
		}
	}
}

// CodexLimits reads a codex.rate_limits event.
func CodexLimits(data []byte) *model.Limits {
	type window struct {
		Used  float64 `json:"used_percent"`
		Reset int64   `json:"reset_at"`
	}
	var e struct {
		Limits struct{ Primary, Secondary *window } `json:"rate_limits"`
	}
	if json.Unmarshal(data, &e) != nil {
		return nil
	}
	l := &model.Limits{}
	for _, w := range []*window{e.Limits.Primary, e.Limits.Secondary} {
		if w != nil && (!l.UsedKnown || w.Used > l.UsedPercent) {
			l.UsedKnown, l.UsedPercent, l.ResetsAt = true, w.Used, time.Unix(w.Reset, 0)
		}
	}
	return l
}
