package complete

import (
	"slices"
	"strings"

	"tandem/model/local/source"
	"tandem/workspace/cut"
)

// maxWords bounds the words that are searched for at once.
const maxWords = 200

// Holding returns the learned files that may hold all of some words, in code, comments
// or strings, and how many are not learned. The document except is being typed; its language is
// that of the files.
func (e *Engine) Holding(c source.Corpus, except string, words []string) cut.List[string] {
	k := e.learn(c, except)
	return cut.Of(k.holding(words), cut.Left(k.left, "file is not searched", "files are not searched"))
}

// holding returns the learned files that may hold all of some words. Only the rarest
// word is searched for.
func (k trained) holding(words []string) []string {
	out := k.separate()
	if len(words) == 0 {
		return out
	}
	found := make([]map[line]bool, min(len(words), maxWords))
	for i, sh := range k.shards {
		sh.seg.linesWith(words[:len(found)], func(word int, id uint32) {
			if found[word] == nil {
				found[word] = map[line]bool{}
			}
			found[word][line{i, id}] = true
		})
	}
	var best map[line]bool
	for _, lines := range found {
		if len(lines) > 0 && (best == nil || len(lines) < len(best)) {
			best = lines
		}
	}
	for i, sh := range k.shards {
		for row := range sh.seg.files {
			f := &sh.seg.files[row]
			if sh.live(row) && slices.ContainsFunc(sh.seg.lines[f.from:f.to], func(id uint32) bool { return best[line{i, id}] }) {
				out = append(out, sh.seg.path(row))
			}
		}
	}
	return out
}

// A line is a distinct line of a shard.
type line struct {
	shard int
	id    uint32
}

// linesWith calls yield for the distinct lines that hold one of some words.
func (s *segment) linesWith(words []string, yield func(word int, id uint32)) {
	which := make([]uint8, s.numNames()) // of each token, the word it holds, from 1
	for i, w := range words {
		if id, ok := s.id(w); ok {
			which[id] = uint8(i + 1)
		}
	}
	for id, class := range s.classes {
		if class != source.Literal {
			continue
		}
		for i, w := range words {
			if strings.Contains(s.name(uint32(id)), w) {
				which[id] = uint8(i + 1)
			}
		}
	}
	for id := range len(s.start) - 1 {
		for _, t := range s.distinctLine(uint32(id)) {
			if w := which[t&^spacedBit]; w > 0 {
				yield(int(w-1), uint32(id))
			}
		}
	}
}
