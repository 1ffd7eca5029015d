package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A request is a client's request, independent of its protocol.
type request struct {
	Where        string // path; with the prefix "ws:" on a socket
	Model        string
	Stream       bool
	Instructions string
	Messages     []message
	Fill         bool // infill instead of a conversation
	Prefix       string
	Suffix       string
	Extra        []extra
	MaxTokens    int
	Stop         []string
	Offered      []string // names of the functions that the model may call
	InputTokens  int
	prompt       string // all that the model reads, in order
	wire         *wireRequest
	members      map[string]json.RawMessage // as sent
}

// A message is one turn. Calls are what an assistant's turn calls.
type message struct {
	Role, Text string
	Calls      []scriptedCall
}

type extra struct {
	Filename string `json:"filename"`
	Text     string `json:"text"`
}

// A wireRequest is the union of the request bodies of all protocols served.
type wireRequest struct {
	Type         string          `json:"type"`
	Model        string          `json:"model"`
	Stream       *bool           `json:"stream"`
	Instructions string          `json:"instructions"`
	Input        json.RawMessage `json:"input"`
	System       json.RawMessage `json:"system"`
	Messages     []wireMessage   `json:"messages"`
	Prompt       json.RawMessage `json:"prompt"`
	Suffix       *string         `json:"suffix"`
	InputPrefix  *string         `json:"input_prefix"`
	InputSuffix  string          `json:"input_suffix"`
	InputExtra   []extra         `json:"input_extra"`
	Raw          bool            `json:"raw"`
	Tools        []wireTool      `json:"tools"`

	MaxTokens           int             `json:"max_tokens"`
	MaxCompletionTokens int             `json:"max_completion_tokens"`
	MaxOutputTokens     int             `json:"max_output_tokens"`
	NPredict            *int            `json:"n_predict"`
	Stop                json.RawMessage `json:"stop"`
	Options             struct {
		NumPredict int             `json:"num_predict"`
		NumCtx     int             `json:"num_ctx"`
		Stop       json.RawMessage `json:"stop"`
	} `json:"options"`

	PreviousResponseID string  `json:"previous_response_id"`
	StreamID           *string `json:"stream_id"`
	Generate           *bool   `json:"generate"`
	Store              *bool   `json:"store"`
	StreamOptions      struct {
		IncludeObfuscation *bool `json:"include_obfuscation"`
		IncludeUsage       bool  `json:"include_usage"`
	} `json:"stream_options"`
}

type wireMessage struct {
	Type    string          `json:"type"`
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
	Output  json.RawMessage `json:"output"` // of a function call

	CallID    string     `json:"call_id"`
	Name      string     `json:"name"`
	Arguments string     `json:"arguments"`
	ToolCalls []wireCall `json:"tool_calls"`
}

// A wireTool is a function in the two protocols: Responses puts its members at the top.
type wireTool struct {
	Name       string          `json:"name"`
	Parameters json.RawMessage `json:"parameters"`
	Function   struct {
		Name       string          `json:"name"`
		Parameters json.RawMessage `json:"parameters"`
	} `json:"function"`
	Tools []struct {
		Name string `json:"name"`
	} `json:"tools"` // of a namespace
}

