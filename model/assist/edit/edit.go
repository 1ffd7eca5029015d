package edit

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/model/assist/prompt"
	"tandem/model/conversation"
	"tandem/workspace"
	"tandem/workspace/judge"
	"tandem/workspace/redact"
)

// An Editor changes documents as an instruction says, and holds the proposals until the
// user has decided.
type Editor struct {
	Prompts   *prompt.Maker
	Judge     *judge.Judge
	Docs      *core.Documents
	Runs      *core.Runs
	Notify    func(core.Event)
	Proposals *proposals

	rejudge rejudge
}

// New returns the edits of a session. life is part of the ids of its proposals.
func New(p *prompt.Maker, d core.Deps, docs *core.Documents, life string) *Editor {
	e := &Editor{Prompts: p, Judge: d.Judge, Docs: docs, Runs: &core.Runs{Group: d.Group}, Notify: d.Notify}
	e.Proposals = newProposals(life, func(p *Proposal) { e.Notify(p) })
	return e
}

// Opened begins the life of a document. Proposals on it are judged by its text.
func (e *Editor) Opened(o *workspace.Overlay) { e.Docs.Opened(o, e.Proposals.follow) }

// Changed brings the proposals on a document along.
func (e *Editor) Changed(snap *workspace.Snapshot, o *workspace.Overlay, steps []workspace.Step) {
	e.Docs.Changed(o, steps, func(d *core.Document, before edits.Text) {
		e.Proposals.tabbed(snap.Name(o.URI), before, steps)
		e.Proposals.follow(d)
	})
	e.typed(snap)
}

// Indexed has proposals judged again that were judged before a folder was indexed.
func (e *Editor) Indexed(snap *workspace.Snapshot) { e.typed(snap) }

// Closed ends the life of a document. Proposals on it keep its last text.
func (e *Editor) Closed(uri string) { e.Docs.Closed(uri, e.Proposals.closed) }

// Edit asks a model to change a document by req.Instruction, and returns
// the proposal once it is ready. The proposal is pinned to the document's
// version and rebased over what the user types meanwhile. Alternatives are requested
// in parallel; those with the same result are dropped.
func (e *Editor) Edit(ctx context.Context, snap *workspace.Snapshot, req Request) (*Proposal, error) {
	run, err := e.begin(snap, req)
	if err != nil {
		return nil, err
	}
	runs := []*editRun{run}
	for n := range req.Alternatives {
		runs = append(runs, run.another(e, n+1))
	}
	made := make([]*Proposal, len(runs))
	e.Docs.Group.Each(len(runs), "edit", func(i int) {
		e.Runs.Track(ctx, runs[i].id, func(ctx context.Context) { made[i] = e.runEdit(ctx, snap, runs[i]) })
	})
	return e.withAlternatives(made[0], made[1:])
}

// Begin starts an edit in the background and returns its proposal, streaming.
// It outlives the request that asked for it; Cancel ends it.
func (e *Editor) Begin(snap *workspace.Snapshot, req Request) (*Proposal, error) {
	run, err := e.begin(snap, req)
	if err != nil {
		return nil, err
	}
	e.Runs.Start("edit", run.id, func(ctx context.Context) { e.runEdit(ctx, snap, run) })
	return e.Proposals.get(run.id)
}

// An editRun is one candidate of an edit: its request, its lane and the reason.
type editRun struct {
	id       string // the proposal's
	req      Request
	overlay  *workspace.Overlay
	decision model.Decision
	approach redact.Text         // how this attempt differs from others
	record   conversation.Record // what was shown and said before
}

// steered makes a run continue a proposal as the user says: that is the order now, and what was
// asked before and its answer are the conversation so far.
func (r *editRun) steered(snap *workspace.Snapshot, p *Proposal, text string, sendSecrets bool) {
	if p.record.Len() > 0 {
		r.record = p.record
	} else { // nothing had been sent
		before := editRun{req: p.Request, record: r.record}
		words := before.wanted(snap)
		r.record = r.record.With(conversation.Item{Kind: conversation.Asked, Text: redact.Format("Request: %s", words), Words: words})
	}
	r.req.Title, r.req.Instruction, r.req.SendSecrets = cmp.Or(r.req.Title, Headline(r.req.Instruction)), text, sendSecrets
}

