package lsp

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"tandem/edits"
	"tandem/lsp/client"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/workspace"
)

// The kinds of code action, as editors group them.
const (
	kindQuickFix = "quickfix"
	kindRewrite  = "refactor.rewrite"
	kindRefactor = client.KindRefactor
	kindAnswer   = client.KindAnswer
)

// actionKinds are the kinds of the actions that a client is offered.
func actionKinds(c *client.Client) []string {
	list := []string{kindQuickFix, kindRewrite, kindRefactor}
	if kind := c.KindOf(kindAnswer); !slices.Contains(list, kind) {
		list = append(list, kind)
	}
	return list
}

// automatic is the trigger of a menu that nobody has opened: the editor wants to know
// whether to show a lightbulb.
const automatic = 2

// actions offer what can be done at a place: as code actions, and as lenses.
type actions struct{ *scope }

type codeActionParams struct {
	TextDocument versionedID `json:"textDocument"`
	Range        wireRange   `json:"range"`
	Context      struct {
		Diagnostics []wireDiagnostic `json:"diagnostics"`
		Only        []string         `json:"only"`
		TriggerKind int              `json:"triggerKind"`
	} `json:"context"`
}

// A codeAction is an entry of the editor's menu. Its command has all arguments: an editor may
// drop what it would need to resolve them while the user chooses.
type codeAction struct {
	Title       string           `json:"title"`
	Kind        string           `json:"kind"`
	Diagnostics []wireDiagnostic `json:"diagnostics,omitzero"`
	IsPreferred bool             `json:"isPreferred,omitzero"`
	Command     *command         `json:"command,omitzero"`
	Edit        *workspaceEdit   `json:"edit,omitzero"`
	Data        *acceptArgs      `json:"data,omitzero"` // of a proposal whose edit is asked for when it was chosen
}

