package main

import (
	"os"
	"runtime/debug"
)

// memoryLimit is how much memory the server tries to stay below, in bytes:
// near it, garbage is collected sooner. It refuses nothing.
const memoryLimit = 512 << 20

// limitMemory sets the limit, unless the user has set another.
func limitMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
}
