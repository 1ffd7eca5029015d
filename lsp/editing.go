package lsp

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"

	"go.lsp.dev/protocol"

	"tandem/edits"
	"tandem/lsp/inert"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/workspace"
)

// target is the document and the span that a command is about.
func (s *scope) target(snap *workspace.Snapshot, at *placeArgs) (*workspace.Overlay, edits.Span, error) {
	o, err := openDocument(snap, at.uri())
	if err != nil {
		return nil, edits.Span{}, err
	}
	span := edits.Span{}
	switch {
	case at.Range != nil:
		span = s.enc.rangeSpan(o.Text, *at.Range)
	case at.Position != nil:
		offset := s.enc.positionOffset(o.Text, *at.Position)
		span = edits.Span{Start: offset, End: offset}
	}
	return o, span, nil
}

// editing asks models for edits by instruction, which end as proposals.
type editing struct {
	*scope
	proposals *proposals
}

// editArgs say what an edit is to be: the same for the commands and for tandem/edit.
type editArgs struct {
	Instruction  string           `json:"instruction"`
	Diagnostics  []wireDiagnostic `json:"diagnostics"` // to fix
	All          bool             `json:"all"`         // fix them wherever they are in the range
	Lane         string           `json:"lane"`
	Alternatives int              `json:"alternatives"`
}

type editCommandArgs struct {
	placeArgs
	editArgs
	Text string `json:"text"`
}

// command is the command of a kind of edit.
func (e *editing) command(kind model.Kind) func(context.Context, *invocation, *editCommandArgs) (any, error) {
	return func(ctx context.Context, inv *invocation, a *editCommandArgs) (any, error) {
		a.Instruction = cmp.Or(a.Instruction, a.Text, inv.stringArg(0))
		req, err := e.request(inv.snap, kind, a.placeArgs, &a.editArgs)
		if err == nil {
			err = instructed(req)
		}
		if err != nil {
			return nil, err
		}
		return e.runEdit(ctx, inv, req)
	}
}

// instructed is the error of a request that does not say what to change.
func instructed(req edit.Request) error {
	if strings.TrimSpace(req.Instruction) == "" && req.Kind == "" {
		return invalid("Say what to change: give an instruction, or put it in a comment at the cursor.")
	}
	return nil
}

// editTitles are the kinds of edits that a client may ask for, with their titles. That of a
// fix names the problem, and an edit by instruction has none.
var editTitles = map[model.Kind]string{model.KindEdit: "", model.KindFix: "Fix: ", model.KindDebug: "Debug", model.KindDocument: "Document", model.KindTest: "Write a test"}

// request is what a client asks for, at the documents of snap. An edit by instruction may
// have none yet: its size can be estimated before there is one.
func (e *editing) request(snap *workspace.Snapshot, kind model.Kind, at placeArgs, a *editArgs) (edit.Request, error) {
	title, known := editTitles[kind]
	if !known {
		return edit.Request{}, invalid("The kind %q is none of edit, fix, debug, document and test.", printable(string(kind)))
	}
	if kind == model.KindDebug {
		if err := locateTrace(snap, &at, a.Instruction); err != nil {
			return edit.Request{}, err
		}
	}
	o, span, err := e.target(snap, &at)
	if err != nil {
		return edit.Request{}, err
	}
	req := edit.Request{URI: o.URI, Span: span, Instruction: a.Instruction, Kind: kind, Title: title, Lane: model.Lane(a.Lane), Alternatives: min(max(a.Alternatives, 0), 4)}
	switch kind {
	case model.KindEdit:
		req.Kind, req.Instruction, req.Found = "", cmp.Or(a.Instruction, instructionAt(o.Text, span)), a.Instruction == ""
	case model.KindFix:
		return e.fix(snap, o, req, a)
	}
	return req, nil
}

// fix is the request to fix problems: those that the client names, else those at the place.
func (e *editing) fix(snap *workspace.Snapshot, o *workspace.Overlay, req edit.Request, a *editArgs) (edit.Request, error) {
	found := e.diagnostics(o, a.Diagnostics)
	if len(found) == 0 {
		found = diagnosticsIn(snap.Diagnostics(o.URI), req.Span)
	}
	if len(found) == 0 {
		return edit.Request{}, invalid("No problem is known at this place; put the cursor on one, or use tandem.debug with its description.")
	}
	if req.Span.Len() == 0 && !a.All {
		req.Span = found[0].Span
	}
	req.Title += found[0].Message
	if len(found) > 1 {
		req.Title = fmt.Sprintf("Fix these %d problems, all of one kind: %s", len(found), found[0].Message)
	}
	req.Title = edit.Headline(strings.TrimSpace(req.Title + " " + a.Instruction))
	req.Diagnostics = found
	return req, nil
}

