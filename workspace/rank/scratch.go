package rank

import (
	"math"
	"slices"
	"sync"

	"tandem/workspace/index"
)

// marks are numbers by id that are cleared in constant time: an entry counts only
// if its stamp is the current one.
type marks struct {
	stamp []uint32
	value []float32
	now   uint32
	ids   []uint32 // those set, in order
}

func (m *marks) reset(n int) {
	if n > len(m.stamp) {
		m.stamp, m.value, m.now = make([]uint32, n+n/8), make([]float32, n+n/8), 0
	}
	if m.now++; m.now == 0 {
		clear(m.stamp)
		m.now = 1
	}
	m.ids = m.ids[:0]
}

func (m *marks) add(id uint32, v float32) {
	if m.stamp[id] != m.now {
		m.stamp[id], m.value[id] = m.now, 0
		m.ids = append(m.ids, id)
	}
	m.value[id] += v
}

func (m *marks) max(id uint32, v float32) {
	if m.stamp[id] != m.now {
		m.add(id, v)
	} else if v > m.value[id] {
		m.value[id] = v
	}
}

func (m *marks) get(id uint32) float32 {
	if int(id) >= len(m.stamp) || m.stamp[id] != m.now {
		return 0
	}
	return m.value[id]
}

func (m *marks) has(id uint32) bool { return int(id) < len(m.stamp) && m.stamp[id] == m.now }

// scratch is the memory of one ranking.
type scratch struct {
	slot          marks // by name: index+1 of its mention
	cohort        marks // by name: how far files like this one use it
	alike         marks // by file: similarity
	own           marks // by name: the base's state of the place's file uses it
	adjacent      marks // by name: the part of the folder's files that use it
	words         marks // by word: how near the place it is
	imported      marks // by file
	fileActivity  marks // by file: how much of it is used near the place
	ownerActivity marks // by name of an owner
	tried         marks // by name: a candidate already
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
