package main

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"tandem/workspace"
	"tandem/workspace/disk"
)

// watchLimits compares the kernel's limit of watched folders with the number
// that the workspace needs when the editor does not watch for tandem.
func (d *doctor) watchLimits(ctx context.Context) {
	if runtime.GOOS != "linux" {
		return
	}
	limit, err := readNumber("/proc/sys/fs/inotify/max_user_watches")
	if err != nil {
		d.warn("watching", "the limit of watched folders cannot be read: "+err.Error()+".", "tandem looks at files from time to time instead")
		return
	}
	root, err := d.globals.root()
	if err != nil {
		d.bad("workspace", err.Error()+".", "")
		return
	}
	// The limit is per user, for all programs together; tandem uses at most half.
	n, err := workspace.CountDirs(ctx, root)
	if err != nil {
		d.bad("workspace", err.Error()+".", "")
		return
	}
	if n > limit/2 {
		d.warn("watching", fmt.Sprintf("%s has %d folders and all your programs together may watch %d; tandem looks at the rest from time to time.", root, n, limit),
			fmt.Sprintf("sudo sysctl fs.inotify.max_user_watches=%d", max(524288, 4*n)))
		return
	}
	d.good("watching", "folders: %d, of at most %d.", n, limit)
}

func readNumber(path string) (int, error) {
	data, err := disk.ReadFile(path, 1<<10)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(data)))
}
