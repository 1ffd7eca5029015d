package lsp

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/protocol"

	"tandem/edits"
	"tandem/lsp/inert"
	"tandem/model"
	"tandem/model/assist/ask"
	"tandem/workspace"
	"tandem/workspace/terms"
)

// reviews show what a review found, for as long as it is about the text.
type reviews struct {
	*scope
	findings findings
}

// findings are the review's published diagnostics, by document.
type findings struct {
	mu   sync.Mutex // guards open
	open map[string][]ask.ReviewFinding
}

// set replaces a document's findings, and reports whether it had any.
func (f *findings) set(uri string, list []ask.ReviewFinding) (had bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	had = len(f.open[uri]) > 0
	if f.open == nil {
		f.open = map[string][]ask.ReviewFinding{}
	}
	if f.open[uri] = list; len(list) == 0 {
		delete(f.open, uri)
	}
	return had
}

// follow moves a document's findings along with edits. A finding about changed
// text is removed; removed reports whether there was one.
func (f *findings) follow(uri string, steps []workspace.Step) (left []ask.ReviewFinding, removed bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	before := f.open[uri]
	if len(before) == 0 {
		return nil, false
	}
	left = slices.Clone(before)
	for _, step := range steps {
		e := step.Edit
		left = slices.DeleteFunc(left, func(r ask.ReviewFinding) bool {
			return touches(e, r.Span)
		})
		for i := range left {
			if left[i].Span.Start >= e.End {
				left[i].Span.Start += e.Delta()
				left[i].Span.End += e.Delta()
			}
		}
	}
	f.open[uri] = left
	if len(left) == 0 {
		delete(f.open, uri)
	}
	return left, len(left) < len(before)
}

// touches reports whether an edit changes a span's lines: whole lines inserted
// directly before or after it do not.
func touches(e edits.Edit, s edits.Span) bool {
	switch {
	case e.Start > s.End || s.Start > e.End:
		return false
	case e.Len() > 0 || e.New == "":
		return true
	case e.Start == s.End:
		return e.New[0] != '\n' && e.New[0] != '\r'
	}
	return e.Start != s.Start || !strings.HasSuffix(e.New, "\n")
}

// publish shows a document's findings as diagnostics.
func (r *reviews) publish(o *workspace.Overlay, list []ask.ReviewFinding) {
	out := make([]map[string]any, 0, len(list))
	for _, f := range list {
		if !f.Span.Valid(o.Text.Len()) {
			continue
		}
		d := map[string]any{
			"range": r.enc.spanRange(o.Text, f.Span), "severity": severityNumber(f.Severity),
			"source": "tandem", "message": inert.Message(f.Message),
		}
		if f.Code != "" {
			d["code"] = f.Code
		}
		if f.Fix != "" {
			d["data"] = map[string]any{"fix": f.Fix}
		}
		out = append(out, d)
	}
	r.send(o.URI, map[string]any{"uri": o.URI, "version": o.Version, "diagnostics": out})
}

func (r *reviews) send(uri string, params map[string]any) {
	r.notifications.put("review "+uri, protocol.MethodTextDocumentPublishDiagnostics, func() any { return params })
}

// changed moves the findings along with the text.
func (r *reviews) changed(o *workspace.Overlay, steps []workspace.Step) {
	if left, removed := r.findings.follow(o.URI, steps); removed {
		r.publish(o, left)
	}
}

// closed removes the findings of a closed document.
func (r *reviews) closed(uri string) {
	if r.findings.set(uri, nil) {
		r.send(uri, map[string]any{"uri": uri, "diagnostics": []any{}}) // it has no version any more
	}
}

type reviewArgs struct {
	placeArgs
	Diff string `json:"diff"`
	Lane string `json:"lane"`
}

func (r *reviews) reviewCommand(ctx context.Context, inv *invocation, a *reviewArgs) (any, error) {
	uris := []string{cmp.Or(a.uri(), inv.stringArg(0))}
	if uris[0] == "" {
		uris = nil
		for _, o := range inv.snap.Overlays() {
			if inv.snap.View(o.URI) != nil {
				uris = append(uris, o.URI)
			}
		}
	}
	if len(uris) == 0 {
		return nil, invalid("No document of the workspace is open; open what to review, or give its uri.")
	}
	ctx, progress := inv.begin(ctx, r.peer, "tandem: review")
	outcome := "failed"
	defer func() { progress.done(outcome) }()
	found, err := r.use.Reviewer.Review(ctx, inv.snap, ask.ReviewRequest{URIs: uris, Diff: a.Diff, Lane: model.Lane(a.Lane)})
	if err != nil && len(found.Findings) == 0 {
		return nil, err
	}
	for _, uri := range uris {
		r.storeFindings(inv.snap, uri, found.Findings)
	}
	outcome = terms.Counted(len(found.Findings), "finding")
	result := map[string]any{"findings": len(found.Findings)}
	if interrupted(result, found.End); !found.End.Whole() {
		r.report(protocol.MessageTypeWarning, "tandem: "+found.End.Sentence())
	}
	return result, err
}

// saved reviews a document that was saved. A failure is logged but
// not shown as a message: the user did not ask for this review.
func (r *reviews) saved(ctx context.Context, snap *workspace.Snapshot, uri string) {
	found, err := r.use.Reviewer.Review(ctx, snap, ask.ReviewRequest{URIs: []string{uri}})
	if err != nil {
		r.log.Info("no review on save", "document", uri, "reason", err.Error())
		return
	}
	r.storeFindings(snap, uri, found.Findings)
}

// storeFindings publishes a review's findings for a document, if its text is
// still the one that was read.
func (r *reviews) storeFindings(snap *workspace.Snapshot, uri string, all []ask.ReviewFinding) {
	read, ok := snap.Overlay(uri)
	now, still := r.session.Snapshot().Overlay(uri)
	if !ok || !still {
		return
	}
	if read.Generation != now.Generation || read.Revision != now.Revision {
		r.log.Info("review dropped: the text has changed", "document", uri)
		return
	}
	ofDocument := slices.DeleteFunc(slices.Clone(all), func(f ask.ReviewFinding) bool { return f.URI != now.URI })
	r.findings.set(now.URI, ofDocument)
	r.publish(now, ofDocument)
}
