package nextedit

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"tandem/edits"
	"tandem/model/local/source"
	"tandem/workspace"
)

// A history is what is known of a folder's recent edits from the last NextEdits.
type history struct {
	derived derivations

	mu      sync.Mutex           // guards all below
	changed map[string]time.Time // lines that the recent edits have changed, by path, and when
	refused map[string]bool      // lines where a change was undone, by path
	renames []string             // the last ones, old and new names
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

// maxRenames limits how many renames are remembered.
const maxRenames = 32

// renamed are the old and new names of what the user has renamed where it is declared, also when
// the edit is none of the last ones any more: a rename ends with the places that mean it, and what
// else has the name is another thing's.
func (h *history) renamed(c source.Corpus, recent []workspace.RecentEdit) map[string]bool {
	found := renamedByServers(c, recent)
	for _, r := range recent {
		if d, ok := redefined(c, r); ok {
			found[d.old+"\x00"+d.def.Name] = true
		}
		for _, names := range declaredAnew(c, r) {
			found[names] = true
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for names := range found {
		if !slices.Contains(h.renames, names) {
			h.renames = append(h.renames, names)
		}
	}
	h.renames = h.renames[max(0, len(h.renames)-maxRenames):]
	for _, names := range h.renames {
		found[names] = true
	}
	return found
}

// declaredAnew are the old and new names of what an edit renamed in a function that declares it.
func declaredAnew(c source.Corpus, r workspace.RecentEdit) (out []string) {
	src := currentText(c, r.Path)
	at := placeOf(src, r)
	id, ok := c.Index().FileID(r.Path)
	if !ok || at < 0 || len(src) > source.MaxFile {
		return nil
	}
	for _, h := range changesOf(r.Old, r.New, false) {
		if h.partial || len(h.old) != 1 || len(h.new) != 1 || h.old[0].class != source.Word || h.new[0].class != source.Word {
			continue
		}
		place := at + h.newStart()
		line := 1 + strings.Count(src[:place], "\n")
		_, inside := functionAround(c.Index(), id, line)
		declares := func(s edits.Span) bool { return s.Start == place }
		if inside && slices.ContainsFunc(DeclaredOn(c, r.Path, line), declares) {
			out = append(out, h.old[0].text+"\x00"+h.new[0].text)
		}
	}
	return out
}