// locateTrace finds the place of a problem that a stack trace or a description reports: in
// the given document, else in the first open one that the trace names.
func locateTrace(snap *workspace.Snapshot, at *placeArgs, trace string) error {
	if strings.TrimSpace(trace) == "" {
		return invalid("Give the stack trace or describe what goes wrong, as {\"text\": …}.")
	}
	if at.uri() != "" {
		return nil
	}
	uri, line := tracePlace(snap, trace)
	if uri == "" {
		return invalid("The trace names no document that is open; open the one to fix, or give its uri.")
	}
	at.URI, at.Position = uri, &position{Line: uint32(line)}
	return nil
}

type editParams struct {
	editArgs
	TextDocument versionedID `json:"textDocument"`
	Range        *wireRange  `json:"range"`
	Kind         model.Kind  `json:"kind"` // "" is edit
	Draft        bool        `json:"draft"`
	Attempt      int         `json:"attempt"`
	After        string      `json:"after"`
	Steering     string      `json:"steering"`
	WorkDone     token       `json:"workDoneToken"`
	Partial      token       `json:"partialResultToken"`
}

// requested is what the parameters of tandem/edit ask for.
func (e *editing) requested(snap *workspace.Snapshot, p *editParams) (edit.Request, error) {
	kind := cmp.Or(p.Kind, model.KindEdit)
	req, err := e.request(snap, kind, placeArgs{URI: p.TextDocument.URI, Range: p.Range}, &p.editArgs)
	req.Draft, req.Attempt, req.After, req.Steering = p.Draft, min(max(p.Attempt, 0), 4), p.After, p.Steering
	return req, err
}

// tandemEdit answers tandem/edit: it ends when the proposal is ready.
func (e *editing) tandemEdit(p *editParams) (any, work, error) {
	snap := e.session.Snapshot()
	req, err := e.requested(snap, p)
	if err == nil {
		err = instructed(req)
	}
	if err != nil {
		return nil, nil, err
	}
	return nil, func(ctx context.Context) (any, error) { return e.editWithParts(ctx, snap, req, p.WorkDone, p.Partial) }, nil
}

func (e *editing) editWithParts(ctx context.Context, snap *workspace.Snapshot, req edit.Request, under, partial token) (any, error) {
	ctx, progress := e.begin(ctx, under, "tandem: "+clipLine(cmp.Or(req.Title, req.Instruction)))
	outcome := "failed"
	defer func() { progress.done(outcome) }()
	watch, finish := e.proposals.watchEdit(partial)
	req.Watch = watch
	p, err := e.edit(ctx, snap, req)
	finish()
	if err != nil {
		return nil, err
	}
	outcome = "ready"
	return map[string]any{"proposalId": p.ID}, nil
}

type estimateResult struct {
	Lane    string  `json:"lane"`
	Model   string  `json:"model"`
	Reason  string  `json:"reason"`
	Tokens  int     `json:"tokens"`
	CostUSD float64 `json:"costUSD"`
}

// estimate answers tandem/estimate: what tandem/edit with the same parameters would be
// sent as. It sends nothing.
func (e *editing) estimate(p *editParams) (any, work, error) {
	snap := e.session.Snapshot()
	req, err := e.requested(snap, p)
	if err != nil {
		return nil, nil, err
	}
	return nil, func(ctx context.Context) (any, error) {
		e, err := e.use.Editor.Estimate(ctx, snap, req)
		if err != nil {
			return nil, err
		}
		return estimateResult{string(e.Lane), e.Model, e.Reason, e.Tokens, e.CostUSD}, nil
	}, nil
}

