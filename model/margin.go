package model

import "math"

// A learnedMargin is how many tokens a model has for one that Counter counts, as
// its server's reports of input show: the server's own count, without a request
// for it. It rises at once and falls only after many reports, and moves in steps
// so that windows stay the same from one request to the next.
type learnedMargin struct {
	value  float64 // 0: nothing is known
	ratios [16]float64
	noted  int
}

const (
	marginStep  = 1.0 / 32
	leastMargin = 0.9 // a server that cuts prompts reports less than it was sent
	mostMargin  = 4   // a token has at least a byte, and bytes are counted as tokens at worst
	marginSpare = 1.02
	// Of smaller requests the server's own text around the messages is too large a part.
	leastCounted = 1000
)

// note takes in one report; before is the margin in use.
func (l *learnedMargin) note(ratio, before float64) {
	l.ratios[l.noted%len(l.ratios)] = ratio
	l.noted++
	most := 0.0
	for _, r := range l.ratios {
		most = max(most, r)
	}
	most = min(max(math.Ceil(most*marginSpare/marginStep)*marginStep, leastMargin), mostMargin)
	if most > before || l.noted >= len(l.ratios) {
		l.value = most
	}
}

// learnMargin compares the input that the server reported with what was counted.
// A request to fill in a gap is left out: what of it counts depends on the server.
func (c *call) learnMargin() {
	cfg := c.channel.config
	fills := c.req.Fill != nil && (cfg.FillOnly || cfg.FIM != "")
	if c.final == nil || !c.final.Usage.Known || fills || cfg.TokenMargin > 0 || Counter(cfg).Exact() {
		return
	}
	c.mu.Lock()
	sent := c.sent
	c.mu.Unlock()
	if sent.held || sent.bodies != 1 {
		return
	}
	counted := sent.tokens(Counter(cfg).Count)
	if counted < leastCounted {
		return
	}
	reported := c.believed(c.final.Usage, sent).Input
	c.channel.mu.Lock()
	defer c.channel.mu.Unlock()
	l := &c.channel.margin
	before := l.value
	if before == 0 {
		before = Margin(cfg)
	}
	l.note(float64(reported)/float64(counted), before)
}
