package main

import (
	"syscall"
	"time"
)

// cpuTime is what this thread has computed so far: the machine's other work
// does not count.
func cpuTime() time.Duration {
	var u syscall.Rusage
	const thread = 1
	if syscall.Getrusage(thread, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
