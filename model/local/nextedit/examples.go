package nextedit

import (
	"slices"
	"sync"

	"tandem/model/local/source"
	"tandem/workspace"
)

// examplesIn returns the changes of recent edits, the newest first.
func examplesIn(c source.Corpus, derived *derivations, recent []workspace.RecentEdit, split bool) []*change {
	var out []*change
	reverted := map[string]bool{} // by path and texts: what a later edit has taken back
	for _, r := range slices.Backward(recent[max(len(recent)-maxRecent, 0):]) {
		before, after := sides(c, r)
		placed := placeOf(currentText(c, r.Path), r) >= 0
		for _, h := range derived.changesOf(before, after, split) {
			old, now := joinTokens(h.old), joinTokens(h.new)
			if h.partial || prose(r.Path) && !(len(h.old) == 1 && len(h.new) == 1) {
				continue // what else changes at the other places is not known
			}
			if placed || !reverted[r.Path+"\x00"+old+"\x00"+now] {
				out = append(out, h)
			}
			reverted[r.Path+"\x00"+now+"\x00"+old] = true
		}
		if len(out) > maxExamples {
			break
		}
	}
	return out[:min(len(out), maxExamples)]
}

// patterns returns the changes that at least two examples share, those with the
// most examples first, then those with the newest example.
func patterns(derived *derivations, examples []*change) []pattern {
	var out []pattern
	for i := range examples {
		for j := i + 1; j < len(examples); j++ {
			p, ok := derived.unify(examples[i], examples[j])
			if !ok {
				continue
			}
			for k := j + 1; k < len(examples); k++ {
				if _, same := derived.unify(examples[i], examples[k]); same {
					p.examples++
				}
			}
			out = append(out, p)
			break
		}
	}
	slices.SortStableFunc(out, func(a, b pattern) int { return b.examples - a.examples })
	return out
}

// derivations are what the last questions derived from the texts of recent edits alone:
// most of these edits are the same at the next question.
type derivations struct {
	mu      sync.Mutex // guards all below
	changes map[bothTexts][]*change
	unified map[[2]*change]unified
}

// bothTexts are the texts that changes are between.
type bothTexts struct {
	before, after string
	split         bool
}

// unified is what two examples have in common.
type unified struct {
	pattern pattern
	ok      bool
}

// Limits on what is kept; when one is reached, all is derived again.
const (
	maxDerived      = 8 * maxRecent
	maxUnified      = 8 * maxExamples * maxExamples
	maxDerivedBytes = 32 << 10 // of both texts
)

// changesOf is changesOf of the same texts, which must not be changed.
func (d *derivations) changesOf(before, after string, split bool) []*change {
	if len(before)+len(after) > maxDerivedBytes {
		return changesOf(before, after, split)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	key := bothTexts{before, after, split}
	list, known := d.changes[key]
	if !known {
		if d.changes == nil || len(d.changes) >= maxDerived {
			d.changes, d.unified = map[bothTexts][]*change{}, nil
		}
		list = changesOf(before, after, split)
		d.changes[key] = list
	}
	return list
}

// unify is unify of the same examples.
func (d *derivations) unify(a, b *change) (pattern, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	key := [2]*change{a, b}
	u, known := d.unified[key]
	if !known {
		if d.unified == nil || len(d.unified) >= maxUnified {
			d.unified = map[[2]*change]unified{}
		}
		u.pattern, u.ok = unify(a, b)
		d.unified[key] = u
	}
	return u.pattern, u.ok
}
