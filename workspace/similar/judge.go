package similar

import (
	"cmp"
	"math"
	"slices"
)

// What is known of a name that the place lacks when the chance is estimated that the
// place needs it.
const (
	nBias = iota
	nNear // the greatest likeness of a piece that has it, in each way
	nWide
	nPrev
	nAfter
	nNearSum // and the sum of their squares
	nWideSum
	nPrevSum
	nAfterSum
	nBest10 // how many of the pieces most alike have it
	nBest40
	nFileAlike  // the greatest likeness of a file that has it
	nFilesAlike // which part of the files most alike have it
	nFolder     // which part of the folder's files have it
	nInFolder
	nImported // and of those imported
	nInImported
	nTwin // the greatest likeness of the name of a file that has it
	nRare
	nRarePieces
	nCount
	nPartNear // how near the place the parts of its name are
	nPartFile // which of them the file has
	nPartPath // which of them the file's name has
	nDefined
	nDefinedFunc
	nDefinedType
	nDefinedField
	nDefinedFolder
	nDefinedImported
	nDefinedOften
	nOwnerUsed // how near the place its owner is
	nUpper
	nAllUpper
	nUnderscore
	nLength
	nTests    // which part of the files that have it are tests
	nFamily   // and which are of the place's languages
	nTogether // how often it stands in a piece with a rare word near the place
	nTogetherSum
	nJoined // the most that a file that has it changed with the place's
	nRecent // how lately a file that has it changed
	nFresh  // how lately the name was new to a file
	nFreshHere
	numNameFeatures
)

// NameFeatures and PairFeatures are what Judged has of each name and pair.
const NameFeatures, PairFeatures = numNameFeatures, numPairFeatures

// A name is an identifier of the pool that the place lacks.
type name struct {
	word                 word
	file                 int32 // of the pool: the last that had it, and 1
	files, tests, family float32
	x                    [numNameFeatures]float32
	p, log               float32 // the chance, and its logarithm
}

// A nameJudge judges the names of the pool.
type nameJudge struct{ *estimator }

const (
	mostAlike = 30 // files that count as those most alike
	nearRare  = 40 // rare words near the place whose company is noted
)

// judgeNames estimates for each name of the pool how likely the place needs it.
func (e nameJudge) judgeNames() {
	e.gatherNames()
	e.countBest()
	e.countTogether()
	e.noteDefinitions()
	e.inParts("judging names", len(e.s.names), func(i int) {
		n := &e.s.names[i]
		e.complete(n)
		n.p = logistic(e.c.prior.at(n.word) + weigh(nameWeights[:], n.x[:]))
		n.log = logChance(n.p)
		if e.q.Trace != nil {
			e.c.describe(n.word, &n.x)
		}
	})
}

// gatherNames makes a name of each word that the pieces have and the place lacks.
func (e nameJudge) gatherNames() {
	s := e.s
	s.names, s.numbers = s.names[:0], s.numbers[:0]
	s.slot.Reset(e.numWords)
	var folder, imported, alike float32
	limit := e.mostAlike()
	for _, p := range s.pool {
		folder += p.x[fileDir]
		imported += p.x[fileImported]
		if p.x[fileAlike] >= limit {
			alike += p.x[fileAlike]
		}
	}
	for i := range s.chunks {
		c := &s.chunks[i]
		p := &s.pool[c.pool]
		counted := s.counted[c.counts.from:c.counts.to]
		c.counts.from = int32(len(s.numbers))
		for _, w := range counted {
			number := e.number(w)
			if number < 0 {
				continue
			}
			s.numbers = append(s.numbers, number)
			n := &s.names[number]
			x := &n.x
			x[nCount]++
			for k, v := range c.like {
				x[nNear+k] = max(x[nNear+k], v)
				x[nNearSum+k] += v * v
			}
			if n.file == c.pool+1 {
				continue
			}
			n.file = c.pool + 1
			x[nFileAlike] = max(x[nFileAlike], p.x[fileAlike])
			if p.x[fileAlike] >= limit {
				x[nFilesAlike] += p.x[fileAlike] / max(alike, 1e-9)
			}
			if p.x[fileDir] > 0 {
				x[nFolder] += 1 / folder
				x[nInFolder] = 1
			}
			if p.x[fileImported] > 0 {
				x[nImported] += 1 / imported
				x[nInImported] = 1
			}
			x[nTwin] = max(x[nTwin], p.x[fileTwin])
			x[nJoined], x[nRecent] = max(x[nJoined], p.x[fileJoined]), max(x[nRecent], p.x[fileRecent])
			n.files++
			n.tests += p.x[fileTest]
			n.family += p.x[fileFamily]
		}
		c.counts.to = int32(len(s.numbers))
	}
}

