//go:build !linux && !darwin

package main

import "errors"

// peerUID would be the user at the other end of a unix socket.
func peerUID(uintptr) (int, error) { return 0, errors.ErrUnsupported }
