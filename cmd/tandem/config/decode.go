package config

import (
	"slices"
	"strings"
	"time"

	"tandem/model"
	"tandem/model/format"
	"tandem/workspace/window"
)

// decode turns effective values, which check has accepted, into a Config.
func decode(l layer) *Config {
	c := &Config{
		Fast:      get[string](l, "fast"),
		Deep:      get[string](l, "deep"),
		NextEdit:  get[string](l, "next_edit"),
		Complete:  get[string](l, "complete"),
		Models:    map[string]model.ModelConfig{},
		Providers: map[string]model.ProviderConfig{},
		KeyHints:  map[string]string{},
		Titles:    map[string]string{},
		Budgets:   map[string]int{},
		Search: Search{
			URL:       get[string](l, "search", "url"),
			Query:     get[string](l, "search", "query"),
			Timeout:   milliseconds(l, "search", "timeout_ms"),
			AllowHTTP: get[bool](l, "search", "allow_http"),
		},
		MCP: AgentAccess{Write: get[bool](l, "mcp", "write"), Socket: get[bool](l, "mcp", "socket")},
		Checkers: Checkers{
			Programs: map[string]string{"python": get[string](l, "checker", "python"), "script": get[string](l, "checker", "script")},
			Memory:   get[int64](l, "checker", "memory_mb") << 20,
		},
		Day:       Day{get[float64](l, "day_notice_usd"), get[float64](l, "completions_day_usd")},
		effective: &effective{layer: l},
	}
	if limit, set := value[float64](l, "daily_limit_usd"); set {
		c.DailyLimit = &limit
	}
	for _, name := range append(window.Purposes(), "ask_max") {
		c.Budgets[name] = int(get[int64](l, "budgets", name))
	}
	for _, name := range l.names("models") {
		c.Models[name] = decodeModel(l, name)
	}
	c.Tasks = Tasks{
		Running: int(get[int64](l, "tasks", "running")), MaxSteps: int(get[int64](l, "tasks", "max_steps")), ShowPlan: int(get[int64](l, "tasks", "show_plan")),
		LimitUSD: get[float64](l, "tasks", "limit_usd"), ConfirmUSD: get[float64](l, "tasks", "confirm_above_usd"),
		Quiet: get[string](l, "tasks", "show") == "quiet", Review: get[string](l, "tasks", "review"), TestCommand: get[[]string](l, "tasks", "test_command"),
	}
	for _, name := range l.names("agents") {
		str := func(key string) string { return get[string](l, "agents", name, key) }
		c.Agents = append(c.Agents, Agent{strings.ToLower(name), str("model"), str("instructions"), str("service_tier")})
	}
	for _, name := range l.names("providers") {
		c.Providers[name] = decodeProvider(l, name)
		c.KeyHints[name] = get[string](l, "providers", name, "env_key_instructions")
		c.Titles[name] = orElse(get[string](l, "providers", name, "name"), name)
	}
	return c
}

func decodeModel(l layer, name string) model.ModelConfig {
	path := func(key string) []string { return []string{"models", name, key} }
	str := func(key string) string { return get[string](l, path(key)...) }
	num := func(key string) int { return int(get[int64](l, path(key)...)) }
	m := model.ModelConfig{
		Name:             name,
		Provider:         str("provider"),
		Model:            orElse(str("model"), name),
		ContextWindow:    num("context_window"),
		MaxOutputTokens:  num("max_output_tokens"),
		InputPrice:       price(l, path("input_price")),
		CachedPrice:      price(l, path("cached_price")),
		CacheWritePrice:  price(l, path("cache_write_price")),
		OutputPrice:      price(l, path("output_price")),
		Tokenizer:        str("tokenizer"),
		TokenMargin:      get[float64](l, path("token_margin")...),
		Family:           str("family"),
		ReasoningEffort:  str("reasoning_effort"),
		ReasoningSummary: str("reasoning_summary"),
		Verbosity:        str("verbosity"),
		ServiceTier:      str("service_tier"),
		Omit:             get[[]string](l, path("omit")...),
		FIM:              str("fim"),
		Format:           formatOf(l, name),
		EditFormat:       str("edit_format"),
		Prediction:       get[bool](l, path("prediction")...),
		RequestTimeout:   milliseconds(l, path("request_timeout_ms")...),
		Candidates:       num("candidates"),
	}
	wire := get[string](l, "providers", m.Provider, "wire_api")
	own := wire == "infill" || wire == "ollama" || wire == "chat" && m.FIM != ""
	m.FillOnly = wire == "mistral-fim" || own && model.FillsOnly(m, wire) || !format.Chats(m.Format)
	m.Tools = (wire == "responses" || wire == "chat") && !m.FillOnly && !slices.Contains(m.Omit, "tools")
	m.Choices = (wire == "chat" || wire == "completions") && m.Format != format.Mercury && !slices.Contains(m.Omit, "n")
	if t, set := value[float64](l, path("temperature")...); set {
		m.Temperature = &t
	}
	return m
}

