package window

import "cmp"

func (c *candidate) density() float32 { return c.value / c.cost }

// A queue has candidates in the order of what they are worth for their tokens, the densest
// in front.
type queue struct {
	list []candidate
	heap []int32 // of list
}

// order begins the queue with all of the list.
func (q *queue) order() {
	q.heap = q.heap[:0]
	for i := range q.list {
		q.heap = append(q.heap, int32(i))
	}
	for i := len(q.heap)/2 - 1; i >= 0; i-- {
		q.down(i)
	}
}

// changed puts the candidate in front, whose worth or cost has changed, into its place.
func (q *queue) changed() { q.down(0) }

// pop removes the densest candidate.
func (q *queue) pop() {
	last := len(q.heap) - 1
	q.heap[0] = q.heap[last]
	q.heap = q.heap[:last]
	q.down(0)
}

// push adds a candidate.
func (q *queue) push(c candidate) {
	q.list = append(q.list, c)
	q.heap = append(q.heap, int32(len(q.list)-1))
	for i := len(q.heap) - 1; i > 0 && q.before(i, (i-1)/2); i = (i - 1) / 2 {
		q.heap[i], q.heap[(i-1)/2] = q.heap[(i-1)/2], q.heap[i]
	}
}

func (q *queue) down(i int) {
	for {
		child := 2*i + 1
		if child >= len(q.heap) {
			return
		}
		if child+1 < len(q.heap) && q.before(child+1, child) {
			child++
		}
		if !q.before(child, i) {
			return
		}
		q.heap[i], q.heap[child] = q.heap[child], q.heap[i]
		i = child
	}
}

// before compares two by density; equal ones have the order of their files and lines, so
// that the same request gives the same window.
func (q *queue) before(i, j int) bool {
	a, b := &q.list[q.heap[i]], &q.list[q.heap[j]]
	if x, y := a.density(), b.density(); x != y {
		return x > y
	}
	return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.first, b.first), cmp.Compare(q.heap[i], q.heap[j])) < 0
}