// runEdit runs a model-backed edit with progress. A client that shows proposals
// accepts or rejects the result later; for any other client it is applied.
func (e *editing) runEdit(ctx context.Context, inv *invocation, req edit.Request) (any, error) {
	title := cmp.Or(req.Title, req.Instruction)
	ctx, progress := inv.begin(ctx, e.peer, "tandem: "+clipLine(title))
	outcome := "failed"
	defer func() { progress.done(outcome) }()
	var written atomic.Int64 // lines, of all candidates
	watch, finish := e.proposals.watchEdit("")
	req.Watch = func(p edit.Progress) {
		watch(p)
		if p.State == edit.Checking {
			progress.report("checking: it waits for what the change uses to be read")
			return
		}
		lines := written.Add(int64(strings.Count(p.Append, "\n")))
		progress.report(fmt.Sprintf("%s: %d lines", cmp.Or(p.Model, string(p.Lane)), lines))
	}
	p, err := e.edit(ctx, inv.snap, req)
	finish()
	if err != nil {
		if ctx.Err() != nil {
			outcome = "stopped"
		}
		return nil, err
	}
	if ctx.Err() != nil { // what came of it stays as a proposal
		outcome = "stopped"
		return nil, ctx.Err()
	}
	if outcome, err = e.handOver(ctx, p); err != nil {
		return nil, err
	}
	return map[string]any{"proposalId": p.ID}, nil
}

// edit makes the proposal of an edit, after its folder is indexed. A document that changes
// while that is waited for is edited as it was when the user asked.
func (e *editing) edit(ctx context.Context, requested *workspace.Snapshot, req edit.Request) (*edit.Proposal, error) {
	snap := requested
	if e.waitForIndex(ctx, req.URI) {
		now := e.session.Snapshot()
		before, open := requested.Overlay(req.URI)
		if o, still := now.Overlay(req.URI); open && still && o.Generation == before.Generation && o.Revision == before.Revision {
			snap = now
		}
	}
	req.SendSecrets = e.sendSecrets(ctx, req.Instruction, req.Steering)
	return e.use.Editor.Edit(ctx, snap, req)
}

// handOver gives a ready proposal to a client that shows proposals; to others it applies
// it, or shows it where they cannot apply edits. outcome is one word for the progress.
func (e *editing) handOver(ctx context.Context, p *edit.Proposal) (outcome string, err error) {
	switch {
	case e.client.Wants().Proposals:
		return "ready", nil
	case !e.client.AppliesEdits():
		e.show(ctx, p.ID+".diff", unified(p))
		way := fmt.Sprintf("Accept or reject it in the code actions of %s.", path.Base(p.Request.URI))
		if _, err := e.pendingEdit(p.ID, -1); err != nil {
			way = sentence(err.Error())
		}
		e.showMessage(protocol.MessageTypeInfo, inert.Message(fmt.Sprintf("tandem: %s is ready%s. %s", clipLine(p.Title), doubtOf(p), way)))
		return "shown", nil
	}
	verdict := p.Judged()
	if verdict.Failed() || verdict.Cut() {
		e.show(ctx, p.ID+".diff", unified(p))
		e.refreshLenses(ctx)
	}
	if _, err := e.proposals.accept(ctx, p, edit.Part{}, false); err != nil {
		return "failed", err
	}
	if !verdict.Passed() {
		e.report(protocol.MessageTypeInfo, fmt.Sprintf("tandem: %s is applied, and not judged: %s.", clipLine(p.Title), verdict.Reason()))
	}
	return "done", nil
}

// nextEditAllCommand proposes all remaining places of the change that the user has begun.
func (e *editing) nextEditAllCommand(ctx context.Context, inv *invocation, a *placeArgs) (any, error) {
	o, span, err := e.target(inv.snap, a)
	if err != nil {
		return nil, err
	}
	p, err := e.use.NextEdits.NextEverywhere(ctx, inv.snap, core.Place{URI: o.URI, Offset: span.Start}, 1)
	if err != nil {
		return nil, err
	}
	if _, err := e.handOver(ctx, p); err != nil {
		return nil, err
	}
	return map[string]any{"proposalId": p.ID, "title": p.Title}, nil
}

// tracedLine is how most traces name a line, after the path.
const tracedLine = `["') ]*(?:, line |[:(])(\d{1,7})`

// tracePlace finds the first line of an open document that a trace names; uri is "" if it
// names none.
func tracePlace(snap *workspace.Snapshot, trace string) (uri string, line int) {
	first := len(trace)
	for _, o := range snap.Overlays() {
		named := regexp.MustCompile(regexp.QuoteMeta(path.Base(o.URI)) + tracedLine)
		for _, m := range named.FindAllStringSubmatchIndex(trace, -1) {
			if n, _ := strconv.Atoi(trace[m[2]:m[3]]); n > 0 && m[0] < first {
				first, uri, line = m[0], o.URI, min(n, o.Text.LineCount())-1
			}
		}
	}
	return uri, line
}
