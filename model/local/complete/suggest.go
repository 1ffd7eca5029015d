package complete

import (
	"context"
	"strings"

	"tandem/model"
	"tandem/model/local/source"
)

// askedThreshold is the lowest confidence at which a suggestion is shown to a user
// who explicitly asked for one. It is lower than Threshold, since it interrupts
// no typing.
const askedThreshold = Threshold / 4

// Suggest returns up to n texts for an infill site, the most confident first.
// asked is true if the user explicitly asked for a suggestion.
func (e *Engine) Suggest(ctx context.Context, c source.Corpus, f *model.Fill, n int, asked bool) []string {
	if ctx.Err() != nil || strings.ContainsRune(f.Prefix, 0) {
		return nil
	}
	least := Threshold
	if asked {
		least = askedThreshold
	}
	var out []string
	for _, candidate := range e.Consider(c, f) {
		if len(out) == n || candidate.Confidence < least {
			break
		}
		out = append(out, candidate.Block())
	}
	return out
}
