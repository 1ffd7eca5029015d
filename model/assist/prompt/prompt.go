package prompt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/model/conversation"
	"tandem/workspace"
	"tandem/workspace/redact"
	"tandem/workspace/window"
)

// A Question is what a use case asks a model, before the window is built.
type Question struct {
	Kind        model.Kind
	Lane        model.Lane
	URI         string
	Span        edits.Span  // the selection or region; empty at a cursor
	Request     redact.Text // what is wanted
	Diff        redact.Text
	Earlier     []redact.Text // messages of the last commits
	Diagnostics []workspace.Diagnostic
	Record      conversation.Record // what was shown and said before
	Previous    *window.Window      // the window before this one of the same document; nil: none

	Words  string             // the user's words, which choose the context
	Budget int                // of tokens of context; 0 is the kind's
	Config *model.ModelConfig // of the model to ask; nil is the lane's
	Agent  string             // instructions besides those of the kind

	marked bool // the selection alone is asked for, whole
}

// A Request is a request rendered for a model, with the secrets that its placeholders
// stand for.
type Request struct {
	*model.Request
	Format  edits.Format
	Secrets *redact.Redactor    // of the conversation
	Seen    map[string]*Seen    // what the conversation shows, by path
	Record  conversation.Record // with what this request adds to it
	Anew    string              // why the conversation began anew, as a clause; "" if it did not
	Window  *window.Window
}

// Prompt builds the window for a question and renders the request for the lane's
// model, so that the whole never exceeds the model's window. A question that belongs to a
// conversation adds to it what its words need and the record does not hold. A model that holds no
// conversation gets the last turn with each question.
func (m *Maker) Prompt(ctx context.Context, snap *workspace.Snapshot, q Question) (*Request, error) {
	cfg, ok := m.configOf(q)
	if q.Config != nil {
		cfg, ok = *q.Config, true
	}
	if !ok {
		return nil, m.NeedsModel(whatNeedsModel(q.Kind))
	}
	if q.Record.Secrets == nil && q.Previous != nil {
		q.Record.Secrets = q.Previous.Secrets
	}
	if q.Record.Secrets == nil {
		q.Record.Secrets = &redact.Redactor{}
	}
	switch {
	case q.Record.Len() == 0:
		return m.turn(ctx, snap, q, cfg)
	case model.Rewrites(cfg) || model.Small(cfg):
		return m.turn(ctx, snap, q.anew(1), cfg)
	case q.Record.Stale(textIn(snap)):
		return m.anew(ctx, snap, q, cfg, "too much of the code that it showed has changed")
	}
	req, err := m.turn(ctx, snap, q, cfg)
	if full := (*fullError)(nil); errors.As(err, &full) {
		return m.anew(ctx, snap, q, cfg, "it had as much as the model is shown at once")
	}
	return req, err
}

// lastTurns are those that a conversation begins anew with.
const lastTurns = 3

// anew lets the question begin another conversation, with the last turns of its own and the code
// that their words need.
func (q Question) anew(turns int) Question {
	q.Record = q.Record.Anew(turns)
	q.Words = strings.Join(append(q.Record.Words(), q.Words), "\n")
	return q
}

func (m *Maker) anew(ctx context.Context, snap *workspace.Snapshot, q Question, cfg model.ModelConfig, why string) (*Request, error) {
	req, err := m.turn(ctx, snap, q.anew(lastTurns), cfg)
	if err == nil {
		req.Anew = "the conversation began anew, since " + why
	}
	return req, err
}

// A fullError says that a conversation has no room for another turn.
type fullError struct{ error }

// followShare is the divisor of a budget for what a further question of a conversation adds, and
// boundShare how many budgets a conversation may have in all.
const (
	followShare = 8
	boundShare  = 4
)

// selectedShare is the divisor of a budget for the part that a selection may have of it: a larger
// one is shown whole besides it, as far as the model's window goes.
const selectedShare = 2

// named is how many tokens, as a model's server counts, the text has that an edit would write
// again or a question is about: the selection, or the document of an edit without one.
func (q Question) named(snap *workspace.Snapshot, cfg model.ModelConfig) int {
	f, err := snap.File(q.URI)
	switch span := q.Span; {
	case err != nil || q.Kind == model.KindComplete || q.Kind == model.KindNextEdit:
	case span.Len() > 0 && span.Valid(f.Raw().Len()):
		return model.Sized(cfg, f.Raw().Slice(span))
	case span.Len() == 0 && q.Kind.Edits() && model.Rewrites(cfg):
		return model.Sized(cfg, f.Content())
	}
	return 0
}

