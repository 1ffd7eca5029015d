package workspace

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
)

// A notifier reports changes of the entries of single directories.
type notifier interface {
	Add(dir string) error
	Remove(dir string) error
	Close() error
	Changes() <-chan fsnotify.Event
	Problems() <-chan error
}

// systemNotifier is the operating system's.
type systemNotifier struct{ *fsnotify.Watcher }

func (n systemNotifier) Changes() <-chan fsnotify.Event { return n.Events }
func (n systemNotifier) Problems() <-chan error         { return n.Errors }

func openNotifier() (notifier, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	return systemNotifier{w}, nil
}

// eventDebounce is how long events are collected, so that one save or one
// checkout is handled once.
const eventDebounce = 5 * time.Millisecond

// A watcher notices changes of the folders' files: through one notifier for as
// many directories as the system allows, and by polling the rest.
type watcher struct {
	session *Session
	open    func() (notifier, error)
	limit   int // watches at most

	mu      sync.Mutex
	notify  notifier // nil until the first folder, and if the system provides none
	tried   bool
	watched map[string]struct{} // directories
	polled  map[*folder]*poller
}

func newWatcher(s *Session, open func() (notifier, error), limit int) *watcher {
	return &watcher{session: s, open: open, limit: limit, watched: map[string]struct{}{}, polled: map[*folder]*poller{}}
}

// watch brings the watches of a folder up to date in the background: the first
// time, after an overflow and when ignore rules changed.
func (w *watcher) watch(f *folder) {
	f.watches.ask(func() bool {
		return w.session.spawn("watching "+f.root, func(context.Context) {
			f.watches.run(func() { w.cover(f, "") })
		})
	})
}

// cover watches the directories from rel downwards that are not hidden, and no
// others there. Where watches run out, the folder is polled.
func (w *watcher) cover(f *folder, rel string) {
	view := w.session.Snapshot().viewOf(f)
	if view == nil {
		return
	}
	wanted := map[string]struct{}{}
	var short error
	_ = eachDir(w.session.life, view, rel, w.session.group, func(dir string, _ []fs.DirEntry) error {
		abs := view.Abs(dir)
		wanted[abs] = struct{}{}
		if short == nil {
			short = w.add(abs)
		}
		return w.session.life.Err()
	})
	w.dropBelow(f, view.Abs(rel), wanted)
	if short != nil {
		w.degrade(f, short)
	}
}

var errEnoughWatches = errors.New("too many folders to watch")

// add watches a directory. An error means that no more watches are available; a
// directory that cannot be watched for another reason is left out.
func (w *watcher) add(dir string) error {
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
func (w *watcher) ready() error {
	if w.notify != nil {
		return nil
	}
	if w.tried || w.session.life.Err() != nil {
		return errEnoughWatches
	}
	w.tried = true
	n, err := w.open()
	if err != nil {
		return err
	}
	w.notify = n
	w.session.background("file events", func(ctx context.Context) { w.listen(ctx, n) })
	return nil
}

// ranOut reports whether an error means that no more watches, instances or file
// descriptors are available.
func ranOut(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM)
}

// dropBelow ends a folder's watches from dir downwards that are not wanted.
// What another folder inside this one watches stays, unless f is nil.
func (w *watcher) dropBelow(f *folder, dir string, wanted map[string]struct{}) {
	snapshot := w.session.Snapshot()
	w.mu.Lock()
	defer w.mu.Unlock()
	for at := range w.watched {
		if _, keep := wanted[at]; keep || at != dir && !strings.HasPrefix(at, dir+string(os.PathSeparator)) {
			continue
		}
		if owner := snapshot.View(at); f != nil && owner != nil && owner.folder != f {
			continue
		}
		delete(w.watched, at)
		_ = w.notify.Remove(at) // the system may have dropped it already
	}
}

// unwatch ends the watches of a folder that is no longer one of the workspace's.
func (w *watcher) unwatch(f *folder) {
	w.dropBelow(nil, f.root, nil)
	w.mu.Lock()
	delete(w.polled, f) // its poller sees that the folder is gone
	w.mu.Unlock()
	for _, v := range w.session.Snapshot().views {
		w.watch(v.folder) // another folder may hold what this one held
	}
}

// listen forwards events until the session ends.
func (w *watcher) listen(ctx context.Context, n notifier) {
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
			w.problem(err)
		case <-due:
			due = nil
			w.pass(batch)
			batch = map[string]fsnotify.Op{}
		}
	}
}

// pass gives a batch of events to the session. A new directory is watched before
// it is listed, so that no file in it is missed.
func (w *watcher) pass(batch map[string]fsnotify.Op) {
	snapshot := w.session.Snapshot()
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
		view := snapshot.View(path)
		if err != nil || !info.IsDir() || view == nil {
			continue
		}
		if rel, ok := view.Rel(path); ok {
			if hidden, _ := view.rules.Ignored(rel, true); !hidden {
				w.cover(view.folder, rel)
			}
		}
	}
	w.session.changedOnDisk(paths...)
}

// forget ends the watches of a directory that went away, if it was one.
func (w *watcher) forget(path string) {
	view := w.session.Snapshot().View(path)
	if view != nil && w.isWatched(path) {
		w.dropBelow(view.folder, path, nil)
	}
}

// problem handles an error of the notifier. After an overflow it is unknown which
// events were lost, so everything is checked again.
func (w *watcher) problem(err error) {
	if !errors.Is(err, fsnotify.ErrEventOverflow) {
		return
	}
	for _, v := range w.session.Snapshot().views {
		w.watch(v.folder)
		w.session.rescan(v.folder)
	}
}

// degrade starts to poll a folder and reports it once.
func (w *watcher) degrade(f *folder, cause error) {
	w.mu.Lock()
	p := w.polled[f]
	if p == nil {
		p = newPoller(w, f)
		w.polled[f] = p
		w.session.background("polling "+f.root, p.run)
	}
	n := len(w.watched)
	w.mu.Unlock()
	w.session.notify(Event{Problem: fmt.Sprintf(
		"The system lets tandem watch only %d folders (%v): changes made outside the editor to files in the others are noticed with a delay; %s.",
		n, cause, moreWatches)})
}

// wake makes the pollers scan soon, because the user is active.
func (w *watcher) wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.polled {
		p.wake()
	}
}

// isWatched reports whether events arrive for a directory.
func (w *watcher) isWatched(dir string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, ok := w.watched[dir]
	return ok
}

func (w *watcher) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.notify != nil {
		_ = w.notify.Close()
	}
}
