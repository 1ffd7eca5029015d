package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// maxCounted bounds how many folders the doctor counts.
const maxCounted = 500_000

// watchLimits compares the kernel's limit of watched folders with the number
// that the workspace needs when the editor does not watch for tandem.
func (d *doctor) watchLimits() {
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
	n := countFolders(root)
	if n > limit/2 {
		d.warn("watching", fmt.Sprintf("%s has %d folders and all your programs together may watch %d; tandem looks at the rest from time to time.", root, n, limit),
			fmt.Sprintf("sudo sysctl fs.inotify.max_user_watches=%d", max(524288, 4*n)))
		return
	}
	d.good("watching", "folders: %d, of at most %d.", n, limit)
}

func readNumber(path string) (int, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(data)))
}

// countFolders counts the folders to watch: no hidden folders and no folders of
// package managers.
func countFolders(root string) int {
	n := 0
	_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipDir // what cannot be entered is not watched
		case !e.IsDir():
			return nil
		case path != root && (strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules"):
			return fs.SkipDir
		case n >= maxCounted:
			return fs.SkipAll
		}
		n++
		return nil
	})
	return n
}
