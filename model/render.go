package model

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tandem/workspace/redact"
)

// A Prompt is the content of a request, before it is rendered for one model.
type Prompt struct {
	Kind        Kind
	Window      redact.Text // the context window's text
	Files       []Excerpt   // its pieces of code, for models that fill in the middle
	Path        redact.Text // of the file to work on
	Repository  redact.Text // the name of the one that holds it
	Before      redact.Text // of that file, or of the part that is shown
	Selected    redact.Text // between Before and After; empty where nothing is selected
	After       redact.Text
	Diff        redact.Text // for reviews and commit messages
	Diagnostics []redact.Text
	Earlier     []redact.Text // subjects of the last commits, newest first, for a commit message
	History     []Message     // what the conversation holds, oldest first
	Beside      redact.Text   // what works in the background meanwhile
	Request     redact.Text   // the user's text
	Marked      bool          // only Selected is asked for, whole, with what it needs
	CacheKey    redact.Text   // stable per workspace and language
}

// Render turns a prompt into a request to a model: fixed instructions first, then the
// conversation so far, then the window, whose stable part comes first, then what changes most.
// So the requests of a conversation begin with each other. A request that does not fit the model
// is a CodeContextLength error.
func Render(m ModelConfig, p Prompt) (*Request, error) {
	req := &Request{
		Model:           m.Name,
		Purpose:         p.Kind.Purpose(),
		Instructions:    Instructions(p.Kind, m),
		MaxOutputTokens: outputFor(p.Kind, m),
		Temperature:     m.Temperature,
		CacheKey:        p.CacheKey,
		Input:           slices.Clone(p.History),
	}
	if p.Marked {
		req.Instructions = promptFile("format-marked")
		if req.Temperature == nil {
			req.Temperature = new(float64) // small models err more where they are not taken at their likeliest
		}
		if around := p.around(); len(around) > 1 {
			req.Input = append(req.Input, Message{Role: "user", Text: redact.Join("\n\n", around...)}, Message{Role: "assistant", Text: redact.Const("Which part is to change, and how?")})
		}
	} else if p.Window.Len() > 0 {
		req.Input = append(req.Input, Message{Role: "user", Text: redact.Format("<context>\n%s\n</context>", p.Window)})
	}
	req.Input = append(req.Input, Message{Role: "user", Text: p.place(m)})
	if p.Kind == KindComplete {
		req.Fill = &Infill{Path: p.Path, Prefix: p.Before, Suffix: p.After, Repository: p.Repository, Extra: p.Files}
	}
	if m.Prediction && kinds[p.Kind].edits && EditFormat(m) == "rewrite" {
		req.Prediction = p.Selected
	}
	return req, fits(m, req)
}

// place returns the last message: the place in the code and what is wanted there. What its kind
// asks for is said once in a conversation.
func (p Prompt) place(m ModelConfig) redact.Text {
	if p.Marked {
		return p.part()
	}
	var parts []redact.Text
	if task := redact.Format("Task: %s\n", TaskText(p.Kind, m)); p.Kind.Converses() && !p.told(task.String()) {
		parts = append(parts, task)
	}
	if p.Kind == KindComplete && p.After.Len() > 0 {
		parts = append(parts, redact.Format("<after>\n%s\n</after>", p.After))
	}
	if p.Path.Len() > 0 {
		parts = append(parts, redact.Format("<file path=%q>\n%s\n</file>", p.Path, p.marked()))
	}
	if p.Diff.Len() > 0 {
		parts = append(parts, redact.Format("<diff>\n%s\n</diff>", p.Diff))
	}
	for _, subject := range p.Earlier {
		parts = append(parts, redact.Format("Earlier message: %s", subject.OneLine()))
	}
	for _, d := range p.Diagnostics {
		parts = append(parts, redact.Format("Diagnostic: %s", d.OneLine()))
	}
	if p.Beside.Len() > 0 {
		parts = append(parts, redact.Format("<background>\n%s\n</background>", p.Beside))
	}
	if p.Request.Len() > 0 {
		parts = append(parts, redact.Format("Request: %s", p.Request))
	}
	return redact.Join("\n", parts...)
}

// told reports whether a task is the last one that the conversation holds.
func (p Prompt) told(task string) bool {
	for _, said := range slices.Backward(p.History) {
		if said.Role == "user" && strings.HasPrefix(said.Text.String(), "Task: ") {
			return strings.HasPrefix(said.Text.String(), task)
		}
	}
	return false
}

// around is a message of what stands around a selection, after its first line: small models obey a
// request that is not behind other code.
func (p Prompt) around() []redact.Text {
	parts := []redact.Text{redact.Const("What stands around the code, for reference only:")}
	for _, around := range []redact.Text{p.Window, p.Before, p.After} {
		if around = around.Trim("\n"); around.Len() > 0 {
			parts = append(parts, redact.Format("```\n%s\n```", around))
		}
	}
	return parts
}

