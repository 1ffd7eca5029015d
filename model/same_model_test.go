package model

import "testing"

// honest are names under which servers and gateways serve what was asked for. Sources: the
// providers' own documentation, nicobailon/pi-subagents#1897, brightwave-inc/tidebreak#1656,
// webai-at-home/webai-at-home#208, MicrosoftLearning/mslearn-ai-studio#168.
var honest = []struct{ asked, served string }{
	{"gpt-5.3-codex", "gpt-5.3-codex"},
	{"gpt-5.3-codex", "gpt-5.3-codex-2026-02-05"},
	{"gpt-5.3-codex", "GPT-5.3-Codex-20260205"},
	{"gpt-5.3-codex-2026-02-05", "gpt-5.3-codex-20260205"},
	{"gpt-5.3-codex", ""},
	{"gpt-4", "gpt-4-0613"},
	{"gpt-4.1-mini", "gpt-4.1-mini-2025-04-14"},
	{"gpt-4.1-1", "gpt-4.1-2025-04-14"}, // Azure's own name for a deployment
	{"my-gpt4o-deployment", "gpt-4o-2024-08-06"},
	{"gpt-35-turbo", "gpt-3.5-turbo-0125"},
	{"gpt-4-turbo-preview", "gpt-4-0125-preview"},
	{"openai/gpt-4o", "gpt-4o-2024-11-20"},
	{"ft:gpt-4o-mini-2024-07-18:org::abc", "ft:gpt-4o-mini-2024-07-18:org::abc"},
	{"anthropic/claude-sonnet-4-5", "claude-sonnet-4-5-20250929"},
	{"us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5-20250929"},
	{"anthropic.claude-3-5-sonnet-20241022-v2:0", "claude-3-5-sonnet-20241022"},
	{"arn:aws:bedrock:us-east-1:123456789012:inference-profile/eu.anthropic.claude-3-haiku-20240307-v1:0", "claude-3-haiku-20240307"},
	{"claude-sonnet-4@20250514", "claude-sonnet-4-20250514"},
	{"anthropic/claude-3.7-sonnet:thinking", "claude-3-7-sonnet-20250219"},
	{"ias-claude-opus-5", "claude-opus-5"},
	{"claude-opus-4-1", "databricks-claude-opus-4-1"},
	{"databricks-meta-llama-3-3-70b-instruct", "meta-llama-3.3-70b-instruct-121024"},
	{"accounts/fireworks/models/llama-v3p3-70b-instruct", "Llama-3.3-70B-Instruct"},
	{"@cf/meta/llama-3.1-8b-instruct-fp8", "llama-3.1-8b-instruct"},
	{"llama3.1", "llama3.1:8b"},
	{"llama3:8b", "Meta-Llama-3-8B-Instruct.Q4_0.gguf"},
	{"models/gemini-2.5-pro", "gemini-2.5-pro-preview-05-06"},
	{"gemini-flash-latest", "gemini-2.5-flash"},
	{"mistral-small-latest", "mistral-small-2503"},
	{"codestral-latest", "codestral-2508"},
	{"mistral.mixtral-8x7b-instruct-v0:1", "mixtral-8x7b-instruct"},
	{"deepseek-chat", "deepseek-v3.1"},
	{"deepseek-reasoner", "deepseek-r1-0528"},
	{"deepseek/deepseek-r1:free", "deepseek-r1"},
	{"qwen/qwen3-coder:free", "qwen3-coder"},
	{"qwen2.5-coder", "qwen2.5-coder:latest"},
	{"qwen2.5-coder:7b", "qwen2.5-coder:7b-instruct-q4_K_M"},
	{"qwen2.5-coder-0.5b-instruct", "/models/qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"},
	{"Qwen/Qwen2.5-Coder-0.5B-Instruct", `C:\models\Qwen2.5-Coder-0.5B-Instruct-Q4_K_M.gguf`},
	{"Qwen/Qwen2.5-Coder-32B-Instruct", "/data/Qwen2.5-Coder-32B-Instruct-AWQ"},
	{"qwen2.5-coder:0.5b", "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"},
	{"qwen2.5-coder-0.5b-instruct-q4_k_m.gguf", "qwen2.5-coder-0.5b-instruct"},
	{"qwen3-coder-30b", "Qwen3-Coder-30B-A3B-Instruct-UD-IQ4_XS-00001-of-00002.gguf"},
	{"unsloth/Qwen3-Coder-30B-A3B-Instruct-GGUF:UD-Q4_K_XL", "Qwen3-Coder-30B-A3B-Instruct-UD-Q4_K_XL.gguf"},
	{"mlx-community/Qwen2.5-Coder-7B-Instruct-4bit", "qwen2.5-coder-7b-instruct"},
	{"qwen2.5-coder-7b-instruct@q4_k_m", "qwen2.5-coder-7b-instruct:2"},
	{"qwen2.5-coder-1", "qwen2.5-coder-1.5b.gguf"},
	{"hf.co/bartowski/Codestral-22B-v0.1-GGUF:Q4_K_M", "codestral-22b-v0.1"},
	{"gpt-oss:120b", "openai/gpt-oss-120b"},
	{"openai/gpt-oss-20b", "gpt-oss-20b-MXFP4.gguf"},
	{"phi4", "microsoft/phi-4"},
	{"gemma3:27b", "gemma-3-27b-it-qat-q4_0.gguf"},
	{"anthropic.claude-v2:1", "claude-2.1"},
	{"Meta-Llama-3.1-405B-Instruct-Turbo", "llama-3.1-405b-instruct"},
	{"granite-code:8b", "granite-8b-code-instruct-128k"},
	{"command-r-plus", "command-r-plus-08-2024"},
	{"Qwen3-0.6B", "/models/Qwen3-0___6B"},
	{"Qwen/Qwen2.5-Coder-7B-Instruct", "Qwen2___5-Coder-7B-Instruct"},
	{"magistral", "Magistral-Small-2509"},
	{"devstral", "Devstral-Small-2507"},
	// Aliases: nobody can know.
	{"llama.cpp", "qwen2.5-coder-7b"},
	{"qwen2.5-coder", "gpt-3.5-turbo"},
	{"fast", "gpt-4o-mini-2024-07-18"},
	{"company-default", "claude-sonnet-4-5"},
	{"openrouter/auto", "mistralai/mistral-large"},
	{"small", "qwen2.5-coder-7b-instruct"},
	{"gpt-4o", "default"},
	{"qwen2.5-coder", "/models/model.gguf"},
	{"application-inference-profile/abc123def456", "claude-sonnet-4-20250514"},
	{"prod-gpt-4o-eu", "gpt-4o"},
	{"fast-gpt-4o", "gpt-4o"},
}

