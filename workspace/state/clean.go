package state

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// temporaryAge is from when on a temporary file belongs to no process that is
// still writing it: writing one takes less than a second.
const temporaryAge = time.Hour

// Clean removes what processes that were killed left in the folder: half-written
// files, and the locks of owners that are gone. What a living process has is left
// alone. It returns when ctx ends.
func (s *Store) Clean(ctx context.Context) error {
	var failed error
	err := filepath.WalkDir(s.Dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			failed = errors.Join(failed, ignoreGone(err))
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case d.Type().IsRegular() && isTemporary(d.Name()):
			failed = errors.Join(failed, removeOld(path, d))
		}
		return nil
	})
	return errors.Join(failed, err, s.Tasks().cleanOwners())
}

// isTemporary reports whether a name is one that a file has until it is whole:
// of a task or its texts (writeWhole), of an index, of a vocabulary.
func isTemporary(name string) bool {
	base, number := name, ""
	if at := strings.LastIndexAny(name, ".-"); at >= 0 {
		base, number = name[:at], name[at+1:]
	}
	if number == "" || strings.Trim(number, "0123456789") != "" {
		return false
	}
	return strings.HasSuffix(base, ".new") || strings.HasPrefix(base, ".") && (strings.HasSuffix(base, ".json") || strings.HasSuffix(base, ".txt"))
}

func removeOld(path string, d fs.DirEntry) error {
	info, err := d.Info()
	if err != nil || time.Since(info.ModTime()) < temporaryAge {
		return ignoreGone(err)
	}
	return ignoreGone(os.Remove(path))
}

// cleanOwners removes the locks of processes that are gone.
func (t *Tasks) cleanOwners() error {
	owners, err := filepath.Glob(filepath.Join(t.dir, ownerPrefix+"*"))
	for _, path := range owners {
		t.alive(filepath.Base(path))
	}
	return err
}
