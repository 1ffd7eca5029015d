package lsp

import (
	"context"
	"log/slog"

	"tandem/edits"
	"tandem/model/assist"
	"tandem/workspace"
	"tandem/workspace/run"
)

// Deps is what a server is made of.
type Deps struct {
	Version string
	Log     *slog.Logger // nil discards
	// Open makes the session and the engine once the client has said what the
	// workspace is. The error is shown to the user as it is.
	Open func(ctx context.Context, s Setup) (*workspace.Session, Engine, error)
	// Alive reports whether a process exists; nil disables watching the client's.
	Alive func(pid int) bool
}

// Setup is what the client says about the workspace at initialize.
type Setup struct {
	Folders       []string // absolute paths
	Trusted       bool
	ClientWatches bool
	Profile       string
	Group         *run.Group
	OnWorkspace   func(workspace.Event)
	OnEngine      func(assist.Event)
}

// Engine is what the server asks of the use cases; *assist.Engine is one.
type Engine interface {
	Changed(snap *workspace.Snapshot, uri string, version int32, list []edits.Edit)
	Closed(uri string)
	Complete(ctx context.Context, snap *workspace.Snapshot, req assist.CompleteRequest) (assist.Completions, error)
}
