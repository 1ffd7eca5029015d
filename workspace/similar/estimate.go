package similar

import (
	"slices"

	"tandem/workspace/index"
)

// A Chunk is some lines of a file that may be worth showing.
type Chunk struct {
	File        index.FileID
	First, Last int     // lines, from 1, inclusive
	Bytes       int     // of their text
	Alike       float32 // how much like the place they are, from 0 to about 3
}

// An Estimate says what chunks are worth to a place, given what is shown already. It
// belongs to whoever asked for it.
type Estimate struct {
	Chunks []Chunk // by how much they are worth for their size, the best first

	needs [][]int32        // by chunk: what of left it shows
	left  []float32        // by name or pair: the chance that it is needed and not yet shown
	words [][2]string      // by name or pair: its words, one for a name
	slots map[string]int32 // of names

	again float32             // the part of its worth that is left of what is shown
	atom  int                 // lines of the longest statement that Split leaves whole
	lines map[int][]splitLine // by chunk: those that Split has read
	marks []uint32            // by name or pair, of what Split has seen
	mark  uint32
	local map[string]int32 // memory of Split
	split []int32          // and of the parts that it made
}

// Which part of a name's worth is left when it is shown: a second use tells a little more, for
// which a small window has no room.
const shownAgain, shownAgainFew = 0.1, 0.03

// Worth is how many names and pairs a chunk is expected to show that the place needs
// and is not shown yet.
func (e *Estimate) Worth(chunk int) (sum float32) {
	for _, need := range e.needs[chunk] {
		sum += e.left[need]
	}
	return sum
}

// Show notes that a chunk is shown.
func (e *Estimate) Show(chunk int) {
	for _, need := range e.needs[chunk] {
		e.left[need] *= e.again
	}
}

// ShowText notes that a text is shown which is no chunk.
func (e *Estimate) ShowText(text string) {
	scanWords(text, func(word string, _ int) {
		if slot, ok := e.slots[word]; ok {
			e.left[slot] *= e.again
		}
	})
}

// An estimator makes one estimate.
type estimator struct {
	c        *Corpus
	s        *scratch
	ix       *index.Index
	q        Query
	self     index.FileID
	known    bool
	fresh    map[index.FileID]*file // those that changed since the corpus was built; nil is gone
	changed  []index.FileID         // the same, in order
	numWords int
	stem     []uint32 // parts of the file's name
	pairsOf  []span   // by candidate: of scratch.pairIDs
}

// Estimate judges the code that may be worth showing at a place. The index is one
// that With made of the corpus's, or that itself.
func (c *Corpus) Estimate(ix *index.Index, q Query) *Estimate {
	c.mu.Lock()
	defer c.mu.Unlock()
	q.At = min(max(q.At, 0), len(q.Text))
	e := &estimator{c: c, s: &c.scratch, ix: ix, q: q}
	e.self, e.known = ix.FileID(q.Path)
	e.readChanged()
	e.numWords = c.scanner.Names().Len()
	e.readPlace()
	e.choosePool()
	e.scorePieces()
	nameJudge{e}.judgeNames()
	list := e.candidates()
	pairJudge{e}.judgePairs(list)
	if q.Trace != nil {
		q.Trace(e.judged(list))
	}
	return e.estimate(list)
}

// inParts calls do for every number below n, some of them at the same time.
func (e *estimator) inParts(work string, n int, do func(i int)) {
	e.q.Group.Share(work, parts(n), func(_, part int) {
		for i := part * partSize; i < min(n, (part+1)*partSize); i++ {
			do(i)
		}
	})
}

// partSize is how many names, pairs or files one worker takes at a time.
const partSize = 256

func parts(n int) int { return (n + partSize - 1) / partSize }

// name is a word.
func (e *estimator) name(w word) string { return e.c.scanner.Names().Name(w) }

// readChanged reads the files that changed since the corpus was built.
func (e *estimator) readChanged() {
	for _, id := range e.ix.Changed() {
		if e.known && id == e.self {
			continue
		}
		if e.fresh == nil {
			e.fresh = map[index.FileID]*file{}
		}
		e.changed = append(e.changed, id)
		if len(e.fresh) < mostChanged {
			e.fresh[id] = e.c.at(e.ix, id)
		} else {
			e.fresh[id] = nil
		}
	}
}

