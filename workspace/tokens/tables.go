package tokens

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
)

const (
	rankBits = 18 // every vocabulary here has fewer than 2^18 tokens
	rankMask = 1<<rankBits - 1
	explicit = 0xffffff // a record that spells its token: vocab.Explicit
)

// tables is a vocabulary ready for use: the bytes of every token, a hash table
// from bytes to rank and one from the two halves of a merge to its rank. They
// are read-only once made.
type tables struct {
	bytes   string   // every token's bytes, one after the other
	offsets []uint32 // token r is bytes[offsets[r]:offsets[r+1]]
	single  [256]uint32

	seed   maphash.Seed
	pieces []uint32 // tag<<rankBits | rank+1; 0 is empty

	pairs []uint64 // (a<<rankBits|b)<<rankBits | rank; 0 is empty
	shift uint     // of the pair hash
}

// newTables reads the form that vocab.Build writes.
func newTables(data string) *tables {
	count := int(binary.LittleEndian.Uint32([]byte(data[:4])))
	records, spelled := data[4:4+6*count], data[4+6*count:]
	size := tableSize(count)
	t := &tables{
		offsets: make([]uint32, 1, count+1),
		seed:    maphash.MakeSeed(),
		pieces:  make([]uint32, size),
		pairs:   make([]uint64, size),
		shift:   uint(64 - bits.TrailingZeros(uint(size))),
	}
	text := make([]byte, 0, 8*count)
	for rank := range uint32(count) {
		a, b := read24(records, 6*int(rank)), read24(records, 6*int(rank)+3)
		start := len(text)
		if a == explicit {
			text, spelled = append(text, spelled[:b]...), spelled[b:]
		} else {
			text = append(text, text[t.offsets[a]:t.offsets[a+1]]...)
			text = append(text, text[t.offsets[b]:t.offsets[b+1]]...)
			t.addPair(a, b, rank)
		}
		t.offsets = append(t.offsets, uint32(len(text)))
		t.addPiece(text[start:], rank)
	}
	t.bytes = string(text)
	return t
}

// tableSize is a power of two that count entries fill at most half.
func tableSize(count int) int { return 1 << bits.Len(uint(2*count-1)) }

func read24(s string, at int) uint32 {
	return uint32(s[at]) | uint32(s[at+1])<<8 | uint32(s[at+2])<<16
}

func (t *tables) token(rank uint32) string {
	return t.bytes[t.offsets[rank]:t.offsets[rank+1]]
}

func (t *tables) addPiece(piece []byte, rank uint32) {
	if len(piece) == 1 {
		t.single[piece[0]] = rank
	}
	hash := maphash.Bytes(t.seed, piece)
	mask := uint64(len(t.pieces) - 1)
	at := hash & mask
	for t.pieces[at] != 0 {
		at = (at + 1) & mask
	}
	t.pieces[at] = uint32(hash>>32)&^rankMask | rank + 1
}

// piece returns the rank of the token whose bytes are s.
func (t *tables) piece(s string, hash uint64) (uint32, bool) {
	tag := uint32(hash>>32) &^ rankMask
	mask := uint64(len(t.pieces) - 1)
	for at := hash & mask; t.pieces[at] != 0; at = (at + 1) & mask {
		slot := t.pieces[at]
		if slot&^rankMask != tag {
			continue
		}
		if rank := slot&rankMask - 1; t.token(rank) == s {
			return rank, true
		}
	}
	return 0, false
}

func (t *tables) addPair(a, b, rank uint32) {
	key := uint64(a)<<rankBits | uint64(b)
	mask := uint64(len(t.pairs) - 1)
	at := t.pairSlot(key)
	for t.pairs[at] != 0 {
		at = (at + 1) & mask
	}
	t.pairs[at] = key<<rankBits | uint64(rank)
}

func (t *tables) pairSlot(key uint64) uint64 {
	return key * 0x9e3779b97f4a7c15 >> t.shift
}

// noMerge is the rank of a pair that does not merge: above every rank.
const noMerge = ^uint32(0)

// pair returns the rank of the token that a and b merge into, or noMerge.
func (t *tables) pair(a, b uint32) uint32 {
	key := uint64(a)<<rankBits | uint64(b)
	mask := uint64(len(t.pairs) - 1)
	for at := t.pairSlot(key); ; at = (at + 1) & mask {
		switch slot := t.pairs[at]; {
		case slot == 0:
			return noMerge
		case slot>>rankBits == key:
			return uint32(slot & rankMask)
		}
	}
}
