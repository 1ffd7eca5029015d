package terms

import (
	"cmp"
	"slices"
)

// Least moves the n smallest values of list to its front, in order, and returns them; the
// rest is in no order. n may be larger than the list.
func Least[T cmp.Ordered](list []T, n int) []T {
	n = min(max(n, 0), len(list))
	rest, missing := list, n
	for len(rest) > 1 && missing > 0 && missing < len(rest) {
		below, above := partition(rest)
		switch {
		case missing <= below:
			rest = rest[:below]
		case missing >= above:
			rest, missing = rest[above:], missing-above
		default:
			missing = 0 // what is between equals the pivot
		}
	}
	slices.Sort(list[:n])
	return list[:n]
}

// partition puts what is not above the middle of three values before below, what is not
// below it from above on, and what equals it between.
func partition[T cmp.Ordered](list []T) (below, above int) {
	a, b, c := list[0], list[len(list)/2], list[len(list)-1]
	pivot := max(min(a, b), min(max(a, b), c))
	i, j := 0, len(list)-1
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
	return j + 1, i
}
