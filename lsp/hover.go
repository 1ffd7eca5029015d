package lsp

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"

	"tandem/edits"
	"tandem/lsp/inert"
	"tandem/model/assist/ask"
	"tandem/model/assist/core"
	"tandem/workspace"
	"tandem/workspace/cut"
	"tandem/workspace/terms"
)

const (
	// maxHover is the longest answer that is shown in a hover, in bytes; a
	// longer one opens as a document.
	maxHover = 6 << 10
	// maxAnswers bounds the answers stored for hovering again over a document.
	maxAnswers = 64
)

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

type hoverResult struct {
	Contents markup     `json:"contents"`
	Range    *wireRange `json:"range,omitzero"`
}

// answers are those shown in hovers, stored so that hovering again over the same
// question asks no model, whatever has been typed elsewhere meanwhile: an answer about
// an earlier text is shown as one. They end with the document's life.
type answers struct {
	mu         sync.Mutex            // guards byDocument
	byDocument map[string][]answered // by key of the document, oldest first
}

// An answered question was asked about one text of a document.
type answered struct {
	generation, revision uint64
	question             string
	answer               ask.Answer
}

// get returns the latest answer to a question, and whether it is about the text that
// the document has now.
func (a *answers) get(o *workspace.Overlay, question string) (answer ask.Answer, current, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, one := range slices.Backward(a.byDocument[workspace.Key(o.URI)]) {
		if one.generation == o.Generation && one.question == question {
			return one.answer, one.revision == o.Revision, true
		}
	}
	return ask.Answer{}, false, false
}

func (a *answers) put(o *workspace.Overlay, question string, answer ask.Answer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.byDocument == nil {
		a.byDocument = map[string][]answered{}
	}
	key := workspace.Key(o.URI)
	list := append(a.byDocument[key], answered{o.Generation, o.Revision, question, answer})
	a.byDocument[key] = list[max(0, len(list)-maxAnswers):]
}

// storeAnswer stores an answer about a text of a document that is still open.
func (q *questions) storeAnswer(o *workspace.Overlay, question string, answer ask.Answer) {
	if now, ok := q.session.Snapshot().Overlay(o.URI); ok && now.Generation == o.Generation {
		q.answers.put(o, question, answer)
	}
}

// remove removes the answers about a document.
func (a *answers) remove(uri string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.byDocument, workspace.Key(uri))
}

// hover shows what the index and the history know of a symbol, and asks a model at a
// ?? comment.
func (q *questions) hover(p *placeParams) (any, work, error) {
	snap := q.session.Snapshot()
	o, offset, err := q.document(snap, p)
	if err != nil {
		return nil, nil, err
	}
	if question, span, ok := questionAt(o.Text, o.Text.LineOf(offset)); ok {
		return q.hoverQuestion(snap, o, question, span)
	}
	place := core.Place{URI: o.URI, Offset: offset}
	line := o.Text.LineOf(offset)
	if answer, current, ok := q.answers.get(o, explanationOf(line)); ok && current {
		at := q.enc.spanRange(o.Text, edits.Span{Start: o.Text.LineStart(line), End: o.Text.LineEnd(line)})
		return hoverResult{q.markup(answerText(answer)), &at}, nil, nil
	}
	symbol, ok := q.use.Asker.Symbol(snap, place)
	if reading := readingText(snap); !ok && symbol.Name != "" && reading != "" {
		return hoverResult{Contents: q.markup(reading)}, nil, nil
	}
	if !ok {
		return nil, nil, nil
	}
	return nil, q.describeSymbol(snap, o, place, symbol), nil
}

// describeSymbol shows what the index and the history know, and adds a model's paragraph where
// the user wants one; if the model fails, the rest is shown alone.
func (q *questions) describeSymbol(snap *workspace.Snapshot, o *workspace.Overlay, place core.Place, symbol ask.Symbol) work {
	at := q.enc.spanRange(o.Text, symbol.Span)
	question := "symbol " + symbol.Name
	return func(ctx context.Context) (any, error) {
		text := symbolText(symbol, q.use.Asker.LastChange(ctx, snap, symbol), snap.Absent)
		if reading := readingText(snap); reading != "" {
			text += "\n\n" + reading
		}
		if !q.use.Asker.Describes(o.Language) {
			return hoverResult{q.markup(text), &at}, nil
		}
		answer, _, isCached := q.answers.get(o, question)
		if !isCached {
			var err error
			if answer, err = q.use.Asker.Describe(ctx, snap, place, symbol); err != nil {
				q.log.Debug("no paragraph on a symbol", "reason", err.Error())
				return hoverResult{q.markup(text), &at}, ctx.Err()
			}
			q.storeAnswer(o, question, answer)
		}
		return hoverResult{q.markup(text + "\n\n---\n\n" + answerText(answer)), &at}, nil
	}
}

