//go:build !linux

package main

import "time"

var began = time.Now()

// cpuTime returns the elapsed time: this system does not report a thread's own
// CPU time.
func cpuTime() time.Duration { return time.Since(began) }
