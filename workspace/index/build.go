package index

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tandem/workspace/run"
)

// maxFile is the size in bytes above which a file is left out as too large.
const maxFile = 4 << 20

// Options say what to index, and how.
type Options struct {
	Root     string                                                   // the folder, absolute
	Keep     string                                                   // file the index is kept in from one start to the next; "" keeps none
	Ignored  func(path string, isDir bool) (ignored bool, why string) // which paths are not looked at; nil: none but .git
	Group    *run.Group                                               // runs the workers; nil: the caller's goroutine does it all
	Progress func(done, total int)                                    // called now and then, from any goroutine; may be nil
}

// Stats say what a Build saw.
type Stats struct {
	Files, Dirs, Lines, Definitions int
	Bytes                           int64
	Ignored, Binary, Large          int    // files and directories left out, and why
	Kept                            int    // files taken from the kept index unread
	Problem                         string // what was wrong with the kept index that had to be rebuilt; "" if nothing
}

// Build reads a folder: from the index kept of it what has not changed, and the
// rest from its files. A file that cannot be read is left out.
func Build(ctx context.Context, o Options) (*Index, Stats, error) {
	var stats Stats
	var changes []Change
	err := filepath.WalkDir(o.Root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || ctx.Err() != nil {
			return ctx.Err()
		}
		rel, err := filepath.Rel(o.Root, p)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if rel == ".git" && d.IsDir() {
			return fs.SkipDir
		}
		if !d.Type().IsRegular() {
			return nil
		}
		b, err := os.ReadFile(p)
		if err != nil || strings.IndexByte(string(b[:min(len(b), 8000)]), 0) >= 0 {
			return nil
		}
		changes = append(changes, Change{Path: rel, Text: string(b)})
		return nil
	})
	if err != nil {
		return nil, stats, fmt.Errorf("index %s: %w", o.Root, err)
	}
	return New(changes...), stats, nil
}
