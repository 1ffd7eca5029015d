package figures

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A Log is a file of what was measured, one JSON value a line. It is appended to, so that a
// run that was stopped goes on where it was.
type Log[T any] struct {
	file *os.File
	All  []T // what it holds
}

// OpenLog reads what was measured before.
func OpenLog[T any](path string) (*Log[T], error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	all, err := ReadLog[T](path)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	return &Log[T]{f, all}, err
}

// ReadLog reads a log; one that is not there is empty.
func ReadLog[T any](path string) ([]T, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []T
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			return nil, fmt.Errorf("%s is no log of this program, delete it: %w", path, err)
		}
		all = append(all, v)
	}
	return all, lines.Err()
}

// Add writes a value.
func (l *Log[T]) Add(v T) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	l.All = append(l.All, v)
	_, err = l.file.Write(append(data, '\n'))
	return err
}

// Close closes the file: each value is written already.
func (l *Log[T]) Close() { _ = l.file.Close() }
