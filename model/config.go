package model

import (
	"fmt"
	"log/slog"
	"time"
)

// A ModelConfig is one [models.NAME] table: a model as the user describes it.
// Ids, windows, prices and capabilities are always configuration.
type ModelConfig struct {
	Name             string // the key of the table
	Provider         string // key of a provider table
	Model            string // what the provider calls it
	ContextWindow    int
	MaxOutputTokens  int
	InputPrice       float64 // USD per million tokens; negative where it is not given
	CachedPrice      float64 // of input read from the provider's cache; negative where it is priced as other input
	CacheWritePrice  float64 // of input written to it; negative where it is priced as other input
	OutputPrice      float64 // negative where it is not given
	Tokenizer        string  // o200k_base, bytes, ...; "" is o200k_base where the model is known to use it, else a safe bound
	TokenMargin      float64 // the most tokens for one that is counted; 0 derives it from the model's name and its server's reports
	Family           string  // of prompts: codex, claude, qwen, generic, ...; "" derives it from the model's name
	ReasoningEffort  string
	ReasoningSummary string
	Verbosity        string
	ServiceTier      string
	Temperature      *float64
	Omit             []string      // parameters this model rejects, such as "reasoning.summary"
	FIM              string        // how it fills in the middle: one of FIMNames; "" derives it from the model's name
	Format           string        // chat, fim, sweep, sweep-v2, zeta2, mercury: what its prompts look like (model/format); "" is chat
	Tools            bool          // it takes function calls: its wire API has them, and Omit does not name "tools"
	Choices          bool          // it can give several answers to one prompt: its wire API has them, and Omit does not name "n"
	FillOnly         bool          // it only fills in code: no conversation, so no edits and questions
	EditFormat       string        // search_replace, rewrite, apply_patch; "" lets the prompt choose
	Prediction       bool          // accepts a predicted output
	RequestTimeout   time.Duration // of a request in all; 0: the provider's, else by lane and purpose
	Candidates       int           // ask for this many at once and show the first that passes the checks; 0 and 1 mean one

	// Set by Lanes and by the model's client alone, from what its server has said and done.
	LearnedMargin float64 // 0: nothing is known
	Server        Server
	Rate          Rate
}

// A ProviderConfig is one [providers.NAME] table. Key names follow the Codex CLI.
type ProviderConfig struct {
	Name               string
	BaseURLs           []string // balanced and failed over
	EnvKey             string
	Keyring            string
	AuthCommand        []string // argv that prints a token
	AuthRefresh        time.Duration
	WireAPI            string // responses, chat, messages, completions, infill, ollama, mistral-fim
	SupportsWebsockets bool
	StreamIDs          bool // honours stream_id on a Responses WebSocket
	HTTPHeaders        map[string]string
	EnvHTTPHeaders     map[string]string // header -> environment variable
	QueryParams        map[string]string
	RequestMaxRetries  *int
	StreamMaxRetries   *int
	StreamIdleTimeout  time.Duration
	RequestTimeout     time.Duration // of a request in all, where its model has none; 0: by lane and purpose
	WebsocketConnect   time.Duration
	AllowHTTP          bool
	Proxy              string
	CAFile             string
	AccountID          string // ChatGPT-Account-ID
}

// A Secret is a key or a token. It prints as [redacted] in every way Go can print it.
type Secret struct{ value string }

// NewSecret wraps a key.
func NewSecret(s string) Secret { return Secret{s} }

// Reveal returns the key itself. Only code that sends it or stores it in the keyring calls it.
func (s Secret) Reveal() string { return s.value }

// Empty reports whether there is no key.
func (s Secret) Empty() bool { return s.value == "" }

const redacted = "[redacted]"

// String is [redacted].
func (s Secret) String() string { return redacted }

// GoString is [redacted].
func (s Secret) GoString() string { return redacted }

// Format prints [redacted] for every verb.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(redacted)) }

// MarshalText is [redacted], for JSON, TOML and the like.
func (s Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// LogValue is [redacted].
func (s Secret) LogValue() slog.Value { return slog.StringValue(redacted) }
