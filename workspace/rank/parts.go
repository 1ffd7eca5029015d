package rank

import (
	"math"

	"tandem/workspace/terms"
)

// A partID numbers the words that names are made of.
type partID uint32

// addParts splits every name into its words and weighs the words by how few
// names have them.
func (b *Base) addParts(names []string) {
	ids := map[string]partID{}
	b.parts.start = make([]uint32, 1, len(names)+1)
	for _, name := range names {
		terms.EachPart(name, func(word []byte) {
			id, ok := ids[string(word)]
			if !ok {
				id = partID(len(ids))
				ids[string(word)] = id
				b.partIdf = append(b.partIdf, 0)
			}
			b.parts.all = append(b.parts.all, id)
			b.partIdf[id]++
		})
		b.parts.start = append(b.parts.start, uint32(len(b.parts.all)))
	}
	for id, names := range b.partIdf {
		b.partIdf[id] = float32(math.Log(1+float64(len(b.parts.start))/float64(names))) / 10
	}
}

// partLines is how far from the place a name's words count.
const partLines = 15

// findWords marks the words of the names near the place.
func (r *ranking) findWords() {
	s := r.s
	s.words.Reset(len(r.partIdf))
	for i := range s.mentions {
		m := &s.mentions[i]
		if n := m.nearest(); n <= partLines {
			for _, part := range r.parts.of(uint32(m.name)) {
				s.words.Max(uint32(part), r.partIdf[part]/(1+float32(n)/5))
			}
		}
	}
}

// familiar returns how much of a name is made of words near the place: the sum of
// their weights, and the share of its words.
func (r *ranking) familiar(id nameID) (weight, part float32) {
	parts := r.parts.of(uint32(id))
	if len(parts) == 0 {
		return 0, 0
	}
	for _, p := range parts {
		if w := r.s.words.Get(uint32(p)); w > 0 {
			weight += w
			part++
		}
	}
	return weight, part / float32(len(parts))
}
