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

// nextEdits records what was offered and whether it was rejected.
type nextEdits struct {
	mu      sync.Mutex // guards all below
	offered map[string]NextEdit
	refused map[string]bool // "uri old new" of rejected edits
	asked   prediction      // the last request to the model and its answer
}

// A prediction is the model's answer for a place. Clients repeat the request while
// nothing changes, and the model is asked only once.
type prediction struct {
	uri     string
	version int32
	line    int
	next    *NextEdit
	reason  string
}

// known returns the answer that the model already gave for this place of this text.
func (n *nextEdits) known(uri string, version int32, line int) (prediction, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	p := n.asked
	return p, p.uri == uri && p.version == version && p.line == line && (p.next == nil || !n.refused[p.next.URI+"\x00"+p.next.Edit.New])
}

func (n *nextEdits) keep(p prediction) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked = p
}

// NextEdit returns one edit that probably comes next, or why there is none. The
// built-in engine continues a change that the user repeats. Otherwise the fast model
// rewrites the code around the cursor.
func (e *Engine) NextEdit(ctx context.Context, snap *workspace.Snapshot, req NextEditRequest) (*NextEdit, string, error) {
	o, err := document(snap, req.Place)
	if err != nil {
		return nil, "", err
	}
	if req.Version != 0 && req.Version != o.Version {
		return nil, "The text has moved on since the question.", nil
	}
	if reason := e.quiet(snap, o, true); reason != "" {
		return nil, reason, nil
	}
	if !e.Editor(o.Language).NextEdits {
		return nil, "Next edits are off in your configuration.", nil
	}
	if next, ok := e.repeated(ctx, snap, o, req); ok {
		return e.offer(next), "", nil
	}
	if _, ok := e.Models.Config(model.Fast); !ok {
		return nil, "No change is being repeated, and no fast model is configured.", nil
	}
	if len(snap.RecentEdits()) == 0 && len(snap.Diagnostics(req.URI)) == 0 {
		return nil, "Nothing was edited yet.", nil
	}
	if e.Models.Backoff(model.Fast) == 0 {
		return nil, "The fast model's quota is nearly used up: it answers only when asked.", nil
	}
	line := o.Text.LineOf(req.Offset)
	if p, ok := e.next.known(o.URI, o.Version, line); ok {
		return p.next, p.reason, nil
	}
	next, reason, err := e.predicted(ctx, snap, o, req)
	if err == nil {
		e.next.keep(prediction{o.URI, o.Version, line, next, reason})
	}
	return next, reason, err
}

// repeated asks the built-in engine for the next place of a repeated change.
func (e *Engine) repeated(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req NextEditRequest) (NextEdit, bool) {
	if e.Local == nil {
		return NextEdit{}, false
	}
	for _, c := range e.Local.NextEdits(ctx, corpusAround(snap, req.URI), snap.RecentEdits(), snap.Name(o.URI), req.Offset) {
		key := snap.Resolve(c.Path)
		f, err := snap.File(key)
		if err != nil {
			continue
		}
		next := NextEdit{URI: f.URI(), Version: f.Version(), Edit: c.Edit, Title: c.Title, From: edits.Provenance{Lane: BuiltIn, Model: "built-in", Reason: c.Reason}}
		next.Line = f.Raw().LineOf(c.Edit.Start)
		if !e.next.refusedEdit(next) {
			return next, true
		}
	}
	return NextEdit{}, false
}

// predicted asks the fast model for the one edit that follows from the recent ones.
// It offers the hunk of the answer that is nearest to the cursor.
func (e *Engine) predicted(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req NextEditRequest) (*NextEdit, string, error) {
	at := edits.Span{Start: req.Offset, End: req.Offset}
	ask, err := e.prompt(ctx, snap, question{kind: model.KindNextEdit, lane: model.Fast, uri: req.URI, span: at})
	if err != nil {
		return nil, "", err
	}
	answer, err := e.stream(ctx, model.Fast, ask.Request, nil)
	if err != nil {
		return nil, "", err
	}
	if strings.EqualFold(strings.Trim(answer, " \t\r\n.`"), "none") {
		return nil, nothingNext, nil
	}
	changes, _, err := e.read(snap, req.URI, at, ask, answer)
	if err != nil {
		return nil, "The suggestion was held back: " + err.Error(), nil
	}
	next, ok := e.nearest(snap, o, changes, req.Offset)
	if !ok {
		return nil, nothingNext, nil
	}
	next.From, _ = e.Models.Usage(ask.ID)
	if why := e.unwantedEdit(o, next, e.check(snap, changes, snap.Name(o.URI))); why != "" {
		return nil, "The suggestion was held back: " + why, nil
	}
	return e.offer(next), "", nil
}

const nothingNext = "The model sees nothing to change next."

// nearest returns the hunk to offer: the one closest to the cursor in the document of
// the request, else the first one in another file.
func (e *Engine) nearest(snap *workspace.Snapshot, o *workspace.Overlay, changes []edits.FileChange, cursor int) (NextEdit, bool) {
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
				next.URI, next.Version = o.URI, o.Version
			case !found && c.Path != here:
				f, err := snap.File(c.Path)
				if err != nil {
					continue
				}
				next.URI, next.Version = f.URI(), f.Version()
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
func (e *Engine) unwantedEdit(o *workspace.Overlay, next NextEdit, checks []edits.Check) string {
	if e.next.refusedEdit(next) {
		return "it was just rejected."
	}
	if next.URI == o.URI && e.doc(o.URI).undoes(next.Edit) {
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
func (e *Engine) offer(next NextEdit) *NextEdit {
	next.ID = e.newID("n")
	e.next.mu.Lock()
	defer e.next.mu.Unlock()
	if e.next.offered == nil || len(e.next.offered) > maxRefused {
		e.next.offered = map[string]NextEdit{}
	}
	e.next.offered[next.ID] = next
	return &next
}

// reject records that an offered edit was not wanted.
func (n *nextEdits) reject(id string) {
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
func (n *nextEdits) accept(id string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.offered, id)
}

func (n *nextEdits) refusedEdit(next NextEdit) bool {
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
