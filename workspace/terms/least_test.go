package terms

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestLeast compares with sorting everything.
func TestLeast(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		list := make([]uint64, random.IntN(60))
		for i := range list {
			list[i] = random.Uint64N(1 + random.Uint64N(60)) // few values: many are equal
		}
		n := random.IntN(72) - 2
		sorted := slices.Sorted(slices.Values(list))
		got := slices.Clone(list)
		if front := Least(got, n); !slices.Equal(front, sorted[:min(max(n, 0), len(list))]) {
			t.Fatalf("the %d least of %v are %v", n, list, front)
		}
		if slices.Sort(got); !slices.Equal(got, sorted) {
			t.Fatalf("taking the %d least of %v made %v of it", n, list, got)
		}
	}
}

// TestLeastOfSortedLists takes the orders that a bad choice of the pivot makes slow or endless.
func TestLeastOfSortedLists(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]func(i int) uint64{"rising": func(i int) uint64 { return uint64(i) },
		"falling": func(i int) uint64 { return uint64(9999 - i) }, "equal": func(int) uint64 { return 7 }} {
		list := make([]uint64, 10_000)
		for i := range list {
			list[i] = at(i)
		}
		want := slices.Sorted(slices.Values(list))
		for _, n := range []int{0, 1, 48, 9_999, 10_000} {
			if got := Least(slices.Clone(list), n); !slices.Equal(got, want[:n]) {
				t.Errorf("%s: the %d least begin with %v", name, n, got[:min(n, 3)])
			}
		}
	}
}
