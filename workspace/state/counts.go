package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"tandem/workspace/lock"
)

// A Table is a few named values that all sessions share.
type Table[T any] struct{ path string }

// Filtered counts the next edits that were not shown, by reason.
func (s *Store) Filtered() *Table[int] { return TableOf[int](s, "filtered") }

// TableOf is the table of a name.
func TableOf[T any](s *Store, name string) *Table[T] {
	return &Table[T]{path: filepath.Join(s.Dir, name+".json")}
}

// Change changes the values.
func (t *Table[T]) Change(change func(map[string]T)) error {
	return alone(t.path, func() error {
		all, err := t.All()
		if err != nil {
			return err
		}
		change(all)
		data, err := json.Marshal(all)
		if err != nil {
			return err
		}
		return writeWhole(t.path, data)
	})
}

// alone runs do while no other user of the file at path, in any process, changes it.
func alone(path string, do func() error) (err error) {
	f, err := lock.Opened(func() (*os.File, error) { return OpenPrivate(path+".lock", os.O_RDWR|os.O_CREATE) })
	if err != nil {
		return fmt.Errorf("%s cannot be kept: %w", path, err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return do()
}

// All returns every value. A file that cannot be understood has none.
func (t *Table[T]) All() (map[string]T, error) {
	data, err := readWhole(t.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("it cannot be read: %w", err)
	}
	out := map[string]T{}
	if json.Unmarshal(data, &out) != nil {
		return map[string]T{}, nil
	}
	return out, nil
}
