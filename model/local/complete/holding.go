package complete

import (
	"maps"
	"slices"
	"strings"

	"tandem/model/local/source"
)

// Holding returns the learned files that may hold all of some words, in code, comments
// or strings. The document except is being typed.
func (e *Engine) Holding(c source.Corpus, except string, words []string) []string {
	return e.learn(c, except).holding(words)
}

// holding returns the learned files that may hold all of some words, in code,
// comments or strings. Only the rarest word is searched for.
func (k trained) holding(words []string) []string {
	if k.base == nil || len(words) == 0 {
		return slices.Sorted(maps.Keys(k.since))
	}
	out := k.base.holding(words)
	out = slices.DeleteFunc(out, func(path string) bool { _, changed := k.since[path]; return changed })
	return append(out, slices.Sorted(maps.Keys(k.since))...)
}

func (s *segment) holding(words []string) []string {
	lines := s.rarest(words)
	var out []string
	for i := range s.files {
		f := &s.files[i]
		for _, id := range s.lines[f.from:f.to] {
			if lines[id] {
				out = append(out, f.path)
				break
			}
		}
	}
	return out
}

// rarest returns the distinct lines with the rarest of the words.
func (s *segment) rarest(words []string) map[uint32]bool {
	which := make([]uint8, len(s.names)) // of each token, the word it holds, from 1
	for id, name := range s.names {
		for i, w := range words[:min(len(words), 200)] {
			if name == w || s.classes[id] == source.Literal && strings.Contains(name, w) {
				which[id] = uint8(i + 1)
			}
		}
	}
	found := make([]map[uint32]bool, len(words)+1)
	for id := range len(s.start) - 1 {
		for _, t := range s.distinctLine(uint32(id)) {
			if w := which[t&^spacedBit]; w > 0 {
				if found[w] == nil {
					found[w] = map[uint32]bool{}
				}
				found[w][uint32(id)] = true
			}
		}
	}
	var best map[uint32]bool
	for _, lines := range found {
		if len(lines) > 0 && (best == nil || len(lines) < len(best)) {
			best = lines
		}
	}
	return best
}
