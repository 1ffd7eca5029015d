package nextedit

import (
	"slices"
	"sync"

	"tandem/model/local/source"
	"tandem/workspace"
)

// An example is a change that the user made, and where.
type example struct {
	*change
	path string
	at   int // of its new tokens in the file's current text; -1 if the text is gone
	edit int // which recent edit made it, counted from the last one
}

// examplesIn returns the changes of recent edits, the newest first.
func examplesIn(c source.Corpus, derived *derivations, recent []workspace.RecentEdit, renames map[string]bool, split bool) []example {
	var out []example
	reverted := map[string]bool{} // by path and texts: what a later edit has taken back
	for age, r := range slices.Backward(recent[max(len(recent)-maxRecent, 0):]) {
		age = min(len(recent), maxRecent) - 1 - age
		if source.Written(r.Path, currentText(c, r.Path)) {
			continue
		}
		before, after, from := sides(c, r)
		for _, h := range derived.changesOf(before, after, split) {
			old, now := joinTokens(h.old), joinTokens(h.new)
			one := len(h.old) == 1 && len(h.new) == 1
			if h.partial || prose(r.Path) && !one {
				continue // what else changes at the other places is not known
			}
			if one && renames[old+"\x00"+now] {
				continue // the other places of a rename are another thing's
			}
			if from >= 0 || !reverted[r.Path+"\x00"+old+"\x00"+now] {
				out = append(out, example{h, r.Path, placed(from, h.at), age})
			}
			reverted[r.Path+"\x00"+now+"\x00"+old] = true
		}
		if len(out) > maxExamples {
			break
		}
	}
	return out[:min(len(out), maxExamples)]
}

// placed is where a change is that is at an offset of a text; -1 if the text is nowhere.
func placed(text, at int) int {
	if text < 0 {
		return -1
	}
	return text + at
}

// patterns returns the changes that at least two examples share, those with the
// most examples first, then those with the newest example.
func patterns(derived *derivations, examples []example) []pattern {
	var out []pattern
	for i := range examples {
		for j := i + 1; j < len(examples); j++ {
			p, ok := derived.unify(examples[i].change, examples[j].change)
			if !ok {
				continue
			}
			p.examples = []example{examples[i], examples[j]}
			for k := j + 1; k < len(examples); k++ {
				if _, same := derived.unify(examples[i].change, examples[k].change); same {
					p.examples = append(p.examples, examples[k])
				}
			}
			out = append(out, p)
			break
		}
	}
	slices.SortStableFunc(out, func(a, b pattern) int { return len(b.examples) - len(a.examples) })
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
