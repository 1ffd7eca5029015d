package assist

import (
	"context"
	"strings"
	"sync"

	"tandem/edits"
	"tandem/model"
	"tandem/workspace"
)

// A NextEditRequest asks what the user will change next, here or elsewhere.
type NextEditRequest struct {
	Place
	Version int32 // the document's version that the client asks about
}

// A NextEditor offers the one edit that probably comes next.
type NextEditor struct {
	*core
}

// nextOffers are the edits that were offered and those that were rejected.
type nextOffers struct {
	mu      sync.Mutex // guards all below
	offered map[string]NextEdit
	refused map[string]bool // "uri old new" of rejected edits
	asked   prediction      // the last request to the model and its answer
}

// A prediction is the model's answer for a place. Clients repeat the request while
// nothing changes, and the model is asked only once.
type prediction struct {
	revision uint64
	line     int
	next     *NextEdit
	reason   string
	made     bool
}

// known returns the answer that the model already gave for this place of this text.
func (n *nextOffers) known(revision uint64, line int) (prediction, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	p := n.asked
	return p, p.made && p.revision == revision && p.line == line && (p.next == nil || !n.refused[p.next.URI+"\x00"+p.next.Edit.New])
}

func (n *nextOffers) keep(p prediction) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked = p
}

// NextEdit returns one edit that probably comes next, or why there is none. The
// built-in engine continues a change that the user repeats. Otherwise the fast model
// rewrites the code around the cursor.
func (n *NextEditor) NextEdit(ctx context.Context, snap *workspace.Snapshot, req NextEditRequest) (*NextEdit, string, error) {
	o, err := openAt(snap, req.Place)
	if err != nil {
		return nil, "", err
	}
	if req.Version != 0 && req.Version != o.Version {
		return nil, "The text has moved on since the question.", nil
	}
	if reason := n.quiet(snap, o, true); reason != "" {
		return nil, reason, nil
	}
	if !n.Preferences(o.Language).NextEdits {
		return nil, "Next edits are off in your configuration.", nil
	}
	d := n.docs.of(o)
	if d == nil {
		return nil, "The document was closed.", nil
	}
	if next, ok := n.repeated(ctx, snap, o, req, d); ok {
		return n.offer(d, next), "", nil
	}
	if _, ok := n.Models.Config(model.Fast); !ok {
		return nil, "No change is being repeated, and no fast model is configured.", nil
	}
	if len(snap.RecentEdits(req.URI)) == 0 && len(snap.Diagnostics(req.URI)) == 0 {
		return nil, "Nothing was edited yet.", nil
	}
	if n.Models.Backoff(model.Fast) == 0 {
		return nil, "The fast model's quota is nearly used up: it answers only when asked.", nil
	}
	line := o.Text.LineOf(req.Offset)
	if p, ok := d.next.known(o.Revision, line); ok {
		return p.next, p.reason, nil
	}
	next, reason, err := n.predicted(ctx, snap, o, req, d)
	if err == nil {
		d.next.keep(prediction{o.Revision, line, next, reason, true})
	}
	return next, reason, err
}

// repeated asks the built-in engine for the next place of a repeated change.
func (n *NextEditor) repeated(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req NextEditRequest, d *document) (NextEdit, bool) {
	if n.Local == nil {
		return NextEdit{}, false
	}
	for _, c := range n.Local.NextEdits(ctx, corpusAround(snap, req.URI), snap.RecentEdits(req.URI), snap.Name(o.URI), req.Offset) {
		key := snap.Resolve(c.Path)
		f, err := snap.File(key)
		if err != nil {
			continue
		}
		next := NextEdit{URI: f.URI(), Version: f.Version(), Base: f.Hash(), Edit: c.Edit, Title: c.Title, From: edits.Provenance{Lane: BuiltIn, Model: "built-in", Reason: c.Reason}}
		next.Line = f.Raw().LineOf(c.Edit.Start)
		if !d.next.refusedEdit(next) {
			return next, true
		}
	}
	return NextEdit{}, false
}