// number is the number of a word among the names, to which it is added; it is negative for
// one that is too short.
func (e nameJudge) number(w word) int32 {
	s := e.s
	if s.slot.Has(uint32(w)) {
		return int32(s.slot.Get(uint32(w)))
	}
	number := int32(len(s.names))
	if len(e.name(w)) < shortPart {
		number = -1
	} else {
		s.names = append(s.names, name{word: w})
	}
	s.slot.Set(uint32(w), float32(number))
	return number
}

// named is the name that a word is; nil where it is none.
func (s *scratch) named(w word) *name {
	if !s.slot.Has(uint32(w)) {
		return nil
	}
	if number := int32(s.slot.Get(uint32(w))); number >= 0 {
		return &s.names[number]
	}
	return nil
}

// mostAlike is the likeness that the files most alike have at least.
func (e nameJudge) mostAlike() float32 {
	list := make([]float32, 0, len(e.s.pool))
	for _, p := range e.s.pool {
		list = append(list, p.x[fileAlike])
	}
	slices.SortFunc(list, func(a, b float32) int { return cmp.Compare(b, a) })
	if len(list) == 0 {
		return 0
	}
	return list[min(len(list), mostAlike)-1]
}

// countBest counts in how many of the most alike pieces the names are.
func (e nameJudge) countBest() {
	s := e.s
	best := e.rankPieces(func(x *scored) float32 { return x.like[likeNear] + 0.5*x.like[likeWide] }, 40)
	for rank, o := range best {
		c := &s.chunks[uint32(o)]
		for _, number := range s.numbers[c.counts.from:c.counts.to] {
			x := &s.names[number].x
			x[nBest40]++
			if rank < 10 {
				x[nBest10]++
			}
		}
	}
}

// countTogether counts how often names stand in pieces with rare words that are
// near the place.
func (e nameJudge) countTogether() {
	s := e.s
	near := e.rareNear()
	s.seen.Reset(e.numWords)
	for i, q := range near {
		s.seen.Set(uint32(q.word), float32(i))
	}
	s.together = append(s.together[:0], make([]uint16, len(near)*len(s.names))...)
	var pieces [nearRare]float32
	for i := range s.chunks {
		c := &s.chunks[i]
		for _, w := range s.words[c.words.from:c.words.to] {
			if !s.seen.Has(uint32(w)) {
				continue
			}
			k := int(s.seen.Get(uint32(w)))
			pieces[k]++
			row := s.together[k*len(s.names):]
			for _, other := range s.numbers[c.counts.from:c.counts.to] {
				row[other]++
			}
		}
	}
	for k, q := range near {
		weight := 1 / (1 + (s.own.Get(uint32(q.word))-1)/10)
		row := s.together[k*len(s.names):][:len(s.names)]
		for i, n := range row {
			if n == 0 {
				continue
			}
			part := (float32(n) - 0.3) / (pieces[k] + 1) * weight
			x := &s.names[i].x
			x[nTogether] = max(x[nTogether], part)
			x[nTogetherSum] += part
		}
	}
}

