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
	p     float32

	like                      [numLikes]float32 // the greatest of a piece that has it
	sum, count                float32           // of the squares of the first of them; of pieces
	fileAlike, joined, recent float32           // the greatest of a file
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
		x := e.features(p)
		p.p = logistic(weigh(pairWeights[:], x[:]))
	})
}

func (e pairJudge) gatherPairs(i int32) {
	s := e.s
	c := &s.chunks[i]
	f := s.pool[c.pool].file
	p := e.piece(c)
	file := &s.pool[c.pool].x
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
			x.like[n] = max(x.like[n], v)
		}
		x.sum += c.like[likeNear] * c.like[likeNear]
		x.count++
		x.fileAlike = max(x.fileAlike, file[fileAlike])
		x.joined = max(x.joined, file[fileJoined])
		x.recent = max(x.recent, file[fileRecent])
		s.pairIDs = append(s.pairIDs, id)
	})
}

// unlikely is the chance of a word of which nothing is known.
const unlikely = 0.0005

// features are what is known of a pair.
func (e pairJudge) features(p *pair) (x [numPairFeatures]float32) {
	x[pBias] = 1
	copy(x[pNear:], p.like[:])
	x[pFileAlike], x[pJoined], x[pRecent] = p.fileAlike, p.joined, p.recent
	x[pOwnA], x[pNearA], x[pChanceA], x[pLogA] = e.chance(p.a)
	x[pOwnB], x[pNearB], x[pChanceB], x[pLogB] = e.chance(p.b)
	x[pChance] = x[pChanceA] * x[pChanceB]
	x[pRareA], x[pRareB] = e.c.rarePieces.at(p.a), e.c.rarePieces.at(p.b)
	x[pFresh] = max(e.s.fresh.Get(uint32(p.a)), e.s.fresh.Get(uint32(p.b)))
	x[pNearSum], x[pCount] = log1p(4*p.sum), logCount(p.count)
	return x
}

// chance is how likely the run that is about to be written has a word, and the logarithm of
// that.
func (e pairJudge) chance(w word) (own, near, chance, log float32) {
	s := e.s
	if s.own.Has(uint32(w)) {
		distance := s.own.Get(uint32(w)) - 1
		return 1, nearAt(distance), nearAt(distance), logNear(distance)
	}
	if n := s.named(w); n != nil {
		return 0, 0, n.p, n.log
	}
	return 0, 0, unlikely, logUnlikely
}

// nearAt is the chance of a word of the place, so many lines from it.
func nearAt(lines float32) float32 { return 1 / (1 + lines/8) }

func logChance(chance float32) float32 { return float32(math.Log(float64(chance) + 0.001)) }

// The logarithms of chances that come again and again.
var (
	logUnlikely = logChance(unlikely)
	logsNear    = tabled(func(lines float32) float32 { return logChance(nearAt(lines)) })
	logsCount   = tabled(log1p)
)

func tabled(f func(float32) float32) (out [256]float32) {
	for i := range out {
		out[i] = f(float32(i))
	}
	return out
}

// logNear is logChance of nearAt, logCount log1p, of whole numbers.
func logNear(lines float32) float32 {
	if lines < float32(len(logsNear)) {
		return logsNear[int(lines)]
	}
	return logChance(nearAt(lines))
}

func logCount(n float32) float32 {
	if n < float32(len(logsCount)) {
		return logsCount[int(n)]
	}
	return log1p(n)
}
