package lsp

import (
	"context"
	"log/slog"
	"time"

	"tandem/edits"
	"tandem/lsp/wire"
	"tandem/model"
	"tandem/model/assist"
	"tandem/model/assist/ask"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/model/assist/inline"
	"tandem/model/assist/next"
	"tandem/model/task"
	"tandem/workspace"
	"tandem/workspace/run"
)

// Deps is what a server is made of. Where a function is nil, the request gets
// an error that explains it, or the work is not done.
type Deps struct {
	Version string
	Log     *slog.Logger // nil discards
	Trace   wire.Trace   // nil for none
	// Open makes the session and the use cases once the client has named the
	// workspace. The error is shown to the user as it is.
	Open func(ctx context.Context, s Setup) (*workspace.Session, UseCases, error)
	// Alive reports whether a process exists; nil disables watching the client's.
	Alive func(pid int) bool
	// Preview writes a text for the user to look at into the state folder and
	// returns its absolute path.
	Preview func(name, text string) (path string, err error)
	// Window answers tandem/window: the line that window --jsonl prints.
	Window func(ctx context.Context, snap *workspace.Snapshot, q WindowQuery) (any, error)
	// LastPayload answers tandem/lastPayload with the last n requests that
	// were sent to a model.
	LastPayload func(n int) (any, error)
	// Askers says who asked models today, for tandem.status; "" where nobody did.
	Askers func() string
	// Settings takes the editor's user-level settings by dotted name, when they
	// have changed, or nil where others may have, such as a key; its error is shown to the user.
	Settings func(values map[string]any) error
	// SelectProfile switches the configuration to a profile.
	SelectProfile func(name string) error
	// Changes lists the files that differ from a base: a revision, merge-base or moment; "" is
	// HEAD. With check, it looks for what is wrong in them.
	Changes func(ctx context.Context, base string, check bool) (files []ChangedFile, unjudged []string, err error)
	// Marks are what the person has said of hunks, by their ids; Mark says it, and "" takes
	// it back. MarkMoment makes the texts as they are the base called moment.
	Marks      func() map[string]string
	Mark       func(id, mark string) error
	MarkMoment func(ctx context.Context) error
}

// Setup is what the client reports about the workspace at initialize.
type Setup struct {
	Folders       []string // absolute paths
	Trusted       bool
	ClientWatches bool
	Profile       string
	Client        string         // what the editor calls itself
	Settings      map[string]any // the editor's user-level settings by dotted name
	Group         *run.Group
	OnWorkspace   func(workspace.Event)
	OnEngine      func(core.Event)
}

// A WindowQuery asks what a model would be shown for a place.
type WindowQuery struct {
	URI     string
	Offset  int
	Budget  int // 0: the purpose's default
	Purpose string
	Text    bool
}

// UseCases are what the server translates for, by what their users call; Of fills them
// from an *assist.Engine. Tests replace one of them.
type UseCases struct {
	Engine    Engine
	Completer Completer
	NextEdits NextEdits
	Editor    Editor
	Asker     Asker
	Reviewer  Reviewer
	Tasks     Tasks
}

// Of returns the use cases of an engine.
func Of(e *assist.Engine) UseCases {
	return UseCases{e, e.Completer, e.NextEdits, e.Editor, e.Asker, e.Reviewer, e.Tasks}
}

// An Engine follows the open documents for all use cases.
type Engine interface {
	Opened(snap *workspace.Snapshot, uri string)
	Changed(snap *workspace.Snapshot, uri string, steps []workspace.Step)
	Shown(id string)
	Accepted(snap *workspace.Snapshot, id string) *core.DocumentEdit
	Rejected(id string)
	Ignored(id string)
	Offered(o *workspace.Overlay, edit edits.Edit) bool
	Closed(uri string)
	// During does work for an open document, which ends with it.
	During(o *workspace.Overlay, work string, do func(ctx context.Context))
	State() assist.State
}

// A Completer suggests what the user is about to type.
type Completer interface {
	Complete(ctx context.Context, snap *workspace.Snapshot, req inline.Request) (inline.Completions, error)
	Warm(snap *workspace.Snapshot, uri string)
	ReadAhead(snap *workspace.Snapshot, place core.Place, all bool)
	PartlyAccepted(id string)
	Reveal(o *workspace.Overlay)
	Snooze(until time.Time)
}

