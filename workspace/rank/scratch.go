package rank

import (
	"math"
	"sync"

	"tandem/workspace/index"
	"tandem/workspace/terms"
)

// scratch is the memory of one ranking.
type scratch struct {
	slot          terms.Marks // by name: index+1 of its mention
	cohort        terms.Marks // by name: how far files like this one use it
	alike         terms.Marks // by file: similarity
	own           terms.Marks // by name: the base's state of the place's file uses it
	adjacent      terms.Marks // by name: the part of the folder's files that use it
	words         terms.Marks // by word: how near the place it is
	imported      terms.Marks // by file
	fileActivity  terms.Marks // by file: how much of it is used near the place
	ownerActivity terms.Marks // by name of an owner
	tried         terms.Marks // by name: a candidate already
	mentions      []mention
	neighbour     []neighbour
	order         []uint64 // alike files: likeness, best lowest, and file
}

type neighbour struct {
	file index.FileID
	like float32
}

// nearest fills neighbour with the most alike files, the most alike first.
func (s *scratch) nearest() {
	s.neighbour = s.neighbour[:0]
	for _, o := range terms.Least(s.order, similarFiles) {
		s.neighbour = append(s.neighbour, neighbour{index.FileID(uint32(o)), math.Float32frombits(^uint32(o >> 32))})
	}
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}
