// Package config reads tandem's settings. The user's file overrides the
// administrator's; the editor's settings and the flags override the user's file.
//
// Invariant: every value has its origin, and all errors of a file are reported
// together, each with its line. There is deliberately no way for a workspace to
// set anything: no file of it is read, no path in a setting is relative to it.
package config

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"tandem/model"
	"tandem/workspace/disk"
)

// Local is the lane value that means the built-in engine.
const Local = "local"

// Options define which settings are read.
type Options struct {
	File    string         // --config; "" is the usual place, which may be missing
	Managed string         // the administrator's file; "" is the platform's place
	Profile string         // --profile or the editor's choice
	Offline bool           // --offline
	Floor   bool           // --no-checker
	Editor  map[string]any // the editor's user-level settings by dotted name, decoded from JSON
	Getenv  func(string) string
	Version string // of this program, for policy.min_version
}

// AgentAccess is what agents that use `tandem mcp` may do.
type AgentAccess struct {
	Write  bool // have edits written
	Socket bool // see the unsaved documents of an editor
}

// A Config is the effective configuration. It does not change; Live replaces it.
type Config struct {
	Fast, Deep         string // names of models, Local, or "" for none
	NextEdit, Complete string // the same, for these requests of the fast lane; "" leaves them to Fast
	DailyLimit         *float64
	Models             map[string]model.ModelConfig
	Providers          map[string]model.ProviderConfig // those that models name, presets included
	KeyHints           map[string]string               // provider -> how to get a key
	Titles             map[string]string               // provider -> its name in messages
	Day                Day                             // what a normal day may cost
	Budgets            map[string]int                  // tokens of context by what a window is for, and "ask_max"
	Search             Search
	Tasks              Tasks
	MCP                AgentAccess
	Checkers           Checkers
	Agents             []Agent // by name
	Profile            string
	Profiles           []string
	Offline            bool
	File               string // the user's file, whether it exists or not
	Managed            string // the administrator's
	Policy             Policy
	Notes              []Problem // what is written and ignored

	effective *effective
}

// effective are all values, and the settings of the editor that were read from them: these
// are asked for with each key.
type effective struct {
	layer
	editors sync.Map // language id -> Editor
}

// Search is the [search] table; an empty URL means no search server.
type Search struct {
	URL, Query string
	Timeout    time.Duration
	AllowHTTP  bool
}

// Tasks is the [tasks] table.
type Tasks struct {
	Running, MaxSteps, ShowPlan int
	LimitUSD, ConfirmUSD        float64
	Quiet                       bool // show = "quiet"
	Review                      string
	TestCommand                 []string
}

// Checkers is the [checker] table.
type Checkers struct {
	Programs map[string]string // by language: CheckerAuto, CheckerAsked, CheckerOff, or the path of one
	Memory   int64             // bytes that all together may take
}

// without switches all checkers off where the options say so.
func (c *Checkers) without(o Options) {
	if o.Floor {
		c.Programs = nil
	}
}

// The words that may stand in place of a checker's path.
const (
	CheckerAuto  = "auto"
	CheckerAsked = "asked"
	CheckerOff   = "off"
)

// An Agent is one [agents.NAME] table.
type Agent struct {
	Name         string // in lower case
	Model        string // key of Models
	Instructions string
	ServiceTier  string // "" is the model's own
}

// Editor is the [editor] table for one language.
type Editor struct {
	Enabled            bool
	Automatic          bool // suggest while typing
	Subtle             bool // show a mark, and the text on a key
	Lines              int  // of a suggestion
	NextEdits          bool
	HoverModel         bool
	HoverDocumentation bool
	Review             bool     // when a document is saved
	Disabled           []string // globs

	// How suggestions while typing are timed.
	Debounce       time.Duration // upper bound
	InlineTimeout  time.Duration
	FirstText      time.Duration // that the user waits for
	TokensPerKey   int           // 0: no bound
	ReplaceGuesses bool
}

// A Day is what a normal day may cost, in USD.
type Day struct {
	Notice      float64 // from which the price of a fast model is said; 0: never
	Completions float64 // that its completions may cost; 0: no limit
}

