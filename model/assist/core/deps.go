package core

import (
	"cmp"
	"context"
	"iter"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/model/local"
	"tandem/workspace"
	"tandem/workspace/judge"
	"tandem/workspace/run"
	"tandem/workspace/window"
)

// BuiltIn is the built-in engine's name in a provenance. It answers when no model
// does.
const BuiltIn = "local"

// Models is what the engine needs from the configured models; *model.Lanes is one.
type Models interface {
	Stream(ctx context.Context, lane model.Lane, req *model.Request) model.Stream
	Config(lane model.Lane) (model.ModelConfig, bool)
	// ConfigFor describes the fast lane's model for a purpose (next edits and
	// completions may have their own), BackoffFor is its Backoff.
	ConfigFor(p model.Purpose) (model.ModelConfig, bool)
	BackoffFor(p model.Purpose) float64
	Usage(requestID string) (edits.Provenance, bool)
	Status() model.Status
	Warm(ctx context.Context, lane model.Lane)
}

// Local is the built-in engine; *local.Engine is one.
type Local interface {
	// Suggest returns up to n texts for an infill site that are certain enough, the most
	// certain first.
	Suggest(ctx context.Context, c local.Corpus, f *model.Fill, n int, least local.Certainty) []string
	// NextEdits returns the places that recent edits still have to reach, the best first;
	// those with a Jump are behind the edits.
	NextEdits(ctx context.Context, c local.Corpus, recent []workspace.RecentEdit, path string, offset int) iter.Seq[local.NextEdit]
}

// Preferences is the user's configuration of suggestions in a language.
type Preferences struct {
	Enabled            bool // suggest at all
	Automatic          bool // suggest without being asked
	Subtle             bool // a mark stands for a suggestion until the user wants to see it
	Lines              int  // of a suggestion while typing; 0: as many as can be read
	NextEdits          bool
	Review             bool     // when a document is saved
	HoverModel         bool     // a model's paragraph on symbol hover
	HoverDocumentation bool     // signature and documentation there
	Disabled           []string // globs of files without suggestions

	// How inline completions are timed (pace.go).
	Debounce     time.Duration // upper bound of the pause before a model is asked; 0: the usual one
	Timeout      time.Duration // how long a caller that does not follow waits; 0: the usual one
	FirstText    time.Duration // how long a person waits for a suggestion; 0: the usual time
	TokensPerKey int           // prompt tokens for each typed character; 0: no bound
	KeepGuesses  bool          // a guess on screen is not replaced by a model's text
}

// Deps are what the use cases of a session depend on.
type Deps struct {
	Models Models
	Local  Local        // nil: there is no built-in engine
	Judge  *judge.Judge // nil: nothing is found wrong

	Search window.Search // a code search server; nil: none

	Preferences func(language string) Preferences // nil: every suggestion is on
	Budget      func(name string) int             // tokens of context for what a window is for (window.Purposes), and "ask_max"; nil: the defaults
	// Mistake is what is wrong with the configuration now, "" if nothing.
	Mistake func() string
	// Allow reports why a feature (FeatureEscalate) may not be used, nil if it may: the
	// administrator's policy. Nil allows all.
	Allow func(feature string) error
	// Filtered counts a next edit that was not shown because it is noise, with the
	// reason (one of the Noise constants).
	Filtered func(reason string)
	// CountUse reports whether use is counted now; nil: never.
	CountUse func() bool
	Group    *run.Group  // starts and waits for all background work
	Notify   func(Event) // called from any goroutine, must not block for long; may be nil
}

// FeatureEscalate is what Deps.Allow calls the deep lane.
const FeatureEscalate = "escalate"

// Whole returns the dependencies with what is nil as its comment says.
func (d Deps) Whole() Deps {
	if d.Notify == nil {
		d.Notify = func(Event) {}
	}
	if d.Judge == nil {
		d.Judge = &judge.Judge{}
	}
	if d.Preferences == nil {
		d.Preferences = func(string) Preferences { return Preferences{Enabled: true, Automatic: true, NextEdits: true} }
	}
	if d.Allow == nil {
		d.Allow = func(string) error { return nil }
	}
	if d.Mistake == nil {
		d.Mistake = func() string { return "" }
	}
	if d.Filtered == nil {
		d.Filtered = func(string) {}
	}
	if d.Budget == nil {
		d.Budget = window.DefaultBudget
	}
	return d
}

// WhileTyping is how long a judgement may take of what is shown while the user types.
const WhileTyping = 100 * time.Millisecond

// usualFirstText is how long a person waits for a suggestion who has not said otherwise.
const usualFirstText = 600 * time.Millisecond

// InTime is what the server of the model of completions does in the time that a person waits.
func InTime(m Models, p Preferences) model.InTime {
	cfg, _ := m.ConfigFor(model.Complete)
	return cfg.InTime(cmp.Or(p.FirstText, usualFirstText))
}
