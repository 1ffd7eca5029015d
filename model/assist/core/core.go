package core

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/workspace"
	"tandem/workspace/ignore"
	"tandem/workspace/judge"
	"tandem/workspace/redact"
	"tandem/workspace/run"
	"tandem/workspace/window"
)

// A Core is what every use case needs and none owns: the dependencies, prompts, streams
// and checks (beside this file), the open documents, what runs, what was reported to the
// user, and whether suggestions are wanted now.
type Core struct {
	Deps
	Docs Documents
	Runs runs
	Uses Uses
	// Beside tells a model what works in the background; nil: nothing can. It is set before the
	// session begins.
	Beside func(secrets *redact.Redactor) redact.Text

	mu       sync.Mutex      // guards all below
	reported map[string]bool // notices, each reported once
	reason   string          // why the last request showed nothing
	others   string          // Status.Others
	snooze   time.Time       // no automatic suggestion before
	warmed   time.Time       // when the fast model's connection was last prepared
	serial   int
	busy     []func() bool // whether a use case works in the background
}

// New prepares what the use cases share.
func New(d Deps) *Core {
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
	return &Core{Deps: d, Docs: Documents{group: d.Group}, Uses: Uses{Count: d.CountUse}, reported: map[string]bool{}}
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

// Notice shows a sentence to the user, once a session.
func (c *Core) Notice(sentence string) {
	c.mu.Lock()
	known := c.reported[sentence]
	c.reported[sentence] = true
	c.mu.Unlock()
	if !known && sentence != "" {
		c.Notify(Notice(sentence))
	}
}

// SetReason records why nothing was shown, for Status.
func (c *Core) SetReason(reason string) {
	c.mu.Lock()
	c.reason = reason
	c.mu.Unlock()
}

func (c *Core) otherProviders() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.others
}

// SetOtherProviders records which other providers of the editor suggest at the cursor.
func (c *Core) SetOtherProviders(names []string) {
	sentence := ""
	if len(names) > 0 {
		sentence = strings.Join(names, " and ") + " may suggest at the cursor too, and the editor shows one suggestion at a time; switch off the inline suggestions of the others to see tandem's."
	}
	c.mu.Lock()
	c.others = sentence
	c.mu.Unlock()
	c.Notify(&Status{})
}

func (c *Core) lastReason() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.reason
}

// Status returns what works, what it works on, and why nothing is shown.
func (c *Core) Status(snap *workspace.Snapshot) Status {
	s := Status{Status: c.Models.Status()}
	for _, v := range snap.Views() {
		s.Files += v.NumFiles()
		s.Unnoticed += v.Unnoticed()
		s.Indexing = s.Indexing || !v.Ready()
	}
	s.Reason, s.Paused, s.Others, s.Mistake = c.lastReason(), c.paused(), c.otherProviders(), c.Mistake()
	s.Busy = c.Runs.any() || slices.ContainsFunc(c.busy, func(busy func() bool) bool { return busy() })
	return s
}

// openWait is how long a document is open before anything is prepared for it: a preview, or one
// that a replacement in all files opens and closes, costs nothing.
const openWait = 200 * time.Millisecond

// warmAgain is how long a connection that was prepared stays open at most servers.
const warmAgain = 50 * time.Second

// Warm prepares the connection for completions in the background, so that the next one
// does not have to: when an editor opens the document at uri, or gets the focus (""). It
// does nothing where no suggestion would come by itself. then is called when it is ready.
func (c *Core) Warm(snap *workspace.Snapshot, uri string, then func()) {
	o, ok := snap.Overlay(uri)
	if ok && c.Quiet(snap, o, false) != "" || c.paused() != "" {
		return
	}
	if ok {
		c.Docs.During(o, "prepare the judge", func(ctx context.Context) {
			if !run.Sleep(ctx, openWait) {
				return
			}
			c.Judge.Standing(ctx, snap, []edits.FileChange{{Path: snap.Name(o.URI), After: o.Content()}})
		})
	}
	if _, ok := c.Models.ConfigFor(model.Complete); !ok {
		return
	}
	c.mu.Lock()
	due := c.warmed.IsZero() || time.Since(c.warmed) >= warmAgain
	if due {
		c.warmed = time.Now()
	}
	c.mu.Unlock()
	if !due {
		then()
		return
	}
	c.Group.Go("prepare a connection", func(ctx context.Context) {
		c.Models.Warm(ctx, model.Fast)
		c.Notify(&Status{})
		then()
	})
}