// formatOf is the format of a model: the configured one, else the one that its id
// names.
func formatOf(l layer, name string) string {
	if set := get[string](l, "models", name, "format"); set != "" {
		return set
	}
	return format.Infer(orElse(get[string](l, "models", name, "model"), name))
}

func price(l layer, path []string) float64 {
	if v, set := value[float64](l, path...); set {
		return v
	}
	return -1
}

func decodeProvider(l layer, name string) model.ProviderConfig {
	path := func(key ...string) []string { return append([]string{"providers", name}, key...) }
	str := func(key string) string { return get[string](l, path(key)...) }
	p := model.ProviderConfig{
		Name:               name,
		BaseURLs:           get[[]string](l, path("base_url")...),
		WireAPI:            str("wire_api"),
		SupportsWebsockets: get[bool](l, path("supports_websockets")...),
		StreamIDs:          get[bool](l, path("stream_ids")...),
		HTTPHeaders:        l.strings(path("http_headers")),
		EnvHTTPHeaders:     l.strings(path("env_http_headers")),
		QueryParams:        l.strings(path("query_params")),
		RequestMaxRetries:  count(l, path("request_max_retries")),
		StreamMaxRetries:   count(l, path("stream_max_retries")),
		StreamIdleTimeout:  milliseconds(l, path("stream_idle_timeout_ms")...),
		RequestTimeout:     milliseconds(l, path("request_timeout_ms")...),
		WebsocketConnect:   milliseconds(l, path("websocket_connect_timeout_ms")...),
		AllowHTTP:          get[bool](l, path("allow_http")...),
		Proxy:              str("proxy"),
		CAFile:             str("ca_file"),
		AccountID:          str("account_id"),
	}
	switch keySource(l, name) {
	case "env_key":
		p.EnvKey = str("env_key")
	case "keyring":
		p.Keyring = str("keyring")
	case "auth.command":
		p.AuthCommand = get[[]string](l, path("auth", "command")...)
		p.AuthRefresh = milliseconds(l, path("auth", "refresh_interval_ms")...)
	}
	return p
}

// keySources are the settings for where a key is; a provider uses one of them.
var keySources = []string{"auth.command", "keyring", "env_key"}

// keySource returns the setting in use: a user's setting wins over that of a
// built-in provider.
func keySource(l layer, provider string) string {
	best, from := "", Source(-1)
	for _, key := range keySources {
		if it, ok := l["providers."+dotted([]string{provider})+"."+key]; ok && it.origin.Source > from {
			best, from = key, it.origin.Source
		}
	}
	return best
}

// strings returns the values of a table of strings, or nil.
func (l layer) strings(table []string) map[string]string {
	var out map[string]string
	for _, it := range l {
		if len(it.path) == len(table)+1 && dotted(it.path[:len(table)]) == dotted(table) {
			if out == nil {
				out = map[string]string{}
			}
			out[it.path[len(table)]], _ = it.value.(string)
		}
	}
	return out
}

func count(l layer, path []string) *int {
	v, set := value[int64](l, path...)
	if !set {
		return nil
	}
	n := int(v)
	return &n
}

func milliseconds(l layer, path ...string) time.Duration {
	return time.Duration(get[int64](l, path...)) * time.Millisecond
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// Editor returns the suggestion settings for a language id of the editor.
func (c *Config) Editor(language string) Editor {
	if e, ok := c.effective.editors.Load(language); ok {
		return e.(Editor)
	}
	e := c.effective.editor(language)
	c.effective.editors.Store(language, e)
	return e
}

func (l layer) editor(language string) Editor {
	return Editor{
		Enabled:            editorValue[bool](l, language, "enabled"),
		Automatic:          editorValue[string](l, language, "trigger") == "automatic",
		Subtle:             editorValue[string](l, language, "show") == "subtle",
		Lines:              int(editorValue[int64](l, language, "lines")),
		NextEdits:          editorValue[bool](l, language, "next_edits"),
		HoverModel:         editorValue[bool](l, language, "hover_model"),
		HoverDocumentation: editorValue[bool](l, language, "hover_documentation"),
		Review:             editorValue[bool](l, language, "review_on_save"),
		Disabled:           get[[]string](l, "editor", "disabled_globs"),

		Debounce:       time.Duration(editorValue[int64](l, language, "debounce_ms")) * time.Millisecond,
		InlineTimeout:  time.Duration(editorValue[int64](l, language, "inline_timeout_ms")) * time.Millisecond,
		FirstText:      time.Duration(editorValue[int64](l, language, "first_text_ms")) * time.Millisecond,
		TokensPerKey:   int(editorValue[int64](l, language, "tokens_per_key")),
		ReplaceGuesses: editorValue[bool](l, language, "replace_guesses"),
	}
}

func editorValue[T any](l layer, language, key string) T {
	if v, set := value[T](l, "editor", "language", language, key); set {
		return v
	}
	return get[T](l, "editor", key)
}
