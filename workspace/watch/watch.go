// Package watch notices that files below workspace folders change on disk.
//
// Invariant: a change below a watched folder reaches the host, late at worst: what the
// system does not watch is polled, and after lost events everything is read again. An
// event is a hint: the host decides by content what has changed. There is deliberately
// no reading of files and no ignore rule in this package.
package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"tandem/workspace/run"
)

// A Host has the folders that are watched. Directories and files are absolute paths; a
// folder is named by its root.
type Host interface {
	Roots() []string
	// RootOf returns the innermost folder around a path, or "".
	RootOf(path string) string
	// Hidden reports whether the folder's ignore rules hide a directory.
	Hidden(dir string) bool
	// EachDir calls visit for dir, which is a folder or lies in it, and for each directory below it that is
	// not hidden, level by level. It is false if the folder is gone or visit returned an error.
	EachDir(root, dir string, visit func(dir string, entries []fs.DirEntry) error) bool
	Changed(paths ...string) // to check by content
	Rescan(root string)      // check everything
	Problem(sentence string) // for the user

	// Spawn starts work that ends by itself, Background work that ends with Life.
	Spawn(work string, f func(context.Context)) bool
	Background(work string, f func(context.Context))
	Life() context.Context
}

// A Notifier reports changes of the entries of single directories.
type Notifier interface {
	Add(dir string) error
	Remove(dir string) error
	Close() error
	Changes() <-chan fsnotify.Event
	Problems() <-chan error
}

type systemNotifier struct{ *fsnotify.Watcher }

func (n systemNotifier) Changes() <-chan fsnotify.Event { return n.Events }
func (n systemNotifier) Problems() <-chan error         { return n.Errors }

// System opens the operating system's notifier.
func System() (Notifier, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	return systemNotifier{w}, nil
}

// eventDebounce is how long events are collected, so that one save or one
// checkout is handled once.
const eventDebounce = 5 * time.Millisecond

// A Watcher notices changes of the folders' files: through one notifier for as
// many directories as the system allows, and by polling the rest.
type Watcher struct {
	host  Host
	open  func() (Notifier, error)
	limit int // watches at most

	mu      sync.Mutex
	notify  Notifier // nil until the first folder, and if the system provides none
	tried   bool
	watched map[string]struct{} // directories
	covers  map[string]*run.Job // by root
	polled  map[string]*poller  // by root
}

// New returns a watcher of no folder yet, which opens its notifier at the first one and
// takes at most limit watches of it.
func New(h Host, open func() (Notifier, error), limit int) *Watcher {
	return &Watcher{host: h, open: open, limit: limit, watched: map[string]struct{}{}, covers: map[string]*run.Job{}, polled: map[string]*poller{}}
}

// Watch brings the watches of a folder up to date in the background: the first
// time, after an overflow and when ignore rules changed.
func (w *Watcher) Watch(root string) {
	w.mu.Lock()
	covers := w.covers[root]
	if covers == nil {
		covers = &run.Job{}
		w.covers[root] = covers
	}
	w.mu.Unlock()
	covers.Ask(func() bool {
		return w.host.Spawn("watching "+root, func(context.Context) {
			covers.Run(func() { w.cover(root, root) })
		})
	})
}

// cover watches the directories of a folder from dir downwards that are not hidden, and
// no others there. Where watches run out, the folder is polled.
func (w *Watcher) cover(root, dir string) {
	wanted := map[string]struct{}{}
	var short error
	life := w.host.Life()
	if !w.host.EachDir(root, dir, func(dir string, _ []fs.DirEntry) error {
		wanted[dir] = struct{}{}
		if short == nil {
			short = w.add(dir)
		}
		return life.Err()
	}) {
		return
	}
	w.removeBelow(root, dir, wanted)
	if short != nil {
		w.degrade(root, short)
	}
}

var errEnoughWatches = errors.New("too many folders to watch")

// add watches a directory. An error means that no more watches are available; a
// directory that cannot be watched for another reason is left out.
func (w *Watcher) add(dir string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, ok := w.watched[dir]; ok {
		return nil
	}
	if err := w.ready(); err != nil {
		return err
	}
	if len(w.watched) >= w.limit {
		return errEnoughWatches
	}
	switch err := w.notify.Add(dir); {
	case err == nil:
		w.watched[dir] = struct{}{}
	case ranOut(err):
		return err
	}
	return nil
}

