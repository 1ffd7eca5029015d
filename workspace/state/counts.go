package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"tandem/workspace/lock"
)

// Counts are how often each of a few named things has happened, in all sessions.
type Counts struct {
	path string
	mu   sync.Mutex // guards the file in this process; its lock excludes others
}

// maxCounts bounds the file; the names are few and short.
const maxCounts = 64 << 10

// Filtered counts the next edits that were not shown, by reason.
func (s *Store) Filtered() *Counts { return &Counts{path: filepath.Join(s.Dir, "filtered.json")} }

// Add counts one more of a name.
func (c *Counts) Add(name string) (err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f, err := lock.Opened(func() (*os.File, error) { return OpenPrivate(c.path+".lock", os.O_RDWR|os.O_CREATE) })
	if err != nil {
		return fmt.Errorf("the count of %q cannot be kept: %w", name, err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	all, err := c.read()
	if err != nil {
		return err
	}
	all[name]++
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return writeWhole(c.path, data)
}

// All returns every count. A file that cannot be understood counts from nothing.
func (c *Counts) All() (map[string]int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.read()
}

func (c *Counts) read() (map[string]int, error) {
	info, err := os.Stat(c.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && (!info.Mode().IsRegular() || info.Size() > maxCounts) {
		return map[string]int{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the counts cannot be read: %w", err)
	}
	data, err := os.ReadFile(c.path)
	if err != nil {
		return nil, fmt.Errorf("the counts cannot be read: %w", err)
	}
	out := map[string]int{}
	if json.Unmarshal(data, &out) != nil {
		return map[string]int{}, nil
	}
	return out, nil
}