// predicted asks the fast model for the one edit that follows from the recent ones.
// It offers the hunk of the answer that is nearest to the cursor.
func (n *NextEditor) predicted(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req NextEditRequest, d *document) (*NextEdit, string, error) {
	at := edits.Span{Start: req.Offset, End: req.Offset}
	ask, err := n.prompt(ctx, snap, question{kind: model.KindNextEdit, lane: model.Fast, uri: req.URI, span: at})
	if err != nil {
		return nil, "", err
	}
	answer, err := n.stream(ctx, model.Fast, ask.Request, nil)
	if err != nil {
		return nil, "", err
	}
	if strings.EqualFold(strings.Trim(answer, " \t\r\n.`"), "none") {
		return nil, nothingNext, nil
	}
	changes, _, err := read(snap, req.URI, at, ask, answer)
	if err != nil {
		return nil, "The suggestion was held back: " + err.Error(), nil
	}
	next, ok := nearest(snap, o, changes, req.Offset)
	if !ok {
		return nil, nothingNext, nil
	}
	next.From, _ = n.Models.Usage(ask.ID)
	if why := unwantedEdit(d, next, n.check(snap, changes, snap.Name(o.URI))); why != "" {
		return nil, "The suggestion was held back: " + why, nil
	}
	return n.offer(d, next), "", nil
}

const nothingNext = "The model sees nothing to change next."

// nearest returns the hunk to offer: the one closest to the cursor in the document of
// the request, else the first one in another file.
func nearest(snap *workspace.Snapshot, o *workspace.Overlay, changes []edits.FileChange, cursor int) (NextEdit, bool) {
	here := snap.Name(o.URI)
	var best NextEdit
	found := false
	for _, c := range changes {
		if c.AbsentBefore || c.AbsentAfter {
			continue
		}
		for _, h := range hunksOf(c) {
			next := NextEdit{Edit: h, Title: "Next edit", Line: strings.Count(c.Before[:h.Start], "\n")}
			switch {
			case c.Path == here && (!found || best.URI != o.URI || distance(h.Span, cursor) < distance(best.Edit.Span, cursor)):
				next.URI, next.Version, next.Base = o.URI, o.Version, o.Hash()
			case !found && c.Path != here:
				f, err := snap.File(c.Path)
				if err != nil {
					continue
				}
				next.URI, next.Version, next.Base = f.URI(), f.Version(), f.Hash()
			default:
				continue
			}
			best, found = next, true
		}
	}
	return best, found
}

// hunksOf returns the hunks of a change, each as one edit of the text before it.
func hunksOf(c edits.FileChange) []edits.Edit {
	f := edits.ProposedFile{Path: c.Path, Base: edits.NewText(c.Before), Edits: c.Edits}
	var out []edits.Edit
	for _, h := range f.Hunks() {
		out = append(out, joined(c.Before, h.Edits))
	}
	return out
}

// joined returns consecutive edits as one edit, with the text between them.
func joined(text string, list []edits.Edit) edits.Edit {
	out := list[0]
	for _, e := range list[1:] {
		out.New += text[out.End:e.Start] + e.New
		out.End = e.End
	}
	return out
}

func distance(s edits.Span, at int) int {
	switch {
	case at < s.Start:
		return s.Start - at
	case at > s.End:
		return at - s.End
	}
	return 0
}

// unwantedEdit returns why a predicted edit must not be offered: it was rejected, it
// undoes the user's last edit, or a check failed.
func unwantedEdit(d *document, next NextEdit, checks []edits.Check) string {
	if d.next.refusedEdit(next) {
		return "it was just rejected."
	}
	if next.URI == d.uri && d.inline.undoes(next.Edit) {
		return "it would undo your last edit."
	}
	for _, check := range checks {
		if !check.OK {
			return check.Findings[0].Message
		}
	}
	return ""
}

// offer gives a next edit an id and records it, so that a later report about it can be
// matched.
func (n *NextEditor) offer(d *document, next NextEdit) *NextEdit {
	next.ID = n.newID("n")
	d.next.mu.Lock()
	defer d.next.mu.Unlock()
	if d.next.offered == nil || len(d.next.offered) > maxRefused {
		d.next.offered = map[string]NextEdit{}
	}
	d.next.offered[next.ID] = next
	return &next
}

// reject records that an offered edit was not wanted.
func (n *nextOffers) reject(id string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	next, ok := n.offered[id]
	if !ok {
		return
	}
	if n.refused == nil || len(n.refused) > maxRefused {
		n.refused = map[string]bool{}
	}
	n.refused[next.URI+"\x00"+next.Edit.New] = true
	delete(n.offered, id)
}

// accept drops an offered edit: the next request asks for the edit after it.
func (n *nextOffers) accept(id string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.offered, id)
}

func (n *nextOffers) refusedEdit(next NextEdit) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.refused[next.URI+"\x00"+next.Edit.New]
}

// undoes reports whether an edit brings back what the user's last edit removed.
func (d *inlineDoc) undoes(e edits.Edit) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(strings.TrimSpace(d.removed)) > 1 && e.Start <= d.removeAt && d.removeAt <= e.End && e.New == d.removed
}