// substituted are models that are not the one that was asked for.
var substituted = []struct{ asked, served string }{
	{"gpt-4o", "gpt-4o-mini"},
	{"gpt-4o", "gpt-4o-mini-2024-07-18"},
	{"gpt-4.1", "gpt-4.1-nano"},
	{"gpt-4", "gpt-4.1"},
	{"gpt-4", "gpt-4o"},
	{"gpt-4-turbo", "gpt-4"},
	{"gpt-5.3-codex-spark", "gpt-5.3-codex"},
	{"gpt-5.3-codex", "gpt-5.3-codex-spark"},
	{"gpt-5.3-codex", "gpt-5.3-codex-mini"},
	{"gpt-5.3-codex-2026-02-05", "gpt-5.3-codex-2026-03-05"},
	{"gpt-6.1-sol", "gpt-6.1-luna"},
	{"o3", "o3-mini"},
	{"o3", "gpt-4o"},
	{"claude-sonnet-4-5", "claude-opus-4-5"},
	{"claude-sonnet-4-5", "claude-sonnet-4-20250514"},
	{"claude-3-5-sonnet", "claude-3-haiku-20240307"},
	{"us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-3-5-haiku-20241022"},
	{"claude-sonnet-4-5", "gpt-4o"},
	{"gemini-2.5-pro", "gemini-2.5-flash"},
	{"gemini-2.5-flash", "gemini-2.5-flash-lite"},
	{"qwen2.5-coder:7b", "qwen2.5-coder:1.5b"},
	{"qwen2.5-coder:7b", "qwen2.5-coder:1.5b-instruct-q4_K_M"},
	{"qwen2.5-coder-7b-instruct", "/models/qwen2.5-coder-1.5b-instruct-q8_0.gguf"},
	{"qwen2.5-coder-1.5b", "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"},
	{"qwen3-coder-30b", "qwen3-30b-a3b"},
	{"Qwen3-30B-A3B-Thinking-2507", "Qwen3-30B-A3B-Instruct-2507"},
	{"gpt-oss-120b", "gpt-oss-20b"},
	{"llama-3.3-70b", "llama-3.1-8b"},
	{"llama-3.3-70b-instruct", "llama-3.1-70b-instruct"},
	{"deepseek-r1", "deepseek-r1-distill-qwen-7b"},
	{"deepseek-chat", "deepseek-reasoner"},
	{"deepseek-v3", "deepseek-v3.1"},
	{"glm-4.5", "glm-4.5-air"},
	{"mistral-large-latest", "mistral-small-2503"},
	{"codestral", "starcoder2-3b.gguf"},
	{"codestral-latest", "mistral-small-latest"},
	{"grok-4", "grok-4-fast"},
	{"codestral-latest", "open-codestral-mamba"},
	{"phi-4", "phi-4-mini"},
}

func TestSameModel(t *testing.T) {
	for _, c := range honest {
		if Substituted(c.asked, c.served) {
			t.Errorf("asked %s, served %s: told as another model", c.asked, c.served)
		}
	}
	for _, c := range substituted {
		if !Substituted(c.asked, c.served) {
			t.Errorf("asked %s, served %s: not told", c.asked, c.served)
		}
		if SameModel(c.asked, c.served) {
			t.Errorf("asked %s, served %s: taken as the same", c.asked, c.served)
		}
	}
	for _, alias := range [][2]string{{"fast", "gpt-4o"}, {"gpt-4o", "default"}} {
		if SameModel(alias[0], alias[1]) {
			t.Errorf("%s is known to be %s", alias[0], alias[1])
		}
	}
}
