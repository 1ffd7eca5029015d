package dialect

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"tandem/model"
	"tandem/model/tool"
	"tandem/workspace/redact"
)

// encodeResponses writes the body of a response.create without the members that
// differ by transport: type and stream.
func encodeResponses(e *Encoder) (Fields, *Failure) {
	var f Fields
	f.Set("model", e.Model.Model)
	f.Add("instructions", e.wire(e.Req.Instructions))
	f.Set("input", responseItems(e.Req.Input, e.wire))
	f.Add("tools", e.responseTools())
	f.Set("store", false)
	var reasoning, text Fields
	reasoning.Add("effort", e.Model.ReasoningEffort)
	reasoning.Add("summary", e.Model.ReasoningSummary)
	f.Add("reasoning", reasoning)
	text.Add("verbosity", e.Model.Verbosity)
	f.Add("text", text)
	f.Add("service_tier", e.Model.ServiceTier)
	f.Add("prompt_cache_key", e.Req.CacheKey.Wire())
	f.Add("max_output_tokens", e.MaxTokens())
	f.Add("temperature", e.temperature())
	f.Set("stream_options", Fields{{"include_obfuscation", false}})
	return f, nil
}

// ResponseItems are messages as the Responses protocol writes them.
func ResponseItems(messages []model.Message) []Fields {
	return responseItems(messages, redact.Text.Wire)
}

func responseItems(messages []model.Message, wire func(redact.Text) string) []Fields {
	items := make([]Fields, len(messages))
	for i, m := range messages {
		switch {
		case m.Role == "tool":
			items[i] = Fields{{"type", "function_call_output"}, {"call_id", m.Call.ID}, {"output", wire(m.Text)}}
			continue
		case m.Call.Name != "":
			items[i] = Fields{{"type", "function_call"}, {"call_id", m.Call.ID}, {"name", m.Call.Name}, {"arguments", wire(m.Call.Arguments)}}
			continue
		}
		kind := "input_text"
		if m.Role == "assistant" {
			kind = "output_text"
		}
		items[i] = Fields{{"type", "message"}, {"role", m.Role}, {"content", []Fields{{{"type", kind}, {"text", wire(m.Text)}}}}}
	}
	return items
}

// responseTools are the functions that a model may call. They are not strict: a strict
// schema has no optional members.
func (e *Encoder) responseTools() []Fields {
	var list []Fields
	for _, t := range e.Req.Tools {
		list = append(list, append(Fields{{"type", "function"}}, append(e.function(t), field{"strict", false})...))
	}
	return list
}

// chatTools are responseTools as chat completions write them.
func (e *Encoder) chatTools() []Fields {
	var list []Fields
	for _, t := range e.Req.Tools {
		list = append(list, Fields{{"type", "function"}, {"function", e.function(t)}})
	}
	return list
}

func (e *Encoder) function(t tool.Tool) Fields {
	return Fields{{"name", string(t.Name)}, {"description", e.written(string(t.About))}, {"parameters", rawJSON(e.written(t.Schema()))}}
}

// encodeChat writes a chat completion.
func encodeChat(e *Encoder) (Fields, *Failure) {
	var f Fields
	f.Set("model", e.Model.Model)
	f.Set("messages", e.chatMessages())
	f.Add("tools", e.chatTools())
	f.Add("n", e.choices())
	f.Set("stream", true)
	f.Set("stream_options", Fields{{"include_usage", true}})
	f.Add(e.limitName(), e.chatLimit())
	f.Add("temperature", e.steady())
	f.Add("stop", firstStops(e.Req.Stop))
	f.Add("reasoning_effort", e.Model.ReasoningEffort)
	f.Add("verbosity", e.Model.Verbosity)
	f.Add("service_tier", e.Model.ServiceTier)
	if e.Model.Prediction && e.Req.Prediction.Len() > 0 && len(e.Req.Tools) == 0 { // servers refuse both together
		f.Set("prediction", Fields{{"type", "content"}, {"content", e.wire(e.Req.Prediction)}})
		f = f.Without(e.limitName())
		if e.cerebras() {
			f.Add(e.limitName(), e.chatLimit())
		}
	}
	if e.openAI() || e.cerebras() {
		f.Add("prompt_cache_key", e.Req.CacheKey.Wire())
	}
	return f, nil
}

