package dialect

import (
	"strings"

	"tandem/model"
)

// words are a wire's reasons for which answers end, in lower case.
type words map[string]model.Why

// Each wire's words for the end of a whole answer. Any other word is of a cut one. An empty word
// is none: the wire has another mark of the end then.
var (
	// Chat and text completions, of OpenAI and of servers that speak like it. Gateways pass on
	// the words of other wires. "[DONE]" without a reason is the end as well.
	choiceWords = words{"": model.WhyWhole, "stop": model.WhyWhole, "end_turn": model.WhyWhole, "stop_sequence": model.WhyWhole, "eos": model.WhyWhole, "eos_token": model.WhyWhole,
		"tool_calls": model.WhyWhole, "tool_use": model.WhyWhole, "function_call": model.WhyWhole, "completed": model.WhyWhole, "complete": model.WhyWhole, "done": model.WhyWhole, "end": model.WhyWhole, "finished": model.WhyWhole}
	// Anthropic's messages.
	messageWords = words{"": model.WhyWhole, "end_turn": model.WhyWhole, "stop_sequence": model.WhyWhole, "tool_use": model.WhyWhole, "stop": model.WhyWhole, "tool_calls": model.WhyWhole, "eos_token": model.WhyWhole}
	// The status of a response.
	responseWords = words{"": model.WhyWhole, "completed": model.WhyWhole, "stop": model.WhyWhole}
	// llama.cpp's stop_type and Ollama's done_reason, which old versions do not send.
	textWords = words{"": model.WhyWhole, "stop": model.WhyWhole, "eos": model.WhyWhole, "word": model.WhyWhole, "eos_token": model.WhyWhole, "stop_sequence": model.WhyWhole, "tool_calls": model.WhyWhole}
)

// cuts are the words of all wires for what cut an answer, in lower case.
var cuts = words{
	"length": model.WhyLength, "max_tokens": model.WhyLength, "max_output_tokens": model.WhyLength, "max_completion_tokens": model.WhyLength, "max_new_tokens": model.WhyLength,
	"max_length": model.WhyLength, "model_length": model.WhyLength, "limit": model.WhyLength, "token_limit": model.WhyLength, "max_messages": model.WhyLength,
	"content_filter": model.WhyFilter, "content_filtered": model.WhyFilter, "safety": model.WhyFilter, "recitation": model.WhyFilter, "blocklist": model.WhyFilter, "prohibited_content": model.WhyFilter,
	"spii": model.WhyFilter, "guardrail_intervened": model.WhyFilter, "sensitive": model.WhyFilter, "moderation": model.WhyFilter,
	"refusal": model.WhyRefused, "refused": model.WhyRefused,
	"pause_turn": model.WhyPaused, "paused": model.WhyPaused,
	"error": model.WhyServer, "abort": model.WhyServer, "aborted": model.WhyServer, "cancelled": model.WhyServer, "canceled": model.WhyServer, "failed": model.WhyServer, "incomplete": model.WhyBroken, "network_error": model.WhyServer,
	"server_error": model.WhyServer, "timeout": model.WhyServer, "insufficient_system_resource": model.WhyServer, "malformed_function_call": model.WhyServer,
	"model_context_window_exceeded": model.WhyContext, "context_length_exceeded": model.WhyContext, "context_window_exceeded": model.WhyContext,
}

// end is how an answer ended that a server of the wire ended with a word.
func (w words) end(word string) model.End {
	folded := strings.ToLower(strings.TrimSpace(word))
	why, known := w[folded]
	if !known {
		why = cuts[folded]
	}
	return model.Ended(why, word)
}
