package config

import (
	"errors"
	"maps"
	"slices"

	"tandem/model"
)

// presets are the providers that need no table: their protocol, address and key
// variable. A [providers.NAME] table of the same name overrides their values.
// Models are never built in: ids, windows and prices change, so the user sets
// them.
var presets = map[string]map[string]any{
	"openai": {
		"name": "OpenAI", "base_url": []string{"https://api.openai.com/v1"}, "env_key": "OPENAI_API_KEY",
		"wire_api": "responses", "supports_websockets": true, "stream_ids": true,
	},
	"chatgpt": {
		"name": "ChatGPT", "base_url": []string{"https://chatgpt.com/backend-api/codex"},
		"wire_api": "responses", "supports_websockets": true,
	},
	"azure": {
		"name": "Azure OpenAI", "env_key": "AZURE_OPENAI_API_KEY", "wire_api": "responses",
	},
	"anthropic": {
		"name": "Anthropic", "base_url": []string{"https://api.anthropic.com/v1"}, "env_key": "ANTHROPIC_API_KEY", "wire_api": "messages",
	},
	"cerebras": {
		"name": "Cerebras", "base_url": []string{"https://api.cerebras.ai/v1"}, "env_key": "CEREBRAS_API_KEY", "wire_api": "chat",
	},
	"mistral": {
		"name": "Mistral", "base_url": []string{"https://api.mistral.ai/v1"}, "env_key": "MISTRAL_API_KEY", "wire_api": "chat",
	},
	"codestral": {
		"name": "Codestral", "base_url": []string{"https://codestral.mistral.ai/v1"}, "env_key": "CODESTRAL_API_KEY", "wire_api": "mistral-fim",
	},
	"inception": {
		"name": "Inception", "base_url": []string{"https://api.inceptionlabs.ai/v1"}, "env_key": "INCEPTION_API_KEY", "wire_api": "chat",
	},
	"openrouter": {
		"name": "OpenRouter", "base_url": []string{"https://openrouter.ai/api/v1"}, "env_key": "OPENROUTER_API_KEY", "wire_api": "chat",
	},
	"ollama":   {"name": "Ollama", "base_url": []string{"http://127.0.0.1:11434"}, "wire_api": "ollama"},
	"llamacpp": {"name": "llama.cpp", "base_url": []string{"http://127.0.0.1:8080"}, "wire_api": "infill"},
	"lmstudio": {"name": "LM Studio", "base_url": []string{"http://127.0.0.1:1234/v1"}, "wire_api": "chat"},
	"vllm":     {"name": "vLLM", "base_url": []string{"http://127.0.0.1:8000/v1"}, "wire_api": "chat"},
}

// PresetAddress returns the address of a built-in provider, or "".
func PresetAddress(provider string) string {
	if urls, ok := presets[provider]["base_url"].([]string); ok {
		return urls[0]
	}
	return ""
}

// PresetWire returns the wire API of a built-in provider, or "".
func PresetWire(provider string) string {
	wire, _ := presets[provider]["wire_api"].(string)
	return wire
}

// Title returns a built-in provider's name for people; another one is called by its own.
func Title(provider string) string {
	title, _ := presets[provider]["name"].(string)
	return orElse(title, provider)
}

// Preset returns a built-in provider.
func Preset(name string) model.ProviderConfig {
	return decode(presetLayer(layer{"providers." + dotted([]string{name}): {path: []string{"providers", name}}})).Providers[name]
}

// CheckAddress returns why an address cannot be a provider's, nil if it can.
func CheckAddress(address string) error {
	ps := &problems{}
	checkAddress(address, false, "allow_http", Origin{}, ps)
	if len(ps.list) == 0 {
		return nil
	}
	return errors.New(ps.list[0].Message)
}

// Presets lists the built-in providers by name.
func Presets() []string { return slices.Sorted(maps.Keys(presets)) }