// choices is how many answers are asked for, 0 for one. What the API does not stop itself
// is cut on this side, which ends the request: one answer only.
func (e *Encoder) choices() int {
	if e.Req.N <= 1 || !e.Model.Choices || len(e.Req.Stop) > MaxStops {
		return 0
	}
	return e.Req.N
}

func (e *Encoder) openAI() bool { return e.Host == "api.openai.com" || azure(e.Host) }

// limitName is the parameter that bounds the output: the one that newer servers
// and models require, or the one that all others accept.
func (e *Encoder) limitName() string {
	newer := e.openAI() || e.cerebras()
	switch {
	case newer && slices.Contains(e.Refused, "max_completion_tokens"):
		return "max_tokens"
	case newer, slices.Contains(e.Refused, "max_tokens"):
		return "max_completion_tokens"
	}
	return "max_tokens"
}

// smallAnswer bounds an answer if neither request nor configuration does, and the
// bound counts against a limit.
const smallAnswer = 1024

func (e *Encoder) chatLimit() int {
	if n := e.MaxTokens(); n > 0 || !e.cerebras() {
		return n
	}
	return smallAnswer
}

// chatMessages are the instructions and the input. Only OpenAI accepts the role
// "developer".
func (e *Encoder) chatMessages() []Fields {
	var list []Fields
	system := "system"
	if e.Req.Instructions.Len() > 0 {
		list = append(list, Fields{{"role", system}, {"content", e.wire(e.Req.Instructions)}})
	}
	var calls []Fields // of the assistant's turn that is being written
	end := func() {
		if len(calls) == 0 {
			return
		}
		if last := len(list) - 1; last >= 0 && list[last][0].Value == "assistant" {
			list[last] = append(list[last], field{"tool_calls", calls})
		} else {
			list = append(list, Fields{{"role", "assistant"}, {"content", ""}, {"tool_calls", calls}})
		}
		calls = nil
	}
	for _, m := range e.Req.Input {
		if m.Call.Name != "" && m.Role == "assistant" {
			calls = append(calls, Fields{{"id", m.Call.ID}, {"type", "function"}, {"function", Fields{{"name", m.Call.Name}, {"arguments", e.wire(m.Call.Arguments)}}}})
			continue
		}
		end()
		if m.Role == "tool" {
			list = append(list, Fields{{"role", m.Role}, {"tool_call_id", m.Call.ID}, {"content", e.wire(m.Text)}})
			continue
		}
		role := m.Role
		if role == "developer" {
			role = system
		}
		list = append(list, Fields{{"role", role}, {"content", e.wire(m.Text)}})
	}
	end()
	return list
}

// MaxStops is how many stop strings every server takes.
const MaxStops = 4

func firstStops(stops []string) []string { return stops[:min(len(stops), MaxStops)] }

// encodeMessages writes an Anthropic message request; max_tokens is required there.
func encodeMessages(e *Encoder) (Fields, *Failure) {
	var f Fields
	f.Set("model", e.Model.Model)
	f.Set("max_tokens", cmp.Or(e.MaxTokens(), 4*smallAnswer))
	if e.Req.Instructions.Len() > 0 {
		f.Set("system", []Fields{{{"type", "text"}, {"text", e.wire(e.Req.Instructions)}, {"cache_control", Fields{{"type", "ephemeral"}}}}})
	}
	var list []Fields
	for _, m := range e.Req.Input {
		role := "user"
		if m.Role == "assistant" {
			role = m.Role
		}
		list = append(list, Fields{{"role", role}, {"content", e.wire(m.Text)}})
	}
	if n := len(list); n > 0 && slices.Contains([]model.Purpose{model.Ask, model.Edit, model.Task}, e.Req.Purpose) { // the next turn begins with all of this
		said := &list[n-1][1]
		said.Value = []Fields{{{"type", "text"}, {"text", said.Value}, {"cache_control", Fields{{"type", "ephemeral"}}}}}
	}
	f.Set("messages", list)
	f.Set("stream", true)
	f.Add("temperature", e.temperature())
	f.Add("stop_sequences", firstStops(e.Req.Stop))
	f.Add("service_tier", e.Model.ServiceTier)
	return f, nil
}

