package main

import (
	"fmt"
	"strings"
	"testing"
)

// honestServers are servers and gateways that end whole answers with words of their own, and serve
// what they were asked for under another name. Sources: the providers' own documentation, and
// vllm-project/vllm#19662, sgl-project/sglang#3912, openclaw/openclaw#68418, BerriAI/litellm#13348.
var honestServers = []struct{ asked, served, wire, word string }{
	{"gpt-5.3-codex", "gpt-5.3-codex-2026-02-05", "chat", "stop"},
	{"gpt-4.1-1", "gpt-4.1-2025-04-14", "chat", "STOP"},
	{"my-gpt4o-deployment", "gpt-4o-2024-08-06", "chat", "FINISH_REASON_STOP"},
	{"gpt-35-turbo", "gpt-3.5-turbo-0125", "chat", "end_of_text"},
	{"openai/gpt-4o", "gpt-4o-2024-11-20", "chat", "<|im_end|>"},
	{"anthropic/claude-sonnet-4-5", "claude-sonnet-4-5-20250929", "chat", "end_turn"},
	{"us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5-20250929", "chat", "COMPLETE"},
	{"claude-sonnet-4@20250514", "claude-sonnet-4-20250514", "messages", "end_turn"},
	{"anthropic/claude-3.7-sonnet:thinking", "claude-3-7-sonnet-20250219", "messages", "stop_sequence"},
	{"claude-opus-4-1", "databricks-claude-opus-4-1", "messages", "finished"},
	{"ias-claude-opus-5", "claude-opus-5", "messages", "stop"},
	{"databricks-meta-llama-3-3-70b-instruct", "meta-llama-3.3-70b-instruct-121024", "chat", ""},
	{"accounts/fireworks/models/llama-v3p3-70b-instruct", "Llama-3.3-70B-Instruct", "chat", "eos_token"},
	{"@cf/meta/llama-3.1-8b-instruct-fp8", "llama-3.1-8b-instruct", "chat", "null"},
	{"llama3.1", "llama3.1:8b", "ollama", "stop"},
	{"llama3:8b", "Meta-Llama-3-8B-Instruct.Q4_0.gguf", "ollama", ""},
	{"qwen2.5-coder:7b", "qwen2.5-coder:7b-instruct-q4_K_M", "ollama", "eog"},
	{"models/gemini-2.5-pro", "gemini-2.5-pro-preview-05-06", "chat", "STOP"},
	{"gemini-flash-latest", "gemini-2.5-flash", "chat", "Finish_Stop"},
	{"mistral-small-latest", "mistral-small-2503", "chat", "stop"},
	{"codestral-latest", "codestral-2508", "chat", "done"},
	{"mistral.mixtral-8x7b-instruct-v0:1", "mixtral-8x7b-instruct", "chat", "completed"},
	{"deepseek-chat", "deepseek-v3.1", "chat", "natural"},
	{"deepseek-reasoner", "deepseek-r1-0528", "chat", "stop"},
	{"qwen/qwen3-coder:free", "qwen3-coder", "chat", "eos"},
	{"qwen2.5-coder", "qwen2.5-coder:latest", "chat", "2"},
	{"qwen2.5-coder-0.5b-instruct", "/models/qwen2.5-coder-0.5b-instruct-q4_k_m.gguf", "chat", "eos_found"},
	{"Qwen/Qwen2.5-Coder-0.5B-Instruct", `C:\models\Qwen2.5-Coder-0.5B-Instruct-Q4_K_M.gguf`, "chat", "OK"},
	{"Qwen/Qwen2.5-Coder-32B-Instruct", "/data/Qwen2.5-Coder-32B-Instruct-AWQ", "chat", "stop_str"},
	{"qwen3-coder-30b", "Qwen3-Coder-30B-A3B-Instruct-UD-IQ4_XS-00001-of-00002.gguf", "chat", breaks},
	{"mlx-community/Qwen2.5-Coder-7B-Instruct-4bit", "qwen2.5-coder-7b-instruct", "chat", "end_of_sequence"},
	{"hf.co/bartowski/Codestral-22B-v0.1-GGUF:Q4_K_M", "codestral-22b-v0.1", "ollama", breaks},
	{"gpt-oss:120b", "openai/gpt-oss-120b", "responses", "completed"},
	{"openai/gpt-oss-20b", "gpt-oss-20b-MXFP4.gguf", "responses", ""},
	{"gpt-6.1-sol", "gpt-6.1-sol-2026-09-01", "responses", "succeeded"},
	{"gpt-5.3-codex-spark", "gpt-5.3-codex-spark", "responses", breaks},
	{"phi4", "microsoft/phi-4", "chat", "Stop"},
	{"gemma3:27b", "gemma-3-27b-it-qat-q4_0.gguf", "ollama", "stop"},
	{"Meta-Llama-3.1-405B-Instruct-Turbo", "llama-3.1-405b-instruct", "chat", "eos"},
	{"granite-code:8b", "granite-8b-code-instruct-128k", "chat", "stop_token"},
	{"command-r-plus", "command-r-plus-08-2024", "chat", "COMPLETE"},
	{"fast", "gpt-4o-mini-2024-07-18", "chat", "tool_calls"},
	{"company-default", "claude-sonnet-4-5", "messages", breaks},
	{"openrouter/auto", "mistralai/mistral-large", "chat", "stop"},
	{"prod-gpt-4o-eu", "gpt-4o", "chat", "end"},
}

