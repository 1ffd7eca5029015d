package main

import (
	"errors"
	"fmt"
	"os"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

// A script configures the server: its limits and its rules. The first rule that
// matches a request decides its answer.
type script struct {
	Server serverConfig `toml:"server"`
	Rules  []*rule      `toml:"rules"`
	Rule   []*rule      `toml:"rule"` // [[rule]] is another spelling of [[rules]], after them

	mu sync.Mutex // guards the rules' counters
}

// A serverConfig holds the settings for all requests.
type serverConfig struct {
	Key      string   `toml:"key"`       // "": any key, or none
	ShowOnly bool     `toml:"show_only"` // says what is always so: the models know only what a request shows
	Models   []string `toml:"models"`    // for /v1/models, in addition to those that rules name
}

// A rule defines which requests it applies to and how they are answered. A
// condition that is not set matches everything; a setting that is not set is that
// of a healthy server.
type rule struct {
	Model    string `toml:"model"`    // a glob
	Path     string `toml:"path"`     // a glob over the request's path; upgrades are "ws:/v1/responses"
	Contains string `toml:"contains"` // in the request's text
	Regexp   string `toml:"regexp"`
	Times    int    `toml:"times"` // matches so many requests, then no more; 0 is always

	// What the model says: at most one of these. None: a line that continues
	// the one at the cursor, and no edit.
	Answer *string `toml:"answer"`
	Plan   *string `toml:"plan"`  // as it is
	Edits  []edit  `toml:"edit"`  // if the request shows every line of theirs
	Quote  string  `toml:"quote"` // the definition of this name, if the request shows it

	// What it calls before it answers, after the text above if there is one. A function
	// that the request does not offer is not called.
	Calls []scriptedCall `toml:"call"`

	Repeat          int               `toml:"repeat"` // the answer, so many times over
	DelayMS         int               `toml:"delay_ms"`
	TokensPerSecond float64           `toml:"tokens_per_second"` // 0: as fast as it can
	HoldTokens      int               `toml:"hold_tokens"`       // sends no more than these while the file HoldWhile exists
	HoldWhile       string            `toml:"hold_while"`
	Headers         map[string]string `toml:"headers"`
	ServedModel     string            `toml:"served_model"`
	Reasoning       string            `toml:"reasoning"`  // a reasoning item before the message
	Incomplete      string            `toml:"incomplete"` // why an answer over Responses is cut short
	Noise           noise             `toml:"noise"`
	Fault           fault             `toml:"fault"`

	re   *regexp.Regexp
	used int
}

// A scriptedCall is a function call of a rule's model. Arguments should be JSON, and need
// not be.
type scriptedCall struct {
	ID        string `toml:"id"`   // "" is a new one
	Name      string `toml:"name"` // NAMESPACE/NAME where the request offers it in a namespace
	Arguments string `toml:"arguments"`
}

// noise is what a correct client must accept without an error.
type noise struct {
	Obfuscation   bool `toml:"obfuscation"`    // random padding on deltas
	UnknownEvents bool `toml:"unknown_events"` // event types that no client knows
	RateLimits    bool `toml:"rate_limits"`    // codex.rate_limits before the answer
	Metadata      bool `toml:"metadata"`       // response.metadata before the answer
	ChunkBytes    int  `toml:"chunk_bytes"`    // HTTP delivers so many bytes at a time, inside words and runes
	Comments      bool `toml:"comments"`       // SSE comment lines
	CRLF          bool `toml:"crlf"`           // SSE lines end in CR LF
	NoDone        bool `toml:"no_done"`        // chat streams end without [DONE]
}

// A fault is what goes wrong. Counts of events and bytes are 1-based; 0 is never.
type fault struct {
	Status      int    `toml:"status"` // answer this status; on a socket, an error event
	Type        string `toml:"type"`
	Code        string `toml:"code"`
	Message     string `toml:"message"`
	Param       string `toml:"param"`
	Body        string `toml:"body"` // instead of a JSON error
	ContentType string `toml:"content_type"`
	CutBytes    int    `toml:"cut_bytes"`    // reset the connection after so many bytes of the answer
	CutEvents   int    `toml:"cut_events"`   // reset it after so many events
	EndEvents   int    `toml:"end_events"`   // end the answer properly, without its last event
	StallEvents int    `toml:"stall_events"` // send nothing more after so many events
	BadJSON     []int  `toml:"bad_json"`     // these events are broken
	Duplicate   []int  `toml:"duplicate"`    // these events come twice
	Reorder     []int  `toml:"reorder"`      // these events change places with the next
	Drop        []int  `toml:"drop"`         // these events never come

	Unsupported []string `toml:"unsupported"` // refuse requests that have one of these members
}

// defaultRules are two models that differ as a fast and a deep one do.
const defaultRules = `
[server]
models = ["scripted-fast", "scripted-deep"]
[[rules]]
model = "scripted-fast"
tokens_per_second = 1000
[[rules]]
model = "scripted-deep"
tokens_per_second = 65
[[rules]]
`

func loadScript(file string) (*script, error) {
	text := defaultRules
	if file != "" {
		b, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("cannot read the script: %w", err)
		}
		text = string(b)
	}
	return parseScript(text)
}

func parseScript(text string) (*script, error) {
	sc := &script{}
	d := toml.NewDecoder(strings.NewReader(text)).DisallowUnknownFields()
	if err := d.Decode(sc); err != nil {
		var strict *toml.StrictMissingError
		if errors.As(err, &strict) {
			return nil, fmt.Errorf("the script has a key that is not known:\n%s", strict.String())
		}
		return nil, fmt.Errorf("the script is not TOML: %w", err)
	}
	sc.Rules, sc.Rule = append(sc.Rules, sc.Rule...), nil
	for i, r := range sc.Rules {
		var err error
		if r.re, err = regexp.Compile(r.Regexp); err != nil {
			return nil, fmt.Errorf("rule %d: %w", i+1, err)
		}
	}
	return sc, nil
}

// match returns the first rule for a request and counts its use. A request that
// no rule matches is answered as by a healthy server without limits.
func (sc *script) match(where, model, text string) *rule {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	for _, r := range sc.Rules {
		if r.matches(where, model, text) {
			r.used++
			return r
		}
	}
	return &rule{}
}

func (r *rule) spent() bool { return r.Times > 0 && r.used >= r.Times }

func (r *rule) matches(where, model, text string) bool {
	if r.spent() {
		return false
	}
	return glob(r.Path, strings.TrimPrefix(where, "ws:"), where) && glob(r.Model, model) &&
		strings.Contains(text, r.Contains) && (r.Regexp == "" || r.re.MatchString(text))
}

// glob reports whether the pattern, "" for any, matches one of the names.
func glob(pattern string, names ...string) bool {
	if pattern == "" {
		return true
	}
	for _, name := range names {
		if ok, err := path.Match(pattern, name); ok && err == nil || pattern == name {
			return true
		}
	}
	return false
}

// or is v, or the default where v is zero.
func or[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}
