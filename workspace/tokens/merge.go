package tokens

import "sync"

// shortPiece is the longest piece, in bytes, for which looking through all
// pairs at each merge is quicker than a heap.
const shortPiece = 64

// merge appends to ids the tokens of a piece that is not one token: at each
// step the pair of lowest rank merges, the leftmost among equals.
func (t *tables) merge(ids []uint32, piece string) []uint32 {
	if len(piece) <= shortPiece {
		return t.mergeShort(ids, piece)
	}
	return t.mergeLong(ids, piece)
}

func (t *tables) mergeShort(ids []uint32, piece string) []uint32 {
	var buffer, rankBuffer [shortPiece]uint32
	parts, ranks := buffer[:len(piece)], rankBuffer[:len(piece)]
	for i := range len(piece) {
		parts[i] = t.single[piece[i]]
	}
	for i := range parts {
		ranks[i] = t.pairAt(parts, i)
	}
	for {
		best, at := noMerge, 0
		for i, rank := range ranks {
			if rank < best {
				best, at = rank, i
			}
		}
		if best == noMerge {
			return append(ids, parts...)
		}
		parts[at] = best
		parts = append(parts[:at+1], parts[at+2:]...)
		ranks = append(ranks[:at+1], ranks[at+2:]...)
		ranks[at] = t.pairAt(parts, at)
		if at > 0 {
			ranks[at-1] = t.pairAt(parts, at-1)
		}
	}
}

// pairAt returns the rank of parts[i] merged with what follows it.
func (t *tables) pairAt(parts []uint32, i int) uint32 {
	if i+1 >= len(parts) {
		return noMerge
	}
	return t.pair(parts[i], parts[i+1])
}

// A part is a node of the list that mergeLong shortens. A part that was merged into
// another keeps rank noMerge, so its old heap entries are recognised as invalid.
type part struct {
	id, rank   uint32 // the token, and what it makes with the next part
	prev, next int32  // -1 at the ends
}

// longMerge is mergeLong's buffers, reused from one piece to the next.
type longMerge struct {
	parts []part
	heap  []uint64 // rank<<32 | index of the left part, smallest first
}

var longMerges = sync.Pool{New: func() any { return new(longMerge) }}

// A longer piece is merged in segments of this many bytes, so that its memory is
// bounded and the heap stays in the cache.
const longSegment = 1 << 16

func (t *tables) mergeLong(ids []uint32, piece string) []uint32 {
	t.eachSegment(piece, longSegment, func(found []uint32) { ids = append(ids, found...) })
	return ids
}

// countLong is the number of tokens that mergeLong appends.
func (t *tables) countLong(piece string) (n int) {
	t.eachSegment(piece, longSegment, func(found []uint32) { n += len(found) })
	return n
}

// Where a segment is cut, its last tokens may be others than with the text that
// follows. So the next segment begins this many tokens earlier, and earlier
// still, up to maxBack tokens, if the two do not fit together.
const (
	keptBack = 16
	maxBack  = 256
)

// eachSegment passes on the tokens of a piece, in order. It merges one segment
// after the other and joins them at a border between two tokens that are what
// their own text merges to. That makes the whole exact: each token has one way
// to be merged (TestOnePairATokenIsEnough), so a sequence in which every two
// neighbours are what their text merges to is what the whole text merges to.
// found is valid until yield returns.
func (t *tables) eachSegment(piece string, segment int, yield func(found []uint32)) {
	m := longMerges.Get().(*longMerge)
	var ids, starts, nextIDs, nextStarts []uint32
	ids, starts = m.merge(t, piece[:min(segment, len(piece))], ids, starts)
	for len(piece) > segment {
		keep, ok := len(ids)-keptBack, false
		for least := max(1, len(ids)-maxBack); keep >= least && !ok; keep-- {
			from := int(starts[keep])
			nextIDs, nextStarts = m.merge(t, piece[from:min(from+segment, len(piece))], nextIDs, nextStarts)
			ok = t.neighbours(ids[keep-1], nextIDs[0])
			if ok {
				break
			}
		}
		if !ok { // no border was found: the rest is merged as one
			ids, _ = m.merge(t, piece, ids, starts)
			yield(ids)
			return // its buffers are not kept: they may be large
		}
		yield(ids[:keep])
		piece = piece[starts[keep]:]
		ids, starts, nextIDs, nextStarts = nextIDs, nextStarts, ids, starts
	}
	yield(ids)
	if cap(m.parts) <= 2*longSegment {
		longMerges.Put(m)
	}
}

// neighbours reports whether two tokens are what their text merges to.
func (t *tables) neighbours(a, b uint32) bool {
	var buffer [2 * longestToken]uint32
	got := t.merge(buffer[:0], t.token(a)+t.token(b))
	return len(got) == 2 && got[0] == a && got[1] == b
}

// longestToken is at least as long as any token, in bytes.
const longestToken = 128

// merge returns the tokens of a text, and at which byte each begins, in the
// given buffers.
func (m *longMerge) merge(t *tables, text string, ids, starts []uint32) (tokens, at []uint32) {
	m.fill(t, text)
	for len(m.heap) > 0 {
		top := m.pop()
		left := int32(uint32(top))
		if m.parts[left].rank == uint32(top>>32) {
			m.join(t, left)
		}
	}
	ids, starts = ids[:0], starts[:0]
	for i := int32(0); i >= 0; i = m.parts[i].next {
		ids, starts = append(ids, m.parts[i].id), append(starts, uint32(i))
	}
	return ids, starts
}

// fill makes one part of each byte and queues every pair that merges.
func (m *longMerge) fill(t *tables, piece string) {
	m.parts, m.heap = m.parts[:0], m.heap[:0]
	for i := range len(piece) {
		m.parts = append(m.parts, part{t.single[piece[i]], noMerge, int32(i - 1), int32(i + 1)})
	}
	m.parts[len(piece)-1].next = -1
	for i := range m.parts {
		m.rate(t, int32(i))
	}
}

// join merges a part with the next one.
func (m *longMerge) join(t *tables, left int32) {
	p := &m.parts[left]
	gone := &m.parts[p.next]
	p.id, p.next = p.rank, gone.next
	gone.rank = noMerge
	if p.next >= 0 {
		m.parts[p.next].prev = left
	}
	m.rate(t, left)
	if p.prev >= 0 {
		m.rate(t, p.prev)
	}
}

// rate finds what a part makes with the next one and queues it.
func (m *longMerge) rate(t *tables, i int32) {
	p := &m.parts[i]
	p.rank = noMerge
	if p.next < 0 {
		return
	}
	if p.rank = t.pair(p.id, m.parts[p.next].id); p.rank != noMerge {
		m.push(uint64(p.rank)<<32 | uint64(uint32(i)))
	}
}

func (m *longMerge) push(x uint64) {
	m.heap = append(m.heap, x)
	i := len(m.heap) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if m.heap[parent] <= x {
			break
		}
		m.heap[i] = m.heap[parent]
		i = parent
	}
	m.heap[i] = x
}

func (m *longMerge) pop() uint64 {
	top, last := m.heap[0], m.heap[len(m.heap)-1]
	m.heap = m.heap[:len(m.heap)-1]
	i := 0
	for child := 1; child < len(m.heap); child = 2*i + 1 {
		if child+1 < len(m.heap) && m.heap[child+1] < m.heap[child] {
			child++
		}
		if m.heap[child] >= last {
			break
		}
		m.heap[i] = m.heap[child]
		i = child
	}
	if len(m.heap) > 0 {
		m.heap[i] = last
	}
	return top
}
