package workspace

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"weak"

	"tandem/edits"
	"tandem/workspace/ignore"
	"tandem/workspace/run"
	"tandem/workspace/watch"
)

// Options are the settings of a session.
type Options struct {
	// Folders are the workspace's folders; there may be none.
	Folders []string
	// StateDir is the user's state folder, where the index is kept; "" keeps
	// nothing.
	StateDir string
	// Trusted means that the user trusts the workspace.
	Trusted bool
	// ClientWatches means that the editor reports changed files (as
	// DiskChanged), so that the session need not watch by itself.
	ClientWatches bool
	// Deny are globs of files that no model may be shown, wherever they are; see
	// ignore.Globs.
	Deny ignore.Globs
	// Group runs the session's goroutines; nil gives it a group of its own.
	Group *run.Group
	// Notify, which may be nil, receives the session's events, one at a time and
	// never while a lock is held. It must not block for long.
	Notify func(Event)
}

// A Session is the one mutable thing: it holds the current snapshot and makes
// the next one. Only what drives the workspace (lsp, a command) holds it;
// features get a Snapshot.
type Session struct {
	opts  Options
	group *run.Group
	cache *diskCache
	now   func() time.Time

	current atomic.Pointer[Snapshot]
	write   sync.Mutex             // held by the caller that makes the next snapshot
	removed []weak.Pointer[folder] // that an older snapshot may still read; guarded by write

	notifying sync.Mutex // one event at a time
	reported  map[string]bool

	life   context.Context // ends with Close
	end    context.CancelFunc
	enough struct {
		context context.Context // ends with Enough
		say     context.CancelFunc
	}
	busy    busy // background work that ends by itself
	daemons busy // background work that ends with the session
	disk    struct {
		job   run.Job // on the queue of changed paths
		queue queue[string]
		check sync.Mutex // held while changed paths are looked at
	}
	watcher *watch.Watcher // nil where the client watches
}

// Open starts a session over the folders. It returns before anything is indexed;
// long work continues in the background.
func Open(ctx context.Context, o Options) (*Session, error) {
	views, err := openViews(o.Folders, o.Deny)
	if err != nil {
		return nil, err
	}
	s := &Session{opts: o, group: o.Group, cache: newDiskCache(), now: time.Now, reported: map[string]bool{}}
	if s.group == nil {
		s.group = run.NewGroup(ctx, func(p *run.Panic) { s.notify(Event{Problem: p.Error()}) })
	}
	s.life, s.end = context.WithCancel(s.group.Context())
	s.enough.context, s.enough.say = context.WithCancel(context.WithoutCancel(s.life))
	if !o.ClientWatches {
		s.watcher = watch.New(watched{s}, watch.System, watch.Limit())
	}
	s.current.Store(&Snapshot{id: 1, trusted: o.Trusted, views: views, deny: o.Deny, read: newReads(s.cache)})
	s.start(views)
	return s, nil
}

// start begins the background work on folders.
func (s *Session) start(views []*View) {
	for _, v := range views {
		s.startIndexing(v.folder)
		if s.watcher != nil {
			s.watcher.Watch(v.Root)
		}
	}
}

// spawn runs f in the background until it returns; its context ends with the
// session. It is false when the session has ended.
func (s *Session) spawn(work string, f func(ctx context.Context)) bool {
	return s.launch(&s.busy, work, f)
}

// background is spawn for work that continues until the session ends: only Close
// waits for it.
func (s *Session) background(work string, f func(ctx context.Context)) {
	s.launch(&s.daemons, work, f)
}

func (s *Session) launch(count *busy, work string, f func(ctx context.Context)) bool {
	count.add(1)
	started := s.life.Err() == nil && s.group.Go(work, func(context.Context) {
		defer count.add(-1)
		f(s.life)
	})
	if !started {
		count.add(-1)
	}
	return started
}

// Enough ends the first reading of the folders and waits until there is an index of what was
// read, which is kept like a whole one: the next session goes on with it.
func (s *Session) Enough(ctx context.Context) error {
	s.enough.say()
	return s.WaitIdle(ctx)
}

// WaitIdle waits until all known changes are in the current snapshot and its
// indexes.
func (s *Session) WaitIdle(ctx context.Context) error { return s.busy.wait(ctx) }

