package lsp

import (
	"context"
	"fmt"
	"path"
	"strings"
	"sync/atomic"
	"tandem/edits"
	"tandem/lsp/inert"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/model/task"
	"tandem/workspace"

	"go.lsp.dev/protocol"
)

// maxSelection is the largest selection that one edit rewrites, in bytes.
const maxSelection = 64 << 10

// target is the document and the span that a command is about.
func target(s *Server, inv *invocation) (*workspace.Overlay, edits.Span, error) {
	o, err := openDocument(inv.snap, inv.URI)
	if err != nil {
		return nil, edits.Span{}, err
	}
	span := edits.Span{}
	switch {
	case inv.Range != nil:
		span = s.enc.rangeSpan(o.Text, *inv.Range)
	case inv.Position != nil:
		at := s.enc.positionOffset(o.Text, *inv.Position)
		span = edits.Span{Start: at, End: at}
	}
	if span.Len() > maxSelection {
		return nil, span, invalid("The selection has %d KB, more than a model rewrites well; select less, or hand the work to the deep model with tandem.escalate.", span.Len()>>10)
	}
	return o, span, nil
}

// An askedEdit makes the request of a kind of edit from what the client asks: the same for
// the command of that kind and for tandem/edit.
type askedEdit func(*Server, *invocation) (edit.Request, error)

// askedEdits are the kinds of edits that a client may ask for.
var askedEdits = map[model.Kind]askedEdit{
	model.KindEdit:     instructedEdit,
	model.KindFix:      fixEdit,
	model.KindDebug:    debugEdit,
	model.KindDocument: fixedEdit(model.KindDocument, "Document"),
	model.KindTest:     fixedEdit(model.KindTest, "Write a test"),
}

// editCommand is the command of a kind of edit.
func editCommand(kind model.Kind) func(context.Context, *Server, *invocation) (any, error) {
	return func(ctx context.Context, s *Server, inv *invocation) (any, error) {
		req, err := askedEdits[kind](s, inv)
		if err == nil {
			err = instructed(req)
		}
		if err != nil {
			return nil, err
		}
		return runEdit(ctx, s, inv, req)
	}
}

// instructed is the error of a request that does not say what to change.
func instructed(req edit.Request) error {
	if strings.TrimSpace(req.Instruction) == "" && req.Kind == "" {
		return invalid("Say what to change: give an instruction, or put it in a comment at the cursor.")
	}
	return nil
}

// instructedEdit may have no instruction yet: its size can be estimated before there is one.
func instructedEdit(s *Server, inv *invocation) (edit.Request, error) {
	o, span, err := target(s, inv)
	if err != nil {
		return edit.Request{}, err
	}
	instruction := firstOf(inv.Instruction, inv.Text, inv.stringArg(0), instructionAt(o.Text, span))
	return edit.Request{URI: o.URI, Span: span, Instruction: instruction}, nil
}

func fixEdit(s *Server, inv *invocation) (edit.Request, error) {
	o, span, err := target(s, inv)
	if err != nil {
		return edit.Request{}, err
	}
	found := s.diagnostics(o, inv.Diagnostics)
	if len(found) == 0 {
		found = diagnosticsIn(inv.snap.Diagnostics(o.URI), span)
	}
	if len(found) == 0 {
		return edit.Request{}, invalid("No problem is known at this place; put the cursor on one, or use tandem.debug with its description.")
	}
	if span.Len() == 0 && !inv.All {
		span = found[0].Span
	}
	title := "Fix: " + found[0].Message
	if len(found) > 1 {
		title = fmt.Sprintf("Fix these %d problems, all of one kind: %s", len(found), found[0].Message)
	}
	more := firstOf(inv.Instruction, inv.Text)
	return edit.Request{URI: o.URI, Span: span, Instruction: more, Title: edit.Headline(strings.TrimSpace(title + " " + more)), Kind: model.KindFix, Diagnostics: found}, nil
}