// A wireCall is a call in a chat message.
type wireCall struct {
	ID       string `json:"id"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// parseRequest reads a body of any protocol.
func parseRequest(where string, body []byte) (*request, error) {
	w, members := &wireRequest{}, map[string]json.RawMessage{}
	if err := errors.Join(json.Unmarshal(body, w), json.Unmarshal(body, &members)); err != nil {
		return nil, fmt.Errorf("could not parse the JSON body of the request: %w", err)
	}
	r := &request{Where: where, Model: w.Model, wire: w, members: members, Instructions: w.Instructions + textOf(w.System), Extra: w.InputExtra}
	r.Stream = w.Stream != nil && *w.Stream
	r.MaxTokens = or(or(or(w.MaxOutputTokens, w.MaxCompletionTokens), w.MaxTokens), w.Options.NumPredict)
	if w.NPredict != nil {
		r.MaxTokens = *w.NPredict
	}
	r.Stop = append(stringsOf(w.Stop), stringsOf(w.Options.Stop)...)
	var err error
	if r.Messages, err = inputOf(w.Input); err != nil {
		return nil, err
	}
	for _, t := range w.Tools {
		r.Offered = append(r.Offered, or(t.Name, t.Function.Name))
		for _, one := range t.Tools { // of a namespace
			r.Offered = append(r.Offered, t.Name+"/"+one.Name)
		}
	}
	for _, m := range w.Messages {
		next := message{Role: m.Role, Text: textOf(m.Content)}
		for _, c := range m.ToolCalls {
			next.Calls = append(next.Calls, scriptedCall{c.ID, c.Function.Name, c.Function.Arguments})
		}
		r.Messages = append(r.Messages, next)
	}
	r.fill()
	if r.prompt = r.text(); len(w.Prompt) > 0 && w.InputPrefix == nil && w.Suffix == nil {
		r.prompt = textOf(w.Prompt)
	}
	r.InputTokens = roughTokens(r.prompt)
	return r, nil
}

// inputOf reads the input of a Responses request: a string, or items.
func inputOf(raw json.RawMessage) ([]message, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	if raw[0] == '"' {
		return []message{{Role: "user", Text: textOf(raw)}}, nil
	}
	var items []wireMessage
	if err := json.Unmarshal(raw, &items); err != nil {
		return nil, fmt.Errorf("invalid type for 'input': %w", err)
	}
	var out []message
	for _, it := range items {
		switch it.Type {
		case "function_call":
			out = append(out, message{Role: "assistant", Calls: []scriptedCall{{it.CallID, it.Name, it.Arguments}}})
		case "function_call_output":
			out = append(out, message{Role: "tool", Text: textOf(it.Output)})
		default:
			out = append(out, message{Role: or(it.Role, it.Type), Text: textOf(it.Content)})
		}
	}
	return out, nil
}

// textOf joins the text of a content: a string, or parts with text.
func textOf(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var parts []struct{ Text string }
	if json.Unmarshal(raw, &parts) != nil {
		return ""
	}
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

func stringsOf(raw json.RawMessage) []string {
	var list []string
	if json.Unmarshal(raw, &list) == nil {
		return list
	}
	var one string
	if json.Unmarshal(raw, &one) == nil && one != "" {
		return []string{one}
	}
	return nil
}

// fill recognises fill-in-the-middle requests, with a separate suffix or with a
// prompt that the client rendered.
func (r *request) fill() {
	w := r.wire
	prompt := textOf(w.Prompt)
	switch {
	case w.InputPrefix != nil:
		r.Fill, r.Prefix, r.Suffix = true, *w.InputPrefix+prompt, w.InputSuffix
	case w.Suffix != nil:
		r.Fill, r.Prefix, r.Suffix = true, prompt, *w.Suffix
	case prompt != "":
		if r.Fill = true; !r.split(prompt) {
			r.Prefix = prompt
		}
	}
}

// fimMarks are the marks of the model families: of the prefix, the suffix, and the end.
var fimMarks = [][3]string{
	{"<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>"},
	{"<fim_prefix>", "<fim_suffix>", "<fim_middle>"},
	{"<PRE> ", " <SUF>", " <MID>"},
	{"<｜fim▁begin｜>", "<｜fim▁hole｜>", "<｜fim▁end｜>"},
	{"<|code_prefix|>", "<|code_suffix|>", "<|code_middle|>"},
	{"<[fim-prefix]>", "<[fim-suffix]>", "<[fim-middle]>"},
	{"[PREFIX]", "[SUFFIX]", ""},
}

// split takes a prompt in a family's form apart: what stands around the site, whichever
// of the two comes first, and what stands before both.
func (r *request) split(prompt string) bool {
	for _, m := range fimMarks {
		from, to := strings.Index(prompt, m[0]), strings.Index(prompt, m[1])
		if from < 0 || to < 0 {
			continue
		}
		r.Extra = []extra{{Text: prompt[:min(from, to)]}}
		end := len(prompt)
		if m[2] != "" {
			if i := strings.Index(prompt[max(from, to):], m[2]); i >= 0 {
				end = max(from, to) + i
			}
		}
		if from < to {
			r.Prefix, r.Suffix = prompt[from+len(m[0]):to], prompt[to+len(m[1]):max(end, to+len(m[1]))]
		} else {
			r.Suffix, r.Prefix = prompt[to+len(m[1]):from], prompt[from+len(m[0]):max(end, from+len(m[0]))]
		}
		return true
	}
	return false
}

// text is all text of the request, for rules that search it.
func (r *request) text() string {
	var b strings.Builder
	b.WriteString(r.Instructions)
	for _, e := range r.Extra {
		b.WriteString("\n" + e.Filename + "\n" + e.Text)
	}
	for _, m := range r.Messages {
		b.WriteString("\n" + m.Text)
		for _, c := range m.Calls {
			b.WriteString("\n" + c.Name + " " + c.Arguments)
		}
	}
	b.WriteString(r.Prefix + r.Suffix)
	return b.String()
}

// last is the newest message of the user.
func (r *request) last() string {
	for _, m := range slices.Backward(r.Messages) {
		if m.Role == "user" {
			return m.Text
		}
	}
	return ""
}

// roughTokens is a stand-in for a tokenizer, four bytes a token: exact
// counts are up to the client, and usage figures here only need to be plausible.
func roughTokens(s string) int { return (len(s) + bytesPerToken - 1) / bytesPerToken }

const bytesPerToken = 4
