package local

import (
	"context"

	"tandem/workspace"
)

// renamed offers the users of a name whose definition was just renamed.
func (e *Engine) renamed(ctx context.Context, c Corpus, recent []workspace.RecentEdit, path string, offset int) []NextEdit {
	return nil
}
