package index

import (
	"context"
	"io/fs"
	"sync"

	"tandem/workspace/disk"
	"tandem/workspace/rel"
	"tandem/workspace/run"
)

// A walker visits the files of a folder with several workers at once: each
// takes a directory from the queue, adds its directories to it, and handles its
// files.
type walker struct {
	ctx     context.Context
	root    *disk.Root
	matcher Matcher
	visit   func(worker int, folder *disk.Root, at rel.Path, entry fs.DirEntry)

	mu      sync.Mutex // guards all below
	wake    *sync.Cond
	queue   []rel.Path // directories
	working int        // workers that may still add to the queue
	dirs    int
	ignored int
	deep    int // folders that are too deep
	broken  []*run.Panic
}

// walk runs workers, one of them the caller, and returns when everything is
// visited.
func (w *walker) walk(group *run.Group, workers int) {
	w.wake = sync.NewCond(&w.mu)
	w.queue = []rel.Path{{}}
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
		p := run.Call("index "+dir.String(), func() { w.directory(worker, dir) })
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
func (w *walker) take() (dir rel.Path, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.queue) == 0 && w.working > 0 && w.ctx.Err() == nil {
		w.wake.Wait()
	}
	if len(w.queue) == 0 || w.ctx.Err() != nil {
		return dir, false
	}
	dir = w.queue[len(w.queue)-1]
	w.queue = w.queue[:len(w.queue)-1]
	w.working++
	return dir, true
}

// directory lists one directory. An entry that cannot be read is skipped.
func (w *walker) directory(worker int, dir rel.Path) {
	folder, err := w.root.Sub(dir)
	if err != nil {
		return
	}
	defer folder.Close()
	entries, err := folder.ReadDir(w.ctx, rel.Path{})
	if err != nil && len(entries) == 0 {
		return
	}
	if w.matcher != nil {
		w.matcher.Entered(dir, entries)
	}
	var inner []rel.Path
	ignored, deep := 0, 0
	for _, e := range entries {
		at := dir.Join(e.Name())
		switch {
		case !e.IsDir() && !e.Type().IsRegular():
		case e.IsDir() && disk.TooDeep(at):
			deep++
		case w.hides(at, e.IsDir()):
			ignored++
		case e.IsDir():
			inner = append(inner, at)
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
		if at := dir.Join(e.Name()); e.Type().IsRegular() && w.ctx.Err() == nil && !w.hides(at, false) {
			w.visit(worker, folder, at, e)
		}
	}
}

func (w *walker) hides(at rel.Path, isDir bool) bool {
	if w.matcher == nil {
		return isDir && at.Name() == ".git"
	}
	hidden, _ := w.matcher.Ignored(at, isDir)
	return hidden
}
