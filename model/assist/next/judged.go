package next

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"tandem/edits"
	"tandem/model/local"
	"tandem/workspace"
	"tandem/workspace/judge"
	"tandem/workspace/run"
)

// How long the user has stopped typing before what they changed is judged, and how long that may
// take.
const (
	restBeforeJudging = 300 * time.Millisecond
	longestJudging    = 700 * time.Millisecond
)

// lostImport is the kind of finding of an import that nothing uses any more.
const lostImport = "lost_import"

// judged is what the judge last found.
type judged struct {
	rest time.Duration // before judging

	mu    sync.Mutex // guards all below
	key   string     // of the texts that were judged
	found []causedError
}

// broken is what the user's last edits break by the judge, in the documents that they changed and in
// those that use what they changed, the nearest first: what is wrong now and was not before these
// edits. What the editor reports itself is not in it, nor is anything of a text that does not parse.
func (n *Editor) broken(ctx context.Context, snap *workspace.Snapshot, req Request) []causedError {
	changed := changedLately(snap, req.URI)
	if len(changed) == 0 || !run.Sleep(ctx, n.untilRest()) {
		return nil
	}
	key := ""
	for _, c := range changed {
		key += fmt.Sprintln(c.Path, workspace.HashOf(c.Before), workspace.HashOf(c.After))
	}
	n.judged.mu.Lock()
	defer n.judged.mu.Unlock()
	if n.judged.key != key {
		within, cancel := context.WithTimeout(ctx, longestJudging)
		defer cancel()
		r := n.editor.Judge.Report(within, snap, changed, judge.Users)
		if ctx.Err() != nil {
			return nil
		}
		n.judged.key, n.judged.found = key, nil
		if len(r.Syntax) == 0 && len(r.Unparsed) == 0 {
			n.judged.found = caused(snap, changed, r.Findings)
		}
	}
	reported := n.caused.near(req.URI, req.Offset)
	return nearest(slices.DeleteFunc(slices.Clone(n.judged.found), func(c causedError) bool {
		return slices.ContainsFunc(reported, func(o causedError) bool { return sameLine(snap, c, o) })
	}), req.URI, req.Offset)
}

// untilRest is how long the user must type nothing until what they changed is judged.
func (n *Editor) untilRest() time.Duration {
	return n.judged.rest - time.Since(n.Open.lastTyped())
}

// sameLine reports whether two errors begin on one line of a document.
func sameLine(snap *workspace.Snapshot, a, b causedError) bool {
	f, ok := a.file(snap)
	return ok && workspace.Key(a.uri) == workspace.Key(b.uri) && b.error.Span.Valid(f.Raw().Len()) && f.Raw().LineOf(a.error.Span.Start) == f.Raw().LineOf(b.error.Span.Start)
}

// caused are findings of the judge, and the imports that changed files no longer use.
func caused(snap *workspace.Snapshot, changed []edits.FileChange, found []edits.Finding) (out []causedError) {
	for _, c := range changed {
		for _, i := range local.LostImports(c.Path, c.Before, c.After) {
			found = slices.DeleteFunc(found, func(f edits.Finding) bool {
				return f.Path == c.Path && f.Span.Start < i.Span.End && i.Span.Start < f.Span.End // of a compiler, about the same
			})
			found = append(found, edits.Finding{Path: c.Path, Span: i.Span, Kind: lostImport, Severity: "error", Name: i.Name, Message: "Remove the import of " + i.Name})
		}
	}
	for _, f := range found {
		if f.Severity != "error" {
			continue
		}
		file, err := snap.File(snap.Resolve(f.Path))
		if err == nil && f.Span.Valid(file.Raw().Len()) {
			out = append(out, causedError{uri: file.URI(), found: f, error: workspace.Diagnostic{Span: f.Span, Severity: f.Severity, Source: "tandem", Code: f.Kind, Message: f.Message}})
		}
	}
	return out
}

// changedLately are the documents that the user's recent edits changed, from before these edits on.
func changedLately(snap *workspace.Snapshot, uri string) (out []edits.FileChange) {
	recent := snap.RecentEdits(uri)
	slices.SortStableFunc(recent, func(a, b workspace.RecentEdit) int { return b.Place.Start - a.Place.Start })
	for _, r := range recent {
		o, open := snap.Overlay(r.URI)
		if !open || !r.Placed || !r.Place.Valid(o.Text.Len()) {
			continue
		}
		i := slices.IndexFunc(out, func(c edits.FileChange) bool { return c.Path == r.Path })
		if i < 0 {
			i = len(out)
			text := o.Text.String()
			out = append(out, edits.FileChange{Path: r.Path, Before: text, After: text})
		}
		was := &out[i].Before // the later edits of the document are undone in it
		*was = (*was)[:r.Place.Start] + r.Old + (*was)[r.Place.End:]
	}
	for i := range out {
		out[i].Edits = edits.Diff(out[i].Before, out[i].After)
	}
	return slices.DeleteFunc(out, func(c edits.FileChange) bool { return strings.TrimSpace(c.Before) == strings.TrimSpace(c.After) })
}
