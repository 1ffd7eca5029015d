package disk

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"
)

// Folders are folders below a Root, each opened once, for those who read many files at one
// time. What they read lies below the Root as well. They may be used concurrently.
type Folders struct {
	root *Root
	mu   sync.Mutex
	open map[string]*os.Root // by path below the root; nil is one that cannot be opened
}

// mostFolders bounds how many are open; files of others are opened from the Root.
const mostFolders = 64

// Folders returns folders of which none is open yet. The caller closes them.
func (r *Root) Folders() *Folders { return &Folders{root: r, open: map[string]*os.Root{}} }

// Open is Root.Open.
func (f *Folders) Open(rel string) (*os.File, fs.FileInfo, error) {
	dir, name := path.Split(rel)
	if folder := f.folder(dir); folder != nil {
		// What fails may be a link that leads out of its folder, or a folder made anew.
		if file, info, err := open(folder, name); err == nil {
			return file, info, nil
		}
	}
	return f.root.Open(rel)
}

func (f *Folders) folder(dir string) *os.Root {
	if dir == "" {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	folder, known := f.open[dir]
	if !known && len(f.open) < mostFolders {
		folder, _ = f.root.dir.OpenRoot(filepath.FromSlash(dir)) // else the error is that of the file
		f.open[dir] = folder
	}
	return folder
}

// Close closes the folders, after all use.
func (f *Folders) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, folder := range f.open {
		if folder != nil {
			_ = folder.Close() // it was only read
		}
	}
	clear(f.open)
}
