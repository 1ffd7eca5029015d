package ask

import (
	"context"
	"fmt"

	"tandem/model"
	"tandem/model/assist/core"
	"tandem/workspace"
)

// Describes reports whether the user wants a model's paragraph when hovering
// over a symbol of a language.
func (a *Asker) Describes(language string) bool { return a.Wanted.Preferences(language).HoverModel }

// Reviews reports whether the user wants documents of a language reviewed when
// they are saved.
func (r *Reviewer) Reviews(language string) bool { return r.Wanted.Preferences(language).Review }

// Describe returns a model's paragraph on the symbol at a place.
func (a *Asker) Describe(ctx context.Context, snap *workspace.Snapshot, p core.Place, s Symbol) (Answer, error) {
	if _, ok := a.Prompts.Models.Config(model.Fast); !ok {
		return Answer{}, a.Prompts.NeedsModel("describe code")
	}
	return a.Ask(ctx, snap, Request{
		Place: p, Lane: model.Fast,
		Question: fmt.Sprintf("In one short paragraph: what is %s for, and how is it used here?", s.Name),
	})
}
