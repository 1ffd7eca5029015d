package next

import (
	"context"
	"iter"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/model/assist/prompt"
	"tandem/model/format"
	"tandem/model/local"
	"tandem/workspace"
	"tandem/workspace/judge"
)

// A Request asks what the user will change next, here or elsewhere.
type Request struct {
	core.Place
	Version int32 // the document's version that the client asks about
	Jumps   bool  // the client shows a place without an edit
}

// An Editor offers the one edit that probably comes next.
type Editor struct {
	Prompts  *prompt.Maker
	Local    core.Local // nil: there is no built-in engine
	Wanted   *core.Wanted
	Filtered func(reason string) // core.Deps has it
	Open     *Open

	editor     *edit.Editor
	caused     causedErrors
	judged     judged
	references references
	changes    changes
}

// New returns the next edits of a session.
func New(p *prompt.Maker, d core.Deps, wanted *core.Wanted, e *edit.Editor) *Editor {
	n := &Editor{Prompts: p, Local: d.Local, Wanted: wanted, Filtered: d.Filtered, editor: e, Open: &Open{}, judged: judged{rest: restBeforeJudging}}
	n.Open.caused, n.Open.refusals = &n.caused, &e.Docs.Refusals
	return n
}

// NextEdit returns one edit that probably comes next, or why there is none. The
// built-in engine continues a change that the user repeats. Otherwise the fast model
// rewrites the code around the cursor.
func (n *Editor) NextEdit(ctx context.Context, snap *workspace.Snapshot, req Request) (*Offer, string, error) {
	o, err := core.OpenAt(snap, req.Place)
	if err != nil {
		return nil, "", err
	}
	if req.Version != 0 && req.Version != o.Version {
		return nil, "The text has moved on since the question.", nil
	}
	if reason := n.Wanted.Quiet(snap, o, true); reason != "" {
		return nil, reason, nil
	}
	if !n.Wanted.Preferences(o.Language).NextEdits {
		return nil, "Next edits are off in your configuration.", nil
	}
	d := n.Open.Of(o)
	if d == nil {
		return nil, "The document was closed.", nil
	}
	for range maxHeld {
		next, reason, err := n.likeliest(ctx, snap, o, req, d)
		if next == nil || err != nil || !n.fails(ctx, snap, *next) {
			return next, reason, err
		}
		n.Open.Ignored(next.ID)
	}
	return nil, "The suggestion was held back: it would be wrong where it is.", nil
}

// maxHeld bounds the built-in edits that are held back for one question.
const maxHeld = 4

// fails reports whether an edit of the built-in engine fails the judge, as everything that is
// shown must pass it. A model's was judged with the rest of its answer.
func (n *Editor) fails(ctx context.Context, snap *workspace.Snapshot, next Offer) bool {
	if next.Jump != "" || next.From.Lane != core.BuiltIn {
		return false
	}
	f, err := snap.File(next.URI)
	if err != nil || !next.Edit.Valid(f.Raw().Len()) {
		return false
	}
	within, cancel := context.WithTimeout(ctx, core.WhileTyping)
	defer cancel()
	change := edits.FileChange{Path: snap.Name(f.URI()), Before: f.Content(), After: f.Raw().Replace(next.Edit.Span, next.Edit.New).String(), Edits: []edits.Edit{next.Edit}}
	return n.editor.Judge.Change(within, snap, []edits.FileChange{change}, judge.Typed).Failed()
}

