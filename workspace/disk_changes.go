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

// A diskCheck finds out which of the paths that events name are not as the index of their folder
// has them. It remembers nothing: what was read for an event may have gone again when the index
// took it, and comes back without being other than at that event.
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
	view.folder.changed.add(at)
	if view.folder.isDir(at) {
		if hidden, _ := view.rules.Ignored(at, true); hidden {
			return
		}
	}
	for _, file := range filesAt(ctx, view, at) {
		c.file(view, file)
	}
}

// filesAt are a path itself, and the files below it that are on disk or in the index: it may be a
// folder, or one that has gone or has come again with others.
func filesAt(ctx context.Context, view *View, at rel.Path) []rel.Path {
	var files queue[rel.Path]
	files.add(at)
	if view.folder.isDir(at) {
		_ = eachDir(ctx, view, at, func(dir rel.Path, entries []fs.DirEntry) error {
			for _, e := range entries {
				if e.Type().IsRegular() {
					files.add(dir.Join(e.Name()))
				}
			}
			return ctx.Err()
		})
	}
	ix := view.Index()
	for _, id := range ix.Below(at) {
		if file, ok := rel.Of(ix.Path(id)); ok {
			files.add(file)
		}
	}
	return files.take()
}

// ruleFile checks an ignore file. A missing file has a hash of its own.
func (c *diskCheck) ruleFile(ctx context.Context, view *View, at rel.Path) {
	hash := HashOf("gone")
	if content, err := view.folder.dir.ReadFile(ctx, at, ignore.MaxRules); err == nil {
		hash = HashOf(string(content))
	} else if info, err := view.folder.dir.Lstat(at); err == nil {
		hash = HashOf(fmt.Sprintf("unread %v %d %v", info.Mode(), info.Size(), info.ModTime()))
	}
	if view.folder.rules.changed(at, hash) {
		c.rules[view.folder] = true
	}
}

// file checks one file. An open document's text is the editor's, and whether that of the file has
// changed is not known.
func (c *diskCheck) file(view *View, at rel.Path) {
	path := at.Abs(view.Root)
	if _, open := c.snapshot.overlays[path]; open || !view.Index().Has(view.resolveOne(pendingFile{at: at})) {
		c.changed = append(c.changed, path)
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