// Reconfigured makes the next Warm prepare a connection again: it may be to another server.
func (c *Core) Reconfigured() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.warmed = time.Time{}
}

// paused returns why nothing is suggested anywhere without being asked, or "".
func (c *Core) paused() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Now().Before(c.snooze) {
		return "Suggestions are snoozed until " + c.snooze.Format("15:04") + "; tandem.snooze with 0 minutes ends it."
	}
	return ""
}

// SnoozeUntil stops automatic suggestions until the given time; the zero time ends it.
func (c *Core) SnoozeUntil(until time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.snooze = until
}

// NewID returns an id for a request or a suggestion of this session.
func (c *Core) NewID(kind string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.serial++
	return kind + strconv.Itoa(c.serial)
}

// Quiet returns why nothing may be suggested in a document now, or "".
func (c *Core) Quiet(snap *workspace.Snapshot, o *workspace.Overlay, invoked bool) string {
	if ok, why := snap.Allowed(o.URI); !ok {
		return fmt.Sprintf("No suggestions in %s: %s.", path.Base(o.URI), why)
	}
	prefers := c.Preferences(o.Language)
	if glob := ignore.Globs(prefers.Disabled).Match(CorpusAround(snap, o.URI).Path(o.URI)); glob != "" {
		return fmt.Sprintf("Suggestions are off for %s in your configuration.", glob)
	}
	if !prefers.Enabled {
		return fmt.Sprintf("Suggestions are off for %s in your configuration.", o.Language)
	}
	if invoked {
		return ""
	}
	switch paused := c.paused(); {
	case paused != "":
		return paused
	case !prefers.Automatic:
		return "Suggestions come only when asked for: trigger is \"invoked\" in your configuration."
	}
	return ""
}

// OnBusy adds what reports whether a use case works in the background. It is called before
// the core is shared.
func (c *Core) OnBusy(busy func() bool) { c.busy = append(c.busy, busy) }

// Each runs f for 0..n-1 in parallel and waits for all.
func (c *Core) Each(n int, work string, f func(int)) {
	if n == 1 {
		f(0)
		return
	}
	done := make(chan struct{}, n)
	for i := range n {
		started := c.Group.Go(work, func(context.Context) {
			defer func() { done <- struct{}{} }()
			f(i)
		})
		if !started {
			done <- struct{}{}
		}
	}
	for range n {
		<-done
	}
}

// Start runs do in the background under an id: it continues after the request that
// started it.
func (c *Core) Start(work, id string, do func(context.Context)) {
	c.Group.Go(work, func(ctx context.Context) { c.Runs.Track(ctx, id, do) })
}

// FeatureEscalate is what Deps.Allow calls the deep lane.
const FeatureEscalate = "escalate"

// NeedsModel returns the error for what the built-in engine cannot do. If the
// configuration has a mistake, the error names the mistake instead: it is what the
// user has to fix.
func (c *Core) NeedsModel(what string) *model.Error {
	if mistake := c.Mistake(); mistake != "" {
		return &model.Error{Code: model.CodeNotConfigured, Message: "Correct the configuration, until then no model is in use: " + mistake}
	}
	if _, ok := c.Models.Config(model.Fast); ok { // so it is the deep lane that has none
		if err := c.Allow(FeatureEscalate); err != nil {
			return &model.Error{Code: model.CodePolicy, Message: err.Error(), Err: err}
		}
	}
	return &model.Error{Code: model.CodeNeedsModel, Message: "Set up a model (tandem setup): the built-in engine cannot " + what + "."}
}
