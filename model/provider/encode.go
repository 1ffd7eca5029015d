package provider

import (
	"cmp"
	"slices"
	"strings"

	"tandem/model"
)

// encodeResponses writes the body of a response.create without the members that
// differ by transport: type and stream.
func encodeResponses(e *encoder) (fields, *failure) {
	var f fields
	f.set("model", e.model.Model)
	f.add("instructions", e.req.Instructions)
	f.set("input", responseItems(e.req.Input))
	f.set("store", false)
	var reasoning, text fields
	reasoning.add("effort", e.model.ReasoningEffort)
	reasoning.add("summary", e.model.ReasoningSummary)
	f.add("reasoning", reasoning)
	text.add("verbosity", e.model.Verbosity)
	f.add("text", text)
	f.add("service_tier", e.model.ServiceTier)
	f.add("prompt_cache_key", e.req.CacheKey)
	f.add("max_output_tokens", e.maxTokens())
	f.add("temperature", e.temperature())
	f.set("stream_options", fields{{"include_obfuscation", false}})
	return f, nil
}

func responseItems(messages []model.Message) []fields {
	items := make([]fields, len(messages))
	for i, m := range messages {
		kind := "input_text"
		if m.Role == "assistant" {
			kind = "output_text"
		}
		items[i] = fields{{"type", "message"}, {"role", m.Role}, {"content", []fields{{{"type", kind}, {"text", m.Text}}}}}
	}
	return items
}

// encodeChat writes a chat completion.
func encodeChat(e *encoder) (fields, *failure) {
	var f fields
	f.set("model", e.model.Model)
	f.set("messages", e.chatMessages())
	f.set("stream", true)
	f.set("stream_options", fields{{"include_usage", true}})
	f.add(e.limitName(), e.chatLimit())
	f.add("temperature", e.temperature())
	f.add("stop", firstStops(e.req.Stop))
	f.add("reasoning_effort", e.model.ReasoningEffort)
	f.add("verbosity", e.model.Verbosity)
	f.add("service_tier", e.model.ServiceTier)
	if e.model.Prediction && e.req.Prediction != "" {
		f.set("prediction", fields{{"type", "content"}, {"content", e.req.Prediction}})
		f = f.without(e.limitName())
		if e.cerebras() {
			f.add(e.limitName(), e.chatLimit())
		}
	}
	if e.openAI() || e.cerebras() {
		f.add("prompt_cache_key", e.req.CacheKey)
	}
	return f, nil
}

func (e *encoder) openAI() bool { return e.host == "api.openai.com" || azure(e.host) }

// limitName is the parameter that bounds the output: the one that newer servers
// and models require, or the one that all others accept.
func (e *encoder) limitName() string {
	if e.openAI() || e.cerebras() || slices.Contains(e.refused, "max_tokens") {
		return "max_completion_tokens"
	}
	return "max_tokens"
}

// smallAnswer bounds an answer if neither request nor configuration does, and the
// bound counts against a limit.
const smallAnswer = 1024

func (e *encoder) chatLimit() int {
	if n := e.maxTokens(); n > 0 || !e.cerebras() {
		return n
	}
	return smallAnswer
}

// chatMessages are the instructions and the input. Only OpenAI accepts the role
// "developer".
func (e *encoder) chatMessages() []fields {
	var list []fields
	system := "system"
	if e.req.Instructions != "" {
		list = append(list, fields{{"role", system}, {"content", e.req.Instructions}})
	}
	for _, m := range e.req.Input {
		role := m.Role
		if role == "developer" {
			role = system
		}
		list = append(list, fields{{"role", role}, {"content", m.Text}})
	}
	return list
}

// maxStops is how many stop strings every server takes.
const maxStops = 4

func firstStops(stops []string) []string { return stops[:min(len(stops), maxStops)] }

// encodeMessages writes an Anthropic message request; max_tokens is required there.
func encodeMessages(e *encoder) (fields, *failure) {
	var f fields
	f.set("model", e.model.Model)
	f.set("max_tokens", cmp.Or(e.maxTokens(), 4*smallAnswer))
	if e.req.Instructions != "" {
		f.set("system", []fields{{{"type", "text"}, {"text", e.req.Instructions}, {"cache_control", fields{{"type", "ephemeral"}}}}})
	}
	var list []fields
	for _, m := range e.req.Input {
		role := "user"
		if m.Role == "assistant" {
			role = m.Role
		}
		list = append(list, fields{{"role", role}, {"content", m.Text}})
	}
	f.set("messages", list)
	f.set("stream", true)
	f.add("temperature", e.temperature())
	f.add("stop_sequences", firstStops(e.req.Stop))
	f.add("service_tier", e.model.ServiceTier)
	return f, nil
}

