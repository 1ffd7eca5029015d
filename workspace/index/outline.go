package index

import (
	"iter"
	"sort"
)

// An Outline is how the definitions of a file lie inside each other, by their lines with
// the comment above. It is made for those who ask about many lines of one file.
type Outline struct {
	ix    *Index
	file  FileID
	defs  []outlined // in source order
	begun []int32    // by definition: the last line where it or one before it begins
}

// An outlined definition has the number of the last one before it that ends no earlier
// than it begins; -1 is none.
type outlined struct{ first, last, parent int32 }

// NewOutline returns the outline of a file.
func NewOutline(ix *Index, f FileID) *Outline {
	o := &Outline{ix: ix, file: f}
	p, ok := ix.state().at(f)
	if !ok {
		return o
	}
	rows := p.seg.defs[p.seg.files[p.row].defs:p.seg.files[p.row+1].defs]
	o.defs, o.begun = make([]outlined, len(rows)), make([]int32, len(rows))
	parent, begun := int32(-1), int32(0)
	for i := range rows {
		d := outlined{first: int32(rows[i].start) - int32(rows[i].doc), last: int32(rows[i].end)}
		for parent >= 0 && o.defs[parent].last < d.first {
			parent = o.defs[parent].parent
		}
		d.parent = parent
		begun = max(begun, d.first)
		o.defs[i], o.begun[i], parent = d, begun, int32(i)
	}
	return o
}

// Around yields the definitions that have a line, the last one first, until yield
// returns false.
func (o *Outline) Around(line int) iter.Seq2[DefID, Brief] {
	return func(yield func(DefID, Brief) bool) {
		at := int32(sort.Search(len(o.begun), func(i int) bool { return int(o.begun[i]) > line })) - 1
		for ; at >= 0; at = o.defs[at].parent {
			if d := &o.defs[at]; int(d.first) <= line && line <= int(d.last) {
				id := defID(o.file, int(at))
				if !yield(id, o.ix.Brief(id)) {
					return
				}
			}
		}
	}
}
