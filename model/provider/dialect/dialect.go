package dialect

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"tandem/model"
	"tandem/model/format"
	"tandem/workspace/redact"
)

// A Dialect is one wire API: where requests go, how they are written, how
// answers are read.
type Dialect struct {
	Path    string // under the base URL
	Lines   bool   // answers are lines of JSON
	Stops   bool   // the API takes stop strings
	Encode  func(e *Encoder) (Fields, *Failure)
	Decoder func(answers int) Decoder // so many answers were asked for
}

// All are the values of wire_api.
var All = map[string]*Dialect{
	"responses":   {Path: "/responses", Encode: encodeResponses, Decoder: responsesEvents},
	"chat":        {Path: "/chat/completions", Stops: true, Encode: encodeChat, Decoder: choiceEvents},
	"messages":    {Path: "/messages", Stops: true, Encode: encodeMessages, Decoder: func(int) Decoder { return &Tolerant{Decoder: &messagesDecoder{}} }},
	"completions": {Path: "/completions", Stops: true, Encode: encodeCompletions, Decoder: choiceEvents},
	"infill":      {Path: "/v1/chat/completions", Stops: true, Encode: encodeChat, Decoder: choiceEvents},
	"ollama":      {Path: "/api/chat", Lines: true, Stops: true, Encode: encodeOllamaChat, Decoder: textEvents},
	"mistral-fim": {Path: "/fim/completions", Stops: true, Encode: encodeMistral, Decoder: choiceEvents},
}

func responsesEvents(int) Decoder {
	return &Tolerant{Decoder: NewResponsesDecoder(), Sequenced: true}
}

func choiceEvents(answers int) Decoder {
	return &Tolerant{Decoder: &choiceDecoder{others: make([]choiceState, max(answers, 1)-1)}}
}

func textEvents(int) Decoder { return &Tolerant{Decoder: &textDecoder{}} }

// For returns the dialect of a request to a model: that of the wire API, unless the request
// is a prompt to continue, or the model's format has a path of its own. A server that has
// refused the parameter suffix is asked for completions as for other things.
func For(wire string, m *model.ModelConfig, req *model.Request, refused []string) *Dialect {
	switch {
	case req.Purpose == model.NextEdit && m.Format == format.Mercury && req.Raw.Len() == 0:
		return mercuryEdit
	case req.Fill != nil && m.Format == format.Mercury && req.Raw.Len() == 0:
		return mercuryFill
	case req.Raw.Len() > 0:
		return continued[wire]
	case req.Fill == nil, conversations[wire] && m.Format != format.FIM && (m.FIM == "" || wire != "chat"):
		return All[wire]
	case model.FIMOf(*m) != nil:
		return continued[wire]
	case slices.Contains(refused, "suffix"), model.ChatOnly(*m) && wire != "completions":
		return All[wire]
	case wire == "infill":
		return infill
	}
	return continued[wire]
}

// conversations are the wire APIs of servers that need not take a prompt without a
// conversation: only where the configuration says so.
var conversations = map[string]bool{"responses": true, "chat": true, "messages": true}

// continued are the dialects for a prompt that reaches the model verbatim, without a chat
// template.
var continued = map[string]*Dialect{
	"responses":   All["completions"],
	"chat":        All["completions"],
	"messages":    All["completions"],
	"completions": All["completions"],
	"infill":      {Path: "/completion", Stops: true, Encode: encodeLlama, Decoder: textEvents},
	"ollama":      {Path: "/api/generate", Lines: true, Stops: true, Encode: encodeOllama, Decoder: textEvents},
	"mistral-fim": All["mistral-fim"],
}

// infill is llama.cpp's own form for models whose family is not known. It cuts long texts
// in silence and names neither the file nor the repository.
var infill = &Dialect{Path: "/infill", Stops: true, Encode: encodeInfill, Decoder: textEvents}

// Mercury's own paths. Whether they stream is not documented: they are asked without,
// and both kinds of answer are read.
var (
	mercuryEdit = &Dialect{Path: "/edit/completions", Encode: encodeMercuryEdit, Decoder: choiceEvents}
	mercuryFill = &Dialect{Path: "/fim/completions", Stops: true, Encode: encodeMercuryFill, Decoder: choiceEvents}
)

