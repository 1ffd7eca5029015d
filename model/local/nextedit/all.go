package nextedit

import (
	"context"
	"slices"
	"strings"

	"tandem/model/local/source"
	"tandem/workspace"
)

// All are all places that a change of the user's still has to reach.
type All struct {
	Edits []NextEdit // in files' current texts; none overlap
	Left  int        // places that the user has to change, or look at
	Title string     // "Rename Load to Fetch"
}

// maxAll bounds the places of one proposal.
const maxAll = 5000

// All returns every remaining place of the newest change that the user has begun. It is
// false if there is none that can be written; Left then counts those of the newest one.
func (e *Engine) All(ctx context.Context, c source.Corpus, recent []workspace.RecentEdit, path string, offset int) (All, bool) {
	var none All
	for found := range e.changes(ctx, c, recent, path, offset, maxAll) {
		if len(found.edits) == 0 {
			if none.Left == 0 {
				none.Left = len(found.visits)
			}
			continue
		}
		out := All{Edits: withoutOverlaps(found.edits), Left: len(found.visits) + found.more}
		out.Title, _, _ = strings.Cut(found.edits[0].Title, ":")
		return out, ctx.Err() == nil
	}
	return none, false
}

// withoutOverlaps keeps the first of edits that overlap.
func withoutOverlaps(list []NextEdit) []NextEdit {
	var out []NextEdit
	for _, n := range list {
		if !slices.ContainsFunc(out, func(o NextEdit) bool {
			return o.Path == n.Path && o.Edit.Start <= n.Edit.End && n.Edit.Start <= o.Edit.End
		}) {
			out = append(out, n)
		}
	}
	return out
}
