package assist

import (
	"context"
	"iter"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model"
	"tandem/model/format"
	"tandem/model/local"
	"tandem/workspace"
)

// A NextEditRequest asks what the user will change next, here or elsewhere.
type NextEditRequest struct {
	Place
	Version int32 // the document's version that the client asks about
	Jumps   bool  // the client shows a place without an edit
}

// A NextEditor offers the one edit that probably comes next.
type NextEditor struct {
	*core
	caused causedErrors
	spread spread
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
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	region := n.regionAhead(ctx, snap, o, req, d)
	places, done := once(n.places(ctx, snap, req))
	defer done()
	if next, ok := n.corrected(ctx, snap, req, d, places); ok {
		return n.offer(d, next), "", nil
	}
	if next, ok := n.repeated(snap, req, d, places); ok {
		return n.offer(d, next), "", nil
	}
	next, reason, err := n.asked(ctx, snap, o, req, d, region)
	if next == nil && req.Jumps && ctx.Err() == nil {
		if jump, found := n.jump(snap, req, d, places); found {
			return n.offer(d, jump), "", nil
		}
	}
	return next, reason, err
}

// asked returns what the model for next edits predicts, or why it was not asked.
// region waits for the region of regionAhead.
func (n *NextEditor) asked(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req NextEditRequest, d *document, region regionWait) (*NextEdit, string, error) {
	cfg, reason := n.mayAsk(snap, req)
	if reason != "" {
		return nil, reason, nil
	}
	line := o.Text.LineOf(req.Offset)
	if p, ok := d.next.known(o.Revision, line); ok {
		return p.next, p.reason, nil
	}
	if next, ok := n.fromElsewhere(o, d); ok {
		return n.offer(d, next), "", nil
	}
	p, err := n.predicted(ctx, snap, o, req, d, cfg, region)
	if err != nil {
		return nil, p.reason, err
	}
	p.revision, p.line, p.made = o.Revision, line, true
	d.next.keep(p)
	return n.now(d, p)
}

// fromElsewhere is what the model predicted for this document while the user was in another
// one: it is why they came here.
func (n *NextEditor) fromElsewhere(o *workspace.Overlay, d *document) (NextEdit, bool) {
	for _, other := range n.docs.all() {
		if other == d {
			continue
		}
		if next, ok := other.next.predictedFor(o); ok && !n.refused(next) {
			return next, true
		}
	}
	return NextEdit{}, false
}

// mayAsk returns the model for next edits, or why it is not asked.
func (n *NextEditor) mayAsk(snap *workspace.Snapshot, req NextEditRequest) (cfg model.ModelConfig, reason string) {
	cfg, ok := n.Models.ConfigFor(model.NextEdit)
	switch {
	case !ok:
		reason = "No change is being repeated, and no fast model is configured."
	case cfg.FillOnly && !format.NextEdits(cfg.Format):
		reason = cfg.Name + " only fills in code; name a model for next edits with next_edit = \"NAME\"."
	case len(snap.RecentEdits(req.URI)) == 0 && len(snap.Diagnostics(req.URI)) == 0:
		reason = "Nothing was edited yet."
	case n.Models.BackoffFor(model.NextEdit) == 0:
		reason = "The fast model's quota is nearly used up: it answers only when asked."
	}
	return cfg, reason
}

// now returns a prediction for the text as it is now, if the user typed while the model
// answered.
func (n *NextEditor) now(d *document, p prediction) (*NextEdit, string, error) {
	n.docs.texts.Lock()
	since, known := d.log.since(p.revision)
	text, version, revision := d.text, d.version, d.log.last()
	n.docs.texts.Unlock()
	if p.next == nil || known && len(since) == 0 {
		return p.next, p.reason, nil
	}
	next, old, ok := rebased(*p.next, p.old, d.uri, since)
	if !known || !ok {
		d.next.keep(prediction{})
		return nil, "The text has moved on since the question.", nil
	}
	if next.URI == d.uri {
		next.Version, next.Base = version, workspace.HashOf(text.String())
	}
	d.next.keep(prediction{revision: revision, line: -1, next: &next, old: old, made: true})
	d.next.offer(next)
	return &next, "", nil
}