// Close ends the session's background work and waits for it. Files that a
// snapshot has read stay readable.
func (s *Session) Close() error {
	s.end()
	s.enough.say()
	if s.watcher != nil {
		s.watcher.Close()
	}
	if s.opts.Group == nil {
		s.group.Close()
	}
	_ = errors.Join(s.busy.wait(context.Background()), s.daemons.wait(context.Background()))
	var errs []error
	for _, v := range s.Snapshot().views {
		errs = append(errs, v.folder.dir.Close())
	}
	s.write.Lock()
	defer s.write.Unlock()
	for _, f := range s.removed {
		if f := f.Value(); f != nil {
			errs = append(errs, f.dir.Close())
		}
	}
	return errors.Join(errs...)
}

// Snapshot is the current state.
func (s *Session) Snapshot() *Snapshot { return s.current.Load() }

// Update makes and returns the next snapshot, in which the changes have
// happened in order. A change that cannot be applied (an edit of a document
// that is not open, an older version, a span outside the text) changes nothing
// and is reported as a Problem. The paths of DiskChanged are checked in the
// background: another snapshot is made only if content is different.
func (s *Session) Update(changes ...Change) *Snapshot {
	var problems []string
	var onDisk []string
	now := make([]Change, 0, len(changes))
	for _, c := range changes {
		if d, ok := c.(DiskChanged); ok {
			onDisk = append(onDisk, d.Paths...)
		} else {
			now = append(now, c)
		}
	}
	next := s.Snapshot()
	if len(now) > 0 {
		next = s.publish(func(next draft) {
			for _, c := range now {
				if problem := s.apply(next, c); problem != "" {
					problems = append(problems, problem)
				}
			}
		})
	}
	for _, p := range problems {
		s.notify(Event{Problem: p})
	}
	s.changedOnDisk(onDisk...)
	if s.watcher != nil {
		s.watcher.Wake()
	}
	return next
}

// SetTrusted records that the user trusts the workspace, or no longer does.
func (s *Session) SetTrusted(trusted bool) *Snapshot {
	return s.publish(func(next draft) { next.trusted = trusted })
}

// AddFolders adds workspace folders. Folders that are there already are left
// alone; one that cannot be opened is an error, and the others are added.
func (s *Session) AddFolders(roots ...string) error {
	var errs []error
	var added []*View
	s.publish(func(next draft) {
		for _, root := range roots {
			view, err := openView(root, s.opts.Deny)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			before := len(next.views)
			if next.views = addView(next.views, view); len(next.views) > before {
				added = append(added, view)
			}
		}
	})
	s.start(added)
	return errors.Join(errs...)
}

// RemoveFolders removes workspace folders; their open documents stay open.
func (s *Session) RemoveFolders(roots ...string) {
	var removed []*folder
	s.publish(func(next draft) {
		s.removed = slices.DeleteFunc(s.removed, func(f weak.Pointer[folder]) bool { return f.Value() == nil })
		next.views = slices.DeleteFunc(slices.Clone(next.views), func(v *View) bool {
			gone := slices.ContainsFunc(roots, func(root string) bool { return Key(root) == v.Root })
			if gone {
				removed = append(removed, v.folder)
				s.removed = append(s.removed, weak.Make(v.folder))
			}
			return gone
		})
	})
	for _, f := range removed {
		if s.watcher != nil {
			s.watcher.Unwatch(f.root)
		}
	}
}

// A draft is the next snapshot while it is made. Maps and slices that it shares with the
// current one are replaced, never changed.
type draft struct{ *Snapshot }

// publish makes the next snapshot: a shallow copy of the current one that
// change alters, whose maps and slices it must replace rather than change. After a panic
// in change the current snapshot is unchanged and the lock is free.
func (s *Session) publish(change func(next draft)) *Snapshot {
	s.write.Lock()
	defer s.write.Unlock()
	old := s.current.Load()
	next := *old
	next.id, next.read = old.id+1, newReads(s.cache)
	change(draft{&next})
	s.current.Store(&next)
	return &next
}