// ready opens the notifier the first time.
func (w *Watcher) ready() error {
	if w.notify != nil {
		return nil
	}
	if w.tried || w.host.Life().Err() != nil {
		return errEnoughWatches
	}
	w.tried = true
	n, err := w.open()
	if err != nil {
		return err
	}
	w.notify = n
	w.host.Background("file events", func(ctx context.Context) { w.listen(ctx, n) })
	return nil
}

// ranOut reports whether an error means that no more watches, instances or file
// descriptors are available.
func ranOut(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM)
}

// removeBelow ends a folder's watches from dir downwards that are not wanted.
// What another folder inside this one watches stays, unless root is "".
func (w *Watcher) removeBelow(root, dir string, wanted map[string]struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for at := range w.watched {
		if _, keep := wanted[at]; keep || at != dir && !strings.HasPrefix(at, dir+string(os.PathSeparator)) {
			continue
		}
		if owner := w.host.RootOf(at); root != "" && owner != "" && owner != root {
			continue
		}
		delete(w.watched, at)
		_ = w.notify.Remove(at) // the system may have dropped it already
	}
}

// Unwatch ends the watches of a folder that is no longer one of the host's.
func (w *Watcher) Unwatch(root string) {
	w.removeBelow("", root, nil)
	w.mu.Lock()
	delete(w.polled, root) // its poller sees that the folder is gone
	w.mu.Unlock()
	for _, root := range w.host.Roots() {
		w.Watch(root) // another folder may hold what this one held
	}
}

// listen forwards events until the session ends.
func (w *Watcher) listen(ctx context.Context, n Notifier) {
	var due <-chan time.Time
	batch := map[string]fsnotify.Op{}
	for {
		select {
		case <-ctx.Done():
			return
		case e, ok := <-n.Changes():
			if !ok {
				return
			}
			if e.Op&^fsnotify.Chmod == 0 {
				continue // permissions do not concern content
			}
			batch[e.Name] |= e.Op
			if due == nil {
				due = time.After(eventDebounce)
			}
		case err, ok := <-n.Problems():
			if !ok {
				return
			}
			w.Lost(err)
		case <-due:
			due = nil
			w.pass(batch)
			batch = map[string]fsnotify.Op{}
		}
	}
}

// pass gives a batch of events to the host. A new directory is watched before
// it is listed, so that no file in it is missed.
func (w *Watcher) pass(batch map[string]fsnotify.Op) {
	paths := make([]string, 0, len(batch))
	for path, op := range batch {
		paths = append(paths, path)
		if op&(fsnotify.Remove|fsnotify.Rename) != 0 {
			w.forget(path)
		}
		if op&fsnotify.Create == 0 {
			continue
		}
		info, err := os.Lstat(path)
		root := w.host.RootOf(path)
		if err == nil && info.IsDir() && root != "" && root != path && !w.host.Hidden(path) {
			w.cover(root, path)
		}
	}
	w.host.Changed(paths...)
}

// forget ends the watches of a directory that went away, if it was one.
func (w *Watcher) forget(path string) {
	if root := w.host.RootOf(path); root != "" && w.Watched(path) {
		w.removeBelow(root, path, nil)
	}
}

// Lost handles an error of the notifier. After an overflow it is unknown which
// events were lost, so everything is checked again.
func (w *Watcher) Lost(err error) {
	if !errors.Is(err, fsnotify.ErrEventOverflow) {
		return
	}
	for _, root := range w.host.Roots() {
		w.Watch(root)
		w.host.Rescan(root)
	}
}

// degrade starts to poll a folder and reports it once.
func (w *Watcher) degrade(root string, cause error) {
	w.mu.Lock()
	p := w.polled[root]
	if p == nil {
		p = newPoller(w, root)
		w.polled[root] = p
		w.host.Background("polling "+root, p.run)
	}
	n := len(w.watched)
	w.mu.Unlock()
	w.host.Problem(fmt.Sprintf(
		"The system lets tandem watch only %d folders (%v): changes made outside the editor to files in the others are noticed with a delay; %s.",
		n, cause, moreWatches))
}

// Wake makes the pollers scan soon, because the user is active.
func (w *Watcher) Wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.polled {
		p.wake()
	}
}

// Watched reports whether events arrive for a directory.
func (w *Watcher) Watched(dir string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, ok := w.watched[dir]
	return ok
}

// Close ends all watches.
func (w *Watcher) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.notify != nil {
		_ = w.notify.Close()
	}
}

// Polling reports whether every folder that is polled was scanned once: from then on
// changes are noticed.
func (w *Watcher) Polling() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.polled {
		if !p.scanned.Load() {
			return false
		}
	}
	return true
}
