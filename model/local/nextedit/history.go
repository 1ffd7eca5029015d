package nextedit

import (
	"slices"
	"strings"
	"sync"

	"tandem/edits"
	"tandem/model/local/source"
	"tandem/workspace"
)

// A history is what is known of a folder's recent edits from the last NextEdits.
type history struct {
	derived derivations

	mu      sync.Mutex // guards all below
	renames []string   // the last ones, old and new names
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
	e, ok := editOf(c, r)
	if !ok {
		return nil
	}
	for _, h := range newNames(r, true) {
		place := e.at + h.new[0].start
		line := 1 + strings.Count(e.src[:place], "\n")
		_, inside := functionAround(c.Index(), e.id, line)
		declares := func(s edits.Span) bool { return s.Start == place }
		if inside && slices.ContainsFunc(DeclaredOn(c, r.Path, line), declares) {
			out = append(out, h.old+"\x00"+h.now)
		}
	}
	return out
}
