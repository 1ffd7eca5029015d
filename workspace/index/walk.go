package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"tandem/workspace/cut"
	"tandem/workspace/disk"
	"tandem/workspace/rel"
	"tandem/workspace/run"
)

// A walker visits the files of a folder with several workers at once. Directories are
// listed first, so that it is soon known how many files there are.
type walker struct {
	ctx     context.Context
	root    *disk.Root
	matcher Matcher
	visit   func(worker int, folder *disk.Root, at rel.Path, entry fs.DirEntry)

	mu      sync.Mutex // guards all below
	wake    *sync.Cond
	queue   []rel.Path  // directories that are to be listed
	files   []fileBatch // that are to be read
	working int         // workers that may still add to the queue
	dirs    int
	found   int // files listed
	ignored int
	stopped bool // files of a batch were not visited
	left    unvisited
	broken  []*run.Panic
}

// atOnce is how many files of one directory one worker visits before others may go on with it.
const atOnce = 256

// A fileBatch is files of one directory that are to be visited.
type fileBatch struct {
	dir   rel.Path
	files []fs.DirEntry
}

// unvisited counts what a walk does not reach.
type unvisited struct {
	deep     int // directories that are too deep
	beyond   int // entries of directories with too many
	unlisted int // directories that cannot be listed, or not to their end
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
		next, ok := w.take()
		if !ok {
			return
		}
		p := run.Call("index "+next.dir.String(), func() {
			if next.files == nil {
				w.directory(next.dir)
			} else {
				w.visitAll(worker, next)
			}
		})
		w.mu.Lock()
		w.working--
		if p != nil {
			w.broken = append(w.broken, p)
		}
		w.mu.Unlock()
		w.wake.Broadcast()
	}
}

// take waits for a directory, or else for files of one; ok is false when there will be no more.
func (w *walker) take() (next fileBatch, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.queue)+len(w.files) == 0 && w.working > 0 && w.ctx.Err() == nil {
		w.wake.Wait()
	}
	if w.ctx.Err() != nil {
		return next, false
	}
	if last := len(w.queue) - 1; last >= 0 {
		next.dir, w.queue = w.queue[last], w.queue[:last]
	} else if last := len(w.files) - 1; last >= 0 {
		next, w.files = w.files[last], w.files[:last]
	} else {
		return next, false
	}
	w.working++
	return next, true
}

// directory lists one directory. An entry that cannot be read is skipped.
func (w *walker) directory(dir rel.Path) {
	var left unvisited
	entries, err := w.root.ReadDir(w.ctx, dir)
	if unlisted, ok := errors.AsType[*disk.Unlisted](err); ok {
		left.beyond = unlisted.Entries
	} else if err != nil {
		left.unlisted = 1
	}
	if w.matcher != nil {
		w.matcher.Entered(dir, entries)
	}
	var inner []rel.Path
	ignored := 0
	files := entries[:0]
	for _, e := range entries {
		at := dir.Join(e.Name())
		switch {
		case !e.IsDir() && !e.Type().IsRegular():
		case e.IsDir() && disk.TooDeep(at):
			left.deep++
		case w.hides(at, e.IsDir()):
			ignored++
		case e.IsDir():
			inner = append(inner, at)
		default:
			files = append(files, e)
		}
	}
	w.mu.Lock()
	w.queue = append(w.queue, inner...)
	for some := range slices.Chunk(files, atOnce) {
		w.files = append(w.files, fileBatch{dir, some})
	}
	w.dirs++
	w.found += len(files)
	w.ignored += ignored
	w.left.deep += left.deep
	w.left.beyond += left.beyond
	w.left.unlisted += left.unlisted
	w.mu.Unlock()
	w.wake.Broadcast()
}

// visitAll visits files of one directory.
func (w *walker) visitAll(worker int, l fileBatch) {
	folder, err := w.root.Sub(l.dir)
	if err != nil {
		w.mu.Lock()
		w.left.unlisted++
		w.mu.Unlock()
		return
	}
	defer folder.Close()
	for _, e := range l.files {
		if w.ctx.Err() != nil {
			w.mu.Lock()
			w.stopped = true
			w.mu.Unlock()
			return
		}
		w.visit(worker, folder, l.dir.Join(e.Name()), e)
	}
}

func (w *walker) hides(at rel.Path, isDir bool) bool {
	if w.matcher == nil {
		return isDir && at.Name() == ".git"
	}
	hidden, _ := w.matcher.Ignored(at, isDir)
	return hidden
}

// ended reports whether everything was visited.
func (w *walker) ended() bool {
	return len(w.queue)+len(w.files) == 0 && !w.stopped
}

// listed is how many files the walk has found so far.
func (w *walker) listed() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.found
}

// cut is what the walk did not reach.
func (u unvisited) cut() cut.Cut {
	return cut.Join(
		cut.Left(u.deep, fmt.Sprintf("folder lies more than %d folders deep", disk.MaxDepth), fmt.Sprintf("folders lie more than %d folders deep", disk.MaxDepth)),
		cut.Left(u.beyond, "entry of a folder with too many is left out", "entries of folders with too many are left out"),
		cut.Left(u.unlisted, "folder cannot be listed", "folders cannot be listed"))
}
