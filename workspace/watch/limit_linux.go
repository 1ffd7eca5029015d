package watch

import (
	"strconv"
	"strings"

	"tandem/workspace/disk"
)

const moreWatches = "a higher fs.inotify.max_user_watches (sysctl) lets it watch all of them"

// Limit is half of what the system gives the user: the other half is for the
// editor and all other programs.
func Limit() int {
	content, err := disk.ReadFile("/proc/sys/fs/inotify/max_user_watches", 1<<10)
	if err != nil {
		return defaultLimit
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(content)))
	if err != nil {
		return defaultLimit
	}
	return n / 2
}

// defaultLimit is half of the smallest default limit of common systems.
const defaultLimit = 8192 / 2