// encodeCompletions writes a text completion: a prompt in the family's form, since most
// servers declare suffix and refuse it; for an unknown family only suffix is left.
func encodeCompletions(e *Encoder) (Fields, *Failure) {
	var f Fields
	f.Set("model", e.Model.Model)
	switch prompt := e.prompt(); {
	case prompt != "":
		f.Set("prompt", prompt)
	case e.Req.Fill == nil:
		f.Set("prompt", e.plainPrompt())
	default:
		e.setFill(&f)
	}
	f.Add("n", e.choices())
	f.Set("stream", true)
	f.Set("stream_options", Fields{{"include_usage", true}})
	f.Add("max_tokens", e.chatLimit())
	f.Add("temperature", e.steady())
	f.Add("stop", firstStops(e.stops()))
	return f, nil
}

// prompt is what the model is to continue verbatim, "" where that is not known.
func (e *Encoder) prompt() string {
	if t := model.FIMOf(*e.Model); e.Req.Raw.Len() == 0 && e.Req.Fill != nil && t != nil {
		return e.written(t.Prompt(e.fill(), e.Req.Ahead))
	}
	return e.wire(e.Req.Raw)
}

// fill is what is to be filled in, as it is sent.
func (e *Encoder) fill() *model.Fill {
	f := e.Req.Fill
	out := &model.Fill{Path: f.Path.Wire(), Repository: f.Repository.Wire(), Prefix: strings.TrimSuffix(f.Prefix.Wire(), e.Begun), Suffix: f.Suffix.Wire()}
	for _, x := range f.Extra {
		out.Extra = append(out.Extra, model.ExtraFile{Path: x.Path.Wire(), Text: x.Text.Wire()})
	}
	return out
}

// setFill sets the text before and after the cursor for servers that take the two.
func (e *Encoder) setFill(f *Fields) {
	fill := e.fill()
	f.Set("prompt", e.written(model.FIMOf(*e.Model).Before(fill)))
	f.Set("suffix", e.written(fill.Suffix))
}

// plainPrompt is a conversation for a model that only continues text.
func (e *Encoder) plainPrompt() string {
	var b strings.Builder
	b.WriteString(e.Req.Instructions.Wire())
	for _, m := range e.Req.Input {
		b.WriteString("\n\n" + m.Text.Wire())
	}
	return e.written(strings.TrimLeft(b.String(), "\n") + "\n")
}

// encodeLlama writes a request to llama.cpp's server to continue a prompt.
func encodeLlama(e *Encoder) (Fields, *Failure) {
	e.setBegun()
	f := Fields{{"prompt", e.prompt()}}
	e.setLlama(&f)
	if e.Begun != "" && !e.Req.Ahead {
		f.Set("grammar", `root ::= "`+e.written(e.Begun)+`" [^\x00]*`)
	}
	return f, nil
}

// mostBegun bounds the part of a word that is asked for again, in bytes.
const mostBegun = 64

// setBegun sets Begun to the part of a word before the cursor. A prompt that ends within a
// word ends within a token of most models, and they seldom saw that: asked for the word from
// its beginning, Qwen2.5-Coder-0.5B had the next word right at 57 of 80 places, and at 46 where
// the prompt ended at the cursor. And as long as a word is typed the prompt stays the same.
func (e *Encoder) setBegun() {
	if e.Req.Fill == nil || e.Req.Raw.Len() > 0 || slices.Contains(e.Refused, "grammar") {
		return
	}
	prefix := e.Req.Fill.Prefix.Wire()
	before := strings.TrimRightFunc(prefix, func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) })
	if begun := prefix[len(before):]; len(begun) <= mostBegun {
		e.Begun = begun
	}
}

// encodeInfill writes llama.cpp's own request to fill in: the server renders it.
func encodeInfill(e *Encoder) (Fields, *Failure) {
	fill := e.fill()
	var extra []Fields
	for _, x := range fill.Extra {
		extra = append(extra, Fields{{"filename", e.written(x.Path)}, {"text", e.written(x.Text)}})
	}
	f := Fields{{"input_prefix", e.written(fill.Prefix)}, {"input_suffix", e.written(fill.Suffix)}}
	f.Add("input_extra", extra)
	e.setLlama(&f)
	return f, nil
}

