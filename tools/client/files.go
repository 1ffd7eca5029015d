package client

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Write writes a file, and makes the folders that it lacks.
func Write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// EachText calls visit with the path below a root and the text of each regular file that is wanted, by its
// name, and no longer than so many bytes. Hidden folders are left out, and others by name. fs.SkipAll ends it.
func EachText(root string, longest int64, wanted func(name string) bool, visit func(path, text string) error, without ...string) error {
	return filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir():
			if path != root && (strings.HasPrefix(e.Name(), ".") || slices.Contains(without, e.Name())) {
				return filepath.SkipDir
			}
			return nil
		case !e.Type().IsRegular() || !wanted(e.Name()):
			return nil
		}
		if info, err := e.Info(); err != nil || info.Size() > longest {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		return visit(filepath.ToSlash(rel), string(text))
	})
}
