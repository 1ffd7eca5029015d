package next

import (
	"context"
	"fmt"
	"slices"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/workspace"
	"tandem/workspace/terms"
)

// NextEverywhere proposes all remaining places of the change that the user has begun, as
// one proposal: a rename, a change made twice. It is an error if there
// are fewer than least. No model is asked.
func (n *Editor) NextEverywhere(ctx context.Context, snap *workspace.Snapshot, place core.Place, least int) (*edit.Proposal, error) {
	if n.Local == nil {
		return nil, n.Prompts.NeedsModel("find the remaining places")
	}
	all := n.rest(snap)
	if len(all.edits) == 0 {
		places, done := once(n.places(ctx, snap, Request{Place: place}))
		defer done()
		for next := range places {
			if next.Jump == "" {
				n.begun(snap, next, places)
				break
			}
		}
		all = n.rest(snap)
	}
	if len(all.edits) == 0 || len(all.edits) < least {
		return nil, &model.Error{Code: model.CodeEmpty, Message: "No change that you have begun applies anywhere else; rename a definition or make a change twice."}
	}
	changes, err := changesOf(snap, all.edits)
	if err != nil {
		return nil, err
	}
	title := fmt.Sprintf("%s: %s", all.title, terms.Counted(len(all.edits), "place"))
	if all.others > 0 {
		title += fmt.Sprintf(", %d left to you", all.others)
	}
	if !all.left.None() { // who takes the change for all of it must know
		title += "; " + all.left.String()
		changes[0].Doubts = edits.Doubted([]string{all.left.String()})
	}
	return n.editor.ProposeChanges(ctx, snap, changes, edit.Proposal{
		Proposal: edits.Proposal{Title: title, From: edits.Provenance{Lane: core.BuiltIn, Model: "built-in", Reason: all.edits[0].From.Reason}},
		Request:  edit.Request{URI: place.URI, Title: title},
	})
}

// changesOf turns edits of files into changes.
func changesOf(snap *workspace.Snapshot, list []Item) (out []edits.FileChange, err error) {
	byURI := map[string][]edits.Edit{}
	var uris []string
	for _, i := range list {
		if byURI[i.URI] == nil {
			uris = append(uris, i.URI)
		}
		byURI[i.URI] = append(byURI[i.URI], i.Edit)
	}
	for _, uri := range uris {
		f, err := snap.File(uri)
		if err != nil {
			return nil, fmt.Errorf("%s cannot be changed: %w", snap.Name(uri), err)
		}
		list := byURI[uri]
		slices.SortFunc(list, func(a, b edits.Edit) int { return a.Start - b.Start })
		after, err := edits.Apply(f.Raw(), list)
		if err != nil {
			return nil, fmt.Errorf("%s cannot be changed: %w", snap.Name(uri), err)
		}
		out = append(out, edits.FileChange{Path: snap.Name(f.URI()), Before: f.Content(), After: after.String(), Edits: list})
	}
	return out, nil
}
