//go:build unix

package disk

import "syscall"

// nonblock keeps an open from waiting for the other end of a FIFO.
const nonblock = syscall.O_NONBLOCK
