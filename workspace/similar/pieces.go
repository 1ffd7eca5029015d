package similar

import (
	"math"
	"slices"

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
	words, counts span              // of scratch.words and scratch.counted
}

type span struct{ from, to int32 }

// The constants of BM25: how soon a repeated word counts no more, and how much
// length counts.
const bm25K, bm25B = 1.2, 0.5

// scorePieces scores the pieces of the pool and notes their words.
func (e *estimator) scorePieces() {
	s := e.s
	s.chunks, s.words, s.counted = s.chunks[:0], s.words[:0], s.counted[:0]
	at := e.queryTable()
	for i := range s.pool {
		first := len(s.chunks)
		for k := range s.pool[i].file.pieces {
			e.scorePiece(at, int32(i), int32(k))
		}
		spread(s.chunks[first:])
	}
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

// queryTable makes slot hold where the words of the query are, and 1.
func (e *estimator) queryTable() *terms.Marks {
	s := e.s
	s.slot.Reset(e.words)
	for i, q := range s.query {
		s.slot.Set(uint32(q.word), float32(i+1))
	}
	return &s.slot
}

func (e *estimator) scorePiece(at *terms.Marks, pool, number int32) {
	s := e.s
	f := s.pool[pool].file
	p := f.pieces[number]
	x := scored{pool: pool, piece: number, words: span{from: int32(len(s.words))}, counts: span{from: int32(len(s.counted))}}
	s.seen.Reset(e.words)
	size := 0
	eachWord(f.words[p.at:p.end], func(w word, _, short bool) {
		size++
		s.seen.Add(uint32(w), 1)
		if !short {
			s.counted = append(s.counted, w)
		}
	})
	norm := bm25K * (1 - bm25B + bm25B*float32(size)/e.c.mean)
	for _, id := range s.seen.IDs {
		s.words = append(s.words, word(id))
		if !at.Has(id) {
			continue
		}
		n := s.seen.Get(id)
		gain := n * (bm25K + 1) / (n + norm)
		q := &s.query[int(at.Get(id))-1]
		x.like[likeNear] += q.near * gain
		x.like[likeWide] += q.wide * gain
		x.like[likePrev] += q.prev * gain
	}
	x.words.to = int32(len(s.words))
	x.counts.to = int32(e.distinctNames(x.counts.from))
	s.chunks = append(s.chunks, x)
}

// distinctNames keeps, of the counted words from one on, those that the place
// lacks, each once.
func (e *estimator) distinctNames(from int32) int {
	s := e.s
	s.seen.Reset(e.words)
	kept := s.counted[:from]
	for _, w := range s.counted[from:] {
		if id := uint32(w); !s.seen.Has(id) && !s.own.Has(id) && len(e.name(w)) >= shortPart {
			s.seen.Set(id, 1)
			kept = append(kept, w)
		}
	}
	s.counted = kept
	return len(kept)
}

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
	return least(s.order, most)
}

// least sorts the n smallest numbers of a list to its front, and returns them.
func least(list []uint64, n int) []uint64 {
	n = min(n, len(list))
	for from, to := 0, len(list); n > 0 && to-from > 1; { // what is before from is among them, what is behind to is not
		pivot := list[from+(to-from)/2]
		i, j := from, to-1
		for i <= j {
			for list[i] < pivot {
				i++
			}
			for list[j] > pivot {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i++
				j--
			}
		}
		switch {
		case n <= j+1:
			to = j + 1
		case n > i:
			from = i
		default:
			from = to
		}
	}
	slices.Sort(list[:n])
	return list[:n]
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