// WireAPIs are the values that ProviderConfig.WireAPI may have.
func WireAPIs() []string {
	return []string{"responses", "chat", "messages", "completions", "infill", "ollama", "mistral-fim"}
}

// An Encoder holds the inputs from which one request is written.
type Encoder struct {
	ErrorContext ErrorContext
	Provider     *model.ProviderConfig
	Model        *model.ModelConfig
	Req          *model.Request
	Host         string
	Refused      []string // parameters that the model has refused earlier
	Texts        []string // what was written
	Begun        string   // the end of the prefix that was not written: the answer begins with it
}

// wire writes a text.
func (e *Encoder) wire(t redact.Text) string { return e.written(t.Wire()) }

func (e *Encoder) written(text string) string {
	e.Texts = append(e.Texts, text)
	return text
}

// MaxTokens bounds the answer: as asked, else as configured.
func (e *Encoder) MaxTokens() int {
	if e.Req.Ahead {
		return 1
	}
	if e.Req.MaxOutputTokens > 0 && e.Model.MaxOutputTokens > 0 {
		return min(e.Req.MaxOutputTokens, e.Model.MostOutput())
	}
	return cmp.Or(e.Req.MaxOutputTokens, e.Model.MostOutput())
}

func (e *Encoder) temperature() *float64 { return cmp.Or(e.Req.Temperature, e.Model.Temperature) }

// steady is the temperature, 0 for a completion where nobody has set one: servers take 0.8
// or 1, which completes worse. Models that reason take no temperature, nor do OpenAI's.
func (e *Encoder) steady() *float64 {
	if t := e.temperature(); t != nil || e.Req.Purpose != model.Complete || e.Req.N > 1 || e.Model.ReasoningEffort != "" || e.openAI() {
		return t
	}
	return new(float64)
}

// stops are where the answer ends: where its caller says so, and for a prompt in a family's
// form at the marks of that family.
func (e *Encoder) stops() []string {
	if t := model.FIMOf(*e.Model); t != nil && e.Req.Fill != nil {
		return slices.Concat(e.Req.Stop, t.Stops)
	}
	return e.Req.Stop
}

// cerebras reports whether the provider is Cerebras, which counts the bound on
// the output against its limits, and the model's maximum if there is no bound:
// a bound is always sent.
func (e *Encoder) cerebras() bool {
	return strings.HasSuffix(e.Host, "cerebras.ai") || strings.EqualFold(e.Provider.Name, "cerebras")
}

func azure(host string) bool {
	return strings.HasSuffix(host, ".azure.com") || strings.HasSuffix(host, ".azure.us") || strings.HasSuffix(host, ".azure.cn")
}

// TellsThoughts reports whether the servers are those of providers that never send a thought as
// the text of an answer.
func TellsThoughts(bases []*url.URL) bool {
	return len(bases) > 0 && !slices.ContainsFunc(bases, func(base *url.URL) bool {
		host := base.Hostname()
		return !azure(host) && !slices.ContainsFunc([]string{"openai.com", "chatgpt.com", "anthropic.com"}, func(domain string) bool {
			return host == domain || strings.HasSuffix(host, "."+domain)
		})
	})
}

// chatGPT is the backend of ChatGPT logins, which stores nothing and rejects
// what the public API takes.
func chatGPT(p *model.ProviderConfig, host string) bool {
	return p.AccountID != "" || host == "chatgpt.com"
}

// Omitted are the parameters that a model is never sent.
func (e *Encoder) Omitted() []string {
	list := e.Model.Omit
	if chatGPT(e.Provider, e.Host) {
		list = append([]string{"temperature", "max_output_tokens", "reasoning.summary"}, list...)
	}
	return list
}

// SetHeaders sets the headers of every request of a provider. extra are the
// values of env_http_headers, already looked up.
func SetHeaders(h http.Header, p *model.ProviderConfig, host string, key model.Secret, extra map[string]string, agent string) {
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

// Address is a base URL with the dialect's path and the provider's query.
func Address(base *url.URL, path string, query map[string]string) *url.URL {
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
