package main

import "testing"

// TestGarbagePercent shows that a small heap is not collected at every request, and that
// a large one does not hold as much garbage as data.
func TestGarbagePercent(t *testing.T) {
	for live, want := range map[uint64]int{0: 100, 8 << 20: 100, 16 << 20: 100, 32 << 20: 50, 100 << 20: 40, 1 << 30: 40} {
		if got := garbagePercent(live); got != want {
			t.Errorf("%d MB live: %d %%, want %d", live>>20, got, want)
		}
	}
}
