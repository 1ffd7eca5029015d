package nextedit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model/local/source"
	"tandem/workspace"
	"tandem/workspace/index"
)

// A redefinition is a definition that was just renamed.
type redefinition struct {
	old  string
	def  index.Def // as it is now
	path string
}

// propagatedEdits offers an edit for each user of a definition that was just
// renamed or whose parameters changed, with the number of users and of those that
// are done.
func propagatedEdits(ctx context.Context, c source.Corpus, recent []workspace.RecentEdit, path string, offset, most int) offers {
	for i, r := range slices.Backward(recent[max(len(recent)-maxRecent, 0):]) {
		var found offers
		if d, ok := redefined(c, r); ok {
			found.edits = renameEdits(ctx, c, d, path, offset, most)
		} else if d, ok := signatureChangeOf(c, r); ok {
			later := recent[max(len(recent)-maxRecent, 0):][i+1:]
			found = callEdits(ctx, c, d, later, path, offset, most)
		}
		if len(found.edits) > 0 {
			return found
		}
	}
	return offers{}
}

// redefined reports whether an edit renamed a definition: the file defines the new
// name at the edit, and does not define the old name any more.
func redefined(c source.Corpus, r workspace.RecentEdit) (redefinition, bool) {
	id, ok := c.Index().FileID(r.Path)
	if !ok {
		return redefinition{}, false
	}
	for _, h := range changesOf(r.Old, r.New, false) {
		if len(h.old) != 1 || len(h.new) != 1 || h.old[0].class != source.Word || h.new[0].class != source.Word {
			continue
		}
		was, now := h.old[0].text, h.new[0].text
		if definedIn(c.Index(), id, was) {
			continue
		}
		for _, d := range c.Index().Defs(id) {
			if d.Name == now && d.StartLine >= r.Line && d.StartLine < r.Line+strings.Count(r.New, "\n")+1 {
				return redefinition{old: was, def: d, path: r.Path}, true
			}
		}
	}
	return redefinition{}, false
}

func definedIn(ix *index.Index, id index.FileID, name string) bool {
	return slices.ContainsFunc(ix.Defs(id), func(d index.Def) bool { return d.Name == name && !d.Local })
}

// renameEdits returns an edit for each place that still uses the old name and can
// mean the definition.
func renameEdits(ctx context.Context, c source.Corpus, d redefinition, path string, offset, most int) []NextEdit {
	left := remaining(ctx, c, d)
	if len(left) == 0 {
		return nil
	}
	slices.SortStableFunc(left, func(a, b Place) int {
		return before(a, path, offset) - before(b, path, offset)
	})
	done := len(placesDone(ctx, c, d))
	total := done + len(left)
	out := make([]NextEdit, 0, min(len(left), most))
	for _, p := range left[:min(len(left), most)] {
		out = append(out, NextEdit{Path: p.Path, Edit: edits.Edit{Span: p.Span, New: d.def.Name},
			Title:  fmt.Sprintf("Rename %s to %s: %s, %d done", d.old, d.def.Name, source.Count(total, "use"), done),
			Reason: fmt.Sprintf("%s is now called %s (%s:%d)", d.old, d.def.Name, d.path, d.def.StartLine)})
	}
	return out
}

// before returns a sort key for places: those after the cursor come first, then
// those before it, then those in other files.
func before(p Place, path string, offset int) int {
	switch {
	case p.Path != path:
		return 2
	case p.Span.Start < offset:
		return 1
	}
	return 0
}

// remaining returns the places with the old name. After the rename the old name
// does not type-check any more, so the places are found by name, in the files
// that see the definition.
func remaining(ctx context.Context, c source.Corpus, d redefinition) []Place {
	old := d.def
	old.Name = d.old
	return namedUsers(ctx, c, old, c.Index().Users(d.old))
}

// placesDone returns the places that already have the new name.
func placesDone(ctx context.Context, c source.Corpus, d redefinition) []Place {
	return namedUsers(ctx, c, d.def, c.Index().Users(d.def.Name))
}
