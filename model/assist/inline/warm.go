package inline

import (
	"context"
	"sync"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/workspace"
	"tandem/workspace/run"
)

// openWait is how long a document is open before anything is prepared for it: a preview, or one
// that a replacement in all files opens and closes, costs nothing.
const openWait = 200 * time.Millisecond

// warmAgain is how long a connection that was prepared stays open at most servers.
const warmAgain = 50 * time.Second

// warmth is when the fast model's connection was last prepared.
type warmth struct {
	mu sync.Mutex // guards at
	at time.Time
}

// due reports whether the connection is to be prepared now, and takes it for prepared.
func (w *warmth) due() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.at.IsZero() && time.Since(w.at) < warmAgain {
		return false
	}
	w.at = time.Now()
	return true
}

// Reconfigured makes the next Warm prepare a connection again: it may be to another server.
func (c *Completer) Reconfigured() {
	c.warm.mu.Lock()
	defer c.warm.mu.Unlock()
	c.warm.at = time.Time{}
}

// Warm prepares for completions in the background, so that the next one does not have to: when an
// editor opens the document at uri, or gets the focus (""). It does nothing where no suggestion
// would come by itself. The user begins to read the document, if there is one.
func (c *Completer) Warm(snap *workspace.Snapshot, uri string) {
	o, open := snap.Overlay(uri)
	if open && c.Wanted.Quiet(snap, o, false) != "" || c.Wanted.Paused() != "" {
		return
	}
	if open {
		c.Docs.During(o, "prepare the judge", func(ctx context.Context) {
			if run.Sleep(ctx, openWait) {
				c.Judge.Standing(ctx, snap, []edits.FileChange{{Path: snap.Name(o.URI), After: o.Content()}})
			}
		})
	}
	if _, ok := c.Prompts.Models.ConfigFor(model.Complete); !ok {
		return
	}
	read := func() {
		if open {
			c.ReadAhead(snap, core.Place{URI: uri, Offset: o.Text.Len()}, true)
		}
	}
	if !c.warm.due() {
		read()
		return
	}
	c.Docs.Group.Go("prepare a connection", func(ctx context.Context) {
		c.Prompts.Models.Warm(ctx, model.Fast)
		c.Notify(core.StatusChanged{})
		read()
	})
}
