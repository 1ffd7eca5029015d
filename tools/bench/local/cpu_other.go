//go:build !linux

package main

import "time"

var began = time.Now()

// cpuTime is the time that has passed: the system does not tell a thread's own.
func cpuTime() time.Duration { return time.Since(began) }
