package next

import (
	"context"
	"fmt"
	"slices"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/model/local"
	"tandem/workspace"
	"tandem/workspace/terms"
)

// NextEverywhere proposes all remaining places of the change that the user has begun, as
// one proposal: a rename, a change made twice. It is an error if there
// are fewer than least. No model is asked.
func (n *Editor) NextEverywhere(ctx context.Context, snap *workspace.Snapshot, place core.Place, least int) (*edit.Proposal, error) {
	if n.Core.Local == nil {
		return nil, n.Core.NeedsModel("find the remaining places")
	}
	all, ok := n.rest(snap)
	if !ok {
		all, ok = n.Core.Local.AllNextEdits(ctx, n.corpus(snap, place.URI), snap.RecentEdits(place.URI), snap.Name(place.URI), place.Offset)
	}
	if !ok || len(all.Edits) < least {
		return nil, &model.Error{Code: model.CodeEmpty, Message: "No change that you have begun applies anywhere else; rename a definition or make a change twice."}
	}
	changes, err := changesOf(snap, all.Edits)
	if err != nil {
		return nil, err
	}
	title := fmt.Sprintf("%s: %s", all.Title, terms.Counted(len(all.Edits), "place"))
	if all.Left > 0 {
		title += fmt.Sprintf(", %d left to you", all.Left)
	}
	return n.editor.ProposeChanges(ctx, snap, changes, edit.Proposal{
		Proposal: edits.Proposal{Title: title, From: edits.Provenance{Lane: core.BuiltIn, Model: "built-in", Reason: all.Edits[0].Reason}},
		Request:  edit.Request{URI: place.URI, Title: title},
	})
}

// changesOf turns edits of files into changes, by path.
func changesOf(snap *workspace.Snapshot, list []local.NextEdit) ([]edits.FileChange, error) {
	byPath := map[string][]edits.Edit{}
	var paths []string
	for _, n := range list {
		if _, known := byPath[n.Path]; !known {
			paths = append(paths, n.Path)
		}
		byPath[n.Path] = append(byPath[n.Path], n.Edit)
	}
	var out []edits.FileChange
	for _, path := range paths {
		f, err := snap.File(snap.Resolve(path))
		if err != nil {
			return nil, fmt.Errorf("%s cannot be changed: %w", path, err)
		}
		text := f.Raw()
		slices.SortFunc(byPath[path], func(a, b edits.Edit) int { return a.Start - b.Start })
		after, err := edits.Apply(text, byPath[path])
		if err != nil {
			return nil, fmt.Errorf("%s cannot be changed: %w", path, err)
		}
		out = append(out, edits.FileChange{Path: snap.Name(f.URI()), Before: text.String(), After: after.String(), Edits: byPath[path]})
	}
	return out, nil
}
