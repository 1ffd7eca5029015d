//go:build !unix

package disk

// nonblock is 0 where files have no FIFOs among them.
const nonblock = 0
