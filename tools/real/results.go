package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A log is a file of what was measured, one JSON value a line. It is appended to, so that a
// run that was stopped goes on where it was.
type log[T any] struct {
	file *os.File
	all  []T
}

// openLog reads what was measured before.
func openLog[T any](path string) (*log[T], error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	all, err := readLog[T](path)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	return &log[T]{f, all}, err
}

// readLog reads a log; one that is not there is empty.
func readLog[T any](path string) ([]T, error) {
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
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			return nil, fmt.Errorf("%s is no log of this program, delete it: %w", path, err)
		}
		all = append(all, v)
	}
	return all, lines.Err()
}

func (l *log[T]) add(v T) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	l.all = append(l.all, v)
	_, err = l.file.Write(append(data, '\n'))
	return err
}

func (l *log[T]) close() { _ = l.file.Close() }