// Load reads the configuration. Its error is an *Error with all problems, or
// with the reason why a file cannot be read.
func Load(o Options) (*Config, error) {
	ps := &problems{version: o.Version}
	in, err := readInputs(o, ps)
	if err != nil {
		return nil, err
	}
	if in.user.whole && in.managed.whole {
		for _, profile := range append([]string{""}, in.profiles()...) {
			check(in.layers(profile, o), ps)
		}
	}
	if o.Profile != "" && !slices.Contains(in.profiles(), o.Profile) {
		ps.add(in.user.name, 0, "there is no profile %q%s", o.Profile, didYouMean("profile", o.Profile, in.profiles()))
	}
	policy := in.managed.policy(ps)
	if err := ps.err(); err != nil {
		return nil, byAdministrator(err, in.managed.name)
	}
	c := decode(in.layers(o.Profile, o))
	c.Profile, c.Profiles, c.Offline = o.Profile, in.profiles(), o.Offline
	c.File, c.Managed = in.user.name, in.managed.name
	c.Checkers.without(o)
	c.Policy, c.Notes = policy, ps.notes
	return c, nil
}

// inputs are the files of a configuration and the editor's settings.
type inputs struct {
	user, managed *file
	editor        layer
}

func readInputs(o Options, ps *problems) (*inputs, error) {
	path := o.File
	if path == "" {
		path = DefaultFile(o.Getenv)
	}
	source, err := readIfThere(path, o.File != "")
	if err != nil {
		return nil, err
	}
	in := &inputs{user: readFile(path, source, false, ps)}
	if in.managed, err = readManaged(o, ps); err != nil {
		return nil, byAdministrator(err, o.managedFile())
	}
	in.editor = editorLayer(o.Editor, ps)
	return in, nil
}

// managedFile is the administrator's file.
func (o *Options) managedFile() string { return orElse(o.Managed, managedFile()) }

// readManaged reads the administrator's file, which may be missing.
func readManaged(o Options, ps *problems) (*file, error) {
	source, err := readIfThere(o.managedFile(), false)
	if err != nil {
		return nil, err
	}
	return readFile(o.managedFile(), source, true, ps), nil
}

func readIfThere(path string, must bool) ([]byte, error) {
	source, err := disk.ReadFile(path, disk.MaxSettings)
	if err == nil || path == "" || os.IsNotExist(err) && !must {
		return source, nil
	}
	return nil, &Error{Problems: []Problem{{File: path, Message: "cannot be read: " + reason(err)}}}
}

// byAdministrator notes in an *Error whether one of its mistakes is in the
// administrator's file.
func byAdministrator(err error, managed string) error {
	var mistakes *Error
	if errors.As(err, &mistakes) {
		mistakes.Managed = slices.ContainsFunc(mistakes.Problems, func(p Problem) bool { return p.File == managed })
	}
	return err
}

// reason returns the cause of a file error without the file's name, which the
// message already contains.
func reason(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	return err.Error()
}

func (in *inputs) profiles() []string { return slices.Sorted(maps.Keys(in.user.profiles)) }

// layers merges all sources for one profile.
func (in *inputs) layers(profile string, o Options) layer {
	l := merge(in.managed.base, in.user.base, in.user.profiles[profile], in.editor, in.managed.locked)
	if o.Offline {
		l = merge(l, offlineLayer())
	}
	return merge(presetLayer(l), l)
}

// offlineLayer holds the values that --offline sets. It also overrides locked
// values: to send nothing is always allowed.
func offlineLayer() layer {
	out := layer{}
	for key, v := range map[string]string{"fast": Local, "deep": Local, "next_edit": Local, "complete": Local, "search.url": ""} {
		path := strings.Split(key, ".")
		setting, _ := lookup(path)
		out[key] = item{path, setting, v, Origin{Source: FromFlag, Flag: "--offline"}}
	}
	return out
}

// presetLayer holds the built-in providers that l names.
func presetLayer(l layer) layer {
	named := l.names("providers")
	for _, m := range l.names("models") {
		named = append(named, get[string](l, "models", m, "provider"))
	}
	return presetsOf(named...)
}

func presetsOf(named ...string) layer {
	out := layer{}
	for _, name := range named {
		for key, v := range presets[name] {
			path := append([]string{"providers", name}, strings.Split(key, ".")...)
			setting, _ := lookup(path)
			out[dotted(path)] = item{path, setting, v, Origin{Source: FromPreset}}
		}
	}
	return out
}

// Provider is a provider that the configuration names, or a built-in one.
func (c *Config) Provider(name string) (model.ProviderConfig, bool) {
	if p, ok := c.Providers[name]; ok || presets[name] == nil {
		return p, ok
	}
	return decodeProvider(presetsOf(name), name), true
}
