package local

import (
	"context"
	"strings"

	"tandem/model"
)

// askedThreshold is the confidence from which on a suggestion is worth showing
// to somebody who asked for one. It is lower than Threshold, since nobody is
// interrupted.
const askedThreshold = Threshold / 4

// Suggest returns up to n texts for a hole, the surest first. asked says that
// the user asked for a suggestion, instead of merely typing.
func (e *Engine) Suggest(ctx context.Context, c Corpus, f *model.Fill, n int, asked bool) []string {
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