// NextEdits offer the edit that probably comes next.
type NextEdits interface {
	NextEdit(ctx context.Context, snap *workspace.Snapshot, req next.Request) (*next.Offer, string, error)
	Caused(uri string, added, removed []workspace.Diagnostic)
	// Declarations are the names that the line of a place declares; Know takes what the
	// editor's other language servers answered for the references of one; Asked is the text
	// that they were asked about.
	Declarations(snap *workspace.Snapshot, p core.Place) []edits.Span
	Asked(now *workspace.Overlay, version int32) (*workspace.Overlay, bool)
	Know(snap *workspace.Snapshot, r next.References)
	NextEverywhere(ctx context.Context, snap *workspace.Snapshot, p core.Place, least int) (*edit.Proposal, error)
}

// An Editor changes documents by instruction and holds the proposals.
type Editor interface {
	Edit(ctx context.Context, snap *workspace.Snapshot, req edit.Request) (*edit.Proposal, error)
	Begin(snap *workspace.Snapshot, req edit.Request) (*edit.Proposal, error)
	Get(id string) (*edit.Proposal, error)
	Live(uri string) []*edit.Proposal
	Accept(ctx context.Context, snap *workspace.Snapshot, id string, hunk int, force bool) ([]core.DocumentEdit, error)
	// Pending is what accepting a proposal would change, or its hunk with that number, unjudged.
	Pending(snap *workspace.Snapshot, id string, hunk int) ([]core.DocumentEdit, error)
	AcceptPart(ctx context.Context, snap *workspace.Snapshot, id string, part edit.Part, force bool) ([]core.DocumentEdit, []edits.Conflict, error)
	Wrote(id string)
	TakeBack(snap *workspace.Snapshot, id string) (edit.Back, error)
	TookBack(id string)
	Reject(id string) error
	RejectPart(snap *workspace.Snapshot, id string, part edit.Part) error
	Steer(snap *workspace.Snapshot, id, text string, sendSecrets bool, watch func(edit.Progress)) error
	Completion(ctx context.Context, snap *workspace.Snapshot, id string) (edit.Estimate, int, error)
	Complete(ctx context.Context, snap *workspace.Snapshot, id string) (*edit.Proposal, error)
	Cancel(id string) error
	Estimate(ctx context.Context, snap *workspace.Snapshot, req edit.Request) (edit.Estimate, error)
	QuickFixes(snap *workspace.Snapshot, uri string, span edits.Span) []edit.QuickFix
	Indexed(snap *workspace.Snapshot)
}

// An Asker answers questions.
type Asker interface {
	Ask(ctx context.Context, snap *workspace.Snapshot, req ask.Request) (ask.Answer, error)
	Symbol(snap *workspace.Snapshot, p core.Place) (ask.Symbol, bool)
	LastChange(ctx context.Context, snap *workspace.Snapshot, s ask.Symbol) string
	Describes(language string) bool
	Describe(ctx context.Context, snap *workspace.Snapshot, p core.Place, s ask.Symbol) (ask.Answer, error)
	CommitMessage(ctx context.Context, snap *workspace.Snapshot, uri string, piece func(string)) (model.Answer, error)
}

// A Reviewer finds problems in documents.
type Reviewer interface {
	Reviews(language string) bool
	Review(ctx context.Context, snap *workspace.Snapshot, req ask.ReviewRequest) (ask.Reviewed, error)
}

// Tasks are the background tasks of the deep model.
type Tasks interface {
	Escalate(snap *workspace.Snapshot, req task.Request) (task.Task, error)
	List(snap *workspace.Snapshot) []task.Task
	Resume(snap *workspace.Snapshot, id string) (task.Task, error)
	SetPlan(snap *workspace.Snapshot, id, text string) error
	Steer(snap *workspace.Snapshot, id, text string, sendSecrets bool) (isTask bool, err error)
	Cancel(id string) error
	Propose(ctx context.Context, snap *workspace.Snapshot, id string) (*edit.Proposal, error)
	Resolved(id, decision string)
	TakeBack(snap *workspace.Snapshot, id string) (edit.Back, error)
}
