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
	check := diskCheck{snapshot: s.Snapshot(), rules: map[*folder]bool{}}
	for _, name := range names {
		if path, ok := PathOf(name); ok && ctx.Err() == nil {
			check.at(ctx, path)
		}
	}
	for f := range check.rules {
		s.newRules(f)
		if s.watcher != nil {
			s.watcher.Watch(f.root)
		}
	}
	if len(check.changed) == 0 {
		return
	}
	next := s.publish(func(next draft) { next.reindex(check.changed...) })
	for _, v := range next.views { // updated here and not when a window is requested
		if ix := v.Index(); v.Ready() && ix.Spread() {
			s.startIndexing(v.folder)
		}
	}
}

// A diskCheck finds out which of the paths that events name have other content.
type diskCheck struct {
	snapshot *Snapshot
	changed  []string
	rules    map[*folder]bool // folders whose ignore files changed
}

func (c *diskCheck) at(ctx context.Context, path string) {
	view := c.snapshot.View(path)
	if view == nil {
		return
	}
	at, ok := view.Rel(path)
	if !ok {
		return
	}
	if ignore.IsRuleFile(at) {
		c.ruleFile(ctx, view, at)
		return
	}
	info, err := view.folder.dir.Lstat(at)
	switch {
	case err != nil:
		c.gone(view, at)
	case info.IsDir():
		if hidden, _ := view.rules.Ignored(at, true); !hidden {
			c.tree(ctx, view, at)
		}
	case info.Mode().IsRegular():
		c.file(view, at)
	}
}

// ruleFile checks an ignore file. A missing file has a hash of its own.
func (c *diskCheck) ruleFile(ctx context.Context, view *View, at rel.Path) {
	hash := HashOf("gone")
	if content, err := view.folder.dir.ReadFile(ctx, at, ignore.MaxRules); err == nil {
		hash = HashOf(string(content))
	} else if info, err := view.folder.dir.Lstat(at); err == nil {
		hash = HashOf(fmt.Sprintf("unread %v %d %v", info.Mode(), info.Size(), info.ModTime()))
	}
	if view.folder.hashes.changed(at, hash) {
		c.rules[view.folder] = true
	}
}

func (c *diskCheck) file(view *View, at rel.Path) {
	if hidden, _ := view.rules.Ignored(at, false); hidden {
		return
	}
	file, err := view.folder.read(at, c.snapshot.read.cache)
	if err != nil {
		return
	}
	if view.folder.hashes.changed(at, file.hashed()) {
		c.changed = append(c.changed, at.Abs(view.Root))
	}
}

// gone handles a path that no longer exists: a file, or a folder with all its
// files.
func (c *diskCheck) gone(view *View, at rel.Path) {
	ix := view.Index()
	if _, indexed := ix.FileID(at.String()); view.folder.hashes.gone(at) || indexed {
		c.changed = append(c.changed, at.Abs(view.Root))
		return
	}
	for _, id := range ix.Files() {
		if file, ok := rel.Of(ix.Path(id)); ok && at.Holds(file) {
			view.folder.hashes.gone(file)
			c.changed = append(c.changed, file.Abs(view.Root))
		}
	}
}

// tree checks every file below a folder.
func (c *diskCheck) tree(ctx context.Context, view *View, at rel.Path) {
	_ = eachDir(ctx, view, at, func(dir rel.Path, entries []fs.DirEntry) error {
		for _, e := range entries {
			if e.Type().IsRegular() {
				c.file(view, dir.Join(e.Name()))
			}
		}
		return nil
	})
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
