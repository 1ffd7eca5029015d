package index

import (
	"context"
	"io/fs"
	"path/filepath"
	"sync"

	"tandem/workspace/disk"
	"tandem/workspace/run"
)

// A walker visits the files of a folder with several workers at once: each
// takes a directory from the queue, adds its directories to it, and handles its
// files.
type walker struct {
	ctx     context.Context
	root    *disk.Root
	matcher Matcher
	visit   func(worker int, folder *disk.Root, path string, entry fs.DirEntry)

	mu      sync.Mutex // guards all below
	wake    *sync.Cond
	queue   []string // directories, relative, "" is the root
	working int      // workers that may still add to the queue
	dirs    int
	ignored int
	deep    int // folders that are too deep
	broken  []*run.Panic
}

// walk runs workers, one of them the caller, and returns when everything is
// visited.
func (w *walker) walk(group *run.Group, workers int) {
	w.wake = sync.NewCond(&w.mu)
	w.queue = []string{""}
	stop := context.AfterFunc(w.ctx, w.wake.Broadcast)
	defer stop()
	var others sync.WaitGroup
	for i := 1; i < workers && group != nil; i++ {
		others.Add(1)
		if !group.Go("index", func(context.Context) { defer others.Done(); w.work(i) }) {
			others.Done()
		}
	}
	w.work(0)
	others.Wait()
}

func (w *walker) work(worker int) {
	for {
		dir, ok := w.take()
		if !ok {
			return
		}
		p := run.Call("index "+dir, func() { w.directory(worker, dir) })
		w.mu.Lock()
		w.working--
		if p != nil {
			w.broken = append(w.broken, p)
		}
		w.mu.Unlock()
		w.wake.Broadcast()
	}
}

// take waits for a directory; ok is false when there will be no more.
func (w *walker) take() (dir string, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.queue) == 0 && w.working > 0 && w.ctx.Err() == nil {
		w.wake.Wait()
	}
	if len(w.queue) == 0 || w.ctx.Err() != nil {
		return "", false
	}
	dir = w.queue[len(w.queue)-1]
	w.queue = w.queue[:len(w.queue)-1]
	w.working++
	return dir, true
}

// directory lists one directory. An entry that cannot be read is skipped.
func (w *walker) directory(worker int, dir string) {
	folder, err := w.root.Sub(dir)
	if err != nil {
		return
	}
	defer folder.Close()
	entries, err := folder.ReadDir(w.ctx, "")
	if err != nil && len(entries) == 0 {
		return
	}
	if w.matcher != nil {
		w.matcher.Entered(dir, entries)
	}
	prefix := ""
	if dir != "" {
		prefix = dir + "/"
	}
	var inner []string
	ignored, deep := 0, 0
	for _, e := range entries {
		path := prefix + e.Name()
		switch {
		case !e.IsDir() && !e.Type().IsRegular():
		case e.IsDir() && disk.TooDeep(path):
			deep++
		case w.hides(path, e.IsDir()):
			ignored++
		case e.IsDir():
			inner = append(inner, path)
		}
	}
	w.mu.Lock()
	w.queue = append(w.queue, inner...)
	w.dirs++
	w.ignored += ignored
	w.deep += deep
	w.mu.Unlock()
	w.wake.Broadcast()
	for _, e := range entries {
		if path := prefix + e.Name(); e.Type().IsRegular() && w.ctx.Err() == nil && !w.hides(path, false) {
			w.visit(worker, folder, path, e)
		}
	}
}

func (w *walker) hides(path string, isDir bool) bool {
	if w.matcher == nil {
		return isDir && filepath.Base(path) == ".git"
	}
	hidden, _ := w.matcher.Ignored(path, isDir)
	return hidden
}
