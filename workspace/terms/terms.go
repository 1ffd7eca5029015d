// Package terms takes names apart into the words that they are made of, writes sets and
// counts of words, keeps numbers by word, name or file for one computation, and selects
// the least of a list.
//
// Invariant: what a name is made of depends on its letters alone. Marks belong to one
// computation at a time. Deliberately absent: what names mean, and which of them count.
package terms

// ShortPart is the length from which a part of a name is significant.
const ShortPart = 3

// EachPart calls do with the words that a name is made of, in small letters:
// getHTTPServer_v2 is get, http and server. do must not keep part.
func EachPart(name string, do func(part []byte)) {
	var buffer [64]byte
	part := buffer[:0]
	flush := func() {
		if len(part) >= ShortPart {
			do(part)
		}
		part = part[:0]
	}
	for i := range len(name) {
		c := name[i]
		upper := c >= 'A' && c <= 'Z'
		switch {
		case !upper && !(c >= 'a' && c <= 'z') && c < 0x80:
			flush()
			continue
		case upper && i > 0 && !(name[i-1] >= 'A' && name[i-1] <= 'Z'):
			flush()
		case upper && i+1 < len(name) && name[i+1] >= 'a' && name[i+1] <= 'z':
			flush()
		}
		if upper {
			c |= 0x20
		}
		part = append(part, c)
	}
	flush()
}

// Marks are numbers by id that are cleared in constant time: an entry counts only
// if its stamp is the current one. An id beyond what Reset was told is not set.
type Marks struct {
	IDs []uint32 // those set, in order; only to be read

	marks []mark
	now   uint32
}

// A mark has a number and its stamp side by side: ids come in no order, and each is one
// access to memory.
type mark struct {
	stamp uint32
	value float32
}

// Reset clears all, and makes room for ids below n.
func (m *Marks) Reset(n int) {
	if n > len(m.marks) {
		m.marks, m.now = make([]mark, n+n/8), 0
	}
	if m.now++; m.now == 0 {
		clear(m.marks)
		m.now = 1
	}
	m.IDs = m.IDs[:0]
}

// Set gives an id a number.
func (m *Marks) Set(id uint32, v float32) {
	x := &m.marks[id]
	if x.stamp != m.now {
		x.stamp = m.now
		m.IDs = append(m.IDs, id)
	}
	x.value = v
}

// Add adds to an id's number.
func (m *Marks) Add(id uint32, v float32) { m.Set(id, m.Get(id)+v) }

// Max raises an id's number.
func (m *Marks) Max(id uint32, v float32) { m.Set(id, max(m.Get(id), v)) }

// Get is an id's number, 0 where it is not set.
func (m *Marks) Get(id uint32) float32 {
	if int(id) < len(m.marks) && m.marks[id].stamp == m.now {
		return m.marks[id].value
	}
	return 0
}

// Has reports whether an id was set.
func (m *Marks) Has(id uint32) bool { return int(id) < len(m.marks) && m.marks[id].stamp == m.now }