// setLlama sets what both of llama.cpp's own requests have.
func (e *Encoder) setLlama(f *Fields) {
	f.Add("model", e.Model.Model)
	if e.Req.Ahead {
		f.Set("n_predict", 0)
	} else {
		f.Add("n_predict", e.MaxTokens())
	}
	f.Set("cache_prompt", true)
	if e.Model.Server.Slots > 1 && e.Req.Purpose == model.Complete {
		f.Set("id_slot", 0) // what it has read for the one before is there
	}
	f.Add("temperature", e.steady())
	f.Add("stop", e.stops())
	f.Set("stream", true)
	if e.Req.Purpose == model.Complete && !e.Req.Ahead {
		f.Set("n_probs", 1) // how likely each token is
	}
	// So that the speed is known also of a request that is stopped.
	f.Set("timings_per_token", true)
	f.Set("return_progress", true)
}

func (e *Encoder) needsConversation() *Failure {
	return e.ErrorContext.Fail(model.CodeNeedsModel, KindOther, nil,
		"choose a model with wire_api = \"responses\" or \"chat\" for edits and questions: %s only fills in code.", e.Model.Name)
}

// encodeOllama writes a request to Ollama to continue a prompt in the family's form, or
// with its own suffix, which only the templates of some models have.
func encodeOllama(e *Encoder) (Fields, *Failure) {
	f := Fields{{"model", e.Model.Model}}
	if prompt := e.prompt(); prompt != "" {
		f.Set("prompt", prompt)
		f.Set("raw", true)
	} else {
		e.setFill(&f)
	}
	if !e.Req.Ahead {
		f.Set("logprobs", true) // how likely each token is; before 0.12.11 it is ignored
	}
	e.setOllama(&f)
	return f, nil
}

// encodeOllamaChat writes a conversation with Ollama.
func encodeOllamaChat(e *Encoder) (Fields, *Failure) {
	f := Fields{{"model", e.Model.Model}, {"messages", e.chatMessages()}}
	e.setOllama(&f)
	return f, nil
}

// keepAlive is how long Ollama keeps a model in memory after a request: longer than a
// person reads, since loading it takes longer than a person waits.
const keepAlive = "30m"

// setOllama sets what every request to Ollama has. num_ctx and shift never change: Ollama
// would load the model anew. Without shift and truncate it refuses what is too long, and
// does not cut it in silence.
func (e *Encoder) setOllama(f *Fields) {
	var options Fields
	f.Set("stream", true)
	f.Set("keep_alive", keepAlive)
	f.Set("shift", false)
	f.Set("truncate", false)
	options.Add("num_predict", e.MaxTokens())
	options.Add("num_ctx", e.Model.ContextWindow)
	options.Add("temperature", e.steady())
	options.Add("stop", e.stops())
	f.Add("options", options)
}

// Load is the request that loads a model of Ollama's without asking it anything, as every
// request after it needs it.
func Load(m *model.ModelConfig) []byte {
	f := Fields{{"model", m.Model}}
	(&Encoder{Provider: &model.ProviderConfig{}, Model: m, Req: &model.Request{}}).setOllama(&f)
	return f.AppendJSON(nil)
}

// encodeMercuryEdit writes Mercury's next-edit request: one message.
func encodeMercuryEdit(e *Encoder) (Fields, *Failure) {
	var f Fields
	f.Set("model", e.Model.Model)
	f.Set("messages", e.chatMessages())
	f.Add("max_tokens", e.MaxTokens())
	f.Add("temperature", e.Model.Temperature)
	return f, nil
}

// encodeMercuryFill writes Mercury's fill-in-the-middle request.
func encodeMercuryFill(e *Encoder) (Fields, *Failure) {
	var f Fields
	f.Set("model", e.Model.Model)
	e.setFill(&f)
	f.Add("max_tokens", e.MaxTokens())
	f.Add("temperature", e.temperature())
	f.Add("stop", firstStops(e.Req.Stop))
	return f, nil
}

// encodeMistral writes Mistral's fill-in-the-middle request.
func encodeMistral(e *Encoder) (Fields, *Failure) {
	if e.Req.Fill == nil {
		return nil, e.needsConversation()
	}
	var f Fields
	f.Set("model", e.Model.Model)
	e.setFill(&f)
	f.Add("max_tokens", e.MaxTokens())
	f.Add("temperature", e.steady())
	f.Add("stop", firstStops(e.stops()))
	f.Set("stream", true)
	return f, nil
}
