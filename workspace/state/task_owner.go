package state

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tandem/workspace/lock"
)

// own is the name of this process's lock, taken when first needed.
func (t *Tasks) own() (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.owner != nil {
		return filepath.Base(t.owner.Name()), nil
	}
	f, err := lockedOwner(t.dir)
	if err != nil {
		return "", err
	}
	t.owner = f
	return filepath.Base(f.Name()), nil
}

// lockedOwner makes an owner's file and locks it. Another process may take the
// file for one that a dead process left, and remove it, until it is locked; then
// the next one is made.
func lockedOwner(dir string) (*os.File, error) {
	for range 10 {
		f, err := lock.Open(filepath.Join(dir, ownerPrefix+rand.Text()), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return nil, err
		}
		ok, err := lock.Try(f)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("the tasks folder cannot be locked; is it on a file system without locks?"), err, f.Close())
		}
		if ok && lock.Current(f) {
			return f, nil
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("the owner's files in %s are removed while they are made", dir)
}

// Close ends this process's claim: its running tasks count as interrupted.
func (t *Tasks) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.owner == nil {
		return nil
	}
	name := t.owner.Name()
	err := errors.Join(t.owner.Close(), ignoreGone(os.Remove(name))) // who looked whether this process lives may have removed it
	t.owner = nil
	return err
}

// alive reports whether the process that owns a task still runs. The lock of a dead
// process is removed. It shares the lock for its look: two who look at the same time must
// not take each other for the owner.
func (t *Tasks) alive(owner string) bool {
	if owner == "" || owner != filepath.Base(owner) || !strings.HasPrefix(owner, ownerPrefix) {
		return false
	}
	path := filepath.Join(t.dir, owner)
	f, err := lock.Open(path, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	free, err := lock.Share(f)
	if err == nil && free {
		_ = os.Remove(path)
	}
	return err == nil && !free
}
