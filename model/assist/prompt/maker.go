package prompt

import (
	"context"
	"strconv"
	"sync/atomic"

	"tandem/model"
	"tandem/model/assist/core"
	"tandem/workspace/redact"
	"tandem/workspace/window"
)

// A Maker makes the prompts of a session, and brings them to the models.
type Maker struct {
	Models core.Models
	// Beside tells a model what works in the background; nil: nothing can. It is set before the
	// session begins.
	Beside func(secrets *redact.Redactor) redact.Text

	Search  window.Search         // nil: none
	Wanted  *core.Wanted          // of which it reads how long a person waits
	Budget  func(name string) int // as core.Deps has them
	Mistake func() string
	Allow   func(feature string) error

	serial atomic.Int64
}

// New returns the prompts of a session whose dependencies are whole.
func New(d core.Deps, wanted *core.Wanted) *Maker {
	return &Maker{Models: d.Models, Search: d.Search, Wanted: wanted, Budget: d.Budget, Mistake: d.Mistake, Allow: d.Allow}
}

// NewID returns an id for a request or a suggestion of this session.
func (m *Maker) NewID(kind string) string { return kind + strconv.FormatInt(m.serial.Add(1), 10) }

// NeedsModel returns the error for what the built-in engine cannot do. If the configuration has a
// mistake, the error names the mistake instead: it is what the user has to fix.
func (m *Maker) NeedsModel(what string) *model.Error {
	if mistake := m.Mistake(); mistake != "" {
		return &model.Error{Code: model.CodeNotConfigured, Message: "Correct the configuration, until then no model is in use: " + mistake}
	}
	if _, ok := m.Models.Config(model.Fast); ok { // so it is the deep lane that has none
		if err := m.Allowed(); err != nil {
			return err
		}
	}
	return &model.Error{Code: model.CodeNeedsModel, Message: "Set up a model (tandem setup): the built-in engine cannot " + what + "."}
}

// Allowed returns why the deep lane may not be used, or nil.
func (m *Maker) Allowed() *model.Error {
	if err := m.Allow(core.FeatureEscalate); err != nil {
		return &model.Error{Code: model.CodePolicy, Message: err.Error(), Err: err}
	}
	return nil
}

// Stream sends a request to a lane and collects the answer. It passes each piece on as
// it arrives. The error says why nothing came.
func (m *Maker) Stream(ctx context.Context, lane model.Lane, req *model.Request, piece func(string)) (model.Answer, error) {
	answer, _, err := m.Turn(ctx, lane, req, piece)
	return answer, err
}

// Turn is Stream for a model that may call tools in place of an answer.
func (m *Maker) Turn(ctx context.Context, lane model.Lane, req *model.Request, piece func(string)) (model.Answer, []model.ToolCall, error) {
	return model.Collect(m.Models.Stream(ctx, lane, req), piece)
}
