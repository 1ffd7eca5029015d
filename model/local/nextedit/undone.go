package nextedit

import (
	"maps"
	"strings"
	"sync"
	"time"

	"tandem/workspace"
)

// A history is what is known of a folder's recent edits from the last NextEdits.
type history struct {
	derived derivations

	mu      sync.Mutex           // guards all below
	changed map[string]time.Time // lines that the recent edits have changed, by path, and when
	refused map[string]bool      // lines where a change was undone, by path
}

// maxUndone limits how many undone lines are remembered.
const maxUndone = 64

// undone compares the lines that the recent edits have changed with the previous ones: where
// one is missing although older edits are present, the change was undone. The line is
// remembered, by path and text, so that the change is not offered there again. An edit that
// has grown since still has all its lines.
func (h *history) undone(recent []workspace.RecentEdit) map[string]bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := map[string]time.Time{}
	for _, r := range recent {
		for _, line := range changedLines(r) {
			now[r.Path+"\x00"+line] = r.Time
		}
	}
	for line, at := range h.changed {
		_, still := now[line]
		rotated := len(recent) > 0 && at.Before(recent[0].Time)
		if !still && !rotated {
			h.refuse(line)
		}
	}
	h.changed = now
	return maps.Clone(h.refused)
}

// changedLines are the lines that an edit has changed as they were, or those that it has
// added to.
func changedLines(r workspace.RecentEdit) (changed []string) {
	kept := map[string]bool{}
	for line := range strings.Lines(r.New) {
		kept[strings.TrimSpace(line)] = true
	}
	var all []string
	for line := range strings.Lines(r.Old) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		all = append(all, line)
		if !kept[line] {
			changed = append(changed, line)
		}
	}
	if len(changed) == 0 {
		return all
	}
	return changed
}

// refuse records a line, with its path, where a change was undone.
func (h *history) refuse(line string) {
	if h.refused == nil || len(h.refused) > maxUndone {
		h.refused = map[string]bool{}
	}
	h.refused[line] = true
}
