package lsp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/protocol"

	"tandem/edits"
	"tandem/lsp/inert"
	"tandem/model"
	"tandem/model/assist/edit"
	"tandem/model/task"
	"tandem/workspace/terms"
)

// A proposalNote is tandem/proposal.
type proposalNote struct {
	ID              string             `json:"id"`
	State           string             `json:"state"`
	Title           string             `json:"title,omitzero"`
	Lane            string             `json:"lane,omitzero"`
	Model           string             `json:"model,omitzero"`
	Reason          string             `json:"reason,omitzero"`
	Documents       []proposalDocument `json:"documents,omitzero"`
	Append          *proposalAppend    `json:"append,omitzero"`
	Draft           *draftNote         `json:"draft,omitzero"`
	Verdict         *proposalVerdict   `json:"verdict,omitzero"`
	Breaks          []location         `json:"breaks,omitzero"` // what it breaks in files that it leaves as they are
	End             *proposalEnd       `json:"end,omitzero"`    // of the answer, once it has ended
	Checks          []proposalCheck    `json:"checks,omitzero"`
	Alternatives    []string           `json:"alternatives,omitzero"`
	Tokens          int                `json:"tokens,omitzero"`
	TokensPerSecond float64            `json:"tokensPerSecond,omitzero"`
	FirstTokenMs    float64            `json:"firstTokenMs,omitzero"`
	CostUSD         float64            `json:"costUSD"`
	Error           string             `json:"error,omitzero"`
	TaskID          string             `json:"taskId,omitzero"`
	Running         bool               `json:"running,omitzero"`   // more steps of the task are to come
	Quiet           bool               `json:"quiet,omitzero"`     // drawn in no document
	Steps           []proposalStep     `json:"steps,omitzero"`     // of a task's result
	Conflicts       []proposalConflict `json:"conflicts,omitzero"` // what does not fit the files as they are now
	Review          string             `json:"review,omitzero"`
}

// A proposalStep is what one step of a task contributes to its result.
type proposalStep struct {
	Step  int      `json:"step"`
	Title string   `json:"title"`
	Lane  string   `json:"lane"`
	Files []string `json:"files"`
}

type proposalConflict struct {
	Path    string `json:"path"`
	Line    int    `json:"line,omitzero"`
	Message string `json:"message"`
}

type proposalDocument struct {
	URI     string     `json:"uri"`
	Version int32      `json:"version"`
	Edits   []textEdit `json:"edits"`
	Create  bool       `json:"create,omitzero"`
	Delete  bool       `json:"delete,omitzero"`
	Path    string     `json:"path,omitzero"`  // as steps name it
	Steps   []int      `json:"steps,omitzero"` // that changed it
}

type proposalAppend struct {
	URI  string `json:"uri"`
	Text string `json:"text"`
}

type proposalVerdict struct {
	State  string `json:"state"` // passed, failed or not_judged
	Reason string `json:"reason,omitzero"`
}

// A proposalEnd is how the answer ended.
type proposalEnd struct {
	Whole  bool   `json:"whole"`
	Reason string `json:"reason,omitzero"` // how much of it came and what cut it
}

type proposalCheck struct {
	Kind    string   `json:"kind"`
	OK      bool     `json:"ok"`
	Message string   `json:"message"`
	Names   []string `json:"names"`
}

