package language

import "tandem/workspace/mapped"

// A NameTable is a list of names by number in columns without pointers, which can be kept
// in a file and read in place. It never changes.
type NameTable struct {
	Text   []byte
	Ends   []uint32 // by number, in Text
	Hashes []uint32 // by number
	Slots  []uint32 // open addressing; 0 is free, else a number and 1
}

// Len is how many names there are.
func (t *NameTable) Len() int {
	if t == nil {
		return 0
	}
	return len(t.Ends)
}

// Name is the name of a number. It shares the table's memory.
func (t *NameTable) Name(id NameID) string {
	from := uint32(0)
	if id > 0 {
		from = t.Ends[id-1]
	}
	return mapped.String(t.Text[from:t.Ends[id]])
}

// Find is the number of a name.
func (t *NameTable) Find(name string) (NameID, bool) {
	if t.Len() == 0 {
		return 0, false
	}
	return t.find(name, hashString(name))
}

func (t *NameTable) find(name string, hash uint32) (NameID, bool) {
	mask := uint32(len(t.Slots) - 1)
	for at := spread(hash) & mask; ; at = (at + 1) & mask {
		slot := t.Slots[at]
		if slot == 0 {
			return 0, false
		}
		if id := slot - 1; t.Hashes[id] == hash && t.Name(NameID(id)) == name {
			return NameID(id), true
		}
	}
}

// Reserved reports whether the table begins as the names of every scanner do, so that
// NewScannerOver can use it.
func (t *NameTable) Reserved() bool {
	if t.Len() <= len(keywords) || t.Name(0) != "" {
		return false
	}
	for i, word := range keywords {
		if t.Name(NameID(i+1)) != word {
			return false
		}
	}
	return true
}

// Table returns the names of an interner so far as a table.
func (in *Interner) Table() *NameTable {
	n := in.Len()
	t := &NameTable{Ends: make([]uint32, n), Hashes: make([]uint32, n)}
	slots := 2048
	for 3*slots < 4*n {
		slots *= 2
	}
	t.Slots = make([]uint32, slots)
	mask := uint32(slots - 1)
	for i := range n {
		name := in.Name(NameID(i))
		t.Text = append(t.Text, name...)
		t.Ends[i], t.Hashes[i] = uint32(len(t.Text)), hashString(name)
		at := spread(t.Hashes[i]) & mask
		for t.Slots[at] != 0 {
			at = (at + 1) & mask
		}
		t.Slots[at] = uint32(i) + 1
	}
	return t
}

// NewScannerOver returns a Scanner that gives the names of a table their numbers there.
// The table must be Reserved.
func NewScannerOver(base *NameTable) *Scanner {
	in := &Interner{slots: make([]uint32, 2048), copies: true, base: base, first: uint32(base.Len()), counts: make([]uint32, base.Len())}
	return &Scanner{scan{lexer: lexer{in: in}}}
}
