package edits

import "math/bits"

// distanceStack is the length of the texts that Distance compares without
// allocating.
const distanceStack = 128

// Distance is how many bytes must be inserted, deleted, replaced or swapped
// with their neighbour to make b of a, or most+1 where it is more than most. It
// takes time in proportion to the product of the lengths, less where the texts
// soon differ by more than most or by that many letters.
func Distance(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	// Each edit brings and takes one letter at most.
	if in, out := letterSet(a), letterSet(b); bits.OnesCount64(in&^out) > most || bits.OnesCount64(out&^in) > most {
		return most + 1
	}
	if len(a) == 0 || len(b) == 0 {
		return max(len(a), len(b))
	}
	var stack [3][distanceStack + 1]int
	before, above, row := stack[0][:], stack[1][:], stack[2][:]
	if len(b) > distanceStack {
		all := make([]int, 3*(len(b)+1))
		before, above, row = all[:len(b)+1], all[len(b)+1:2*(len(b)+1)], all[2*(len(b)+1):]
	}
	for j := range len(b) + 1 {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			d := above[j-1]
			if a[i-1] != b[j-1] {
				d = 1 + min(d, above[j], row[j-1])
				if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
					d = min(d, before[j-2]+1)
				}
			}
			row[j] = d
			least = min(least, d)
		}
		if least > most {
			return most + 1
		}
		before, above, row = above, row, before
	}
	return min(above[len(b)], most+1)
}

// letterSet is the bytes of a text as a set, in which some are the same.
func letterSet(s string) (set uint64) {
	for i := range len(s) {
		set |= 1 << (s[i] & 63)
	}
	return set
}