func (q *questions) hoverQuestion(snap *workspace.Snapshot, o *workspace.Overlay, question string, span edits.Span) (any, work, error) {
	at := q.enc.spanRange(o.Text, span)
	if answer, current, ok := q.answers.get(o, question); ok {
		text := answerText(answer)
		if !current {
			text += "\n\n*This answers the text before your last changes; reword the question to ask again.*"
		}
		return hoverResult{q.markup(text), &at}, nil, nil
	}
	req := ask.Request{Place: core.Place{URI: o.URI, Offset: span.Start}, Question: question, Thread: "hover " + o.URI}
	return nil, func(ctx context.Context) (any, error) {
		answer, err := q.use.Asker.Ask(ctx, snap, req)
		if err != nil {
			return nil, err
		}
		text := answerText(answer)
		if answer.End.Whole() {
			q.storeAnswer(o, question, answer)
		}
		if len(text) > maxHover {
			q.show(ctx, "answer.md", text)
			text = inert.Markdown(clipTo(answer.Text, maxHover/2)) + "\n\n*The whole answer is open beside this file.*"
		}
		return hoverResult{q.markup(text), &at}, nil
	}, nil
}

// markup is text that has been made inert, in the format that the client supports.
func (q *questions) markup(text string) markup {
	if q.client.PrefersMarkdown() {
		return markup{"markdown", text}
	}
	return markup{"plaintext", inert.Plain(text)}
}

// answerText is a model's answer for display: inert, with tandem's own links
// to the places it cites.
func answerText(a ask.Answer) string {
	text := inert.Markdown(a.Text)
	if !a.End.Whole() {
		text += "\n\n*" + inert.Markdown(a.End.Sentence()) + "*"
	}
	if len(a.Citations) > 0 {
		text += "\n\n" + citations(a.Citations, " · ")
	}
	return text
}

// citation is a link to a place of the workspace. The index has checked the
// place; the path is written so that it cannot end the link. Its label is code:
// nothing in it is markup, and editors that do not render escapes show none.
func citation(c ask.Citation) string {
	label := "`" + strings.NewReplacer("`", "'", "\n", " ").Replace(inert.Text(fmt.Sprintf("%s:%d", c.Path, c.Line))) + "`"
	target, err := url.Parse(c.URI)
	if err != nil || target.Scheme != "file" || strings.ContainsAny(c.URI, "()<> \t\r\n\\") {
		return label
	}
	return fmt.Sprintf("[%s](%s#L%d)", label, c.URI, c.Line)
}

// readingText says how far the workspace is read, "" once it is.
func readingText(snap *workspace.Snapshot) string {
	left := snap.Unread()
	if left.None() {
		return ""
	}
	return "The workspace is being read: " + left.String() + "."
}

// symbolText is what the index and the history know of a symbol; absent says that it has nothing.
func symbolText(y ask.Symbol, lastChange string, absent func(claim string, more ...cut.Cut) string) string {
	var parts []string
	if y.Signature != "" {
		parts = append(parts, "```"+y.Language+"\n"+strings.ReplaceAll(strings.TrimRight(inert.Text(y.Signature), "\r\n"), "```", "'''")+"\n```")
	}
	if y.Doc != "" {
		parts = append(parts, inert.Markdown(y.Doc))
	}
	if y.Signature != "" && len(y.Defined) > 0 {
		parts = append(parts, "Defined in "+citations(y.Defined, ", "))
	}
	if y.Where != "" {
		parts = append(parts, "From `"+strings.ReplaceAll(inert.Text(y.Where), "`", "'")+"`")
	}
	parts = append(parts, usesText("Used", y.Used, absent("Used nowhere else")), usesText("Tested", y.Tested, absent("No test uses it")))
	if y.Implementations.Places > 0 {
		parts = append(parts, usesText("Implemented", y.Implementations, ""))
	}
	parts = slices.Compact(parts) // what is not read is said once
	if lastChange != "" {
		parts = append(parts, "Last changed on "+inert.Markdown(lastChange))
	}
	return strings.Join(parts, "\n\n")
}

// usesText says how often a name is used, and where, or that none is.
func usesText(verb string, u ask.Uses, none string) string {
	if u.Places == 0 {
		return none
	}
	text := verb + " in " + terms.Counted(u.Places, "place")
	if u.Files > 1 {
		text += " of " + terms.Counted(u.Files, "file")
	}
	if len(u.First) > 0 {
		text += ": " + citations(u.First, ", ")
	}
	return text
}

func citations(list []ask.Citation, between string) string {
	links := make([]string, len(list))
	for i, c := range list {
		links[i] = citation(c)
	}
	return strings.Join(links, between)
}

func clipTo(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
