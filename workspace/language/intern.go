package language

import "strings"

// A NameID is an identifier's number within one interner.
type NameID uint32

// An Interner numbers identifiers and counts their uses in the file being
// scanned. It serves one goroutine; names that have a keyword's number are the
// same in all of them (see keywords.go).
type Interner struct {
	slots   []uint32 // open addressing; 0 is free, else id+1
	hashes  []uint32 // by id
	names   []string // by id
	counts  []uint32 // by id, of the current file
	touched []NameID // ids with a count, in order of first use
	copies  bool     // copy new names: the text they come from is reused
	fixed   int      // names that reset keeps
	arena   strings.Builder
	bytes   int // of all names
}

const arenaSize = 1 << 16

// NewInterner returns an interner that copies what it keeps. It holds only the
// empty name, as number 0.
func NewInterner() *Interner { return emptyInterner(true) }

func emptyInterner(keep bool) *Interner {
	in := &Interner{slots: make([]uint32, 2048), copies: keep, fixed: 1}
	in.add("", hashString(""))
	return in
}

// newInterner returns one that scanners can use.
func newInterner(keep bool) *Interner {
	in := emptyInterner(keep)
	for _, word := range keywords {
		in.Intern(word)
	}
	in.fixed = len(in.names)
	return in
}

// Names are all names by number. The slice must not be changed.
func (in *Interner) Names() []string { return in.names }

// Len is how many names there are.
func (in *Interner) Len() int { return len(in.names) }

// Bytes is how long all names are together.
func (in *Interner) Bytes() int { return in.bytes }

// Name is the name of a number.
func (in *Interner) Name(id NameID) string { return in.names[id] }

// Hash is the hash that an Interner uses. Saved indexes contain hash tables
// made with it.
func Hash(name string) uint32 { return spread(hashString(name)) }

func hashString(s string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

// Intern returns the number of a name.
func (in *Interner) Intern(name string) NameID { return in.lookup(name, hashString(name)) }

// lookup is Intern for a name whose hash is known.
func (in *Interner) lookup(name string, hash uint32) NameID {
	mask := uint32(len(in.slots) - 1)
	for at := spread(hash) & mask; ; at = (at + 1) & mask {
		slot := in.slots[at]
		if slot == 0 {
			return in.add(name, hash)
		}
		if id := slot - 1; in.hashes[id] == hash && in.names[id] == name {
			return NameID(id)
		}
	}
}

// spread makes the low bits of an FNV hash depend on all of it.
func spread(h uint32) uint32 { return h ^ h>>15 }

func (in *Interner) add(name string, hash uint32) NameID {
	if in.copies {
		name = in.copy(name)
	}
	id := uint32(len(in.names))
	in.bytes += len(name)
	in.names = append(in.names, name)
	in.hashes = append(in.hashes, hash)
	in.counts = append(in.counts, 0)
	if 4*len(in.names) > 3*len(in.slots) {
		in.grow()
	} else {
		in.place(id)
	}
	return NameID(id)
}

func (in *Interner) place(id uint32) {
	mask := uint32(len(in.slots) - 1)
	at := spread(in.hashes[id]) & mask
	for in.slots[at] != 0 {
		at = (at + 1) & mask
	}
	in.slots[at] = id + 1
}

func (in *Interner) grow() {
	in.slots = make([]uint32, 4*len(in.slots))
	for id := range in.names {
		in.place(uint32(id))
	}
}

func (in *Interner) copy(name string) string {
	if len(name) > arenaSize/4 {
		return strings.Clone(name)
	}
	if in.arena.Cap()-in.arena.Len() < len(name) {
		in.arena = strings.Builder{}
		in.arena.Grow(arenaSize)
	}
	start := in.arena.Len()
	in.arena.WriteString(name)
	return in.arena.String()[start:]
}

// used calls yield for each name of the current file and its count.
func (in *Interner) used(yield func(NameID, uint32) bool) {
	for _, id := range in.touched {
		if !yield(id, in.counts[id]) {
			return
		}
	}
}

// use counts one use of a name in the current file.
func (in *Interner) use(id NameID) { in.useMany(id, 1) }

// useMany counts some uses of a name in the current file.
func (in *Interner) useMany(id NameID, n uint32) {
	if in.counts[id] == 0 {
		in.touched = append(in.touched, id)
	}
	in.counts[id] += n
}

// unuse reverts the last counted use, if it was one of id.
func (in *Interner) unuse(id NameID) {
	if in.counts[id] == 0 {
		return
	}
	in.counts[id]--
	if last := len(in.touched) - 1; in.counts[id] == 0 && in.touched[last] == id {
		in.touched = in.touched[:last]
	}
}

// Reset forgets all names but those that a new interner has.
func (in *Interner) Reset() {
	in.forget()
	base := in.fixed
	for _, name := range in.names[base:] {
		in.bytes -= len(name)
	}
	clear(in.names[base:])
	in.names, in.hashes, in.counts = in.names[:base], in.hashes[:base], in.counts[:base]
	clear(in.slots)
	for id := range in.names {
		in.place(uint32(id))
	}
}

// forget prepares the interner for the next file.
func (in *Interner) forget() {
	for _, id := range in.touched {
		in.counts[id] = 0
	}
	in.touched = in.touched[:0]
}
