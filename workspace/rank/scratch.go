package rank

import (
	"sync"

	"tandem/workspace/index"
)

// marks are numbers by id that are cleared in no time: an entry counts only
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
	slot      marks // by name: index+1 of its mention
	company   marks // by name: how far files like this one use it
	alike     marks // by file: similarity
	imported  marks // by file
	fileHeat  marks // by file: how much of it is used near the place
	ownerHeat marks // by name of an owner
	tried     marks // by name: a candidate already
	mentions  []mention
	neighbour []neighbour
}

type neighbour struct {
	file index.FileID
	like float32
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}
