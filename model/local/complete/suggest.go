package complete

import (
	"context"
	"slices"
	"strings"

	"tandem/model"
	"tandem/model/local/source"
)

// A Certainty is how sure the engine must be of a suggestion.
type Certainty int

// The certainties, from the least.
const (
	Possible Certainty = iota // for a user who explicitly asked: it interrupts no typing
	Likely                    // for a user who is typing: three of four are right
	Sure                      // nearly sure: four of five are right
)

// The thresholds. While typing they save most within the bars (70 % right, 23 wrong an hour) on
// commits of seven clones that the forest was not grown on: 74 % right, 23 wrong, 7.3 % saved.
const (
	possibleThreshold = 0.05
	likelyThreshold   = 0.72
	sureThreshold     = 0.8
	perLength         = 0.5 // what is short saves less to type than it takes to read
)

// threshold is the lowest confidence of a certainty in a text.
func (c Certainty) threshold(text string) float64 {
	switch c {
	case Possible:
		return possibleThreshold
	case Sure:
		return sureThreshold
	}
	return likelyThreshold + perLength/float64(len(text))
}

// Suggest returns up to n texts for an infill site of which the engine is certain
// enough, the most confident first.
func (e *Engine) Suggest(ctx context.Context, c source.Corpus, f *model.Fill, n int, certainty Certainty) []string {
	if ctx.Err() != nil || strings.ContainsRune(f.Prefix, 0) {
		return nil
	}
	var out []string
	for _, learned := range e.Consider(c, f) {
		if len(out) == n {
			break
		}
		text := learned.Block()
		if !learned.unsound && learned.Confidence >= certainty.threshold(text) && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}
