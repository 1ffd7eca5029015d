//go:build reliability && linux

package reliability

import (
	"crypto/sha256"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// patience ends a test that waits for what never happens; it is no bound of a row.
const patience = 2 * time.Minute

// contention is how many times slower than on an idle machine a program runs at
// this moment: the time that work took by the clock over the processor time it
// got, on every processor at once. It is at least 1.
func contention() float64 {
	const rounds = 200_000
	var mu sync.Mutex // guards most
	most := 1.0
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			before, start := threadTime(), time.Now()
			sum := [sha256.Size]byte{}
			for range rounds {
				sum = sha256.Sum256(sum[:])
			}
			clock, used := time.Since(start), threadTime()-before
			mu.Lock()
			defer mu.Unlock()
			if used > 0 {
				most = max(most, clock.Seconds()/used.Seconds())
			}
		})
	}
	all.Wait()
	return most
}

// threadTime is the processor time that this thread has used.
func threadTime() time.Duration {
	const thread = 1 // RUSAGE_THREAD
	var u syscall.Rusage
	if syscall.Getrusage(thread, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
