//go:build !linux

package watch

import "runtime"

const moreWatches = "an editor that watches files itself lets it notice all of them"

// Limit is small where every file of a watched directory takes a file
// descriptor, as it does with kqueue.
func Limit() int {
	if runtime.GOOS == "windows" {
		return 8192
	}
	return 128
}
