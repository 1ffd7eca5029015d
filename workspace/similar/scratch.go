package similar

import "tandem/workspace/terms"

// pairs number pairs of words: a hash table that is cleared in constant time. It begins
// small and grows, because a small one stays in the processor's cache.
type pairs struct {
	slots []pairSlot // of which mask+1 are in use
	mask  int
	now   uint32
	count int
	moved []pairSlot // memory of grow
}

type pairSlot struct {
	key   uint64
	id    int32
	stamp uint32
}

// How many slots there are at first and at most; half of them may be taken.
const firstSlots, pairSlots = 1 << 13, 1 << 16

func (p *pairs) reset() {
	if p.slots == nil {
		p.slots = make([]pairSlot, pairSlots)
	}
	p.clear()
	p.mask, p.count = firstSlots-1, 0
}

// clear makes every slot free.
func (p *pairs) clear() {
	if p.now++; p.now == 0 {
		clear(p.slots)
		p.now = 1
	}
}

func pairKey(a, b word) uint64 { return uint64(a)<<32 | uint64(b) }

// slot is where a key is or could be.
func (p *pairs) slot(key uint64) *pairSlot {
	at := int(key*0x9e3779b97f4a7c15>>40) & p.mask
	for p.slots[at].stamp == p.now && p.slots[at].key != key {
		at = (at + 1) & p.mask
	}
	return &p.slots[at]
}

// full reports whether no further pair gets a number.
func (p *pairs) full() bool { return p.count >= pairSlots/2 }

// add returns the number of a pair, which is -1 when there are too many. Numbers are given
// in the order in which pairs come.
func (p *pairs) add(key uint64) (id int32, fresh bool) {
	at := p.slot(key)
	if at.stamp == p.now {
		return at.id, false
	}
	if p.full() {
		return -1, false
	}
	if p.count > p.mask/2 {
		p.grow()
		at = p.slot(key)
	}
	*at = pairSlot{key: key, id: int32(p.count), stamp: p.now}
	p.count++
	return at.id, true
}

// grow puts what there is into four times as many slots.
func (p *pairs) grow() {
	p.moved = p.moved[:0]
	for _, s := range p.slots[:p.mask+1] {
		if s.stamp == p.now {
			p.moved = append(p.moved, s)
		}
	}
	p.clear()
	p.mask = min(4*(p.mask+1), pairSlots) - 1
	for _, s := range p.moved {
		*p.slot(s.key) = pairSlot{key: s.key, id: s.id, stamp: p.now}
	}
}

func (p *pairs) has(key uint64) bool { return p.slot(key).stamp == p.now }

// scratch is the memory of one estimate.
type scratch struct {
	own       terms.Marks // by word: 1 + how far from the place it is
	query     []queryWord
	slot      terms.Marks // by word: its number among the names
	seen      terms.Marks // by word: it was in the current piece, and how often
	fileLike  terms.Marks // by file: how alike it is
	fileNear  terms.Marks // by file: how much of what is near the place it has
	imported  terms.Marks // by file
	joined    terms.Marks // by file: how often it changed with the place's
	recent    terms.Marks // by file: how lately it changed
	fresh     terms.Marks // by word: how lately it was brought into a file
	freshHere terms.Marks // by word: and by a change that the place's file was part of
	partNear  terms.Marks // by part: how near the place it is
	partPath  terms.Marks // by part: the file's name has it
	pool      []pooled
	scoredPieces
	scored   [2]scoredPieces // by worker
	seenToo  terms.Marks     // seen, of the other worker
	parts    []scoredFile    // by file of the pool
	order    []uint64
	values   []uint64 // by file of fileLike
	names    []name
	numbers  []int32  // of the names that pieces have
	together []uint16 // by near word and name: pieces with both
	ownPairs pairs
	pairs    pairs
	pairList []pair
	pairIDs  []int32 // of the chunks
}
