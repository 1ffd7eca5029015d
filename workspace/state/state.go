// Package state keeps data that outlives a session, in a folder of the user's own:
// deep tasks and the ledger of requests sent from the machine.
//
// Invariant: folders are 0700 and files 0600, a file has either its old or its new
// content whenever the machine stops, and every record is written under a lock
// that processes share. There is deliberately no key in here, no source text
// except of the files that the steps of a task or an agent have changed or that a moment keeps,
// and no secret of these.
package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"tandem/workspace/disk"
	"tandem/workspace/lock"
)

// DefaultDir is $XDG_STATE_HOME/tandem, or the platform's place; "" where
// there is none. A relative XDG_STATE_HOME is ignored: it would depend on the
// folder in which tandem was started.
func DefaultDir(getenv func(string) string) string {
	join := func(base string, parts ...string) string {
		if !filepath.IsAbs(base) {
			return ""
		}
		return filepath.Join(append([]string{base}, parts...)...)
	}
	if base := getenv("XDG_STATE_HOME"); filepath.IsAbs(base) {
		return filepath.Join(base, "tandem")
	}
	switch runtime.GOOS {
	case "windows":
		return join(getenv("LocalAppData"), "tandem", "state")
	case "darwin":
		return join(getenv("HOME"), "Library", "Application Support", "tandem", "state")
	}
	return join(getenv("HOME"), ".local", "state", "tandem")
}

// A Store is the state folder.
type Store struct {
	Dir string
}

// Open makes the folder if it does not exist and closes it to other users.
func Open(dir string) (*Store, error) {
	if dir == "" {
		return nil, errors.New("there is no folder for tandem's state: set XDG_STATE_HOME to an absolute path")
	}
	if err := private(dir); err != nil {
		return nil, err
	}
	return &Store{Dir: dir}, nil
}

// private makes a folder that only the user can enter.
func private(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("the state folder cannot be made: %w", err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("the state folder cannot be read: %w", err)
	}
	if info.Mode().Perm()&0o077 == 0 || runtime.GOOS == "windows" {
		return nil
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return fmt.Errorf("others can read the state folder %s; make it yours alone with chmod 700: %w", dir, err)
	}
	return nil
}

// writeWhole replaces a file at once: every reader, after a crash too, gets the old
// text or the new. Its error does not name the temporary file, so that the same
// failure has the same text each time.
func writeWhole(path string, data []byte) (err error) {
	defer func() {
		var at *fs.PathError
		if errors.As(err, &at) {
			err = fmt.Errorf("writing %s: %w", path, at.Err)
		}
	}()
	if len(data) > maxRecord {
		return fmt.Errorf("%s would have more than %d MB", path, maxRecord>>20)
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	if _, err = f.Write(data); err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err != nil {
		return err
	}
	return lock.Replace(f.Name(), path)
}

// maxRecord is more than any file of the folder has that is read as a whole.
const maxRecord = 64 << 20

// readWhole reads a regular file of at most maxRecord bytes.
func readWhole(path string) ([]byte, error) {
	data, err := disk.ReadFile(path, maxRecord)
	if errors.Is(err, disk.ErrNotRegular) || errors.Is(err, disk.ErrTooLarge) {
		return nil, fmt.Errorf("%s is no file of tandem's: it has more than %d MB, or is no regular file; remove it", path, maxRecord>>20)
	}
	return data, err
}

// OpenPrivate opens a file for writing as os.OpenFile does, and closes it to other
// users, also where it exists and was open to them. What is no regular file is not opened: nobody
// may be at the other end.
func OpenPrivate(path string, flag int) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && path != os.DevNull {
		return nil, &fs.PathError{Op: "open", Path: path, Err: disk.ErrNotRegular}
	}
	f, err := lock.Open(path, flag, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		err = f.Chmod(0o600)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// A Part is one thing that the state folder holds.
type Part struct {
	Name  string // ledger, tasks, index, ...
	Path  string
	Files int
	Bytes int64
}

// Sizes lists what the folder holds, by name.
func (s *Store) Sizes() ([]Part, error) {
	entries, err := os.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []Part
	for _, e := range entries {
		p, err := measure(e.Name(), filepath.Join(s.Dir, e.Name()))
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func measure(name, path string) (Part, error) {
	p := Part{Name: name, Path: path}
	err := filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return ignoreGone(err)
		}
		info, err := d.Info()
		if err == nil {
			p.Files++
			p.Bytes += info.Size()
		}
		return ignoreGone(err)
	})
	return p, err
}

func ignoreGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Purge removes everything in the folder and returns what that was. What
// could not be removed is in the error.
func (s *Store) Purge() ([]Part, error) {
	parts, err := s.Sizes()
	if err != nil {
		return nil, err
	}
	var failed error
	parts = slices.DeleteFunc(parts, func(p Part) bool {
		err := os.RemoveAll(p.Path)
		failed = errors.Join(failed, err)
		return err != nil
	})
	return parts, failed
}

// PurgeWorkspace removes what is kept about one workspace: its tasks, and the
// files that others name as its own.
func (s *Store) PurgeWorkspace(root string, files ...string) ([]Part, error) {
	var out []Part
	tasks, failed := s.Tasks().forget(root)
	if tasks.Files > 0 {
		out = append(out, tasks)
	}
	for _, path := range files {
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		p, err := measure(filepath.Base(path), path)
		if err == nil {
			err = os.RemoveAll(path)
		}
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		out = append(out, p)
	}
	return out, failed
}
