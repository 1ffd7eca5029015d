package workspace

import (
	"context"
	"fmt"
	"io/fs"

	"tandem/workspace/disk"
	"tandem/workspace/ignore"
	"tandem/workspace/rel"
)

// changedOnDisk checks paths in the background and publishes what really changed.
func (s *Session) changedOnDisk(paths ...string) {
	if len(paths) == 0 {
		return
	}
	s.disk.queue.add(paths...)
	s.disk.job.Ask(func() bool {
		return s.spawn("looking at changed files", func(ctx context.Context) {
			s.disk.job.Run(func() { s.publishDiskChanges(ctx, s.disk.queue.take()) })
		})
	})
}

// Reread checks files or folders, as absolute paths or file: URIs, before it returns: the
// snapshot after it has their content of now. It is for files that somebody has just
// written on tandem's request, where an event may come too late.
func (s *Session) Reread(ctx context.Context, names ...string) {
	s.publishDiskChanges(ctx, names)
}

// publishDiskChanges publishes one snapshot for all paths whose content changed,
// and none if nothing changed.
func (s *Session) publishDiskChanges(ctx context.Context, names []string) {
	s.disk.check.Lock()
	defer s.disk.check.Unlock()
	s.lookAt(ctx, names)
}

// lookAt is publishDiskChanges for who holds the lock.
func (s *Session) lookAt(ctx context.Context, names []string) {
	snapshot, checks := s.Snapshot(), map[*View]*diskCheck{}
	for _, name := range names {
		path, _ := PathOf(name)
		view := snapshot.View(name)
		if view == nil || ctx.Err() != nil {
			continue
		}
		if at, below := view.Rel(path); below {
			if checks[view] == nil {
				checks[view] = &diskCheck{view: view, open: snapshot.overlays}
			}
			checks[view].name(ctx, at)
			view.folder.changed.add(at)
		}
	}
	changed := map[*folder][]pendingFile{}
	for view, check := range checks {
		if files := check.changed(ctx); len(files) > 0 {
			changed[view.folder] = files
		}
		if check.newRules {
			s.newRules(view.folder)
		}
	}
	if len(changed) == 0 {
		return
	}
	next := s.publish(func(next draft) {
		for f, files := range changed {
			next.pend(f, files...)
		}
	})
	for f := range changed {
		s.renew(next.viewOf(f))
	}
}

// renew brings the index of a folder up to date, and not when a window is requested, and makes a
// new base of it when that is worth it.
func (s *Session) renew(v *View) {
	if v == nil {
		return
	}
	if ix := v.Index(); v.Ready() && ix.Spread() {
		s.startIndexing(v.folder)
	}
}

// A diskCheck finds out which of the files that events name are not as the index of their folder
// has them. It remembers nothing: what was read for an event may have gone again when the index
// took it, and comes back without being other than at that event. Each file is read once.
type diskCheck struct {
	view     *View
	open     overlays
	files    queue[rel.Path]
	newRules bool // an ignore file changed
}

// name adds what is at a path to the files that are looked at: on disk, or in the index. It may be a
// folder, or one that has gone or has come again with others.
func (c *diskCheck) name(ctx context.Context, at rel.Path) {
	c.files.add(at)
	if c.view.folder.isDir(at) {
		if hidden, _ := c.view.rules.Ignored(at, true); hidden {
			return
		}
		_ = eachDir(ctx, c.view, at, func(dir rel.Path, entries []fs.DirEntry) error {
			for _, e := range entries {
				if e.Type().IsRegular() {
					c.files.add(dir.Join(e.Name()))
				}
			}
			return ctx.Err()
		})
	}
	ix := c.view.Index()
	for _, id := range ix.Below(at) {
		if file, ok := rel.Of(ix.Path(id)); ok {
			c.files.add(file)
		}
	}
}

// changed are the files that are not as the index has them. An open document's text is the
// editor's, and whether that of the file has changed is not known.
func (c *diskCheck) changed(ctx context.Context) (out []pendingFile) {
	for _, at := range c.files.take() {
		if ctx.Err() != nil {
			break
		}
		if ignore.IsRuleFile(at) {
			c.ruleFile(ctx, at)
		}
		if _, open := c.open[at.Abs(c.view.Root)]; open {
			out = append(out, pendingFile{at: at})
		} else if now := c.view.resolveOne(pendingFile{at: at}); !c.view.Index().Has(now) {
			out = append(out, pendingFile{at: at, now: &now})
		}
	}
	return out
}

// ruleFile checks an ignore file. A missing file has a hash of its own.
func (c *diskCheck) ruleFile(ctx context.Context, at rel.Path) {
	f := c.view.folder
	hash := HashOf("gone")
	if content, err := f.dir.ReadFile(ctx, at, ignore.MaxRules); err == nil {
		hash = HashOf(string(content))
	} else if info, err := f.dir.Lstat(at); err == nil {
		hash = HashOf(fmt.Sprintf("unread %v %d %v", info.Mode(), info.Size(), info.ModTime()))
	}
	if f.rules.changed(at, hash) {
		c.newRules = true
	}
}

// eachDir calls visit for every folder from one downwards that is not hidden, level by
// level. Links are not followed; a folder that cannot be read
// is left out.
func eachDir(ctx context.Context, view *View, from rel.Path, visit func(dir rel.Path, entries []fs.DirEntry) error) error {
	queue := []rel.Path{from}
	for len(queue) > 0 {
		dir := queue[0]
		queue = queue[1:]
		entries, err := view.folder.dir.ReadDir(ctx, dir)
		if len(entries) == 0 && err != nil {
			continue
		}
		view.rules.Entered(dir, entries)
		if err := visit(dir, entries); err != nil {
			return err
		}
		for _, e := range entries {
			if !e.IsDir() {
				continue
			}
			below := dir.Join(e.Name())
			if disk.TooDeep(below) {
				continue
			}
			if hidden, _ := view.rules.Ignored(below, true); !hidden {
				queue = append(queue, below)
			}
		}
	}
	return nil
}

// CountDirs returns how many directories of a folder a watcher has to watch.
func CountDirs(ctx context.Context, root string) (int, error) {
	v, err := openView(root, nil)
	if err != nil {
		return 0, err
	}
	defer v.folder.dir.Close()
	n := 0
	err = eachDir(ctx, v, rel.Path{}, func(rel.Path, []fs.DirEntry) error {
		n++
		return ctx.Err()
	})
	return n, err
}
