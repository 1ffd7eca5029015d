package similar

import "math"

// What is known of a pair of neighbouring words of the pool that the place lacks.
const (
	pBias = iota
	pNear // the greatest likeness of a piece that has it, in each way
	pWide
	pPrev
	pAfter
	pNearSum
	pCount
	pOwnA // the place has the first word
	pOwnB
	pNearA // how near the place it is
	pNearB
	pChanceA // the chance that the place has the first word, or needs it
	pChanceB
	pChance
	pRareA
	pRareB
	pFileAlike
	pLogA
	pLogB
	pJoined
	pRecent
	pFresh // how fresh the fresher of the two words is
	numPairFeatures
)

// A pair is two words that are neighbours in a piece, reserved words passed over.
type pair struct {
	a, b  word
	piece int32 // that had it last, and 1
	x     [numPairFeatures]float32
	p     float32
}

// A pairJudge judges the pairs of the pieces that become chunks.
type pairJudge struct{ *estimator }

// judgePairs estimates for each pair of the pieces in list how likely the place
// needs it.
func (e pairJudge) judgePairs(list []int32) {
	s := e.s
	s.pairs.reset()
	s.pairList = s.pairList[:0]
	s.pairIDs = s.pairIDs[:0]
	e.pairsOf = make([]span, len(list))
	for k, i := range list {
		from := len(s.pairIDs)
		e.gatherPairs(i)
		e.pairsOf[k] = span{from: int32(from), to: int32(len(s.pairIDs))}
	}
	e.inParts("judging pairs", len(s.pairList), func(i int) {
		p := &s.pairList[i]
		e.completePair(p)
		p.p = logistic(weigh(pairWeights[:], p.x[:]))
	})
}

func (e pairJudge) gatherPairs(i int32) {
	s := e.s
	c := &s.chunks[i]
	f := s.pool[c.pool].file
	p := e.piece(c)
	last := word(0)
	eachWord(f.words[p.at:p.end], func(w word, _, _ bool) {
		before := last
		last = w
		if before == 0 || s.ownPairs.has(pairKey(before, w)) {
			return
		}
		id, fresh := s.pairs.add(pairKey(before, w))
		if id < 0 {
			return
		}
		if fresh {
			s.pairList = append(s.pairList, pair{a: before, b: w})
		}
		x := &s.pairList[id]
		if x.piece == i+1 {
			return
		}
		x.piece = i + 1
		for n, v := range c.like {
			x.x[pNear+n] = max(x.x[pNear+n], v)
		}
		x.x[pNearSum] += c.like[likeNear] * c.like[likeNear]
		x.x[pCount]++
		x.x[pFileAlike] = max(x.x[pFileAlike], s.pool[c.pool].x[fileAlike])
		x.x[pJoined] = max(x.x[pJoined], s.pool[c.pool].x[fileJoined])
		x.x[pRecent] = max(x.x[pRecent], s.pool[c.pool].x[fileRecent])
		s.pairIDs = append(s.pairIDs, id)
	})
}

// unlikely is the chance of a word of which nothing is known.
const unlikely = 0.0005

func (e pairJudge) completePair(p *pair) {
	x := &p.x
	x[pBias] = 1
	x[pOwnA], x[pNearA], x[pChanceA] = e.chance(p.a)
	x[pOwnB], x[pNearB], x[pChanceB] = e.chance(p.b)
	x[pChance] = x[pChanceA] * x[pChanceB]
	x[pRareA], x[pRareB] = e.c.rarePieces.at(p.a), e.c.rarePieces.at(p.b)
	x[pFresh] = max(e.s.fresh.Get(uint32(p.a)), e.s.fresh.Get(uint32(p.b)))
	x[pLogA] = float32(math.Log(float64(x[pChanceA]) + 0.001))
	x[pLogB] = float32(math.Log(float64(x[pChanceB]) + 0.001))
	x[pNearSum], x[pCount] = log1p(4*x[pNearSum]), log1p(x[pCount])
}

// chance is how likely the run that is about to be written has a word.
func (e pairJudge) chance(w word) (own, near, chance float32) {
	s := e.s
	if s.own.Has(uint32(w)) {
		near = 1 / (1 + (s.own.Get(uint32(w))-1)/8)
		return 1, near, near
	}
	if s.slot.Has(uint32(w)) {
		return 0, 0, s.names[int(s.slot.Get(uint32(w)))].p
	}
	return 0, 0, unlikely
}
