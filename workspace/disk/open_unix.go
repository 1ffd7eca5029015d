//go:build unix

package disk

import (
	"os"
	"syscall"
)

// nonblock keeps an open from waiting for the other end of a FIFO.
const nonblock = syscall.O_NONBLOCK

// sharedRoot opens a folder that others may rename and remove meanwhile.
func sharedRoot(path string) (*os.Root, error) { return os.OpenRoot(path) }