// repeated is the next place of a repeated change.
func (n *NextEditor) repeated(snap *workspace.Snapshot, req NextEditRequest, d *document, places iter.Seq[NextEdit]) (NextEdit, bool) {
	caused := n.errorsFor(req.URI, req.Offset)
	for next := range places {
		if next.Jump == "" && !n.refused(next) && !clean(snap, next, caused) {
			return next, true
		}
	}
	return NextEdit{}, false
}

// clean reports whether a place is without an error although the user's last edits caused
// errors in its document: the compiler has judged there that the change does not reach it.
func clean(snap *workspace.Snapshot, next NextEdit, caused []causedError) bool {
	judged := false
	for _, c := range caused {
		if workspace.Key(c.uri) == workspace.Key(next.URI) {
			judged = true
			if onLines(snap, c, next) {
				return false
			}
		}
	}
	return judged
}

// places are the places that the user's last changes still have to reach, the best first.
func (n *NextEditor) places(ctx context.Context, snap *workspace.Snapshot, req NextEditRequest) iter.Seq[NextEdit] {
	if n.Local == nil {
		return func(func(NextEdit) bool) {}
	}
	return placed(snap, n.Local.NextEdits(ctx, corpusAround(snap, req.URI), snap.RecentEdits(req.URI), snap.Name(req.URI), req.Offset))
}

// once returns a sequence that can be read several times and computes each of its values
// once, until done is called.
func once[V any](values iter.Seq[V]) (again iter.Seq[V], done func()) {
	next, stop := iter.Pull(values)
	var known []V
	return func(yield func(V) bool) {
		for i := 0; ; i++ {
			if i == len(known) {
				v, ok := next()
				if !ok {
					return
				}
				known = append(known, v)
			}
			if !yield(known[i]) {
				return
			}
		}
	}, stop
}

// placed returns edits of the built-in engine for the files as the snapshot has them.
func placed(snap *workspace.Snapshot, list iter.Seq[local.NextEdit]) iter.Seq[NextEdit] {
	return func(yield func(NextEdit) bool) {
		for c := range list {
			f, err := snap.File(snap.Resolve(c.Path))
			if err != nil {
				continue
			}
			next := NextEdit{URI: f.URI(), Version: f.Version(), Base: f.Hash(), Edit: c.Edit, Title: c.Title, Change: c.Change, Jump: c.Jump,
				From: edits.Provenance{Lane: BuiltIn, Model: "built-in", Reason: c.Reason}}
			next.Line = f.Raw().LineOf(c.Edit.Start)
			if !yield(next) {
				return
			}
		}
	}
}

// predicted asks the fast model for the one edit that follows from the recent ones.
// It offers the hunk of the answer that is nearest to the cursor and is no noise.
func (n *NextEditor) predicted(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req NextEditRequest, d *document, cfg model.ModelConfig, region regionWait) (prediction, error) {
	ask := n.chat
	if region != nil {
		ask = func(ctx context.Context, snap *workspace.Snapshot, req NextEditRequest) ([]edits.FileChange, string, string, error) {
			return n.inFormat(ctx, snap, req, d, cfg, region)
		}
	}
	changes, id, reason, err := ask(ctx, snap, req)
	if err != nil || reason != "" {
		return prediction{reason: reason}, err
	}
	next, old, why := n.pick(snap, o, changes, req.Offset, d)
	if why != "" {
		return prediction{reason: why}, nil
	}
	next.From, _ = n.Models.Usage(id)
	for _, check := range n.checkTyped(snap, changes) {
		if !check.OK {
			return prediction{reason: "The suggestion was held back: " + check.Findings[0].Message}, nil
		}
	}
	return prediction{next: n.offer(d, next), old: old}, nil
}

