package main

import "golang.org/x/sys/unix"

// peerUID is the user at the other end of a unix socket.
func peerUID(fd uintptr) (int, error) {
	peer, err := unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return 0, err
	}
	return int(peer.Uid), nil
}