// turn renders a question behind what its conversation holds.
func (m *Maker) turn(ctx context.Context, snap *workspace.Snapshot, q Question, cfg model.ModelConfig) (*Request, error) {
	secrets, held := q.Record.Secrets, holdings{}
	if q.Kind.Converses() {
		held = q.holdings(snap)
	}
	named := q.named(snap, cfg)
	if model.Rewrites(cfg) && !model.Writes(cfg, named) {
		cfg.EditFormat = string(edits.FormatSearchReplace)
	}
	if q.marked = q.marksPart(snap) && model.Rewrites(cfg); q.marked {
		cfg.EditFormat, q.Budget = string(edits.FormatRewrite), q.partBudget(snap, cfg)
	}
	p := model.Prompt{Kind: q.Kind, Marked: q.marked, Request: q.Request, History: conversation.Render(q.Record, cfg).Messages, CacheKey: secrets.Redact(cacheKey(snap, q))}
	p.Diff, p.Earlier, p.Beside = q.Diff, q.Earlier, m.besideOf(q)
	for _, d := range q.Diagnostics {
		p.Diagnostics = append(p.Diagnostics, DiagnosticLine(secrets, snap, q.URI, d))
	}
	room := m.roomFor(q, cfg, p, held, named)
	w, err := window.Build(ctx, snap, m.windowFor(snap, q, cfg, held, room))
	switch {
	case err != nil && held.lines != nil && room.window < window.MinBudget:
		return nil, &fullError{err}
	case err != nil:
		return nil, q.tooLarge(cfg, err)
	}
	p.Window, p.Before, p.Selected, p.After = redact.Join("", held.changed, w.Context()), w.Before, w.Selected, w.After
	p.Files, p.Repository = model.FilesOf(w), secrets.Redact(folderName(snap, q.URI))
	if q.URI != "" && !held.place {
		p.Path = secrets.Redact(snap.Name(q.URI))
	}
	if q.cites() && p.Path.Len() > 0 {
		p.Before, p.Selected, p.After = numbered(regionStart(w), w.Before, w.Selected, w.After)
	}
	req, err := model.Render(cfg, p)
	if err != nil && held.lines != nil {
		return nil, &fullError{err}
	}
	if err != nil {
		return nil, err
	}
	req.ID = m.NewID("r")
	if q.Agent != "" {
		req.Instructions = redact.Join("\n\n", req.Instructions, secrets.User(q.Agent, false))
	}
	out := &Request{Request: req, Format: edits.Format(model.EditFormat(cfg)), Secrets: secrets, Window: w}
	if q.Kind == model.KindComplete {
		return out, nil
	}
	out.Record = q.Record.With(items(cfg.Provider, req.Input[len(p.History):], q.Request, append(held.again, piecesOf(snap, w)...))...)
	rendered := conversation.Render(out.Record, cfg)
	switch {
	case held.lines == nil:
		out.Record.Bound = max(room.conversation, rendered.Tokens+room.conversation/boundShare)
	case rendered.Over:
		return nil, &fullError{errors.New("the conversation is full")}
	}
	out.Seen = seenOf(out.Record, textIn(snap))
	if q.Kind.Edits() && q.Kind != model.KindNextEdit && out.Format == edits.FormatRewrite {
		if err := out.refuseCut(snap, q); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// A room is how many tokens a question has.
type room struct {
	window       int // for the code that is shown
	most         int // for the code, as far as it grows for what the words name
	conversation int // for all turns
}

// roomFor shares a model's window out: the turn's other parts are never cut.
func (m *Maker) roomFor(q Question, cfg model.ModelConfig, p model.Prompt, held holdings, named int) room {
	configured := cmp.Or(q.Budget, m.Budget(q.Kind.Window()))
	r := room{conversation: boundShare*configured + held.tokens(cfg) + named}
	if held.lines != nil {
		configured = max(configured/followShare, window.MinBudget)
	}
	if q.Span.Len() > 0 && q.Budget == 0 && named > configured/selectedShare {
		configured += named + named/8
	}
	other := otherTokens(cfg, p) + model.Counter(cfg).Count(held.changed.String())
	r.window = model.WindowBudget(q.Lane, cfg, q.Kind, configured, other)
	if q.Kind == model.KindAsk || q.Kind == model.KindDebug {
		r.most = model.WindowBudget(q.Lane, cfg, q.Kind, max(m.Budget("ask_max"), r.window), other)
	}
	if q.cites() {
		r.window -= r.window / numberShare
		r.most -= r.most / numberShare
	}
	return r
}

// windowFor is the window that a question asks for.
func (m *Maker) windowFor(snap *workspace.Snapshot, q Question, cfg model.ModelConfig, held holdings, r room) window.Request {
	ask := window.Request{
		URI: q.URI, Span: q.Span, Budget: r.window, Most: r.most, Purpose: q.Kind.Window(), Words: q.Words, Diff: q.Diff.String(),
		Counter: model.Counter(cfg), Search: m.Search, Previous: q.Previous, Secrets: q.Record.Secrets, Held: held.lines, Alone: q.marked && model.Small(cfg),
	}
	if held.place {
		ask.URI, ask.Span = folderOf(snap, q.URI), edits.Span{}
	}
	if q.Kind == model.KindComplete {
		language := ""
		if o, ok := snap.Overlay(q.URI); ok {
			language = o.Language
		}
		within(&ask, cfg, core.InTime(m.Models, m.Wanted.Preferences(language)))
		ask.Alone = !model.ReadsOthers(cfg) || r.window < leastShared
	}
	return ask
}

// besideOf is what a question or an edit is told of work in the background; a task's own requests know.
func (m *Maker) besideOf(q Question) redact.Text {
	if purpose := q.Kind.Purpose(); m.Beside == nil || purpose != model.Edit && purpose != model.Ask {
		return redact.Text{}
	}
	return m.Beside(q.Record.Secrets)
}

// items are the messages that a question adds to its conversation.
func items(host string, added []model.Message, words redact.Text, shown []conversation.Piece) (out []conversation.Item) {
	now := time.Now()
	for _, m := range added {
		out = append(out, conversation.Item{Kind: conversation.Shown, Role: m.Role, Text: m.Text, Host: host, At: now})
	}
	last := &out[len(out)-1]
	last.Kind, last.Words, last.Shown = conversation.Asked, words, shown
	return out
}

// leastShared is the smallest window of a completion, in tokens, in which other files have a
// part: in a smaller one they would take the lines around the cursor.
const leastShared = 800

// within bounds a completion's window by what the model's server can read in time. A suffix
// behind the prefix is read again at each key; one before it stays in the server's cache.
func within(ask *window.Request, cfg model.ModelConfig, can model.InTime) {
	ask.Fresh, ask.Key = can.Window, can.Key
	if fim := model.FIMOf(cfg); fim != nil && !fim.SuffixFirst {
		ask.After = can.Key * 2 / 3
	}
}

// mostMarked bounds, in lines, what a small model is asked to write again.
const mostMarked = 200

// marksPart reports whether a question is about a marked text that is short enough to be
// written again, and about nothing else.
func (q Question) marksPart(snap *workspace.Snapshot) bool {
	switch q.Kind {
	case model.KindEdit, model.KindFix, model.KindDocument:
	default:
		return false
	}
	f, err := snap.File(q.URI)
	return err == nil && q.Span.Len() > 0 && q.Span.Valid(f.Raw().Len()) && strings.Count(f.Raw().Slice(q.Span), "\n") <= mostMarked
}

// PartAt are the lines of the function around a place, or of a short file: what a model that
// writes parts whole is asked for where nothing is selected. It is empty where both are longer
// than such a model can write again.
func PartAt(snap *workspace.Snapshot, uri string, at int) (part edits.Span) {
	f, err := snap.File(uri)
	if err != nil {
		return part
	}
	text := f.Raw()
	if view := snap.View(uri); view != nil {
		file, known := view.FileID(uri)
		for _, d := range slices.Backward(view.Index().Enclosing(file, text.LineOf(at)+1)) {
			if known && d.Kind.IsFunc() && d.EndLine <= text.LineCount() && d.EndLine-d.StartLine < mostMarked {
				return edits.Span{Start: text.LineStart(d.StartLine - 1), End: text.LineEnd(d.EndLine - 1)}
			}
		}
	}
	if text.LineCount() <= mostMarked {
		part.End = text.Len()
	}
	return part
}

// aroundPart is how many tokens a small model gets besides the marked text.
const aroundPart = 400

func (q Question) partBudget(snap *workspace.Snapshot, cfg model.ModelConfig) int {
	f, err := snap.File(q.URI)
	if err != nil {
		return 0
	}
	return 2*model.Counter(cfg).Count(f.Raw().Slice(q.Span)) + aroundPart
}

// configOf describes the model that a question goes to.
func (m *Maker) configOf(q Question) (model.ModelConfig, bool) {
	if p := q.Kind.Purpose(); q.Lane == model.Fast && (p == model.Complete || p == model.NextEdit) {
		return m.Models.ConfigFor(p)
	}
	return m.Models.Config(q.Lane)
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
func (q Question) cites() bool {
	switch q.Kind {
	case model.KindAsk, model.KindExplain, model.KindReview, model.KindHover:
		return true
	}
	return false
}

// regionStart returns the first line of the window's region.
func regionStart(w *window.Window) int {
	for _, f := range w.Fragments {
		if f.Kind == window.FragmentCursor {
			return f.StartLine
		}
	}
	return 1
}

// numbered puts the line number before every line of a region in three parts.
func numbered(line int, above, chosen, below redact.Text) (before, selected, after redact.Text) {
	out := [3]redact.Text{}
	start := true
	for i, part := range [3]redact.Text{above, chosen, below} {
		var lines []redact.Text
		for text := range part.Lines() {
			if start {
				lines = append(lines, redact.Format("%s\t", redact.Int(line)))
			}
			lines = append(lines, text)
			if start = strings.HasSuffix(text.String(), "\n"); start {
				line++
			}
		}
		out[i] = redact.Join("", lines...)
	}
	return out[0], out[1], out[2]
}

// otherTokens returns the tokens of a prompt besides its window. The user's text is
// never cut.
func otherTokens(cfg model.ModelConfig, p model.Prompt) int {
	count := model.Counter(cfg)
	n := count.Count(p.Request.String()) + count.Count(p.Diff.String()) + count.Count(p.Beside.String()) + wrapping
	for _, m := range p.History {
		n += count.Count(m.Text.String()) + perMessage
	}
	for _, line := range slices.Concat(p.Diagnostics, p.Earlier) {
		n += count.Count(line.String()) + perMessage
	}
	return n
}

// Upper estimates of the tokens of a prompt's tags.
const (
	wrapping   = 96
	perMessage = 8
)

// cacheKey is stable for a workspace, and for what is typed in a language, so that a provider
// routes requests that share a prefix to the same cache.
func cacheKey(snap *workspace.Snapshot, q Question) string {
	key := "tandem-" + folderName(snap, folderOf(snap, q.URI))
	if o, ok := snap.Overlay(q.URI); ok && !q.Kind.Converses() {
		key += "-" + o.Language
	}
	return strings.Trim(key, "-")
}

// folderOf is the root of the folder that holds a document, or of the first one.
func folderOf(snap *workspace.Snapshot, uri string) string {
	if v := snap.View(uri); v != nil {
		return v.Root
	}
	if views := snap.Views(); len(views) > 0 {
		return views[0].Root
	}
	return ""
}

// folderName is the name of the workspace folder that holds a document, or "".
func folderName(snap *workspace.Snapshot, uri string) string {
	if v := snap.View(uri); v != nil {
		return v.Name()
	}
	return ""
}

// DiagnosticLine formats a diagnostic as a compiler prints it.
func DiagnosticLine(r *redact.Redactor, snap *workspace.Snapshot, uri string, d workspace.Diagnostic) redact.Text {
	line := 0
	if f, err := snap.File(uri); err == nil {
		line = f.Raw().LineOf(min(d.Span.Start, f.Raw().Len())) + 1
	}
	return r.Redact(fmt.Sprintf("%s:%d: %s: ", snap.Name(uri), line, d.Severity)+d.Message, snap.SecretsNear(uri, d.Span)...)
}

// DiagnosticMessage is the message of a diagnostic about a document.
func DiagnosticMessage(r *redact.Redactor, snap *workspace.Snapshot, uri string, d workspace.Diagnostic) redact.Text {
	return r.Redact(d.Message, snap.SecretsNear(uri, d.Span)...)
}

// Restore replaces the placeholders in the model's answer by the original bytes.
func (r *Request) Restore(text string) string { return r.Secrets.Restore(text) }
