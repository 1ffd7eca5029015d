package ask

import (
	"context"
	"strconv"
	"strings"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/model/assist/prompt"
	"tandem/model/conversation"
	"tandem/workspace"
	"tandem/workspace/redact"
)

// A Reviewer finds problems in documents.
type Reviewer struct {
	Prompts *prompt.Maker
	Wanted  *core.Wanted
}

// Review requests findings on documents, one request a document, and places each on
// its text. Findings that name no line of the document are dropped, and of an answer that was
// cut the lines that are not whole.
func (r *Reviewer) Review(ctx context.Context, snap *workspace.Snapshot, req ReviewRequest) (Reviewed, error) {
	out := Reviewed{End: model.Ended(model.WhyWhole, "")}
	for _, uri := range req.URIs {
		one, err := r.reviewOne(ctx, snap, uri, req)
		out.Findings = append(out.Findings, one.Findings...)
		if err != nil {
			return out, err
		}
		if out.End.Whole() {
			out.End = one.End
		}
	}
	return out, nil
}

func (r *Reviewer) reviewOne(ctx context.Context, snap *workspace.Snapshot, uri string, req ReviewRequest) (Reviewed, error) {
	f, err := snap.File(uri)
	if err != nil {
		return Reviewed{}, err
	}
	secrets := &redact.Redactor{}
	diff := secrets.Redact(req.Diff, f.Source().Secrets(edits.Span{End: f.Raw().Len()})...)
	if c := req.Change; c != nil {
		diff = secrets.Diff(c.Path, redact.NewSource(c.Before), redact.NewSource(c.After))
	}
	decision := r.Prompts.Route(snap, model.Review, req.Lane, diff.String(), uri, edits.Span{End: f.Raw().Len()})
	lane := decision.Lane
	if _, ok := r.Prompts.Models.Config(lane); !ok {
		return Reviewed{}, r.Prompts.NeedsModel("review")
	}
	ask, err := r.Prompts.Prompt(ctx, snap, prompt.Question{
		Kind: model.KindReview, Lane: lane, URI: f.URI(), Span: edits.Span{End: f.Raw().Len()}, Diff: diff, Record: conversation.Record{Secrets: secrets},
	})
	if err != nil {
		return Reviewed{}, err
	}
	answer, err := r.Prompts.Stream(ctx, lane, ask.Request, func(piece string) {
		if req.Watch != nil {
			req.Watch(edit.Progress{URI: uri, Append: piece, Lane: lane, Reason: decision.Reason})
		}
	})
	if err != nil {
		return Reviewed{}, err
	}
	text, end := model.Came(answer)
	if !end.Whole() {
		text = text[:strings.LastIndexByte(text, '\n')+1]
	}
	return Reviewed{findings(snap.Name(uri), f.URI(), f.Raw(), text), end}, nil
}

// findings parses lines of the form path:line[:column]: severity: message, as compilers
// print them. A line after a finding that begins with "fix:" is its fix.
func findings(name, uri string, text edits.Text, answer string) []ReviewFinding {
	var out []ReviewFinding
	for line := range strings.Lines(answer) {
		line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "-*• "))
		if fix, ok := workspace.CutPrefixFold(line, "fix:"); ok && len(out) > 0 {
			out[len(out)-1].Fix = strings.TrimSpace(fix)
			continue
		}
		if f, ok := finding(name, text, strings.Trim(line, "`")); ok {
			f.URI, f.Path = uri, name
			out = append(out, f)
		}
	}
	return out
}

func finding(name string, text edits.Text, line string) (ReviewFinding, bool) {
	rest, ok := strings.CutPrefix(line, name+":")
	if !ok {
		return ReviewFinding{}, false
	}
	number, rest, _ := strings.Cut(rest, ":")
	n, err := strconv.Atoi(strings.TrimSpace(number))
	if err != nil || n < 1 || n > text.LineCount() {
		return ReviewFinding{}, false
	}
	if column, after, ok := strings.Cut(rest, ":"); ok {
		if _, err := strconv.Atoi(strings.TrimSpace(column)); err == nil {
			rest = after
		}
	}
	severity, message, ok := strings.Cut(rest, ":")
	if !ok || !isSeverity(strings.TrimSpace(severity)) {
		severity, message = "warning", rest
	}
	start, end := text.LineStart(n-1), text.LineEnd(n-1)
	code := text.Slice(edits.Span{Start: start, End: end})
	start += len(code) - len(strings.TrimLeft(code, " \t"))
	return ReviewFinding{
		Span: edits.Span{Start: start, End: end}, Severity: strings.ToLower(strings.TrimSpace(severity)),
		Code: "review", Message: strings.TrimSpace(message),
	}, strings.TrimSpace(message) != ""
}

func isSeverity(word string) bool {
	switch strings.ToLower(word) {
	case "error", "warning", "information", "info", "hint", "note":
		return true
	}
	return false
}
