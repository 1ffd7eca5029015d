package local

import (
	"strings"

	"tandem/workspace"
)

// maxUndone limits how many undone lines are remembered.
const maxUndone = 64

// undone compares the recent edits with the previous ones: an edit that is
// missing although older ones are present was undone. Its lines are remembered,
// by path and text, so that the change is not offered there again.
func (s *store) undone(recent []workspace.RecentEdit) map[string]bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := map[string]bool{}
	for _, r := range recent {
		now[r.Path+"\x00"+r.Old] = true
	}
	out := map[string]bool{}
	for _, r := range s.recent {
		rotated := len(recent) > 0 && r.Time.Before(recent[0].Time)
		if !now[r.Path+"\x00"+r.Old] && !rotated {
			s.refuse(r)
		}
	}
	s.recent = recent
	for key := range s.refused {
		out[key] = true
	}
	return out
}

// refuse records the lines of an undone edit.
func (s *store) refuse(r workspace.RecentEdit) {
	if s.refused == nil || len(s.refused) > maxUndone {
		s.refused = map[string]bool{}
	}
	for line := range strings.Lines(r.Old) {
		if body := strings.TrimSpace(line); body != "" {
			s.refused[r.Path+"\x00"+body] = true
		}
	}
}