// noteOf encodes a proposal as it stands.
func (s *proposals) noteOf(p *edit.Proposal) proposalNote {
	n := proposalNote{
		ID: p.ID, State: string(p.State), Title: inert.Message(p.Title), Lane: p.From.Lane, Model: inert.Message(cmp.Or(p.From.ServedModel, p.From.Model)), Reason: p.From.Reason,
		Alternatives: p.Alternatives, Tokens: p.From.OutputTokens, TokensPerSecond: p.From.TokensPerSecond,
		FirstTokenMs: p.From.FirstTokenMs, CostUSD: p.From.CostUSD,
	}
	if p.Err != nil {
		n.Error = inert.Message(p.Err.Error())
	}
	if p.State == edit.Ready || p.State == edit.Accepted {
		for i, f := range p.Files {
			if p.Task.ID != "" && f.Done() {
				continue
			}
			d := proposalDocument{URI: p.Documents[i], Version: f.Version, Edits: s.enc.editsTextEdits(f.Base, f.Edits), Create: f.Create, Delete: f.Delete}
			for _, part := range p.Task.Parts {
				if slices.Contains(part.Files, f.Path) {
					d.Path, d.Steps = f.Path, append(d.Steps, part.Step)
				}
			}
			n.Documents = append(n.Documents, d)
		}
	}
	if p.End != (model.End{}) {
		n.End = &proposalEnd{p.End.Whole(), inert.Message(cmp.Or(p.Cut(), p.End.Reason()))}
	}
	if p.Request.Draft {
		n.Draft = finalDraft(p)
	}
	n.TaskID, n.Running, n.Quiet, n.Review = p.Task.ID, p.Task.Running, p.Task.Quiet, inert.Message(p.Task.Review)
	for _, part := range p.Task.Parts {
		n.Steps = append(n.Steps, proposalStep{part.Step, inert.Message(part.Title), inert.Text(part.Lane), inertAll(part.Files)})
	}
	for _, c := range p.Task.Conflicts {
		n.Conflicts = append(n.Conflicts, proposalConflict{c.Path, c.Line, inert.Message(c.Message)})
	}
	if p.State == edit.Ready || p.State == edit.Accepted {
		verdict := p.Judged()
		n.Verdict = &proposalVerdict{verdict.State(), inert.Message(verdict.Reason())}
		for _, c := range verdict.Checks() {
			n.Checks = append(n.Checks, checkNote(c))
		}
		for _, f := range verdict.Breaks() {
			if file, err := s.session.Snapshot().Unfiltered(f.Path); err == nil && f.Span.Valid(file.Raw().Len()) {
				n.Breaks = append(n.Breaks, location{file.URI(), s.enc.spanRange(file.Raw(), f.Span)})
			}
		}
	}
	return n
}

func checkNote(c edits.Check) proposalCheck {
	out := proposalCheck{Kind: string(c.Kind), OK: c.OK(), Names: []string{}}
	var messages []string
	for _, f := range c.Findings {
		messages = append(messages, f.Told())
		if f.Name != "" {
			out.Names = append(out.Names, f.Name)
		}
	}
	if len(c.Unknown) > 0 {
		messages = append(messages, "not judged: "+strings.Join(c.Unknown, ", "))
	}
	out.Message = inert.Message(strings.Join(messages, " "))
	return out
}

// proposals show the client what waits for the user, and apply what is accepted.
type proposals struct{ *scope }

// watchEdit returns the one way that the pieces of an edit take: as partial results
// to the request that asked for them, else as tandem/proposal to a client that shows
// proposals. Each candidate of the edit is a stream of its own. close sends what is
// left, before the reply.
func (s *proposals) watchEdit(partial token) (watch func(edit.Progress), finish func()) {
	if partial == "" && !s.client.Wants().Proposals {
		return func(edit.Progress) {}, func() {}
	}
	var mu sync.Mutex
	byID := map[string]*textStream{}
	stream := func(p edit.Progress) *textStream {
		mu.Lock()
		defer mu.Unlock()
		if byID[p.ID] == nil {
			byID[p.ID] = s.proposalStream(p, partial)
		}
		return byID[p.ID]
	}
	drafts := newDraftStreams(s.peer, partial)
	watch = func(p edit.Progress) {
		if p.Draft != nil {
			drafts.changed(p)
			return
		}
		if t := stream(p); p.Done {
			t.flush()
			drafts.flush(p.ID)
		} else {
			t.add(inert.Text(p.Append))
		}
	}
	return watch, func() {
		mu.Lock()
		defer mu.Unlock()
		for _, t := range byID {
			t.flush()
		}
	}
}

