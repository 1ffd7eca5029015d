package complete

import (
	"context"
	"strings"

	"tandem/model"
	"tandem/model/local/source"
)

// A Certainty is how sure the engine must be of a suggestion.
type Certainty int

// The certainties, from the least.
const (
	Possible Certainty = iota // for a user who explicitly asked: it interrupts no typing
	Likely                    // for a user who is typing: half of them are right
	Sure                      // nearly sure: nine of ten are right
)

// sureThreshold is where the suggestions of held-out lines were right nine times in ten.
const sureThreshold = 0.8

// threshold is the lowest confidence of a certainty.
func (c Certainty) threshold() float64 {
	switch c {
	case Possible:
		return Threshold / 4
	case Sure:
		return sureThreshold
	}
	return Threshold
}

// Suggest returns up to n texts for an infill site of which the engine is certain
// enough, the most confident first.
func (e *Engine) Suggest(ctx context.Context, c source.Corpus, f *model.Fill, n int, certainty Certainty) []string {
	if ctx.Err() != nil || strings.ContainsRune(f.Prefix, 0) {
		return nil
	}
	var out []string
	for _, candidate := range e.Consider(c, f) {
		if len(out) == n || candidate.Confidence < certainty.threshold() {
			break
		}
		out = append(out, candidate.Block())
	}
	return out
}
