package main

import (
	"syscall"
	"time"
)

// cpuTime returns the CPU time that this thread has used so far. Other work of the
// machine does not count.
func cpuTime() time.Duration {
	var u syscall.Rusage
	const thread = 1
	if syscall.Getrusage(thread, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