// proposalStream is the stream of one proposal's text. The text is the model's edit in
// its own format, without the characters that hide text.
func (s *proposals) proposalStream(p edit.Progress, partial token) *textStream {
	note := func(text string) proposalNote {
		return proposalNote{ID: p.ID, State: string(edit.Streaming), Append: &proposalAppend{p.URI, text}}
	}
	if partial != "" {
		return newTextStream(s.notifications, protocol.MethodProgress, func(text string) any {
			return progressParams{partial, map[string]any{"proposal": note(text)}}
		})
	}
	return newTextStream(s.notifications, "tandem/proposal", func(text string) any { return note(text) })
}

// proposalChanged is called for every state of a proposal. Every state change
// reaches the client, except that a later state may replace a streaming or checking
// one that was not sent yet.
func (s *proposals) proposalChanged(p *edit.Proposal) {
	//exhaustive:enforce
	switch p.State {
	case edit.Streaming, edit.Checking, edit.Ready: // it goes on
	case edit.Accepted, edit.Rejected, edit.Stale, edit.Failed:
		if p.Task.ID != "" && !p.Task.Running && (p.State == edit.Accepted || p.State == edit.Rejected) {
			s.use.Tasks.Resolved(p.Task.ID, string(p.State))
		}
		s.group.Go("refresh lenses", s.refreshLenses)
	}
	if s.client.Wants().Proposals {
		if p.State == edit.Streaming || p.State == edit.Checking {
			s.notifications.put("state "+p.ID, "tandem/proposal", func() any { return s.noteOf(p) })
			return
		}
		s.notifications.remove("state " + p.ID)
		s.notifications.post("tandem/proposal", s.noteOf(p))
	}
}

type resolveParams struct {
	ID     string `json:"id"` // of a proposal, or of a task with a result
	Action string `json:"action"`
	Hunk   *int   `json:"hunk"`
	Step   int    `json:"step"`  // of a task, from 1; 0 is all
	File   string `json:"file"`  // path or URI; "" is all
	Force  bool   `json:"force"` // accept what failed its checks
}

// resolve answers tandem/resolve.
func (s *proposals) resolve(p *resolveParams) (any, work, error) {
	part := edit.Part{Step: p.Step, File: p.File}
	do := func(ctx context.Context, found *edit.Proposal) (any, error) {
		return s.accept(ctx, found, part, p.Force)
	}
	switch p.Action {
	case "accept":
	case "acceptHunk":
		if p.Hunk == nil {
			return nil, nil, invalid("Say which change to accept, as {\"hunk\": number}.")
		}
		part = edit.Part{Hunk: p.Hunk}
	case "reject":
		part.Hunk = p.Hunk
		do = func(_ context.Context, found *edit.Proposal) (any, error) {
			return nil, s.use.Editor.RejectPart(s.session.Snapshot(), found.ID, part)
		}
	case "show":
		do = s.showProposal
	default:
		return nil, nil, invalid("The action %q is none of accept, acceptHunk, reject and show.", printable(p.Action))
	}
	return nil, func(ctx context.Context) (any, error) {
		found, err := s.resultOf(ctx, p.ID)
		if err != nil {
			return nil, err
		}
		return do(ctx, found)
	}, nil
}

// showProposal shows a proposal, which may be the result of a task of an earlier session.
func (s *proposals) showProposal(ctx context.Context, p *edit.Proposal) (any, error) {
	if s.client.Wants().Proposals {
		s.notifications.post("tandem/proposal", s.noteOf(p))
	} else {
		s.show(ctx, p.ID+".diff", unified(p))
	}
	return map[string]any{"proposalId": p.ID}, nil
}

