package main

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// memoryLimit is the soft memory limit of the server in bytes: near it, garbage
	// is collected sooner. No allocation is refused.
	memoryLimit = 512 << 20
	// garbage is how much the heap may grow until it is collected, in percent of what is
	// live. The runtime's own 100 would be as much garbage as data: what is live is mostly
	// read once and kept, and a request adds a few MB, so that collecting more often costs
	// little.
	garbage = 40
)

// limitMemory sets both, unless the user has set them.
func limitMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
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
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
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
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
