package workspace

import (
	"os"
	"strconv"
	"strings"
)

const moreWatches = "a higher fs.inotify.max_user_watches (sysctl) lets it watch all of them"

// watchLimit is half of what the system gives the user: the other half is for the
// editor and all other programs.
func watchLimit() int {
	content, err := os.ReadFile("/proc/sys/fs/inotify/max_user_watches")
	if err != nil {
		return defaultWatchLimit
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(content)))
	if err != nil {
		return defaultWatchLimit
	}
	return n / 2
}

// defaultWatchLimit is half of the smallest default limit of common systems.
const defaultWatchLimit = 8192 / 2
