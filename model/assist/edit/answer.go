package edit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model"
	"tandem/model/answer"
	"tandem/model/assist/core"
	"tandem/model/assist/prompt"
	"tandem/workspace"
	"tandem/workspace/judge"
	"tandem/workspace/redact"
)

// Read turns a model's answer into changes of files that touch only text that the model
// was shown. span is what was selected of the document at uri, and words are what was asked for.
// Of an answer that was cut come the changes of its whole blocks, each doubted for it.
func Read(snap *workspace.Snapshot, uri string, span edits.Span, ask *prompt.Request, words string, came model.Answer) ([]edits.FileChange, error) {
	text, end := model.Came(came)
	before := map[string]string{}
	r := answer.Reader{Format: edits.FormatAuto, Options: edits.Options{Request: words}, Rel: snap.Name, Executable: snap.Executable, Cut: cutBy(end), Open: func(path string) (string, bool) {
		text, ok := Readable(snap, path)
		if ok {
			before[path] = text
			text = ask.Secrets.All(redact.NewSource(text)).String()
		}
		return text, ok
	}}
	if ask.Format == edits.FormatRewrite {
		r.Format = ask.Format
	}
	r.Refuse = func(path string) (edits.Code, string) { return Refuse(snap, path, uri) }
	r.Placeholders = redact.Placeholders
	if whole, ok := Readable(snap, snap.Name(uri)); ok {
		r.Here = snap.Name(uri)
		marked, ok := marked(whole, span, ask.Secrets)
		if !ok {
			return nil, core.Unusable(&edits.Error{Code: edits.CodeUnsafe, Message: "a secret that was hidden from the model lies across an end of the selection"})
		}
		r.Marked = marked
	}
	read, err := r.Read(text)
	switch {
	case err != nil && !end.Whole():
		cut := end.Err()
		cut.Err = err
		return nil, cut
	case err != nil:
		return nil, core.Unusable(err)
	}
	read.Before = before
	changes := read.Changes(ask.Restore)
	if refusal := refuseModes(changes); refusal != nil {
		return nil, core.Unusable(refusal)
	}
	if len(changes) == 0 {
		return nil, core.Unusable(&edits.Error{Code: edits.CodeUnchanged, Message: "the answer changes nothing"})
	}
	return changes, ask.RefuseUnseen(changes)
}

// cutBy is the doubt of an answer that ended so; none if it is whole.
func cutBy(end model.End) edits.Doubt {
	switch {
	case end.Whole():
		return edits.Doubt{}
	case end.Why == model.WhyStopped:
		return edits.Doubt{Why: end.Reason(), Kind: edits.Stopped}
	}
	return edits.Doubt{Why: end.Reason(), Kind: edits.Cut}
}

// marked is where a selection is in the text that a model was shown.
func marked(text string, span edits.Span, secrets *redact.Redactor) (edits.Span, bool) {
	if span.Len() == 0 || !span.Valid(len(text)) {
		return span, span.Valid(len(text))
	}
	source := redact.NewSource(text)
	shown, above, below := secrets.All(source).String(), secrets.Span(source, edits.Span{End: span.Start}).String(), secrets.Span(source, edits.Span{Start: span.End, End: len(text)}).String()
	return edits.Span{Start: len(above), End: len(shown) - len(below)},
		len(above)+len(below) < len(shown) && strings.HasPrefix(shown, above) && strings.HasSuffix(shown, below)
}

// Readable returns the text of a workspace file that a model may be shown.
func Readable(snap *workspace.Snapshot, name string) (string, bool) {
	if name == "" {
		return "", false
	}
	f, err := snap.File(name)
	if err != nil || f.Binary() || f.Large() || !snap.Spelled(name) {
		return "", false
	}
	return f.Content(), true
}

// Refuse returns why an answer about the document at uri may not be about a path. What may be written of
// it is the verdict's to say.
func Refuse(snap *workspace.Snapshot, path, uri string) (edits.Code, string) {
	if uri != "" && path == snap.Name(uri) {
		return "", ""
	}
	if code, why := snap.MayWrite(path, workspace.Asked{Shown: true}); code == edits.CodeOutside {
		return code, why
	}
	if ok, why := snap.Allowed(path); !ok {
		return edits.CodeProtected, "is kept from models: " + why
	}
	return "", ""
}