// likeliest is the edit that probably comes next, or why there is none.
func (n *Editor) likeliest(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req Request, d *nextDoc) (*Offer, string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	region := n.regionAhead(ctx, snap, o, req, d)
	again := n.changes.looked(n.Open.typed.Load())
	if next, ok := n.continued(snap, req, false); ok && !again {
		return n.offer(snap, d, next.Offer), "", nil
	}
	places, done := once(n.places(ctx, snap, req))
	defer done()
	if next, ok := n.built(ctx, snap, req, places); ok {
		return n.offer(snap, d, next), "", nil
	}
	if _, noModel := n.mayAsk(snap, req); noModel != "" || n.untilRest() <= 0 { // a model is not kept waiting
		if next, ok := n.corrected(ctx, snap, req, n.broken(ctx, snap, req), places); ok {
			return n.offer(snap, d, next), "", nil
		}
	}
	next, reason, err := n.fromModel(ctx, snap, o, req, d, region)
	if next != nil || ctx.Err() != nil {
		return next, reason, err
	}
	broken := n.broken(ctx, snap, req)
	if next, ok := n.corrected(ctx, snap, req, broken, places); ok {
		return n.offer(snap, d, next), "", nil
	}
	if req.Jumps {
		if jump, found := n.jump(snap, req, broken, places); found {
			return n.offer(snap, d, jump), "", nil
		}
	}
	return nil, reason, err
}

// built is the edit that follows without a model: a place of what the user has changed, which
// begins a series, or what removes an error.
func (n *Editor) built(ctx context.Context, snap *workspace.Snapshot, req Request, places iter.Seq[Item]) (Offer, bool) {
	first, ok := n.repeated(snap, req, places)
	if !ok || first.Proof == Likely {
		if next, ok := n.corrected(ctx, snap, req, n.caused.near(req.URI, req.Offset), places); ok {
			return next, true
		}
	}
	if ok {
		n.begun(snap, first, places)
	}
	if next, open := n.continued(snap, req, false); open {
		return next.Offer, true
	}
	return first.Offer, ok
}

// fromModel returns what the model for next edits predicts, or why it was not fromModel.
// region waits for the region of regionAhead.
func (n *Editor) fromModel(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req Request, d *nextDoc, region regionWait) (*Offer, string, error) {
	cfg, reason := n.mayAsk(snap, req)
	if reason != "" {
		return nil, reason, nil
	}
	line := o.Text.LineOf(req.Offset)
	if p, ok := d.next.cached(o.Revision, line); ok && (p.next == nil || !n.refused(snap, *p.next)) {
		return p.next, p.reason, nil
	}
	if next, ok := n.Open.fromElsewhere(o, d); ok {
		return n.offer(snap, d, next), "", nil
	}
	p, err := n.predicted(ctx, snap, o, req, d, cfg, region)
	if err != nil {
		return nil, p.reason, err
	}
	p.revision, p.line, p.valid = o.Revision, line, true
	d.next.store(p)
	return n.now(o, d, p)
}

// mayAsk returns the model for next edits, or why it is not asked.
func (n *Editor) mayAsk(snap *workspace.Snapshot, req Request) (cfg model.ModelConfig, reason string) {
	cfg, ok := n.Prompts.Models.ConfigFor(model.NextEdit)
	switch {
	case !ok:
		reason = "No change is being repeated, and no fast model is configured."
	case cfg.FillOnly && !format.NextEdits(cfg.Format):
		reason = cfg.Name + " only fills in code; name a model for next edits with next_edit = \"NAME\"."
	case cfg.Server.Own && cfg.InTime(0).Window < n.Prompts.Budget("next_edit"):
		reason = "The server of " + cfg.Name + " reads too slowly for next edits by a model: it would forget what it has read for completions."
	case len(snap.RecentEdits(req.URI)) == 0 && len(snap.Diagnostics(req.URI)) == 0:
		reason = "Nothing was edited yet."
	case n.Prompts.Models.BackoffFor(model.NextEdit) == 0:
		reason = "The fast model's quota is nearly used up: it answers only when asked."
	}
	return cfg, reason
}

// now returns a prediction for the text as it is now, if the user typed while the model
// answered.
func (n *Editor) now(o *workspace.Overlay, d *nextDoc, p prediction) (*Offer, string, error) {
	since, now, known := n.editor.Docs.Since(o, p.revision)
	if p.next == nil || known && len(since) == 0 {
		return p.next, p.reason, nil
	}
	next, old, ok := rebased(*p.next, p.old, d.uri, since)
	if !known || !ok {
		d.next.store(prediction{})
		return nil, "The text has moved on since the question.", nil
	}
	if next.URI == d.uri {
		next.Version, next.Base = now.Version, workspace.HashOf(now.Text.String())
	}
	d.next.store(prediction{revision: now.Log.Last(), line: -1, next: &next, old: old, valid: true})
	d.next.offer(next)
	return &next, "", nil
}