// resultOf is the proposal that an id names: its own, or that of a task's result.
func (s *proposals) resultOf(ctx context.Context, id string) (*edit.Proposal, error) {
	p, unknown := s.use.Editor.Get(id)
	if unknown == nil {
		return p, nil
	}
	p, err := s.use.Tasks.Propose(ctx, s.session.Snapshot(), id)
	if errors.Is(err, task.ErrNoTask) {
		return nil, unknown
	}
	return p, err
}

type steerParams struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// steer answers tandem/steer.
func (s *proposals) steer(p *steerParams) (any, work, error) {
	return nil, func(ctx context.Context) (any, error) { return nil, s.steerEither(ctx, p.ID, p.Text) }, nil
}

// steerEither steers the task or the edit that has the id, or the task whose result has it.
func (s *proposals) steerEither(ctx context.Context, id, text string) error {
	if strings.TrimSpace(text) == "" {
		return invalid("Say where to steer, as {\"id\": …, \"text\": …}.")
	}
	task := id
	if p, err := s.use.Editor.Get(id); err == nil && p.Task.ID != "" {
		task = p.Task.ID
	}
	secrets := s.sendSecrets(ctx, text)
	if isTask, err := s.use.Tasks.Steer(s.session.Snapshot(), task, text, secrets); isTask {
		return err
	}
	watch, _ := s.watchEdit("")
	return s.use.Editor.Steer(s.session.Snapshot(), id, text, secrets, watch)
}

// acceptArgs say what of a proposal is accepted.
type acceptArgs struct {
	idArgs
	Hunk  *int `json:"hunk,omitzero"`  // counted over all files from 0; nil is all
	Force bool `json:"force,omitzero"` // accept what failed its checks
}

// hunk is the number of the hunk, or -1 for all.
func (a *acceptArgs) hunk() int {
	if a.Hunk == nil {
		return -1
	}
	return *a.Hunk
}

// acceptCommand is tandem.accept, or tandem.acceptHunk of one change.
func (s *proposals) acceptCommand(oneHunk bool) func(context.Context, *invocation, *acceptArgs) (any, error) {
	return func(ctx context.Context, inv *invocation, a *acceptArgs) (any, error) {
		id, err := inv.id(a.ID)
		part := edit.Part{}
		switch {
		case err != nil:
			return nil, err
		case oneHunk && a.Hunk == nil:
			return nil, invalid("Say which change to accept, as {\"id\": …, \"hunk\": number}.")
		case oneHunk:
			part.Hunk = a.Hunk
		}
		p, err := s.use.Editor.Get(id)
		if err != nil {
			return nil, err
		}
		_, err = s.accept(ctx, p, part, a.Force)
		return nil, err
	}
}

// takeBackCommand takes an accepted change back in all of its files: the newest, or that of an id.
func (s *proposals) takeBackCommand(ctx context.Context, inv *invocation, a *idArgs) (any, error) {
	snap, id := s.session.Snapshot(), cmp.Or(a.ID, inv.stringArg(0))
	back, err := s.use.Editor.TakeBack(snap, id)
	if back.ID == "" && id != "" {
		back, err = s.use.Tasks.TakeBack(snap, id)
	}
	if err != nil {
		return nil, err
	}
	if err := s.applyAll(ctx, back.Edits); err != nil {
		return nil, err
	}
	if err := s.written(ctx, snap, back.Edits); err != nil {
		return nil, err
	}
	s.use.Editor.TookBack(back.ID)
	s.report(protocol.MessageTypeInfo, fmt.Sprintf("tandem: took back %s, in %s.", clipLine(back.Title), terms.Counted(len(back.Edits), "file")))
	return map[string]any{"title": inert.Message(back.Title), "files": len(back.Edits)}, nil
}

// showCommand shows a proposal as a diff.
func (s *proposals) showCommand(ctx context.Context, id string) (any, error) {
	p, err := s.use.Editor.Get(id)
	if err != nil {
		return nil, err
	}
	return s.showProposal(ctx, p)
}

