//go:build reliability && linux

package reliability

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"maps"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// An endpoint is one socket of a process as the kernel lists it.
type endpoint struct {
	remote string
	listen bool
}

// sockets lists the TCP and UDP sockets of a process.
func sockets(pid int) []endpoint {
	own := map[string]bool{}
	fds, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	for _, fd := range fds {
		if to, err := os.Readlink(fd); err == nil {
			if inode, ok := strings.CutPrefix(to, "socket:["); ok {
				own[strings.TrimSuffix(inode, "]")] = true
			}
		}
	}
	var out []endpoint
	for _, table := range []string{"tcp", "tcp6", "udp", "udp6"} {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/%s", pid, table))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			f := strings.Fields(line)
			if len(f) > 9 && own[f[9]] {
				out = append(out, endpoint{address(f[2]), f[3] == "0A"})
			}
		}
	}
	return out
}

// address reads an address as /proc/net writes it: words in host order.
func address(s string) string {
	host, port, _ := strings.Cut(s, ":")
	raw, err := hex.DecodeString(host)
	n, err2 := strconv.ParseUint(port, 16, 16)
	if err != nil || err2 != nil {
		return s
	}
	for i := 0; i+4 <= len(raw); i += 4 {
		slices.Reverse(raw[i : i+4])
	}
	ip, ok := netip.AddrFromSlice(raw)
	if !ok {
		return s
	}
	return netip.AddrPortFrom(ip.Unmap(), uint16(n)).String()
}

// watchSockets inspects a process's sockets many times a second until the
// returned function is called, which returns the most sockets that listened at
// once and the addresses of all connections.
func watchSockets(t *testing.T, pid int) func() (listening int, dialled []string) {
	stop, done := make(chan struct{}), make(chan struct{})
	most, remotes := 0, map[string]bool{}
	go func() {
		defer close(done)
		for {
			n := 0
			for _, s := range sockets(pid) {
				if s.listen {
					n++
				} else {
					remotes[s.remote] = true
				}
			}
			most = max(most, n)
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	var ended bool
	end := func() (int, []string) {
		if !ended {
			ended = true
			close(stop)
			<-done
		}
		return most, slices.Sorted(maps.Keys(remotes))
	}
	t.Cleanup(func() { end() })
	return end
}

// ran reports whether a process has ever started another: it has one now, or
// the kernel has counted page faults of one that ended.
func ran(pid int) bool {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		if text, err := os.ReadFile(list); err == nil && len(bytes.TrimSpace(text)) > 0 {
			return true
		}
	}
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	f := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	return f[8] != "0" // cminflt: minor faults of children that were waited for
}
