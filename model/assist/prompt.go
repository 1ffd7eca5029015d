package assist

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model"
	"tandem/workspace"
	"tandem/workspace/redact"
)

// A question is what a use case asks a model, before the window is built.
type question struct {
	kind        model.Kind
	lane        model.Lane
	uri         string
	span        edits.Span // the selection or region; empty at a cursor
	request     string     // the user's own text
	diff        string
	earlier     []string // messages of the last commits
	diagnostics []workspace.Diagnostic
	history     []model.Message
	previous    *workspace.Window // the window before this one of the same document; nil: none

	words  string             // what chooses the context; "" is request
	budget int                // of tokens of context; 0 is the kind's
	config *model.ModelConfig // of the model to ask; nil is the lane's
	agent  string             // instructions besides those of the kind
	named  *string            // the file that the user's own request names; nil is that of uri
}

// A request is a question rendered for a model, with the secrets that its placeholders
// stand for.
type request struct {
	*model.Request
	format  edits.Format
	secrets *redact.Redactor // holds what was hidden in the window
	seen    map[string]*seen // what the window shows, by path
	window  *workspace.Window
	named   string // the one file that may be changed although it is protected
}

// prompt builds the window for a question and renders the request for the lane's
// model, so that the whole never exceeds the model's window.
func (c *core) prompt(ctx context.Context, snap *workspace.Snapshot, q question) (*request, error) {
	cfg, ok := c.configOf(q)
	if q.config != nil {
		cfg, ok = *q.config, true
	}
	if !ok {
		return nil, c.needsModel(whatNeedsModel(q.kind))
	}
	p := model.Prompt{Kind: q.kind, Request: q.request, History: q.history, CacheKey: cacheKey(snap, q)}
	p.Diff, p.Earlier = q.diff, q.earlier
	for _, d := range q.diagnostics {
		p.Diagnostics = append(p.Diagnostics, diagnosticLine(snap, q.uri, d))
	}
	other := otherTokens(cfg, p)
	budget := model.WindowBudget(q.lane, cfg, q.kind, cmp.Or(q.budget, c.Budget(q.kind.Window())), other)
	most := 0
	if q.kind == model.KindAsk || q.kind == model.KindDebug {
		most = model.WindowBudget(q.lane, cfg, q.kind, max(c.Budget("ask_max"), budget), other)
	}
	if q.cites() {
		budget -= budget / numberShare
		most -= most / numberShare
	}
	w, err := workspace.Build(ctx, snap, workspace.WindowRequest{
		URI: q.uri, Span: q.span, Budget: budget, Most: most, Purpose: q.kind.Window(), Words: cmp.Or(q.words, q.request), Diff: q.diff,
		Counter: model.Counter(cfg), Dependencies: c.Dependencies, Search: c.Search, Previous: q.previous,
	})
	if err != nil {
		return nil, q.tooLarge(err)
	}
	p.Window, p.Before, p.Selected, p.After = w.Context(), w.Before, w.Selected, w.After
	if q.uri != "" {
		p.Path = snap.Name(q.uri)
	}
	if q.cites() && p.Path != "" {
		p.Before, p.Selected, p.After = numbered(regionStart(w), w.Before, w.Selected, w.After)
	}
	req, err := model.Render(cfg, p)
	if err != nil {
		return nil, err
	}
	req.ID = c.newID("r")
	if q.agent != "" {
		req.Instructions += "\n\n" + q.agent
	}
	ask := &request{Request: req, format: edits.Format(model.EditFormat(cfg)), secrets: w.Secrets, seen: seenIn(w), window: w, named: snap.Name(q.uri)}
	if q.named != nil {
		ask.named = *q.named
	}
	if q.kind.Edits() && q.kind != model.KindNextEdit && ask.format == edits.FormatRewrite {
		if err := ask.refuseCut(snap, q); err != nil {
			return nil, err
		}
	}
	return ask, nil
}

// configOf describes the model that a question goes to.
func (c *core) configOf(q question) (model.ModelConfig, bool) {
	if p := q.kind.Purpose(); q.lane == model.Fast && (p == model.Complete || p == model.NextEdit) {
		return c.Models.ConfigFor(p)
	}
	return c.Models.Config(q.lane)
}

// whatNeedsModel describes a kind of question for an error message.
func whatNeedsModel(k model.Kind) string {
	switch k.Purpose() {
	case model.Edit:
		return "edit as an instruction says"
	case model.Ask:
		return "answer this question"
	case model.Review:
		return "review"
	case model.Task:
		return "run a deep task"
	}
	return "do this"
}

// numberShare is the divisor of the part of a budget that line numbers may use.
const numberShare = 6

// cites reports whether the answer has to name places of the document.
func (q question) cites() bool {
	switch q.kind {
	case model.KindAsk, model.KindExplain, model.KindReview, model.KindHover:
		return true
	}
	return false
}

// regionStart returns the first line of the window's region.
func regionStart(w *workspace.Window) int {
	for _, f := range w.Fragments {
		if f.Kind == workspace.FragmentCursor {
			return f.StartLine
		}
	}
	return 1
}

// numbered puts the line number before every line of a region in three parts.
func numbered(line int, above, chosen, below string) (before, selected, after string) {
	out := [3]string{}
	start := true
	for i, part := range [3]string{above, chosen, below} {
		var b strings.Builder
		for text := range strings.Lines(part) {
			if start {
				fmt.Fprintf(&b, "%d\t", line)
			}
			b.WriteString(text)
			if start = strings.HasSuffix(text, "\n"); start {
				line++
			}
		}
		out[i] = b.String()
	}
	return out[0], out[1], out[2]
}

// otherTokens returns the tokens of a prompt besides its window. The user's text is
// never cut.
func otherTokens(cfg model.ModelConfig, p model.Prompt) int {
	count := model.Counter(cfg)
	n := count.Count(p.Request) + count.Count(p.Diff) + wrapping
	for _, m := range p.History {
		n += count.Count(m.Text) + perMessage
	}
	for _, line := range slices.Concat(p.Diagnostics, p.Earlier) {
		n += count.Count(line) + perMessage
	}
	return n
}

// Upper estimates of the tokens of a prompt's tags.
const (
	wrapping   = 96
	perMessage = 8
)

// cacheKey is stable for a workspace and a language, so that a provider routes
// requests that share a prefix to the same cache.
func cacheKey(snap *workspace.Snapshot, q question) string {
	folder, language := "", ""
	if v := snap.View(q.uri); v != nil {
		folder = v.Name()
	}
	if o, ok := snap.Overlay(q.uri); ok {
		language = o.Language
	}
	return strings.Trim("tandem-"+folder+"-"+language, "-")
}

// diagnosticLine formats a diagnostic as a compiler prints it.
func diagnosticLine(snap *workspace.Snapshot, uri string, d workspace.Diagnostic) string {
	line := 0
	if f, err := snap.File(uri); err == nil {
		line = f.Raw().LineOf(min(d.Span.Start, f.Raw().Len())) + 1
	}
	return fmt.Sprintf("%s:%d: %s: %s", snap.Name(uri), line, d.Severity, d.Message)
}

// restore replaces the placeholders in the model's answer by the original bytes.
func (r *request) restore(text string) string { return r.secrets.Map().Restore(text) }