// notify passes an event to the session's owner; a problem is reported once.
func (s *Session) notify(e Event) {
	if s.opts.Notify == nil {
		return
	}
	s.notifying.Lock()
	defer s.notifying.Unlock()
	if e.Problem != "" {
		if s.reported[e.Problem] {
			return
		}
		s.reported[e.Problem] = true
	}
	s.opts.Notify(e)
}

// apply makes one change to the snapshot under construction and returns what
// is wrong with the change, if anything.
func (s *Session) apply(next draft, c Change) string {
	switch c := c.(type) {
	case Opened:
		next.open(c)
	case Edited:
		return next.edit(c, s.now())
	case Saved:
		return next.save(c)
	case Closed:
		next.close(c)
	case Diagnosed:
		next.diagnose(c)
	case OtherWork:
		next.history = nil
	}
	return ""
}

func (s draft) open(c Opened) {
	key := Key(c.URI)
	s.history = s.history.finish(key)
	s.lives++
	s.overlays = s.overlays.with(&Overlay{
		URI: c.URI, Name: c.Name, Language: c.Language, Version: c.Version, Text: c.Text, Saved: true, key: key, Generation: s.lives,
	})
	s.reindex(key)
}

func (s draft) edit(c Edited, now time.Time) string {
	o, ok := s.overlays[Key(c.URI)]
	switch {
	case !ok:
		return "the editor changed " + c.URI + ", which it had not opened; the change was left out"
	case c.Version < o.Version:
		return "the editor sent an older version of " + c.URI + " after a newer one; it was left out"
	}
	steps := c.Steps
	if steps == nil {
		steps = []Step{{Edit: difference(o.Text, c.Text), After: c.Text}}
	}
	if !follows(o.Text, steps) {
		return "the editor changed a part of " + c.URI + " that does not exist; reopen the file if its suggestions look wrong"
	}
	after := o.Text
	for _, step := range steps {
		if step.Len() > 0 || step.New != "" {
			s.history = s.history.record(o, after, step, now)
		}
		after = step.After
	}
	s.overlays = s.overlays.with(o.with(c.Version, after))
	s.reindex(o.key)
	return ""
}

func (s draft) save(c Saved) string {
	o, ok := s.overlays[Key(c.URI)]
	if !ok {
		return ""
	}
	saved := o.with(o.Version, o.Text)
	saved.Saved, saved.Revision = true, o.Revision
	s.overlays = s.overlays.with(saved)
	return ""
}

func (s draft) close(c Closed) {
	s.history = s.history.finish(Key(c.URI))
	s.overlays = s.overlays.without(Key(c.URI))
	s.reindex(Key(c.URI))
	s.diagnose(Diagnosed{URI: c.URI}) // their spans are about the text that was open
}

func (s draft) diagnose(c Diagnosed) {
	next := maps.Clone(s.diagnostics)
	if next == nil {
		next = map[string][]Diagnostic{}
	}
	delete(next, Key(c.URI))
	if reported := slices.DeleteFunc(slices.Clone(c.Diagnostics), Diagnostic.own); len(reported) > 0 {
		next[Key(c.URI)] = reported
	}
	s.diagnostics = next
}

// difference is one edit that turns before into after: what lies between
// their common start and end.
func difference(before, after edits.Text) edits.Edit {
	return changedPart(before, edits.Edit{Span: edits.Span{End: before.Len()}, New: after.String()})
}

func openViews(roots []string, deny ignore.Globs) ([]*View, error) {
	var views []*View
	for _, root := range roots {
		view, err := openView(root, deny)
		if err != nil {
			for _, v := range views {
				err = errors.Join(err, v.folder.dir.Close())
			}
			return nil, err
		}
		views = addView(views, view)
	}
	return views, nil
}

// addView returns views with one more, longest root first, so that the first
// match is the innermost folder. A view of a folder that has one is closed.
func addView(views []*View, view *View) []*View {
	if slices.ContainsFunc(views, func(v *View) bool { return v.Root == view.Root }) {
		_ = view.folder.dir.Close() // nothing was read
		return views
	}
	next := append(slices.Clone(views), view)
	slices.SortStableFunc(next, func(a, b *View) int { return len(b.Root) - len(a.Root) })
	return next
}