// refuseModes refuses a new mode of a file that there is, which no editor writes.
func refuseModes(changes []edits.FileChange) *edits.Error {
	for _, c := range changes {
		if !c.AbsentBefore && c.Form.Mode != edits.Unsaid {
			return &edits.Error{Code: edits.CodeParse, Path: c.Path, Message: fmt.Sprintf("it changes the mode of %s to %s, which is no text; change the mode yourself and ask for the text alone", c.Path, c.Form.Mode)}
		}
	}
	return nil
}

// SameSecrets reports whether two texts hold the same placeholders in order.
func SameSecrets(a, b string) bool {
	in := func(s string) (out []string) {
		for _, sp := range redact.Placeholders(s) {
			out = append(out, s[sp.Start:sp.End])
		}
		return out
	}
	return slices.Equal(in(a), in(b))
}

// propose turns the model's answer into located, checked edits, rebased over what the
// user has typed since the request. The answer may be cut because ctx has ended.
func (e *Editor) propose(ctx context.Context, snap *workspace.Snapshot, run *editRun, ask *prompt.Request, answer model.Answer) error {
	text, end := model.Came(answer)
	if _, err := e.Proposals.update(run.id, func(p *Proposal) { p.State, p.Answer, p.End = Checking, text, end }); err != nil {
		return err
	}
	changes, err := Read(snap, run.req.URI, run.req.Span, ask, run.words(snap), answer)
	if err != nil {
		return err
	}
	changes = e.Judge.Ready(ctx, snap, changes, judge.Files)
	verdict := e.Judge.Change(ctx, e.now(snap), changes, judge.Users, run.req.asked(snap))
	if err := verdict.Unsafe(); err != nil {
		return &model.Error{Code: model.CodeRefused, Message: "The edit was refused, and nothing was changed: " + err.Error()}
	}
	usage, _ := e.Prompts.Models.Usage(ask.ID)
	defer e.settled(run.id, snap)
	return e.Proposals.ready(run.id, e.Docs, snap, changes, verdict, func(p *Proposal) {
		reason := p.From.Reason
		if usage.Model != "" {
			p.From = usage
		}
		p.From.Lane, p.From.Reason = string(run.decision.Lane), reason
	})
}

// files turns changes into a proposal's files, the URIs of their documents and the texts
// that they apply to.
func files(snap *workspace.Snapshot, changes []edits.FileChange) (out []edits.ProposedFile, uris []string, bases []base) {
	for _, c := range changes {
		f, key := c.Proposed(), snap.Resolve(c.Path)
		on, uri := base{key: key}, workspace.URIOf(key)
		if o, ok := snap.Overlay(key); ok {
			f.Version, uri = o.Version, o.URI
			on.generation, on.revision = o.Generation, o.Revision
		}
		out, uris, bases = append(out, f), append(uris, uri), append(bases, on)
	}
	return out, uris, bases
}

// ProposeChanges makes a proposal that is ready as soon as it is judged. That of a task takes the place of
// what was proposed for the task before.
func (e *Editor) ProposeChanges(ctx context.Context, snap *workspace.Snapshot, changes []edits.FileChange, p Proposal) (*Proposal, error) {
	p.State = Checking
	opened := e.Proposals.OfTask(p.Task.ID)
	if opened == nil {
		opened = e.Proposals.open(p)
	}
	verdict := p.Verdict.Of(changes)
	if !verdict.Cut() {
		verdict = e.Judge.Change(ctx, e.now(snap), changes, judge.Users, p.Request.asked(snap))
	}
	defer e.settled(opened.ID, snap)
	if err := e.Proposals.ready(opened.ID, e.Docs, snap, changes, verdict, func(now *Proposal) { now.From, now.Task = p.From, p.Task }); err != nil {
		return nil, err
	}
	return e.Proposals.get(opened.ID)
}
