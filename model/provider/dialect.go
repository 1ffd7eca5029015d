package provider

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"tandem/model"
)

// A dialect is one wire API: where requests go, how they are written, how
// answers are read.
type dialect struct {
	path    string // under the base URL
	lines   bool   // answers are lines of JSON
	stops   bool   // the API takes stop strings
	encode  func(e *encoder) (fields, *failure)
	decoder func() decoder
}

// dialects are the values of wire_api.
var dialects = map[string]*dialect{
	"responses":   {path: "/responses", encode: encodeResponses, decoder: responsesEvents},
	"chat":        {path: "/chat/completions", stops: true, encode: encodeChat, decoder: choiceEvents},
	"messages":    {path: "/messages", stops: true, encode: encodeMessages, decoder: func() decoder { return &tolerant{decoder: &messagesDecoder{}} }},
	"completions": {path: "/completions", stops: true, encode: encodeCompletions, decoder: choiceEvents},
	"infill":      {path: "/infill", stops: true, encode: encodeInfill, decoder: func() decoder { return &tolerant{decoder: &infillDecoder{}} }},
	"ollama":      {path: "/api/generate", lines: true, stops: true, encode: encodeOllama, decoder: func() decoder { return &tolerant{decoder: &ollamaDecoder{}} }},
	"mistral-fim": {path: "/fim/completions", stops: true, encode: encodeMistral, decoder: choiceEvents},
}

func responsesEvents() decoder {
	return &tolerant{decoder: newResponsesDecoder(), sequenced: true}
}

func choiceEvents() decoder { return &tolerant{decoder: &choiceDecoder{}} }

// WireAPIs are the values that ProviderConfig.WireAPI may have.
func WireAPIs() []string {
	return []string{"responses", "chat", "messages", "completions", "infill", "ollama", "mistral-fim"}
}

// An encoder holds the inputs from which one request is written.
type encoder struct {
	errorContext errorContext
	provider     *model.ProviderConfig
	model        *model.ModelConfig
	req          *model.Request
	host         string
	refused      []string // parameters that the model has refused earlier
}

// maxTokens bounds the answer: as asked, else as configured.
func (e *encoder) maxTokens() int {
	if e.req.MaxOutputTokens > 0 && e.model.MaxOutputTokens > 0 {
		return min(e.req.MaxOutputTokens, e.model.MaxOutputTokens)
	}
	return cmp.Or(e.req.MaxOutputTokens, e.model.MaxOutputTokens)
}

func (e *encoder) temperature() *float64 {
	if e.req.Temperature != nil {
		return e.req.Temperature
	}
	return e.model.Temperature
}

// cerebras reports whether the provider is Cerebras, which counts the bound on
// the output against its limits, and the model's maximum if there is no bound:
// a bound is always sent.
func (e *encoder) cerebras() bool {
	return strings.HasSuffix(e.host, "cerebras.ai") || strings.EqualFold(e.provider.Name, "cerebras")
}

func azure(host string) bool {
	return strings.HasSuffix(host, ".azure.com") || strings.HasSuffix(host, ".azure.us") || strings.HasSuffix(host, ".azure.cn")
}

// chatGPT is the backend of ChatGPT logins, which stores nothing and rejects
// what the public API takes.
func chatGPT(p *model.ProviderConfig, host string) bool {
	return p.AccountID != "" || host == "chatgpt.com"
}

// omitted are the parameters that a model is never sent.
func (e *encoder) omitted() []string {
	list := e.model.Omit
	if chatGPT(e.provider, e.host) {
		list = append([]string{"temperature", "max_output_tokens", "reasoning.summary"}, list...)
	}
	return list
}

// setHeaders sets the headers of every request of a provider. extra are the
// values of env_http_headers, already looked up.
func setHeaders(h http.Header, p *model.ProviderConfig, host string, key model.Secret, extra map[string]string, agent string) {
	h.Set("User-Agent", agent)
	for _, m := range []map[string]string{p.HTTPHeaders, extra} {
		for k, v := range m {
			h.Set(k, v)
		}
	}
	if p.AccountID != "" {
		h.Set("ChatGPT-Account-ID", p.AccountID)
	}
	if p.WireAPI == "messages" && h.Get("Anthropic-Version") == "" {
		h.Set("Anthropic-Version", "2023-06-01")
	}
	if key.Empty() {
		return
	}
	rotating := len(p.AuthCommand) > 0
	switch {
	case !rotating && azure(host):
		h.Set("Api-Key", key.Reveal())
	case !rotating && p.WireAPI == "messages":
		h.Set("X-Api-Key", key.Reveal())
	default:
		h.Set("Authorization", "Bearer "+key.Reveal())
	}
}

// address is a base URL with the dialect's path and the provider's query.
func address(base *url.URL, path string, query map[string]string) *url.URL {
	u := *base
	u.Path = strings.TrimRight(u.Path, "/") + path
	if len(query) > 0 {
		q := u.Query()
		for k, v := range query {
			q.Set(k, v)
		}
		u.RawQuery = q.Encode()
	}
	return &u
}
