package rank

import (
	"math"
	"slices"
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
	count := min(len(s.order), similarFiles)
	Lowest(s.order, count)
	slices.Sort(s.order[:count])
	s.neighbour = s.neighbour[:0]
	for _, o := range s.order[:count] {
		s.neighbour = append(s.neighbour, neighbour{index.FileID(uint32(o)), math.Float32frombits(^uint32(o >> 32))})
	}
}

// Lowest puts the count lowest of list first, in no order.
func Lowest(list []uint64, count int) {
	for len(list) > 1 && count > 0 && count < len(list) {
		a, b, c := list[0], list[len(list)/2], list[len(list)-1]
		i, j := split(list, max(min(a, b), min(max(a, b), c)))
		switch {
		case count <= j:
			list = list[:j+1]
		case count >= i:
			list, count = list[i:], count-i
		default:
			return
		}
	}
}

// split puts what is not above pivot before i and what is not below it after j.
func split(list []uint64, pivot uint64) (i, j int) {
	j = len(list) - 1
	for i <= j {
		for list[i] < pivot {
			i++
		}
		for list[j] > pivot {
			j--
		}
		if i <= j {
			list[i], list[j] = list[j], list[i]
			i++
			j--
		}
	}
	return i, j
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}