// debugEdit fixes the problem that a stack trace or a description reports: in
// the given document, else in the first open one that the trace names.
func debugEdit(s *Server, inv *invocation) (edit.Request, error) {
	instruction := firstOf(inv.Text, inv.Instruction, inv.stringArg(0))
	if strings.TrimSpace(instruction) == "" {
		return edit.Request{}, invalid("Give the stack trace or describe what goes wrong, as {\"text\": …}.")
	}
	if inv.URI == "" {
		at := tracePlace(inv.snap, instruction)
		if at == nil {
			return edit.Request{}, invalid("The trace names no document that is open; open the one to fix, or give its uri.")
		}
		inv.URI, inv.Position = at.uri, &position{Line: uint32(at.line)}
	}
	o, span, err := target(s, inv)
	if err != nil {
		return edit.Request{}, err
	}
	return edit.Request{URI: o.URI, Span: span, Instruction: instruction, Kind: model.KindDebug, Title: "Debug"}, nil
}

// fixedEdit is an edit that needs no text from the user.
func fixedEdit(kind model.Kind, title string) askedEdit {
	return func(s *Server, inv *invocation) (edit.Request, error) {
		o, span, err := target(s, inv)
		if err != nil {
			return edit.Request{}, err
		}
		return edit.Request{URI: o.URI, Span: span, Instruction: firstOf(inv.Instruction, inv.Text), Kind: kind, Title: title}, nil
	}
}

// runEdit runs a model-backed edit with progress. A client that shows proposals
// accepts or rejects the result later; for any other client it is applied.
func runEdit(ctx context.Context, s *Server, inv *invocation, req edit.Request) (any, error) {
	title := firstOf(req.Title, req.Instruction)
	ctx, progress := s.begin(ctx, inv.token, "tandem: "+clipLine(title))
	outcome := "failed"
	defer func() { progress.done(outcome) }()
	req.Lane, req.Alternatives = model.Lane(inv.Lane), min(max(inv.Alternatives, 0), 4)
	var written atomic.Int64 // lines, of all candidates
	watch, finish := s.proposals.watchEdit(nil)
	req.Watch = func(p edit.Progress) {
		watch(p)
		if p.State == edit.Checking {
			progress.report("checking: it waits for what the change uses to be read")
			return
		}
		lines := written.Add(int64(strings.Count(p.Append, "\n")))
		progress.report(fmt.Sprintf("%s: %d lines", firstOf(p.Model, string(p.Lane)), lines))
	}
	p, err := s.edit(ctx, inv.snap, req)
	finish()
	if err != nil {
		if ctx.Err() != nil {
			outcome = "stopped"
		}
		return nil, err
	}
	if outcome, err = s.handOver(ctx, p); err != nil {
		return nil, err
	}
	return map[string]any{"proposalId": p.ID}, nil
}

// handOver gives a ready proposal to a client that shows proposals; to others it applies
// it, or shows it where they cannot apply edits. outcome is one word for the progress.
func (s *Server) handOver(ctx context.Context, p *edit.Proposal) (outcome string, err error) {
	switch {
	case s.client.tandem.Proposals:
		return "ready", nil
	case !s.client.applyEdit:
		s.show(ctx, p.ID+".diff", unified(p))
		return "shown", nil
	}
	verdict := p.Judged()
	if verdict.Failed() {
		s.show(ctx, p.ID+".diff", unified(p))
		s.refreshLenses(ctx)
	}
	if err := s.proposals.accept(ctx, p.ID, -1, false); err != nil {
		return "failed", err
	}
	if !verdict.Passed() {
		s.report(protocol.MessageTypeInfo, fmt.Sprintf("tandem: %s is applied, and not judged: %s.", clipLine(p.Title), verdict.Reason()))
	}
	return "done", nil
}

