package similar

import (
	"math"

	"tandem/workspace/terms"
)

// The ways in which a piece is like the place.
const (
	likeNear  = iota // shares the words near the place
	likeWide         // shares the words of the file
	likePrev         // shares the words of the lines around the place
	likeAfter        // stands next to pieces that share the words near the place
	numLikes
)

// A scored piece is one of the pool.
type scored struct {
	pool          int32 // its file's place there
	piece         int32
	like          [numLikes]float32 // of the greatest of all pieces
	words, counts span              // of scratch.words and scratch.counted; then of scratch.numbers
}

type span struct{ from, to int32 }

// The constants of BM25: how soon a repeated word counts no more, and how much
// length counts.
const bm25K, bm25B = 1.2, 0.5

// scorePieces scores the pieces of the pool and notes their words. Files may be scored by
// two workers at once: what they note is then put together in the pool's order.
func (e *estimator) scorePieces() {
	s := e.s
	e.queryTable()
	workers := [2]*scorer{{e, &s.seen, s.scored[0]}, {e, &s.seenToo, s.scored[1]}}
	for _, w := range workers {
		w.chunks, w.words, w.counted = w.chunks[:0], w.words[:0], w.counted[:0]
	}
	s.parts = append(s.parts[:0], make([]scoredFile, len(s.pool))...)
	e.q.Group.Share("scoring pieces", len(s.pool), func(worker, file int) {
		w := workers[worker]
		from := len(w.chunks)
		for k := range s.pool[file].file.pieces {
			w.score(int32(file), int32(k))
		}
		spread(w.chunks[from:])
		s.parts[file] = scoredFile{worker, span{int32(from), int32(len(w.chunks))}}
	})
	s.chunks, s.words, s.counted = s.chunks[:0], s.words[:0], s.counted[:0]
	for _, part := range s.parts {
		for _, x := range workers[part.worker].chunks[part.chunks.from:part.chunks.to] {
			w := workers[part.worker]
			x.words, s.words = moved(s.words, w.words, x.words)
			x.counts, s.counted = moved(s.counted, w.counted, x.counts)
			s.chunks = append(s.chunks, x)
		}
	}
	for i, w := range workers {
		s.scored[i] = w.scoredPieces
	}
	e.scale()
}

// moved appends a part of a list to another one, and returns where it is there.
func moved(to, from []word, part span) (span, []word) {
	at := int32(len(to))
	return span{at, at + part.to - part.from}, append(to, from[part.from:part.to]...)
}

// scale divides what pieces are like by the greatest of all.
func (e *estimator) scale() {
	s := e.s
	var most [numLikes]float32
	for i := range s.chunks {
		for k, v := range s.chunks[i].like {
			most[k] = max(most[k], v)
		}
	}
	for i := range s.chunks {
		for k := range most {
			s.chunks[i].like[k] /= max(most[k], 1e-9)
		}
	}
}

// queryTable makes slot hold where the words of the query are, and 1; 0 for what else the
// place has.
func (e *estimator) queryTable() {
	s := e.s
	s.slot.Reset(e.numWords)
	for _, id := range s.own.IDs {
		s.slot.Set(id, 0)
	}
	for i, q := range s.query {
		s.slot.Set(uint32(q.word), float32(i+1))
	}
}

// scoredPieces are pieces with their words.
type scoredPieces struct {
	chunks  []scored
	words   []word // of the pieces, distinct
	counted []word // of those, the ones that the place lacks and that show how they are used
}

// A scoredFile is where the pieces of a file of the pool are, in the memory of a worker.
type scoredFile struct {
	worker int
	chunks span
}

// A scorer scores pieces of some files.
type scorer struct {
	*estimator
	seen *terms.Marks // by word: it was in the current piece, and how often
	scoredPieces
}

func (e *scorer) score(pool, number int32) {
	s := e.s
	f := s.pool[pool].file
	p := f.pieces[number]
	x := scored{pool: pool, piece: number, words: span{from: int32(len(e.words))}, counts: span{from: int32(len(e.counted))}}
	e.seen.Reset(e.numWords)
	size := 0
	eachWord(f.words[p.at:p.end], func(w word, _, short bool) {
		size++
		n := e.seen.Get(uint32(w)) + 1
		if !short && n == float32(int(n)) {
			n += inCounted
			if !s.slot.Has(uint32(w)) {
				e.counted = append(e.counted, w)
			}
		}
		e.seen.Set(uint32(w), n)
	})
	norm := bm25K * (1 - bm25B + bm25B*float32(size)/e.c.mean)
	for _, id := range e.seen.IDs {
		e.words = append(e.words, word(id))
		k := int(s.slot.Get(id)) - 1
		if k < 0 {
			continue
		}
		n := float32(int(e.seen.Get(id)))
		gain := n * (bm25K + 1) / (n + norm)
		q := &s.query[k]
		x.like[likeNear] += q.near * gain
		x.like[likeWide] += q.wide * gain
		x.like[likePrev] += q.prev * gain
	}
	x.words.to = int32(len(e.words))
	x.counts.to = int32(len(e.counted))
	e.chunks = append(e.chunks, x)
}

// inCounted marks, in how often a word was seen in a piece, that it is among the counted.
const inCounted = 0.5

// spread lets the pieces of a file share in what their neighbours are like.
func spread(list []scored) {
	near := func(i int) float32 {
		if i < 0 || i >= len(list) {
			return 0
		}
		return list[i].like[likeNear]
	}
	for i := range list {
		list[i].like[likeAfter] = near(i-1) + 0.5*near(i-2) + 0.7*near(i+1)
	}
}

// alike is one number for how much a piece is like the place.
func (x *scored) alike() float32 {
	return x.like[likeNear] + 0.7*x.like[likeWide] + 0.7*x.like[likePrev] + 0.3*x.like[likeAfter]
}

// descending is a number that sorts like value, the greatest first, and then by i.
func descending(value float32, i int) uint64 {
	return uint64(^math.Float32bits(value))<<32 | uint64(uint32(i))
}

// rankPieces returns the pieces of the greatest value, the greatest first.
func (e *estimator) rankPieces(value func(*scored) float32, most int) []uint64 {
	s := e.s
	s.order = s.order[:0]
	for i := range s.chunks {
		s.order = append(s.order, descending(value(&s.chunks[i]), i))
	}
	return terms.Least(s.order, most)
}

func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// log1p is the logarithm of 1 + x. Most of what is counted is 0.
func log1p(x float32) float32 {
	if x == 0 {
		return 0
	}
	return float32(math.Log1p(float64(x)))
}

func number(b bool) float32 {
	if b {
		return 1
	}
	return 0
}