// repeated is the next place of a repeated change.
func (n *Editor) repeated(snap *workspace.Snapshot, req Request, places iter.Seq[Item]) (Item, bool) {
	caused := n.caused.near(req.URI, req.Offset)
	for next := range places {
		if next.Jump == "" && !n.refused(snap, next.Offer) && !clean(snap, next.Offer, caused) {
			return next, true
		}
	}
	return Item{}, false
}

// clean reports whether a place is without an error although the user's last edits caused
// errors in its document: the compiler has judged there that the change does not reach it.
func clean(snap *workspace.Snapshot, next Offer, caused []causedError) bool {
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
func (n *Editor) places(ctx context.Context, snap *workspace.Snapshot, req Request) iter.Seq[Item] {
	if n.Local == nil {
		return func(func(Item) bool) {}
	}
	c := n.corpus(snap, req.URI)
	recent := c.RecentEdits(req.URI)
	return c.placed(recent, n.Local.NextEdits(ctx, c, recent, c.Path(req.URI), req.Offset))
}

// once returns a sequence that can be read several times and computes each of its values
// once, until done is called.
func once[V any](values iter.Seq[V]) (again iter.Seq[V], done func()) {
	next, stop := iter.Pull(values)
	var computed []V
	return func(yield func(V) bool) {
		for i := 0; ; i++ {
			if i == len(computed) {
				v, ok := next()
				if !ok {
					return
				}
				computed = append(computed, v)
			}
			if !yield(computed[i]) {
				return
			}
		}
	}, stop
}

// placed returns edits of the built-in engine for the files as the snapshot has them, but for those that
// take away or repeat more than the user's edits explain.
func (c corpus) placed(recent []workspace.RecentEdit, list iter.Seq[local.NextEdit]) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for e := range list {
			f, err := c.snap.File(c.Resolve(e.Path))
			if err != nil || !e.Refers && e.Jump == "" && e.Edit.Valid(f.Raw().Len()) && takes(f.Content(), e.Edit, recent) {
				continue
			}
			next := Item{Source: "places", meant: e.Meant, left: e.Left}
			if e.Cause.Path != "" {
				next.cause = place{c.Resolve(e.Cause.Path), e.Cause.Span}
			}
			next.Offer = Offer{URI: f.URI(), Version: f.Version(), Base: f.Hash(), Edit: e.Edit, Title: e.Title, Change: e.Change, Jump: e.Jump,
				From: edits.Provenance{Lane: core.BuiltIn, Model: "built-in", Reason: e.Reason}}
			next.Line = f.Raw().LineOf(e.Edit.Start)
			switch {
			case e.Confirmed && e.Jump == "":
				next.Proof = Determined
			case e.Confirmed:
				next.Proof = Confirmed
			}
			if e.Refers {
				next.Why = Refers
			}
			if !yield(next) {
				return
			}
		}
	}
}

// predicted asks the fast model for the one edit that follows from the recent ones.
// It offers the hunk of the answer that is nearest to the cursor and is no noise.
func (n *Editor) predicted(ctx context.Context, snap *workspace.Snapshot, o *workspace.Overlay, req Request, d *nextDoc, cfg model.ModelConfig, region regionWait) (prediction, error) {
	ask := n.chat
	if region != nil {
		ask = func(ctx context.Context, snap *workspace.Snapshot, req Request) ([]edits.FileChange, string, string, error) {
			return n.inFormat(ctx, snap, req, d, cfg, region)
		}
	}
	changes, id, reason, err := ask(ctx, snap, req)
	if err != nil && model.AsError(err).Code == model.CodeEmpty {
		reason, err = nothingNext, nil // an empty answer is how some models say "none"
	}
	if err != nil || reason != "" {
		return prediction{reason: reason}, err
	}
	within, cancel := context.WithTimeout(ctx, core.WhileTyping)
	defer cancel()
	changes = n.editor.Judge.Ready(within, snap, changes, judge.Typed)
	next, old, why := n.pick(snap, o, changes, req.Offset, d)
	if why != "" {
		return prediction{reason: why}, nil
	}
	next.From, _ = n.Prompts.Models.Usage(id)
	if verdict := n.editor.Judge.Change(within, snap, changes, judge.Typed); verdict.Failed() {
		return prediction{reason: "The suggestion was held back: " + verdict.Reason()}, nil
	}
	return prediction{next: n.offer(snap, d, next), old: old}, nil
}

