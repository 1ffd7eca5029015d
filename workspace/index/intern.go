package index

// A nameID is an identifier's number within one interner.
type nameID uint32

// An interner numbers identifiers and counts their uses in the file being
// scanned. It serves one goroutine; names that have a keyword's number are the
// same in all of them (see keywords.go).
type interner struct {
	slots   []uint32 // open addressing; 0 is free, else id+1
	hashes  []uint32 // by id
	names   []string // by id
	counts  []uint32 // by id, of the current file
	touched []nameID // ids with a count, in order of first use
	keep    bool     // copy new names: the text they come from is reused
	arena   []byte
}

const arenaSize = 1 << 16

func newInterner(keep bool) *interner {
	in := &interner{slots: make([]uint32, 2048), keep: keep}
	in.add("", hashString(""))
	for _, word := range keywords {
		in.intern(word)
	}
	return in
}

func hashString(s string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

// intern returns the number of a name.
func (in *interner) intern(name string) nameID { return in.lookup(name, hashString(name)) }

// lookup is intern for a name whose hash is known.
func (in *interner) lookup(name string, hash uint32) nameID {
	mask := uint32(len(in.slots) - 1)
	for at := spread(hash) & mask; ; at = (at + 1) & mask {
		slot := in.slots[at]
		if slot == 0 {
			return in.add(name, hash)
		}
		if id := slot - 1; in.hashes[id] == hash && in.names[id] == name {
			return nameID(id)
		}
	}
}

// spread makes the low bits of an FNV hash depend on all of it.
func spread(h uint32) uint32 { return h ^ h>>15 }

func (in *interner) add(name string, hash uint32) nameID {
	if in.keep {
		name = in.copy(name)
	}
	id := uint32(len(in.names))
	in.names = append(in.names, name)
	in.hashes = append(in.hashes, hash)
	in.counts = append(in.counts, 0)
	if 4*len(in.names) > 3*len(in.slots) {
		in.grow()
	} else {
		in.place(id)
	}
	return nameID(id)
}

func (in *interner) place(id uint32) {
	mask := uint32(len(in.slots) - 1)
	at := spread(in.hashes[id]) & mask
	for in.slots[at] != 0 {
		at = (at + 1) & mask
	}
	in.slots[at] = id + 1
}

func (in *interner) grow() {
	in.slots = make([]uint32, 4*len(in.slots))
	for id := range in.names {
		in.place(uint32(id))
	}
}

func (in *interner) copy(name string) string {
	if len(name) > arenaSize/4 {
		return string([]byte(name))
	}
	if cap(in.arena)-len(in.arena) < len(name) {
		in.arena = make([]byte, 0, arenaSize)
	}
	start := len(in.arena)
	in.arena = append(in.arena, name...)
	return stringOf(in.arena[start:])
}

// use counts one use of a name in the current file.
func (in *interner) use(id nameID) {
	if in.counts[id] == 0 {
		in.touched = append(in.touched, id)
	}
	in.counts[id]++
}

// unuse reverts the last counted use, if it was one of id.
func (in *interner) unuse(id nameID) {
	if in.counts[id] == 0 {
		return
	}
	in.counts[id]--
	if last := len(in.touched) - 1; in.counts[id] == 0 && in.touched[last] == id {
		in.touched = in.touched[:last]
	}
}

// reset forgets all names but the keywords.
func (in *interner) reset() {
	in.forget()
	base := len(keywords) + 1
	clear(in.names[base:])
	in.names, in.hashes, in.counts = in.names[:base], in.hashes[:base], in.counts[:base]
	clear(in.slots)
	for id := range in.names {
		in.place(uint32(id))
	}
}

// forget prepares the interner for the next file.
func (in *interner) forget() {
	for _, id := range in.touched {
		in.counts[id] = 0
	}
	in.touched = in.touched[:0]
}
