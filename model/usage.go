package model

import (
	"cmp"
	"fmt"
	"math"

	"tandem/workspace/tokens"
)

// A dispatch is what is known of the bodies that left for one request.
type dispatch struct {
	bodies    int
	bytes     int      // of the largest body
	maxOutput int      // bound on the answer in the last body; 0: it had none
	held      bool     // the server held context beside a body
	texts     []string // of the last request, with what the server held
}

func (d *dispatch) add(s Sent) {
	d.bodies++
	d.bytes = max(d.bytes, s.Bytes)
	d.maxOutput = s.MaxOutputTokens
	d.held = d.held || s.Continued
	d.texts = s.Texts
}

// usage is what the call is booked with: what the server reported, within what
// can be true, or this side's own count where the server reported nothing.
func (c *call) usage() Usage {
	c.mu.Lock()
	sent := c.sent
	c.mu.Unlock()
	if c.final != nil && c.final.Usage.Known {
		return c.believed(c.final.Usage, sent)
	}
	if sent.bodies == 0 && c.text.Len() == 0 {
		return Usage{}
	}
	count := countFor(c.channel.config)
	return Usage{Input: sent.tokens(count), Output: count(c.text.String()) + count(c.reasoning.String())}
}

// believed is a reported usage, each figure moved to the nearer of its bounds
// where it lies outside of them. What was received was made; what was not
// asked for cannot have been made, and a token has at least one byte, so that
// no server takes in more than it was sent or held.
func (c *call) believed(reported Usage, sent dispatch) Usage {
	cfg := c.channel.config
	received := countFor(cfg)(c.text.String())
	mostOutput := max(received, max(c.req.N, 1)*cmp.Or(sent.maxOutput, cfg.MostOutput(), cfg.ContextWindow, math.MaxInt32))
	mostInput := sent.bytes
	if sent.held || sent.bodies == 0 {
		mostInput = max(mostInput, cmp.Or(cfg.ContextWindow, math.MaxInt32))
	}
	u := reported
	u.Input = min(max(u.Input, 0), mostInput)
	u.Output = min(max(u.Output, received), mostOutput)
	u.Cached = min(max(u.Cached, 0), u.Input)
	u.CacheWrite = min(max(u.CacheWrite, 0), u.Input-u.Cached)
	u.Reasoning = min(max(u.Reasoning, 0), u.Output)
	if more := reported.Output - u.Output; more > 0 && more <= max(c.req.N, 1) {
		reported.Output = u.Output // the token that ends an answer, which some servers count
	}
	if u != reported && !withinEstimate(cfg, reported, u) {
		c.lanes.once.report(topic{"usage", cfg.Name}, Notice{NoticeUsage, fmt.Sprintf(
			"Check what %s bills: it reports a use of tokens that cannot be (input %d, of it cached %d, output %d), and input %d, cached %d and output %d are counted, the nearest that can.",
			cfg.Provider, reported.Input, reported.Cached, reported.Output, u.Input, u.Cached, u.Output), nil})
	}
	return u
}

// withinEstimate reports whether a report differs from what is booked by no
// more than a count with another model's vocabulary may be wrong: vocabularies
// differ by up to a factor of two, on digits for example.
func withinEstimate(cfg ModelConfig, reported, booked Usage) bool {
	if Counter(cfg).Exact() || reported.Output > booked.Output || reported.Output < booked.Output/2 {
		return false
	}
	reported.Output, reported.Reasoning = booked.Output, booked.Reasoning
	return reported == booked
}

// countFor counts a model's tokens: exactly where its vocabulary is known, else
// with o200k_base, which comes close for code. Counter is for budgets and
// bounds such a count from above, which would book too much.
func countFor(cfg ModelConfig) func(string) int {
	if c := Counter(cfg); c.Exact() {
		return c.Count
	}
	return tokens.Count
}

// tokens is how many tokens the text has that was sent.
func (d *dispatch) tokens(count func(string) int) (n int) {
	for _, text := range d.texts {
		n += count(text)
	}
	return n
}
