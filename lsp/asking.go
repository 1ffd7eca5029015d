package lsp

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"go.lsp.dev/protocol"

	"tandem/lsp/inert"
	"tandem/model"
	"tandem/model/assist/ask"
	"tandem/model/assist/core"
	"tandem/workspace"
)

type location struct {
	URI   string    `json:"uri"`
	Range wireRange `json:"range"`
}

type askResult struct {
	Answer      string     `json:"answer"`
	Citations   []location `json:"citations"`
	Interrupted bool       `json:"interrupted,omitzero"`
	Reason      string     `json:"reason,omitzero"` // why it was interrupted
	Window      string     `json:"window,omitzero"` // a tandem: document with what the model was shown
}

type askParams struct {
	Question     string       `json:"question"`
	TextDocument *versionedID `json:"textDocument"`
	Position     *position    `json:"position"`
	Thread       string       `json:"thread"`
	Lane         string       `json:"lane"`
	Partial      token        `json:"partialResultToken"`
	WorkDone     token        `json:"workDoneToken"`
}

// questions are answered by a model, or from what the index knows.
type questions struct {
	*scope
	answers answers // to hovers, by document
}

// askQuestion answers tandem/ask.
func (q *questions) askQuestion(p *askParams) (any, work, error) {
	snap := q.session.Snapshot()
	req := ask.Request{Question: p.Question, Thread: p.Thread, Lane: model.Lane(p.Lane)}
	if p.Question == "" {
		return nil, nil, invalid("Ask something: the question is empty.")
	}
	if p.TextDocument != nil {
		o, err := openDocument(snap, p.TextDocument.URI)
		if err != nil {
			return nil, nil, err
		}
		req.Place = core.Place{URI: o.URI}
		if p.Position != nil {
			req.Offset = q.enc.positionOffset(o.Text, *p.Position)
		}
	}
	return nil, func(ctx context.Context) (any, error) {
		return q.streamAnswer(ctx, snap, req, p.Partial)
	}, nil
}

// streamAnswer streams an answer under a partial-result token, if there is one, and
// returns all of it. The pieces together are the answer. An answer that was cut
// is marked as interrupted.
func (q *questions) streamAnswer(ctx context.Context, snap *workspace.Snapshot, req ask.Request, partial token) (askResult, error) {
	var safe inert.Stream
	var text strings.Builder
	pieces := newTextStream(q.notifications, protocol.MethodProgress, func(text string) any {
		return progressParams{partial, map[string]any{"answer": text}}
	})
	forward := func(piece string) {
		text.WriteString(piece)
		if partial != "" {
			pieces.add(piece)
		}
	}
	req.Piece = func(piece string) { forward(safe.Write(piece)) }
	req.SendSecrets = q.sendSecrets(ctx, req.Question)
	answer, err := q.use.Asker.Ask(ctx, snap, req)
	forward(safe.Close())
	pieces.flush()
	if err != nil {
		return askResult{}, err
	}
	return q.result(snap, answer, text.String()), nil
}

// result is an answer as it is sent, with its text as it may be shown.
func (q *questions) result(snap *workspace.Snapshot, answer ask.Answer, text string) askResult {
	return askResult{text, q.locations(snap, answer.Citations), !answer.End.Whole(), inert.Message(answer.End.Reason()), q.storeWindow(answer)}
}

// storeWindow stores what the model was shown for an answer as a tandem: document, and
// returns its URI.
func (q *questions) storeWindow(answer ask.Answer) string {
	if answer.Shown == "" {
		return ""
	}
	uri := fmt.Sprintf("%s/shown-%d.txt", scheme, q.virtual.windows.Add(1))
	q.virtual.put(uri, answer.Shown)
	return uri
}

// locations are whole lines: an answer names lines, not columns.
func (q *questions) locations(snap *workspace.Snapshot, list []ask.Citation) []location {
	out := make([]location, 0, len(list))
	for _, c := range list {
		at := position{Line: uint32(max(c.Line-1, 0))}
		end := at
		if f, err := snap.File(c.URI); err == nil && c.Line-1 < f.Raw().LineCount() {
			end = q.enc.offsetPosition(f.Raw(), f.Raw().LineEnd(max(c.Line-1, 0)))
		}
		out = append(out, location{c.URI, wireRange{at, end}})
	}
	return out
}

// questionArgs say how a question is asked, and about which place.
type questionArgs struct {
	placeArgs
	Thread string `json:"thread"`
	Lane   string `json:"lane"`
}

