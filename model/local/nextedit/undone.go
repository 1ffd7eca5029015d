package nextedit

import (
	"strings"
	"sync"

	"tandem/workspace"
)

// A history is what is known of a folder's recent edits from the last NextEdits.
type history struct {
	derived derivations

	mu      sync.Mutex // guards all below
	recent  []workspace.RecentEdit
	refused map[string]bool // lines of undone edits, by path
}

// maxUndone limits how many undone lines are remembered.
const maxUndone = 64

// undone compares the recent edits with the previous ones: an edit that is
// missing although older ones are present was undone. Its lines are remembered,
// by path and text, so that the change is not offered there again.
func (h *history) undone(recent []workspace.RecentEdit) map[string]bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := map[string]bool{}
	for _, r := range recent {
		now[r.Path+"\x00"+r.Old] = true
	}
	out := map[string]bool{}
	for _, r := range h.recent {
		rotated := len(recent) > 0 && r.Time.Before(recent[0].Time)
		if !now[r.Path+"\x00"+r.Old] && !rotated {
			h.refuse(r)
		}
	}
	h.recent = recent
	for key := range h.refused {
		out[key] = true
	}
	return out
}

// refuse records the lines of an undone edit.
func (h *history) refuse(r workspace.RecentEdit) {
	if h.refused == nil || len(h.refused) > maxUndone {
		h.refused = map[string]bool{}
	}
	for line := range strings.Lines(r.Old) {
		if body := strings.TrimSpace(line); body != "" {
			h.refused[r.Path+"\x00"+body] = true
		}
	}
}
