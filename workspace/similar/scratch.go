package similar

import "tandem/workspace/terms"

// pairs number pairs of words: a hash table that is cleared in constant time.
type pairs struct {
	slots []pairSlot
	now   uint32
	count int
}

type pairSlot struct {
	key   uint64
	id    int32
	stamp uint32
}

const pairSlots = 1 << 16

func (p *pairs) reset() {
	if p.slots == nil {
		p.slots = make([]pairSlot, pairSlots)
	}
	if p.now++; p.now == 0 {
		clear(p.slots)
		p.now = 1
	}
	p.count = 0
}

func pairKey(a, b word) uint64 { return uint64(a)<<32 | uint64(b) }

// slot is where a key is or could be.
func (p *pairs) slot(key uint64) *pairSlot {
	at := int(key*0x9e3779b97f4a7c15>>40) & (pairSlots - 1)
	for p.slots[at].stamp == p.now && p.slots[at].key != key {
		at = (at + 1) & (pairSlots - 1)
	}
	return &p.slots[at]
}

// full reports whether no further pair gets a number.
func (p *pairs) full() bool { return p.count >= pairSlots/2 }

// add returns the number of a pair, which is -1 when there are too many.
func (p *pairs) add(key uint64) (id int32, fresh bool) {
	at := p.slot(key)
	if at.stamp == p.now {
		return at.id, false
	}
	if p.full() {
		return -1, false
	}
	*at = pairSlot{key: key, id: int32(p.count), stamp: p.now}
	p.count++
	return at.id, true
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
	chunks    []scored
	words     []word // of the pieces, distinct
	counted   []word // of those, the ones that show how they are used
	order     []uint64
	names     []name
	together  []uint16 // by near word and name: pieces with both
	ownPairs  pairs
	pairs     pairs
	pairList  []pair
	pairIDs   []int32 // of the chunks
}
