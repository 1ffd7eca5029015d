package judge

import (
	"context"

	"tandem/edits"
	"tandem/workspace"
)

// Ready makes changes that a model wrote ready to be judged: it fits them to their files and
// adds the imports that they lack, found by a judgement of that reach. Secrets are restored before it,
// so that every road has one order: restored, fitted, imports, judged, shown.
func (j *Judge) Ready(ctx context.Context, snap *workspace.Snapshot, restored []edits.FileChange, reach Reach) []edits.FileChange {
	return j.WithImports(ctx, snap, Fitted(snap.StyleOf, restored), reach)
}

// Fitted returns changes as they belong to their files. styleOf is how a text is written that a file
// may have.
func Fitted(styleOf func(name, text string) edits.Style, changes []edits.FileChange) []edits.FileChange {
	out := make([]edits.FileChange, len(changes))
	for i, c := range changes {
		text := c.Before
		if c.AbsentBefore {
			text = c.After
		}
		out[i] = edits.FitChange(c, styleOf(c.Path, text))
	}
	return out
}