// rareNear are the rarest words nearest to the place.
func (e nameJudge) rareNear() []queryWord {
	s := e.s
	most := uint32(max(20, e.c.numPieces/25))
	out := make([]queryWord, 0, len(s.query))
	for _, q := range s.query {
		if e.c.inPieces.at(q.word) <= most && len(e.name(q.word)) >= shortPart {
			q.near = e.c.rarePieces.at(q.word) / (1 + (s.own.Get(uint32(q.word))-1)/10)
			out = append(out, q)
		}
	}
	slices.SortFunc(out, func(a, b queryWord) int { return cmp.Or(cmp.Compare(b.near, a.near), cmp.Compare(a.word, b.word)) })
	return out[:min(len(out), nearRare)]
}

// noteDefinitions notes what files of the pool define.
func (e nameJudge) noteDefinitions() {
	s := e.s
	for i := range s.pool {
		p := &s.pool[i]
		for _, d := range p.file.defs {
			n := s.named(d.name)
			if n == nil {
				continue
			}
			x := &n.x
			x[nDefined] = 1
			switch {
			case d.kind.IsFunc():
				x[nDefinedFunc] = 1
			case d.kind.IsType():
				x[nDefinedType] = 1
			default:
				x[nDefinedField] = 1
			}
			x[nDefinedFolder] = max(x[nDefinedFolder], p.x[fileDir])
			x[nDefinedImported] = max(x[nDefinedImported], p.x[fileImported])
			if d.owner != 0 && s.own.Has(uint32(d.owner)) {
				x[nOwnerUsed] = max(x[nOwnerUsed], 1/(1+(s.own.Get(uint32(d.owner))-1)/10))
			}
		}
	}
}

// describe fills in what is known of a name alone, wherever the place is.
func (c *Corpus) describe(w word, x *[numNameFeatures]float32) {
	text := c.scanner.Names().Name(w)
	x[nBias] = 1
	x[nRare], x[nRarePieces] = c.rare.at(w), c.rarePieces.at(w)
	x[nDefinedOften] = log1p(float32(c.defined.at(w)))
	if text == "" {
		return
	}
	x[nUpper] = number(text[0] >= 'A' && text[0] <= 'Z')
	x[nAllUpper] = 1
	for i := range len(text) {
		if text[i] >= 'a' && text[i] <= 'z' {
			x[nAllUpper] = 0
			break
		}
	}
	x[nUnderscore] = number(text[0] == '_')
	x[nLength] = float32(math.Log(float64(len(text))))
}

// complete turns what was counted of a name at this place into what it is judged by.
func (e nameJudge) complete(n *name) {
	x := &n.x
	for k := nNearSum; k <= nAfterSum; k++ {
		x[k] = log1p(4 * x[k])
	}
	x[nBest10], x[nBest40], x[nCount] = logCount(x[nBest10]), logCount(x[nBest40]), logCount(x[nCount])
	x[nFresh], x[nFreshHere] = e.s.fresh.Get(uint32(n.word)), e.s.freshHere.Get(uint32(n.word))
	x[nTests], x[nFamily] = n.tests/max(n.files, 1), n.family/max(n.files, 1)
	x[nTogetherSum] = log1p(x[nTogetherSum])
	e.compareParts(n)
}

// compareParts compares the parts of a name with those of the place's.
func (e nameJudge) compareParts(n *name) {
	var near, have, named, all float32
	for _, part := range e.c.partsOf(n.word) {
		weight := e.c.columns.partWeight[part]
		all += weight
		if v := e.s.partNear.Get(part); v > 0 {
			near += weight * v
			have += weight
		}
		named += weight * e.s.partPath.Get(part)
	}
	if all > 0 {
		n.x[nPartNear], n.x[nPartFile], n.x[nPartPath] = near/all, have/all, named/all
	}
}

// weigh is the sum of what is known, by its weights.
func weigh(weights, x []float32) (z float32) {
	for i, w := range weights {
		z += w * x[i]
	}
	return z
}

func logistic(z float32) float32 { return 1 / (1 + float32(math.Exp(float64(-z)))) }