// chat asks a model that holds conversations for the changes that follow.
func (n *NextEditor) chat(ctx context.Context, snap *workspace.Snapshot, req NextEditRequest) (changes []edits.FileChange, id, reason string, err error) {
	at := edits.Span{Start: req.Offset, End: req.Offset}
	ask, err := n.prompt(ctx, snap, question{kind: model.KindNextEdit, lane: model.Fast, uri: req.URI, span: at})
	if err != nil {
		return nil, "", "", err
	}
	answer, err := n.stream(ctx, model.Fast, ask.Request, nil)
	if err != nil {
		return nil, "", "", err
	}
	if strings.EqualFold(strings.Trim(answer, " \t\r\n.`"), "none") {
		return nil, "", nothingNext, nil
	}
	changes, err = read(snap, req.URI, at, ask, answer)
	if err != nil {
		return nil, "", "The suggestion was held back: " + err.Error(), nil
	}
	return changes, ask.ID, "", nil
}

const nothingNext = "The model sees nothing to change next."

// pick returns the hunk to offer and the text that it replaces, or why there is none:
// the one closest to the cursor in the document of the request, else the first one in
// another file. A hunk that is noise is counted and left out.
func (n *NextEditor) pick(snap *workspace.Snapshot, o *workspace.Overlay, changes []edits.FileChange, cursor int, d *document) (best NextEdit, old, why string) {
	here := snap.Name(o.URI)
	why = nothingNext
	found := false
	for _, c := range changes {
		if c.AbsentBefore || c.AbsentAfter || c.Path != here && found {
			continue
		}
		for _, h := range hunksOf(c) {
			next := NextEdit{Edit: h, Title: "Next edit", Line: strings.Count(c.Before[:h.Start], "\n")}
			if c.Path == here {
				next.URI, next.Version, next.Base = o.URI, o.Version, o.Hash()
			} else if f, err := snap.File(c.Path); err == nil {
				next.URI, next.Version, next.Base = f.URI(), f.Version(), f.Hash()
			} else {
				continue
			}
			if reason := n.unwanted(snap, d, c.Before, next); reason != "" {
				if !found {
					why = "The suggestion was held back: it " + reason + "."
				}
				continue
			}
			if !found || c.Path == here && (best.URI != o.URI || distance(h.Span, cursor) < distance(best.Edit.Span, cursor)) {
				best, old, found = next, c.Before[h.Start:h.End], true
			}
		}
	}
	if found {
		why = ""
	}
	return best, old, why
}

// refused reports whether the user rejected an edit, in whichever document it was shown.
func (n *NextEditor) refused(next NextEdit) bool {
	return slices.ContainsFunc(n.docs.all(), func(d *document) bool { return d.next.refusedEdit(next) })
}

// unwanted returns why a predicted edit of a text must not be offered, "" if it may be.
func (n *NextEditor) unwanted(snap *workspace.Snapshot, d *document, before string, next NextEdit) string {
	if n.refused(next) {
		return "was just rejected"
	}
	why := noise(before, next.Edit, snap.RecentEdits(d.uri), next.URI)
	if why == "" && next.URI == d.uri && d.inline.undoes(next.Edit) {
		why = NoiseUndo
	}
	if why != "" {
		n.Filtered(why)
	}
	return why
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

// distance is how many bytes a place is away from a span.
func distance(s edits.Span, at int) int { return max(s.Start-at, at-s.End, 0) }

// offer gives a next edit an id and records it.
func (n *NextEditor) offer(d *document, next NextEdit) *NextEdit {
	next.ID = n.newID("n")
	d.next.offer(next)
	return &next
}

// undoes reports whether an edit brings back what the user's last edit removed.
func (d *inlineDoc) undoes(e edits.Edit) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(strings.TrimSpace(d.removed)) > 1 && e.Start <= d.removeAt && d.removeAt <= e.End && e.New == d.removed
}
