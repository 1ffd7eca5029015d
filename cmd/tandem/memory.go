package main

import (
	"os"
	"runtime/debug"
)

// memoryLimit is the soft memory limit of the server in bytes: near it, garbage
// is collected sooner. No allocation is refused.
const memoryLimit = 512 << 20

// limitMemory sets the limit, unless the user has set one.
func limitMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
}