// part returns the last message where only the selection is asked for.
func (p Prompt) part() redact.Text {
	parts := []redact.Text{redact.Format("Here is a part of %s:\n\n```\n%s\n```", p.Path, p.Selected.TrimRight("\n"))}
	if p.Kind != KindEdit {
		parts = append(parts, promptFile(string(p.Kind)))
	}
	request := redact.Format("%s.", p.Request.TrimRight(". \n"))
	for i := range p.Diagnostics {
		request = redact.Format("Diagnostic: %s\n%s", p.Diagnostics[len(p.Diagnostics)-1-i].OneLine(), request)
	}
	return redact.Join("\n\n", append(parts, request, redact.Const("Answer with the whole changed part in one fence, and nothing else."))...)
}

// marked returns the file with the cursor or the selection marked in it. What follows a
// cursor stands before the file, because what precedes the cursor changes with each
// letter: so the cache of the model's server holds all that stands before it.
func (p Prompt) marked() redact.Text {
	switch {
	case p.Kind == KindComplete:
		return redact.Format("%s<|cursor|>", p.Before)
	case p.Selected.Len() == 0:
		return redact.Join("", p.Before, p.After)
	}
	return redact.Format("%s<selection>%s</selection>%s", p.Before, p.Selected, p.After)
}

// outputFor bounds the answer by what the kind needs and by what the model allows.
func outputFor(k Kind, m ModelConfig) int {
	most := map[Kind]int{KindComplete: 256, KindNextEdit: 512, KindHover: 256, KindCommit: 512}[k]
	if most == 0 || m.MaxOutputTokens > 0 && m.MaxOutputTokens < most {
		return m.MostOutput()
	}
	return most + m.Reasoning()
}

// Reasoning is how many tokens a model may think before it answers: with fewer it may answer
// nothing. The answer has max_output_tokens besides.
func (m ModelConfig) Reasoning() int {
	most := map[string]int{"low": 2_000, "medium": 8_000, "high": 25_000, "xhigh": 50_000}[m.ReasoningEffort]
	if m.ContextWindow > 0 {
		most = min(most, m.ContextWindow/outputShare)
	}
	return most
}

// MostOutput is how many tokens a model may write in all, 0 where nothing bounds it.
func (m ModelConfig) MostOutput() int {
	if m.MaxOutputTokens == 0 {
		return 0
	}
	return m.MaxOutputTokens + m.Reasoning()
}

// usable is the share of a context window that tandem plans to fill: servers add
// text of their own to requests. What tandem's own formats add around the parts
// uses the difference to mostUsable. A request above mostUsable is not sent.
const (
	usable     = 0.95
	mostUsable = 0.97
)

// fastWindow caps the fast lane's budget, even if its model could hold more.
const fastWindow = 128000

// WindowBudget returns how many tokens of context a request of this kind may have in
// this lane, as Counter counts them: the configured number of the model's own, or
// without one all there is. The result always fits the model together with the answer,
// the instructions and otherTokens, the tokens of everything else in the request, as
// Counter counts them.
func WindowBudget(lane Lane, m ModelConfig, k Kind, configured, otherTokens int) int {
	limit := Countable(m, int(usable*float64(m.ContextWindow))-m.MostOutput()) - Counter(m).Count(Instructions(k, m).String()) - Counter(m).Count(TaskText(k, m).String()) - otherTokens
	budget := limit
	if configured > 0 {
		budget = min(Countable(m, configured), limit)
	}
	if lane == Fast {
		budget = min(budget, Countable(m, fastWindow))
	}
	return max(budget, 0)
}

// fits checks that a request with its answer fits the model's window.
func fits(m ModelConfig, r *Request) error {
	if m.ContextWindow <= 0 {
		return nil
	}
	limit := Room(m, r.MaxOutputTokens)
	// A token is at least a byte, so most requests need no counting.
	if n := countRequest(r, func(s string) int { return len(s) }); n <= limit {
		return nil
	}
	if n := Count(m, r); n > limit {
		return &Error{Code: CodeContextLength, Provider: m.Provider, Model: m.Name, Message: fmt.Sprintf(
			"Select less, or ask the deep model: this needs %d tokens, and %s has room for %d.", n, m.Name, max(limit, 0))}
	}
	return nil
}

// Room is how many tokens a request to a model may have whose answer has so many.
func Room(m ModelConfig, output int) int { return int(mostUsable*float64(m.ContextWindow)) - output }

// Count returns how many tokens a request has for a model, at most.
func Count(m ModelConfig, r *Request) int {
	return int(math.Ceil(Margin(m) * float64(countRequest(r, Counter(m).Count))))
}

// countRequest returns how much of a window a request uses, by any measure of text.
func countRequest(r *Request, count func(string) int) int {
	n := messageOverhead + count(r.Instructions.String())
	if r.Raw.Len() > 0 {
		n += count(r.Raw.String())
	}
	for _, msg := range r.Input {
		n += count(msg.Text.String()) + count(msg.Call.Arguments.String()) + messageOverhead
	}
	for _, t := range r.Tools {
		n += count(string(t.About)) + count(t.Schema()) + messageOverhead
	}
	return n
}