// chat asks a model that holds conversations for the changes that follow.
func (n *Editor) chat(ctx context.Context, snap *workspace.Snapshot, req Request) (changes []edits.FileChange, id, reason string, err error) {
	at := edits.Span{Start: req.Offset, End: req.Offset}
	ask, err := n.Prompts.Prompt(ctx, snap, prompt.Question{Kind: model.KindNextEdit, Lane: model.Fast, URI: req.URI, Span: at})
	if err != nil {
		return nil, "", "", err
	}
	answer, err := n.Prompts.Stream(ctx, model.Fast, ask.Request, nil)
	if err != nil {
		return nil, "", "", err
	}
	text, end := model.Came(answer)
	if strings.EqualFold(strings.Trim(text, " \t\r\n.`"), "none") {
		return nil, "", nothingNext, nil
	}
	changes, err = edit.Read(snap, req.URI, at, ask, "", answer)
	if err != nil {
		return nil, "", "The suggestion was held back: " + err.Error(), nil
	}
	lost := func(c edits.FileChange) bool {
		return slices.ContainsFunc(c.Doubts, func(d edits.Doubt) bool { return d.Kind == edits.Lost })
	}
	if slices.ContainsFunc(changes, lost) {
		return nil, "", "The suggestion was held back: " + end.Sentence(), nil
	}
	return changes, ask.ID, "", nil
}

const nothingNext = "The model sees nothing to change next."

// pick returns the hunk to offer and the text that it replaces, or why there is none:
// the one closest to the cursor in the document of the request, else the first one in
// another file. A hunk that is noise is counted and left out.
func (n *Editor) pick(snap *workspace.Snapshot, o *workspace.Overlay, changes []edits.FileChange, cursor int, d *nextDoc) (best Offer, old, why string) {
	here := snap.Name(o.URI)
	why = nothingNext
	found := false
	for _, c := range changes {
		if c.AbsentBefore || c.AbsentAfter || c.Path != here && found {
			continue
		}
		for _, h := range hunksOf(c) {
			next := Offer{Edit: h, Title: "Next edit", Line: strings.Count(c.Before[:h.Start], "\n")}
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

// unwanted returns why a predicted edit of a text must not be offered, "" if it may be.
func (n *Editor) unwanted(snap *workspace.Snapshot, d *nextDoc, before string, next Offer) string {
	if n.refused(snap, next) {
		return "was just rejected"
	}
	why := noise(before, next.Edit, snap.RecentEdits(d.uri), next.URI)
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

// refused reports whether the user did not want an edit, or nothing more of its change.
func (n *Editor) refused(snap *workspace.Snapshot, next Offer) bool {
	f, err := snap.File(next.URI)
	refusals := &n.editor.Docs.Refusals
	switch {
	case refusals.Ended(next.Change) || err != nil:
		return true
	case next.Jump != "":
		return refusals.Said(next.URI, f.Raw(), next.Edit.Start, next.Jump)
	}
	return refusals.Refused(next.URI, f.Raw(), next.Edit)
}

// offer gives a next edit an id and records it.
func (n *Editor) offer(snap *workspace.Snapshot, d *nextDoc, next Offer) *Offer {
	next.ID, next.makes = n.Prompts.NewID("n"), next.Jump
	if f, err := snap.File(next.URI); err == nil && next.Jump == "" && next.Edit.Valid(f.Raw().Len()) {
		next.makes = core.Makes(f.Raw(), next.Edit)
	}
	d.next.offer(next)
	return &next
}
