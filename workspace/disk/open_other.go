//go:build !unix

package disk

import (
	"os"
	"path/filepath"
)

// nonblock is 0 where files have no FIFOs among them.
const nonblock = 0

// sharedRoot opens a folder that others may rename and remove meanwhile. Windows forbids that for
// what os.OpenRoot opens by its path, and allows it for what is opened below another folder.
func sharedRoot(path string) (*os.Root, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil || filepath.Dir(real) == real {
		return os.OpenRoot(path)
	}
	parent, err := os.OpenRoot(filepath.Dir(real))
	if err != nil {
		return os.OpenRoot(path) // which may be readable where its parent is not
	}
	defer parent.Close()
	return parent.OpenRoot(filepath.Base(real))
}