func (a *actions) codeActions(_ context.Context, p *codeActionParams) (any, error) {
	snap := a.session.Snapshot()
	o, err := openDocument(snap, p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	span := a.enc.rangeSpan(o.Text, p.Range)
	if a.asksForText() {
		a.use.Completer.ReadAhead(snap, core.Place{URI: o.URI, Offset: span.End}, false) // editors ask where the cursor comes to
	}
	reported := a.diagnostics(o, p.Context.Diagnostics)
	a.noteDiagnostics(o, reported, span)
	m := menu{scope: a.scope, o: o, p: p}
	m.proposals(a.use.Editor.Live(o.URI))
	m.quick(reported)
	if m.hasModel() {
		m.fixes(reported)
		if p.Context.TriggerKind != automatic {
			m.edits(span)
		}
	}
	return m.offer(), nil
}

// hasModel reports whether a lane has a model, which all but the built-in fixes need.
func (m *menu) hasModel() bool {
	return slices.ContainsFunc(m.use.Engine.State().Lanes, func(l model.LaneStatus) bool {
		return l.State != model.LaneBuiltIn
	})
}

// A menu collects the actions for one place.
type menu struct {
	*scope
	o    *workspace.Overlay
	p    *codeActionParams
	list []codeAction
}

// add offers a command at the menu's place.
func (m *menu) add(kind, title, name string, more map[string]any) *codeAction {
	args := map[string]any{"uri": m.o.URI, "range": m.p.Range}
	maps.Copy(args, more)
	m.list = append(m.list, codeAction{Title: title, Kind: kind, Command: &command{title, name, []any{args}}})
	return &m.list[len(m.list)-1]
}

// proposals offers what can become of the document's pending proposals. Clients that show
// proposals have that in a view of their own; lenses may be hidden, so they change nothing here.
func (m *menu) proposals(list []*edit.Proposal) {
	if m.client.Wants().Proposals {
		return
	}
	for _, p := range list {
		if title, accepted := acceptance(p); title != "" {
			m.offerAcceptance(p, title, accepted)
			if n, of := m.nearestHunk(p); of > 1 {
				accepted.Hunk = &n
				m.offerAcceptance(p, fmt.Sprintf("Accept this change (%d of %d)", n+1, of), accepted)
			}
		}
		if places := p.Broken(); places != "" {
			m.add(kindQuickFix, "Complete the change at "+places+" that it breaks", "tandem.completeChange", map[string]any{"id": p.ID})
		}
		m.add(kindQuickFix, "Show: "+clipLine(p.Title), "tandem.show", map[string]any{"id": p.ID})
		m.add(kindQuickFix, "Reject: "+clipLine(p.Title), "tandem.reject", map[string]any{"id": p.ID})
	}
}

// offerAcceptance offers to accept a proposal or a hunk: by the command that judges and applies it, or
// where only an action's own edit reaches the text, by that edit.
func (m *menu) offerAcceptance(p *edit.Proposal, title string, accepted acceptArgs) {
	name := "tandem.accept"
	if accepted.Hunk != nil {
		name = "tandem.acceptHunk"
	}
	a := codeAction{Title: title, Kind: kindQuickFix}
	verdict := p.Judged()
	a.IsPreferred = accepted.Hunk == nil && !verdict.Failed() && !verdict.Cut()
	switch {
	case !m.client.AcceptsByAction():
		a.Command = &command{title, name, []any{accepted}}
	case m.client.ResolvesEdits():
		a.Data = &accepted
	default:
		changes, err := m.pendingEdit(p.ID, accepted.hunk())
		if err != nil {
			m.log.Info("a proposal is not offered", "reason", err.Error())
			return
		}
		if a.Edit = &changes; !verdict.Passed() && !accepted.Force {
			a.Title += " (not judged: " + clipLine(verdict.Reason()) + ")"
		}
	}
	m.list = append(m.list, a)
}

// pendingEdit is the edit of an action that accepts a proposal or a hunk of it, with the verdict as it is.
func (s *scope) pendingEdit(id string, hunk int) (workspaceEdit, error) {
	list, err := s.use.Editor.Pending(s.session.Snapshot(), id, hunk)
	if err != nil {
		return workspaceEdit{}, err
	}
	return s.workspaceEdit(list...)
}

// nearestHunk is the number of a proposal's hunk that is nearest to the menu's place, counted over
// all files from 0, and how many hunks there are.
func (m *menu) nearestHunk(p *edit.Proposal) (nearest, all int) {
	least := -1
	for i, f := range p.Files {
		for _, h := range f.Hunks() {
			away := h.FirstLine - int(m.p.Range.Start.Line)
			if away = max(away, -away); p.Documents[i] == m.o.URI && (least < 0 || away < least) {
				nearest, least = all, away
			}
			all++
		}
	}
	return nearest, all
}

// fixes offers to fix each problem, and all of its kind in the document.
func (m *menu) fixes(reported []workspace.Diagnostic) {
	for i, d := range reported {
		wire := m.p.Context.Diagnostics[i]
		a := m.add(kindQuickFix, "Fix with tandem: "+clipLine(d.Message), "tandem.fix",
			map[string]any{"range": wire.Range, "diagnostics": []wireDiagnostic{bare(wire)}})
		a.Diagnostics = []wireDiagnostic{wire}
		same := m.sameKind(d)
		if len(same) > 1 && !slices.ContainsFunc(reported[:i], func(o workspace.Diagnostic) bool { return sameKind(o, d) }) {
			a := m.add(kindQuickFix, fmt.Sprintf("Fix with tandem: all %d of this kind", len(same)), "tandem.fix",
				map[string]any{"range": m.whole(same), "diagnostics": m.wire(same), "all": true})
			a.Diagnostics = []wireDiagnostic{wire}
		}
	}
}

// sameKind are the document's problems of one kind.
func (m *menu) sameKind(d workspace.Diagnostic) []workspace.Diagnostic {
	var out []workspace.Diagnostic
	for _, o := range m.session.Snapshot().Diagnostics(m.o.URI) {
		if sameKind(o, d) && o.Span.Valid(m.o.Text.Len()) {
			out = append(out, o)
		}
	}
	return out
}

func sameKind(a, b workspace.Diagnostic) bool {
	if a.Code != "" || b.Code != "" {
		return a.Source == b.Source && a.Code == b.Code
	}
	return a.Source == b.Source && a.Message == b.Message
}

// whole is the range from the first to the last of some problems.
func (m *menu) whole(list []workspace.Diagnostic) wireRange {
	span := list[0].Span
	for _, d := range list {
		span.Start, span.End = min(span.Start, d.Span.Start), max(span.End, d.Span.End)
	}
	return m.enc.spanRange(m.o.Text, span)
}

func (m *menu) wire(list []workspace.Diagnostic) []wireDiagnostic {
	out := make([]wireDiagnostic, len(list))
	for i, d := range list {
		out[i] = wireDiagnostic{
			Range: m.enc.spanRange(m.o.Text, d.Span), Source: d.Source, Message: d.Message,
			Severity: severity(d.Severity), Code: codeOf(d.Code),
		}
	}
	return out
}

// edits offers the actions that do not depend on a diagnostic.
func (m *menu) edits(span edits.Span) {
	selected := m.o.Text.Slice(span)
	single := utf8.RuneCountInString(selected) == 1
	cursor := single && m.client.SelectsCursor()
	if instruction := instructionAt(m.o.Text, span); instruction != "" && !cursor {
		m.add(kindRewrite, "Edit with tandem: "+clipLine(instruction), "tandem.edit", map[string]any{"instruction": instruction})
		m.add(kindRefactor, "Escalate to the deep model: "+clipLine(instruction), "tandem.escalate", map[string]any{"instruction": instruction})
	}
	if selected != "" && !single {
		const simplify = "Simplify this code without changing what it does."
		m.add(kindRewrite, "Simplify with tandem", "tandem.edit", map[string]any{"instruction": simplify})
		m.add(kindRefactor, "Escalate to the deep model: simplify", "tandem.escalate", map[string]any{"instruction": simplify})
	}
	if m.client.Wants().Proposals { // it asks for the instruction
		m.add(kindRewrite, "Edit with tandem…", "tandem.edit", nil)
	}
	m.add(kindRewrite, "Document with tandem", "tandem.document", nil)
	m.add(kindRefactor, "Write a test with tandem", "tandem.test", nil)
	m.add(kindAnswer, "Explain with tandem", "tandem.explain", nil)
	m.add(kindAnswer, "Review this file with tandem", "tandem.review", nil)
}

// offer is the menu in the form that the client supports, with the kinds it asked for.
func (m *menu) offer() []any {
	out := []any{}
	for _, a := range m.list {
		if a.Kind = m.client.KindOf(a.Kind); !wanted(a.Kind, m.p.Context.Only) {
			continue
		}
		a.IsPreferred = a.IsPreferred && m.client.MarksPreferred()
		if !m.client.HasActionLiterals() {
			c := a.Command
			c.Title = a.Title
			out = append(out, c)
			continue
		}
		out = append(out, a)
	}
	return out
}

// wanted reports whether a kind is one of those asked for, or below one.
func wanted(kind string, only []string) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(o string) bool {
		return kind == o || o == "" || strings.HasPrefix(kind, o+".")
	})
}

// resolveAction fills in the edit of a proposal that was chosen: it is judged now.
func (a *actions) resolveAction(action *codeAction) (any, work, error) {
	accepted := action.Data
	if accepted == nil {
		return action, nil, nil
	}
	return nil, func(ctx context.Context) (any, error) {
		list, err := a.use.Editor.Accept(ctx, a.session.Snapshot(), accepted.ID, accepted.hunk(), accepted.Force)
		if err != nil {
			return nil, err
		}
		changes, err := a.workspaceEdit(list...)
		if err != nil {
			return nil, err
		}
		action.Edit = &changes
		return action, nil
	}, nil
}

// bare is a diagnostic without the data that only its own server understands.
func bare(d wireDiagnostic) wireDiagnostic {
	d.Data = nil
	return d
}