// wanted is what the model is asked to do: what the kind of the request says, and the
// user's words.
func (r *editRun) wanted(snap *workspace.Snapshot) redact.Text {
	own := r.record.Secrets.User(r.req.Instruction, r.req.SendSecrets)
	fixed := redact.Text{}
	switch n := len(r.req.Diagnostics); {
	case r.req.Kind == model.KindDocument:
		fixed = redact.Const("Document this code.")
	case r.req.Kind == model.KindTest:
		fixed = redact.Const("Write a test for this code.")
	case r.req.Kind != model.KindFix || n == 0:
		return own
	case n == 1:
		fixed = redact.Format("Fix: %s", prompt.DiagnosticMessage(r.record.Secrets, snap, r.req.URI, r.req.Diagnostics[0]))
	default:
		fixed = redact.Format("Fix these %s problems, all of one kind: %s", redact.Int(n), prompt.DiagnosticMessage(r.record.Secrets, snap, r.req.URI, r.req.Diagnostics[0]))
	}
	if own.Len() == 0 {
		return fixed
	}
	return redact.Join(" ", fixed, own)
}

// words are what is asked for in this conversation, the newest last.
func (r *editRun) words(snap *workspace.Snapshot) string {
	return strings.Join(append(r.record.Words(), r.record.Secrets.Restore(r.wanted(snap).String())), "\n")
}

// kind returns the kind of the request: an edit unless the request sets another.
func (r *editRun) kind() model.Kind {
	if r.req.Kind == "" {
		return model.KindEdit
	}
	return r.req.Kind
}

// begin chooses the lane and opens the proposal.
func (e *Editor) begin(snap *workspace.Snapshot, req Request) (*editRun, error) {
	o, err := core.OpenAt(snap, core.Place{URI: req.URI, Offset: req.Span.Start})
	if err != nil {
		return nil, err
	}
	if !req.Span.Valid(o.Text.Len()) {
		return nil, &model.Error{Code: model.CodeBadRequest, Message: "The selection lies outside the document; its text may have changed. Select it again."}
	}
	if ok, why := snap.Allowed(req.URI); !ok {
		return nil, &model.Error{Code: model.CodeForbidden, Message: "tandem shows this file to no model: " + why + "."}
	}
	run := &editRun{req: req, overlay: o, record: conversation.Record{Secrets: &redact.Redactor{}}}
	if req.After != "" {
		earlier, err := e.Proposals.get(req.After)
		if err != nil {
			return nil, err
		}
		run.steered(snap, earlier, cmp.Or(req.Steering, req.Instruction), req.SendSecrets)
	} else if earlier := e.Proposals.asked(req); req.Attempt > 0 && earlier != nil {
		run.record = earlier.record
		run.approach = redact.Const("Take another approach than the ones above.")
	}
	run.decision = e.Prompts.Route(snap, model.Edit, req.Lane, run.wanted(snap).String(), req.URI, req.Span)
	if cfg, ok := e.Prompts.Models.Config(run.decision.Lane); ok && model.Rewrites(cfg) {
		run.req.Span = run.part(snap)
	}
	run.id = e.openEdit(run).ID
	return run, nil
}

// part is what a model that writes parts whole is asked for: the selection, or the function
// around the cursor or the problem.
func (r *editRun) part(snap *workspace.Snapshot) edits.Span {
	at := r.req.Span
	switch r.kind() {
	case model.KindFix:
		at.End = at.Start
	case model.KindEdit, model.KindDocument:
	default:
		return at
	}
	if at.Len() == 0 {
		if part := prompt.PartAt(snap, r.req.URI, at.Start); part.Len() > 0 {
			return part
		}
	}
	return r.req.Span
}

func (e *Editor) openEdit(run *editRun) *Proposal {
	title := run.req.Title
	if title == "" {
		title = Headline(run.req.Instruction)
	}
	cfg, _ := e.Prompts.Models.Config(run.decision.Lane)
	return e.Proposals.open(Proposal{
		Proposal: edits.Proposal{Title: title, From: edits.Provenance{Lane: string(run.decision.Lane), Model: cfg.Name, Reason: run.decision.Reason}},
		State:    Streaming,
		Request:  run.req,
		asked:    baseOf(run.overlay),
		record:   run.record,
	})
}

// approaches tell attempts at the same edit apart, in the order in which they are made.
var approaches = []redact.Text{
	redact.Const("Make the smallest change that does it."),
	redact.Const("Give what it does a helper of its own, with a name that says it."),
	redact.Const("Use the standard library, or what the project already has, for as much of it as you can."),
	redact.Const("Choose another structure than the one that comes to mind first."),
}

// another returns the same edit as another candidate, with its own proposal and approach.
func (r *editRun) another(e *Editor, nth int) *editRun {
	next := *r
	next.approach = approaches[(nth-1)%len(approaches)]
	if round := (nth - 1) / len(approaches); round > 0 {
		next.approach = redact.Format("%s (Attempt %s: not as in the attempts before.)", next.approach, redact.Int(nth+1))
	}
	next.id = e.openEdit(&next).ID
	return &next
}