// candidates are the pieces that become chunks.
func (e *estimator) candidates() []int32 {
	s := e.s
	chosen := make([]bool, len(s.chunks))
	var out []int32
	take := func(order []uint64) {
		for _, o := range order {
			if i := int32(uint32(o)); !chosen[i] {
				chosen[i] = true
				out = append(out, i)
			}
		}
	}
	most := e.q.breadth()
	take(e.rankPieces(e.density, most.dense))
	take(e.rankPieces((*scored).alike, most.like))
	return out
}

// headBytes is what a chunk costs besides its text.
const headBytes = 40

func (e *estimator) density(x *scored) float32 {
	var sum float32
	for _, number := range e.s.numbers[x.counts.from:x.counts.to] {
		sum += e.s.names[number].p
	}
	return sum / float32(e.piece(x).bytes+headBytes)
}

func (e *estimator) piece(x *scored) *piece { return &e.s.pool[x.pool].file.pieces[x.piece] }

// leastChance is the chance below which a name or pair adds nothing to a chunk's
// worth.
const leastChance = 0.0003

// estimate makes the answer.
func (e *estimator) estimate(list []int32) *Estimate {
	s := e.s
	likely := e.likely()
	out := &Estimate{slots: make(map[string]int32, likely), atom: longestAtom, again: shownAgain}
	if e.q.Few {
		out.atom, out.again = longestAtomFew, shownAgainFew
	}
	out.left, out.words = make([]float32, 0, likely+len(s.pairList)), make([][2]string, 0, likely+len(s.pairList))
	slot := make([]int32, len(s.names))
	for i := range s.names {
		slot[i] = -1
		if n := &s.names[i]; n.p >= leastChance {
			slot[i] = int32(len(out.left))
			out.slots[e.name(n.word)] = slot[i]
			out.words = append(out.words, [2]string{e.name(n.word)})
			out.left = append(out.left, n.p)
		}
	}
	pairSlot := make([]int32, len(s.pairList))
	for i := range s.pairList {
		pairSlot[i] = -1
		if p := &s.pairList[i]; p.p >= leastChance && e.q.Pairs > 0 {
			pairSlot[i] = int32(len(out.left))
			out.words = append(out.words, [2]string{e.name(p.a), e.name(p.b)})
			out.left = append(out.left, p.p*e.q.Pairs)
		}
	}
	needs := make([][]int32, len(list))
	order := make([]uint64, len(list))
	size := len(s.pairIDs)
	for _, i := range list {
		size += int(s.chunks[i].counts.to - s.chunks[i].counts.from)
	}
	all := make([]int32, 0, size)
	for k, i := range list {
		x := &s.chunks[i]
		from := len(all)
		var sum float32
		put := func(id int32) {
			if id >= 0 {
				all = append(all, id)
				sum += out.left[id]
			}
		}
		for _, number := range s.numbers[x.counts.from:x.counts.to] {
			put(slot[number])
		}
		for _, p := range s.pairIDs[e.pairsOf[k].from:e.pairsOf[k].to] {
			put(pairSlot[p])
		}
		needs[k] = all[from:len(all):len(all)]
		order[k] = descending(sum/float32(e.piece(x).bytes+headBytes), k)
	}
	slices.Sort(order)
	out.Chunks, out.needs = make([]Chunk, 0, len(order)), make([][]int32, 0, len(order))
	for _, o := range order {
		k := uint32(o)
		out.Chunks = append(out.Chunks, e.chunk(&s.chunks[list[k]]))
		out.needs = append(out.needs, needs[k])
	}
	return out
}

// likely is how many names count.
func (e *estimator) likely() (n int) {
	for i := range e.s.names {
		if e.s.names[i].p >= leastChance {
			n++
		}
	}
	return n
}

func (e *estimator) chunk(x *scored) Chunk {
	p := e.piece(x)
	return Chunk{File: e.s.pool[x.pool].id, First: int(p.first), Last: int(p.last), Bytes: int(p.bytes), Alike: x.alike()}
}
