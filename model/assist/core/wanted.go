package core

import (
	"fmt"
	"path"
	"sync"
	"time"

	"tandem/workspace"
	"tandem/workspace/ignore"
)

// Wanted is whether a person wants suggestions now, and how: the configuration, and a snooze.
type Wanted struct {
	Preferences func(language string) Preferences

	mu     sync.Mutex // guards snooze
	snooze time.Time  // no automatic suggestion before
}

// Paused returns why nothing is suggested anywhere without being asked, or "".
func (w *Wanted) Paused() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if time.Now().Before(w.snooze) {
		return "Suggestions are snoozed until " + w.snooze.Format("15:04") + "; tandem.snooze with 0 minutes ends it."
	}
	return ""
}

// Snooze stops automatic suggestions until the given time; the zero time ends it.
func (w *Wanted) Snooze(until time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.snooze = until
}

// Quiet returns why nothing may be suggested in a document now, or "".
func (w *Wanted) Quiet(snap *workspace.Snapshot, o *workspace.Overlay, invoked bool) string {
	if ok, why := snap.Allowed(o.URI); !ok {
		return fmt.Sprintf("No suggestions in %s: %s.", path.Base(o.URI), why)
	}
	prefers := w.Preferences(o.Language)
	if glob := ignore.Globs(prefers.Disabled).Match(CorpusAround(snap, o.URI).Path(o.URI)); glob != "" {
		return fmt.Sprintf("Suggestions are off for %s in your configuration.", glob)
	}
	if !prefers.Enabled {
		return fmt.Sprintf("Suggestions are off for %s in your configuration.", o.Language)
	}
	if invoked {
		return ""
	}
	switch paused := w.Paused(); {
	case paused != "":
		return paused
	case !prefers.Automatic:
		return "Suggestions come only when asked for: trigger is \"invoked\" in your configuration."
	}
	return ""
}