type askArgs struct {
	questionArgs
	Question    string `json:"question"`
	Text        string `json:"text"`
	Instruction string `json:"instruction"`
}

func (q *questions) askCommand(ctx context.Context, inv *invocation, a *askArgs) (any, error) {
	question := cmp.Or(a.Question, a.Text, a.Instruction, inv.stringArg(0))
	if question == "" {
		return nil, invalid("Ask something: give a question, as {\"question\": …}.")
	}
	req := ask.Request{Question: question}
	if a.uri() != "" {
		o, span, err := q.target(inv.snap, &a.placeArgs)
		if err != nil {
			return nil, err
		}
		req.Place = core.Place{URI: o.URI, Offset: span.Start}
	}
	return q.askAndShow(ctx, inv, &a.questionArgs, req, question, "answer.md")
}

func (q *questions) explainCommand(ctx context.Context, inv *invocation, a *questionArgs) (any, error) {
	o, span, err := q.target(inv.snap, &a.placeArgs)
	if err != nil {
		return nil, err
	}
	title := fmt.Sprintf("explain %s:%d", inv.snap.Name(o.URI), o.Text.LineOf(span.Start)+1)
	req := ask.Request{Place: core.Place{URI: o.URI, Offset: span.Start}, Explains: true, Explain: span}
	return q.askAndShow(ctx, inv, a, req, title, "explanation.md")
}

// askAndShow runs a question that came as a command. It returns the answer and
// also shows it, for editors that ignore a command's result.
func (q *questions) askAndShow(ctx context.Context, inv *invocation, a *questionArgs, req ask.Request, title, name string) (any, error) {
	req.Thread, req.Lane = a.Thread, model.Lane(a.Lane)
	ctx, progress := inv.begin(ctx, q.peer, "tandem: "+clipLine(title))
	outcome := "failed"
	defer func() { progress.done(outcome) }()
	req.SendSecrets = q.sendSecrets(ctx, req.Question)
	answer, err := q.use.Asker.Ask(ctx, inv.snap, req)
	if err != nil {
		return nil, err
	}
	outcome = "answered"
	q.showAnswer(ctx, req.Place, title, name, answer)
	return q.result(inv.snap, answer, inert.Answer(answer.Text)), nil
}

// showAnswer opens an answer. Where the client opens nothing, an answer about a place is the next
// hover there: a message has no room for it.
func (q *questions) showAnswer(ctx context.Context, at core.Place, title, name string, answer ask.Answer) {
	o, isOpen := q.session.Snapshot().Overlay(at.URI)
	switch {
	case q.client.OpensDocuments() || !isOpen:
		q.show(ctx, name, answerText(answer))
	default:
		line := o.Text.LineOf(min(at.Offset, o.Text.Len()))
		q.storeAnswer(o, explanationOf(line), answer)
		q.showMessage(protocol.MessageTypeInfo, fmt.Sprintf("tandem: hover over line %d to read: %s", line+1, clipLine(title)))
	}
}

// explanationOf is the question that the hover at a line answers without being asked.
func explanationOf(line int) string { return fmt.Sprintf("explanation of line %d", line) }

// commitWait is how long a commit message may take: its editor waits for it.
const commitWait = 30 * time.Second

func (q *questions) commitMessageCommand(ctx context.Context, inv *invocation, a *placeArgs) (any, error) {
	uri := cmp.Or(a.uri(), inv.stringArg(0))
	if uri == "" && len(inv.snap.Views()) == 0 {
		return nil, invalid("No folder is open, so there is no repository to write a commit message for.")
	}
	ctx, progress := inv.begin(ctx, q.peer, "tandem: commit message")
	defer progress.done("")
	inTime, stop := context.WithTimeout(ctx, commitWait)
	defer stop()
	answer, err := q.use.Asker.CommitMessage(inTime, inv.snap, uri, nil)
	switch {
	case err != nil && inTime.Err() != nil && ctx.Err() == nil:
		return nil, fmt.Errorf("the model has written no commit message in %.0f seconds: ask again, or choose a faster one", commitWait.Seconds())
	case err != nil:
		return nil, err
	}
	message, end := model.Came(answer)
	result := map[string]any{"message": inert.Text(message)}
	interrupted(result, end)
	return result, nil
}

// interrupted adds to a result that the answer was cut, and why.
func interrupted(result map[string]any, end model.End) {
	if !end.Whole() {
		result["interrupted"], result["reason"] = true, inert.Message(end.Reason())
	}
}