// runEdit streams one candidate to its end and returns its proposal.
func (e *Editor) runEdit(ctx context.Context, snap *workspace.Snapshot, run *editRun) *Proposal {
	answer, ask, err := e.streamEdit(ctx, snap, run)
	if err == nil {
		err = e.propose(ctx, snap, run, ask, answer)
	}
	if err != nil {
		_, _ = e.Proposals.update(run.id, func(p *Proposal) { p.State, p.Err = Failed, err })
	}
	p, dropped := e.Proposals.get(run.id)
	if dropped != nil {
		return &Proposal{Proposal: edits.Proposal{ID: run.id}, State: Failed, Err: dropped}
	}
	return p
}

// streamEdit sends the request to the model and passes the answer on as it arrives.
func (e *Editor) streamEdit(ctx context.Context, snap *workspace.Snapshot, run *editRun) (model.Answer, *prompt.Request, error) {
	if run.req.Watch == nil {
		run.req.Watch = func(Progress) {}
	}
	known, _ := e.Prompts.Models.Config(run.decision.Lane)
	ask, err := e.ask(ctx, snap, run)
	if err != nil {
		return nil, nil, err
	}
	var draft *Draft
	if run.req.Draft {
		draft = run.draft(ask, snap.Name(run.req.URI))
	}
	answer, err := e.Prompts.Stream(ctx, run.decision.Lane, ask.Request, func(piece string) { run.watch(piece, draft) })
	text, end := model.Came(answer)
	if err != nil {
		end = model.EndBy(model.AsError(err))
	}
	_, _ = e.Proposals.update(run.id, func(p *Proposal) { p.record = ask.Record.Said(text, end, time.Now()) })
	if core.TakesLess(e.Prompts.Models, run.decision.Lane, known, err) {
		return e.streamEdit(ctx, snap, run)
	}
	run.finish()
	if err != nil {
		return nil, ask, err
	}
	return answer, ask, nil
}

// ask builds the request of a run.
func (e *Editor) ask(ctx context.Context, snap *workspace.Snapshot, run *editRun) (*prompt.Request, error) {
	request := run.wanted(snap)
	words := run.record.Secrets.Restore(request.String())
	if run.approach.Len() > 0 {
		request = redact.Format("%s\n%s", request, run.approach)
	}
	return e.Prompts.Prompt(ctx, snap, prompt.Question{
		Kind: run.kind(), Lane: run.decision.Lane, URI: run.req.URI, Span: run.req.Span, Record: run.record,
		Request: request, Words: words, Diagnostics: run.req.Diagnostics,
	})
}

// watch passes the next piece on to the caller of the edit.
func (r *editRun) watch(piece string, draft *Draft) {
	if draft != nil {
		draft.write(piece)
	}
	r.req.Watch(Progress{ID: r.id, State: Streaming, URI: r.req.URI, Append: piece, Draft: draft, Lane: r.decision.Lane, Reason: r.decision.Reason})
}

// finish reports that no piece follows.
func (r *editRun) finish() {
	r.req.Watch(Progress{ID: r.id, State: Checking, URI: r.req.URI, Lane: r.decision.Lane, Reason: r.decision.Reason, Done: true})
}

// withAlternatives drops the candidates that failed or have the same result as
// another, and links the rest to the first good one: one whose answer is whole, if there is one.
func (e *Editor) withAlternatives(first *Proposal, others []*Proposal) (*Proposal, error) {
	var good []*Proposal
	all := append([]*Proposal{first}, others...)
	cut := slices.DeleteFunc(slices.Clone(all), func(p *Proposal) bool { return p.End.Whole() })
	whole := slices.DeleteFunc(all, func(p *Proposal) bool { return !p.End.Whole() })
	for _, p := range slices.Concat(whole, cut) {
		if p.State != Ready {
			continue
		}
		if slices.ContainsFunc(good, func(o *Proposal) bool { return sameResult(o, p) }) {
			_, _ = e.Proposals.update(p.ID, func(p *Proposal) { p.State = Rejected })
			continue
		}
		good = append(good, p)
	}
	if len(good) == 0 {
		if first.Err != nil {
			return first, first.Err
		}
		return first, errors.New("the edit was superseded; ask again")
	}
	var ids []string
	for _, p := range good[1:] {
		ids = append(ids, p.ID)
	}
	if len(ids) == 0 {
		return good[0], nil
	}
	return e.Proposals.update(good[0].ID, func(p *Proposal) { p.Alternatives = ids })
}

// sameResult reports whether two proposals make the same texts.
func sameResult(a, b *Proposal) bool {
	return slices.EqualFunc(a.Files, b.Files, func(x, y edits.ProposedFile) bool {
		return x.Path == y.Path && slices.Equal(x.Edits, y.Edits)
	})
}

// Headline returns the first line of an instruction, short enough for a title.
func Headline(instruction string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(instruction), "\n")
	if r := []rune(line); len(r) > 60 {
		return string(r[:59]) + "…"
	}
	return line
}
