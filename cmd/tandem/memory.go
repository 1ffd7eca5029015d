package main

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// leastLimit is the lowest soft limit of memory in bytes: near the limit, garbage is collected
// sooner. No allocation is refused.
const leastLimit = 512 << 20

// memoryLimit is the limit while so many bytes are live. Were it the same always, what holds
// more than that would be collected without a pause: two fifths of the processor time of a check
// of a million lines.
func memoryLimit(live uint64) int64 { return max(leastLimit, int64(live)*5/4) }

// limitMemory has the limit follow what is live, unless the user has set one.
func limitMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		followLive(0)
	}
}

// followLive sets the limit if it is not the last one, and again after the next collection.
func followLive(last int64) {
	limit := memoryLimit(runtimeCount("/gc/heap/live:bytes"))
	if limit != last {
		debug.SetMemoryLimit(limit)
	}
	collected := new([2]*byte) // large enough, and with pointers, so that it is no part of another object
	runtime.AddCleanup(collected, followLive, limit)
}

// collectLess has a command that soon ends, and whose memory then goes back, collect garbage
// less often, unless the user has set how often: it takes a fifth of the time of a check.
func collectLess() {
	if os.Getenv("GOGC") == "" {
		limitMemory()
		debug.SetGCPercent(4 * mostGarbage)
	}
}

// garbage is how many bytes the heap may grow until it is collected, where that is between
// leastGarbage and mostGarbage in percent of what is live: in a large folder, where what is
// live is mostly read once and kept, the runtime's own 100 % would double it; with little
// that is live, each request would collect.
const (
	garbage      = 16 << 20
	leastGarbage = 40
	mostGarbage  = 100
)

// garbagePercent is how much a heap with so many live bytes may grow, in percent of them.
func garbagePercent(live uint64) int {
	return int(min(max(garbage*100/max(live, 1), leastGarbage), mostGarbage))
}

// When memory goes back to the system: after idleFor in which less than idleBytes were
// allocated, if at least busyBytes were since the last time.
const (
	idleFor   = 5 * time.Second
	idleBytes = 1 << 20
	busyBytes = 32 << 20
)

// releaseWhenIdle returns the memory of finished work to the system in the pauses of a
// session. By itself the runtime waits until twice the live memory is in use before it
// collects, which in an editor that is left alone may be never. It returns when ctx ends.
func releaseWhenIdle(ctx context.Context) {
	tick := time.NewTicker(idleFor)
	defer tick.Stop()
	released, last := allocated(), allocated()
	percent := mostGarbage
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if next := garbagePercent(runtimeCount("/gc/heap/live:bytes")); next != percent && os.Getenv("GOGC") == "" {
			percent = next
			debug.SetGCPercent(percent)
		}
		now := allocated()
		if now-last < idleBytes && now-released > busyBytes {
			debug.FreeOSMemory()
			released = allocated()
		}
		last = now
	}
}

// allocated is how many bytes the program has allocated so far.
func allocated() uint64 { return runtimeCount("/gc/heap/allocs:bytes") }

// runtimeCount is a count of the runtime.
func runtimeCount(name string) uint64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