func (s *proposals) rejectCommand(_ context.Context, id string) (any, error) {
	if _, err := s.use.Editor.Get(id); err != nil {
		s.use.Engine.Rejected(id)
		return nil, nil
	}
	return nil, s.use.Editor.Reject(id)
}

type steerArgs struct {
	idArgs
	Text        string `json:"text"`
	Instruction string `json:"instruction"`
}

func (s *proposals) steerCommand(ctx context.Context, inv *invocation, a *steerArgs) (any, error) {
	id, err := inv.id(a.ID)
	if err != nil {
		return nil, err
	}
	return nil, s.steerEither(ctx, id, cmp.Or(a.Text, a.Instruction, inv.stringArg(1)))
}

// completeCommand has the model of a proposal change what the proposal breaks in other files; the
// changes are hunks of the same proposal.
func (s *proposals) completeCommand(ctx context.Context, inv *invocation, a *idArgs) (any, error) {
	id, err := inv.id(a.ID)
	if err != nil {
		return nil, err
	}
	snap := s.session.Snapshot()
	about, places, err := s.use.Editor.Completion(ctx, snap, id)
	if err != nil {
		return nil, err
	}
	ctx, progress := inv.begin(ctx, s.peer, fmt.Sprintf("tandem: completes the change at %s, with %s for %s", terms.Counted(places, "place"), clipLine(about.Model), model.Dollars(about.CostUSD)))
	outcome := "failed"
	defer func() { progress.done(outcome) }()
	p, err := s.use.Editor.Complete(ctx, snap, id)
	if err != nil {
		return nil, err
	}
	outcome = "ready"
	s.presentProposal(p)
	return map[string]any{"proposalId": p.ID}, nil
}

// alternativesCommand shows what else was proposed.
func (s *proposals) alternativesCommand(ctx context.Context, id string) (any, error) {
	p, err := s.use.Editor.Get(id)
	if err != nil {
		return nil, err
	}
	ids := append([]string{p.ID}, p.Alternatives...)
	var text strings.Builder
	for i, id := range ids {
		if other, err := s.use.Editor.Get(id); err == nil {
			fmt.Fprintf(&text, "# %d of %d: %s, accept with tandem.accept %s\n\n%s\n", i+1, len(ids), clipLine(other.Title), id, unified(other))
		}
	}
	if !s.client.Wants().Proposals {
		s.show(ctx, p.ID+"-alternatives.diff", text.String())
	}
	return map[string]any{"ids": ids}, nil
}

// presentProposal shows the finished proposal of a task; no request waits for it.
func (s *proposals) presentProposal(p *edit.Proposal) {
	if s.client.Wants().Proposals {
		return
	}
	s.group.Go("show a proposal", func(ctx context.Context) {
		s.show(ctx, p.ID+".diff", unified(p))
		s.refreshLenses(ctx)
		s.report(protocol.MessageTypeInfo, fmt.Sprintf("tandem: %s is ready (%s)%s. Accept or reject it with the code lens or code action at its place, or the command tandem.accept.", clipLine(p.Title), p.ID, doubtOf(p)))
	})
}

// doubtOf is what a message about a proposal says of its verdict.
func doubtOf(p *edit.Proposal) string {
	switch verdict := p.Judged(); {
	case verdict.Failed():
		return "; it failed its checks: " + verdict.Reason()
	case !verdict.Passed():
		return "; it is not judged: " + verdict.Reason()
	}
	return ""
}

// acceptance is how the user accepts a proposal: by force if it failed its checks or its answer
// was cut. The title is "" if nobody can.
func acceptance(p *edit.Proposal) (title string, accepted acceptArgs) {
	accepted.ID = p.ID
	verdict := p.Judged()
	if verdict.Refusal(edits.Consent{Force: true, Confirmed: true}) != nil {
		return "", accepted
	}
	if verdict.Failed() || verdict.Cut() {
		accepted.Force = true
		return "Apply anyway: " + clipLine(verdict.Reason()), accepted
	}
	return "Accept: " + clipLine(p.Title), accepted
}
