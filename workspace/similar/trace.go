package similar

import "slices"

// Judged is what was judged for one query, for fitting the weights.
type Judged struct {
	Names  []JudgedName
	Pairs  []JudgedPair
	Chunks []JudgedChunk
}

// A JudgedName is a name that the place lacks, and what is known of it.
type JudgedName struct {
	Name     string
	Features []float32
}

// A JudgedPair is two neighbouring words, and what is known of them.
type JudgedPair struct {
	A, B     string
	Features []float32
}

// A JudgedChunk is a chunk with the numbers of the names and pairs that it has.
type JudgedChunk struct {
	Chunk
	Names, Pairs []int32
}

func (e *estimator) judged(list []int32) *Judged {
	out := &Judged{}
	for k, i := range list {
		x := &e.s.chunks[i]
		c := JudgedChunk{Chunk: e.chunk(x), Pairs: slices.Clone(e.s.pairIDs[e.pairsOf[k].from:e.pairsOf[k].to])}
		c.Names = append(c.Names, e.s.numbers[x.counts.from:x.counts.to]...)
		out.Chunks = append(out.Chunks, c)
	}
	for i := range e.s.names {
		n := &e.s.names[i]
		out.Names = append(out.Names, JudgedName{e.name(n.word), append([]float32(nil), n.x[:]...)})
	}
	for i := range e.s.pairList {
		p := &e.s.pairList[i]
		x := pairJudge{e}.features(p)
		out.Pairs = append(out.Pairs, JudgedPair{e.name(p.a), e.name(p.b), append([]float32(nil), x[:]...)})
	}
	return out
}