// nextEditAllCommand proposes all remaining places of the change that the user has begun.
func nextEditAllCommand(ctx context.Context, s *Server, inv *invocation) (any, error) {
	o, span, err := target(s, inv)
	if err != nil {
		return nil, err
	}
	p, err := s.use.NextEdits.NextEverywhere(ctx, inv.snap, core.Place{URI: o.URI, Offset: span.Start}, 1)
	if err != nil {
		return nil, err
	}
	if _, err := s.handOver(ctx, p); err != nil {
		return nil, err
	}
	return map[string]any{"proposalId": p.ID, "title": p.Title}, nil
}

func escalateCommand(ctx context.Context, s *Server, inv *invocation) (any, error) {
	instruction := firstOf(inv.Instruction, inv.Text, inv.stringArg(0))
	req := task.Request{Instruction: instruction, Place: core.Place{URI: inv.URI}, Tests: inv.Tests}
	if inv.URI != "" {
		o, err := openDocument(inv.snap, inv.URI)
		if err != nil {
			return nil, err
		}
		if inv.Range != nil {
			req.Span = s.enc.rangeSpan(o.Text, *inv.Range)
			req.Offset = req.Span.Start
		}
		if inv.Range == nil && inv.Position != nil {
			req.Offset = s.enc.positionOffset(o.Text, *inv.Position)
		}
		if req.Instruction == "" {
			req.Instruction = instructionAt(o.Text, req.Span)
		}
	}
	if strings.TrimSpace(req.Instruction) == "" {
		return nil, invalid("Say what the deep model should do: give an instruction, or put it in a comment at the cursor.")
	}
	req.SendSecrets = s.sendSecrets(ctx, req.Instruction)
	task, err := s.use.Tasks.Escalate(inv.snap, req)
	if err != nil {
		return nil, err
	}
	s.proposals.follow(task)
	return map[string]any{"taskId": task.Record.ID}, nil
}

func clipLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	if r := []rune(line); len(r) > 60 {
		line = string(r[:59]) + "…"
	}
	return inert.Message(line)
}

func firstOf(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}

// A tracedPlace is a line of an open document that a trace names.
type tracedPlace struct {
	uri  string
	line int
}

// tracePlace finds the first line of an open document that a trace names, as
// most traces do: path, a colon or ", line ", and a number.
func tracePlace(snap *workspace.Snapshot, trace string) *tracedPlace {
	var first *tracedPlace
	at := len(trace)
	for _, o := range snap.Overlays() {
		base := path.Base(o.URI)
		for from := 0; ; {
			i := strings.Index(trace[from:], base)
			if i < 0 {
				break
			}
			end := from + i + len(base)
			if line := lineAfter(trace[end:]); line > 0 && from+i < at {
				first, at = &tracedPlace{o.URI, min(line, o.Text.LineCount()) - 1}, from+i
			}
			from = end
		}
	}
	return first
}

// lineAfter reads the line number that follows a path in a trace, or 0.
func lineAfter(s string) int {
	s = strings.TrimLeft(s, "\"') ")
	switch {
	case strings.HasPrefix(s, ", line "):
		s = s[len(", line "):]
	case strings.HasPrefix(s, ":"), strings.HasPrefix(s, "("):
		s = s[1:]
	default:
		return 0
	}
	n := 0
	for i := 0; i < len(s) && s[i] >= '0' && s[i] <= '9' && n < 1<<24; i++ {
		n = 10*n + int(s[i]-'0')
	}
	return n
}

// presentProposal shows the finished proposal of a task; no request waits for it.
func (s *proposals) presentProposal(p *edit.Proposal) {
	if s.client.tandem.Proposals {
		return
	}
	s.spawn("show a proposal", func(ctx context.Context) {
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

// acceptance is how the user accepts a proposal: by force if it failed its checks.
func acceptance(p *edit.Proposal) (title string, args map[string]any) {
	if verdict := p.Judged(); verdict.Failed() {
		return "Apply anyway: " + clipLine(verdict.Reason()), map[string]any{"id": p.ID, "force": true}
	}
	return "Accept: " + clipLine(p.Title), map[string]any{"id": p.ID}
}
