package inline

import (
	"math"
	"strings"
)

// A belief is how likely a model takes the tokens of its text to be, in order; nil where its
// server does not say.
type belief []token

// A token ends at a byte of the text.
type token struct {
	end     int
	logProb float64 // of the token after those before it, natural
}

// add appends a token, if the server says how likely it is.
func (b *belief) add(end int, logProb float64) {
	if logProb != 0 {
		*b = append(*b, token{end, logProb})
	}
}

// in is the belief in the part of an answer that is shown as text: nil where that is not how the
// answer begins.
func (b belief) in(answer, text string) belief {
	if !strings.HasPrefix(answer, text) {
		return nil
	}
	return b
}

// What is shown between keys of a model that is mostly wrong there: text that the model takes for
// this likely, and that spares keys. docs/real-models.md has the figures that they come from.
const (
	leastLikely = 0.8
	leastSpared = 4 // characters
)

// sure reports whether a model takes what is left of its text for nearly certain.
func (c *suggestion) sure() bool {
	if len(c.completion.belief) == 0 || len(strings.TrimSpace(c.rest())) < leastSpared {
		return false
	}
	sum := 0.0
	for _, t := range c.completion.belief {
		if t.end > c.done {
			sum += t.logProb
		}
	}
	return math.Exp(sum) >= leastLikely
}