// oneTo30 is the answer that tandem doctor knows.
func oneTo30() string {
	var out strings.Builder
	for i := range counted {
		fmt.Fprintf(&out, "%d ", i+1)
	}
	return out.String()
}

// TestHonestServersAfterDoctor: once tandem doctor has asked a server, its whole answers are written
// and no other model is named, whatever word it ends them with and whatever it calls its model.
// What is known for a cut stays one.
func TestHonestServersAfterDoctor(t *testing.T) {
	cutAgain := map[string]string{"chat": "length", "messages": "max_tokens", "responses": "content_filter", "ollama": "length"}
	for _, c := range honestServers {
		t.Run(c.asked, func(t *testing.T) {
			h := newHome(t)
			end := &wireEnd{wire: c.wire, word: c.word, served: c.served}
			root := map[bool]string{true: "", false: "/v1"}[c.wire == "ollama"]
			h.write(h.config, fmt.Sprintf("fast = \"m\"\n[models.m]\nprovider = \"p\"\nmodel = %q\ncontext_window = 64000\ninput_price = 0.0\noutput_price = 0.0\n[providers.p]\nbase_url = \"%s%s\"\nwire_api = %q\nrequest_max_retries = 0\nstream_max_retries = 0\n", c.asked, end.serve(t), root, c.wire))
			h.write("go.mod", "module w\n\ngo 1.26\n")
			h.write("a.go", endsFile)
			_, out, stderr := h.run("doctor")
			if said := out + stderr; strings.Contains(said, "answered in its place") || strings.Contains(said, "that is what it has loaded") {
				t.Errorf("doctor tells of another model: %s", said)
			}
			code, out, stderr := h.run("edit", "a.go", "count more", "--write")
			if code != exitDone || readFile(t, "", "a.go") == endsFile || strings.Contains(stderr, "answered in its place") || strings.Contains(stderr, "that is what it has loaded") {
				t.Errorf("after doctor: exit %d, %s%s", code, out, stderr)
			}
			h.write("a.go", endsFile)
			end.word = cutAgain[c.wire]
			if code, out, stderr = h.run("edit", "a.go", "count more", "--write"); code != exitFailed || readFile(t, "", "a.go") != endsFile {
				t.Errorf("an answer that is cut: exit %d, %s%s", code, out, stderr)
			}
		})
	}
}