// encodeCompletions writes a text completion. The client renders an infill
// request here, since most servers declare suffix and refuse it; for an unknown
// model family only suffix is left.
func encodeCompletions(e *encoder) (fields, *failure) {
	var f fields
	f.set("model", e.model.Model)
	stops := e.req.Stop
	switch t := templateFor(e.model); {
	case e.req.Fill == nil:
		f.set("prompt", plainPrompt(e.req))
	case t == nil:
		f.set("prompt", e.req.Fill.Prefix)
		f.set("suffix", e.req.Fill.Suffix)
	default:
		f.set("prompt", t.render(e.req.Fill))
		stops = append(stops[:len(stops):len(stops)], t.stops...)
	}
	f.set("stream", true)
	f.set("stream_options", fields{{"include_usage", true}})
	f.add("max_tokens", e.chatLimit())
	f.add("temperature", e.temperature())
	f.add("stop", firstStops(stops))
	return f, nil
}

// plainPrompt is a conversation for a model that only continues text.
func plainPrompt(req *model.Request) string {
	var b strings.Builder
	b.WriteString(req.Instructions)
	for _, m := range req.Input {
		b.WriteString("\n\n" + m.Text)
	}
	return strings.TrimLeft(b.String(), "\n") + "\n"
}

// encodeInfill writes llama.cpp's own request: the server renders the template.
func encodeInfill(e *encoder) (fields, *failure) {
	fill := e.req.Fill
	if fill == nil {
		return nil, e.needsConversation()
	}
	var extra []fields
	for _, x := range fill.Extra {
		extra = append(extra, fields{{"filename", x.Path}, {"text", x.Text}})
	}
	var f fields
	f.set("input_prefix", fill.Prefix)
	f.set("input_suffix", fill.Suffix)
	if len(extra) > 0 {
		f.set("input_extra", extra)
	}
	f.add("model", e.model.Model)
	f.add("n_predict", e.maxTokens())
	f.set("cache_prompt", true)
	f.add("temperature", e.temperature())
	f.add("stop", e.req.Stop)
	f.set("stream", true)
	return f, nil
}

func (e *encoder) needsConversation() *failure {
	return e.errorContext.fail(model.CodeNeedsModel, kindOther, nil,
		"%s only fills in code; choose a model with wire_api = \"responses\" or \"chat\" for edits and questions.", e.model.Name)
}

// encodeOllama writes Ollama's request: with its own suffix, or raw where a
// template is configured.
func encodeOllama(e *encoder) (fields, *failure) {
	var f, options fields
	f.set("model", e.model.Model)
	stops := e.req.Stop
	switch t := fimTemplates[e.model.FIM]; {
	case e.req.Fill == nil:
		f.set("prompt", plainPrompt(&model.Request{Input: e.req.Input}))
		f.add("system", e.req.Instructions)
	case t != nil:
		f.set("prompt", t.render(e.req.Fill))
		f.set("raw", true)
		stops = append(stops[:len(stops):len(stops)], t.stops...)
	default:
		f.set("prompt", e.req.Fill.Prefix)
		f.set("suffix", e.req.Fill.Suffix)
	}
	f.set("stream", true)
	f.set("keep_alive", "30m")
	options.add("num_predict", e.maxTokens())
	options.add("num_ctx", e.model.ContextWindow)
	options.add("temperature", e.temperature())
	options.add("stop", stops)
	f.add("options", options)
	return f, nil
}

// encodeMistral writes Mistral's fill-in-the-middle request.
func encodeMistral(e *encoder) (fields, *failure) {
	if e.req.Fill == nil {
		return nil, e.needsConversation()
	}
	var f fields
	f.set("model", e.model.Model)
	f.set("prompt", e.req.Fill.Prefix)
	f.set("suffix", e.req.Fill.Suffix)
	f.add("max_tokens", e.maxTokens())
	f.add("temperature", e.temperature())
	f.add("stop", firstStops(e.req.Stop))
	f.set("stream", true)
	return f, nil
}
