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
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"tandem/workspace/rel"
	"tandem/workspace/run"
)

// A Place is a file or a directory below one of the host's folders.
type Place struct {
	Root string // the folder
	At   rel.Path
}

// Abs is the place's absolute path, by which the system knows it.
func (p Place) Abs() string { return p.At.Abs(p.Root) }

// A Host has the folders that are watched; a folder is named by its root.
type Host interface {
	Roots() []string
	// Place returns where a path lies that the system names: below the innermost folder around it.
	Place(abs string) (Place, bool)
	// Hidden reports whether the folder's ignore rules hide a directory.
	Hidden(dir Place) bool
	// EachDir calls visit for dir and for each directory below it that is not hidden, level by
	// level. It is false if the folder is gone or visit returned an error.
	EachDir(dir Place, visit func(dir rel.Path, entries []fs.DirEntry) error) bool
	Changed(places ...Place) // to check by content
	Covered(root string)     // which directories of the folder are watched, or polled, has changed
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
	watched map[string]struct{} // directories, by the absolute path that the notifier knows
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
			covers.Run(func() { w.cover(Place{Root: root}) })
		})
	})
}

// cover watches the directories from one downwards that are not hidden, and no others there.
// What the system does not watch is polled.
func (w *Watcher) cover(from Place) {
	wanted := map[string]struct{}{}
	var failed error
	life := w.host.Life()
	if !w.host.EachDir(from, func(dir rel.Path, _ []fs.DirEntry) error {
		at := Place{from.Root, dir}
		wanted[at.Abs()] = struct{}{}
		if ranOut(failed) {
			return life.Err()
		}
		if err := w.add(at); err != nil {
			failed = err
		}
		return life.Err()
	}) {
		return
	}
	w.remove(func(abs string) bool {
		_, keep := wanted[abs]
		owner, _ := w.host.Place(abs) // another folder inside this one keeps what it watches
		return !keep && below(from.Abs(), abs) && (owner.Root == from.Root || owner.Root == "")
	})
	if failed != nil {
		w.degrade(from.Root, failed)
	}
	w.host.Covered(from.Root)
}

var errEnoughWatches = errors.New("too many folders to watch")

// add watches a directory that is there.
func (w *Watcher) add(dir Place) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	abs := dir.Abs()
	if _, ok := w.watched[abs]; ok {
		return nil
	}
	if err := w.ready(); err != nil {
		return err
	}
	if len(w.watched) >= w.limit {
		return errEnoughWatches
	}
	err := w.notify.Add(abs)
	if err == nil {
		w.watched[abs] = struct{}{}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it went meanwhile
	}
	return err
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
	return errors.Is(err, errEnoughWatches) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM)
}

// remove ends the watches of the directories that are which.
func (w *Watcher) remove(which func(abs string) bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for abs := range w.watched {
		if which(abs) {
			delete(w.watched, abs)
			_ = w.notify.Remove(abs) // the system may have dropped it already
		}
	}
}

// below reports whether a directory is another one or lies in it.
func below(dir, abs string) bool {
	_, ok := rel.Below(dir, abs)
	return ok
}

// Unwatch ends the watches of a folder that is no longer one of the host's.
func (w *Watcher) Unwatch(root string) {
	w.remove(func(abs string) bool { return below(root, abs) })
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
// it is listed, so that no file in it is missed, and after those that went away are no longer:
// a watch follows a directory that is moved, and would end with its old name.
func (w *Watcher) pass(batch map[string]fsnotify.Op) {
	var places, created []Place
	for abs, op := range batch {
		at, ok := w.host.Place(abs)
		if !ok {
			continue
		}
		places = append(places, at)
		if op&(fsnotify.Remove|fsnotify.Rename) != 0 && w.Watched(at) { // a directory that went away
			w.remove(func(inner string) bool { return below(abs, inner) })
		}
		if op&fsnotify.Create != 0 {
			created = append(created, at)
		}
	}
	for _, at := range created {
		if info, err := os.Lstat(at.Abs()); err == nil && info.IsDir() && !w.host.Hidden(at) {
			w.cover(at)
		}
	}
	w.host.Changed(places...)
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
func (w *Watcher) Watched(dir Place) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, ok := w.watched[dir.Abs()]
	return ok
}

// Notices reports whether a change in a directory is noticed: it is watched, or polled.
func (w *Watcher) Notices(dir Place) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, ok := w.watched[dir.Abs()]
	p := w.polled[dir.Root]
	return ok || p != nil && p.scanned.Load()
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
