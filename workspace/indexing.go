package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path/filepath"
	"slices"

	"tandem/workspace/ignore"
	"tandem/workspace/index"
	"tandem/workspace/rel"
)

// IndexFile is where the index of the folder at root is kept in a state folder.
func IndexFile(stateDir, root string) string {
	sum := sha256.Sum256([]byte(root))
	return filepath.Join(stateDir, "index", hex.EncodeToString(sum[:16]))
}

// LearnedDir is where what the built-in engine and the windows learn of the folder at root
// is kept in a state folder.
func LearnedDir(stateDir, root string) string { return IndexFile(stateDir, root) + ".learned" }

// startIndexing indexes a folder in the background: the first time, when its
// ignore rules changed, and when it is no longer known which files did.
func (s *Session) startIndexing(f *folder) {
	f.builds.Ask(func() bool {
		return s.spawn("indexing "+f.root, func(ctx context.Context) {
			f.builds.Run(func() { s.buildIndex(ctx, f) })
		})
	})
}

// buildIndex reads a folder once and publishes its index, on top of which come
// the files that changed meanwhile and the open documents.
func (s *Session) buildIndex(ctx context.Context, f *folder) {
	view := s.Snapshot().viewOf(f)
	if view == nil {
		return
	}
	f.changed.begin() // whatever changed so far is about to be read
	defer f.changed.end()
	seen := &leftovers{Matcher: view.rules}
	options := index.Options{Root: f.root, Matcher: seen, Group: s.group, Enough: s.enough.context, Progress: func(done, of int) {
		f.done.Store(int64(done))
		f.listed.Store(int64(of))
	}}
	if view.Ready() {
		options.Have = view.Index() // only what is not in it is read
	}
	if s.opts.StateDir != "" {
		options.Keep = IndexFile(s.opts.StateDir, f.root)
	}
	built, stats, err := index.Build(ctx, options)
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			s.notify(Event{Problem: "The folder " + f.root + " could not be indexed, suggestions know open files only: " + err.Error()})
		}
		return
	}
	if stats.Problem != "" {
		s.notify(Event{Problem: stats.Problem})
	}
	reading := read
	if !stats.Ended {
		reading = partly
	} else if s.Snapshot().Trusted() {
		seen.remove(f.root)
	}
	fresh := options.Have == nil && stats.Read > 0 && !built.Saved()
	if fresh || built.Spread() {
		built = s.saveIndex(f, options.Keep, built)
	}
	s.publishIndex(ctx, f, &indexed{reading: reading, gap: stats.Gap, base: built})
	s.notify(Event{Indexed: true})
}

// publishIndex publishes a folder's new index. What events named while it was read was compared
// with the one before, and is compared with this one: it may have been read in between.
func (s *Session) publishIndex(ctx context.Context, f *folder, base *indexed) {
	s.disk.check.Lock()
	defer s.disk.check.Unlock()
	now := s.Snapshot()
	v := now.viewOf(f)
	if v == nil {
		return
	}
	check := diskCheck{view: v.with(base), open: now.overlays}
	for _, at := range f.changed.take() {
		check.name(ctx, at)
	}
	base = base.with(check.changed(ctx)...)
	now = s.publish(func(next draft) {
		var closed []pendingFile // meanwhile
		for _, at := range f.changed.end() {
			closed = append(closed, pendingFile{at: at})
		}
		next.replaceView(f, func(v *View) *View { return v.with(base.with(append(closed, next.openFiles(v)...)...)) })
	})
	if v = now.viewOf(f); v == nil {
		return
	}
	if check.newRules {
		s.newRules(f)
	}
	s.renew(v)
	s.countUnnoticed(v)
}

// saveIndex saves what was read for the next start and returns the index to go
// on with, which is a base. An index that cannot be kept is only slower to start with; that is
// reported once, until it is kept again.
func (s *Session) saveIndex(f *folder, file string, built *index.Index) *index.Index {
	if file == "" {
		return built.Rebased()
	}
	kept, err := built.Save(file)
	if err == nil {
		f.unsaved = ""
		return kept
	}
	if problem := "No index is kept: " + err.Error(); problem != f.unsaved {
		f.unsaved = problem
		s.notify(Event{Problem: problem})
	}
	return built.Rebased()
}

// openFiles are the open documents of a folder, for its index.
func (s draft) openFiles(v *View) []pendingFile {
	var files []pendingFile
	for _, o := range s.overlays {
		if at, ok := v.Rel(o.key); ok && s.View(o.key) == v {
			files = append(files, pendingFile{at: at, open: o})
		}
	}
	return files
}

// reindex makes a document that was opened, changed or closed known to the index of its folder.
func (s draft) reindex(key string) {
	if view := s.View(key); view != nil {
		if at, _ := view.Rel(key); !at.IsRoot() {
			s.pend(view.folder, pendingFile{at: at})
		}
	}
}

// pend puts files on top of the index of their folder, those that are open with the editor's text.
func (s draft) pend(f *folder, files ...pendingFile) {
	for i, file := range files {
		if o, open := s.overlays[file.at.Abs(f.root)]; open {
			files[i] = pendingFile{at: file.at, open: o}
		} else {
			f.changed.add(file.at)
		}
	}
	s.replaceView(f, func(v *View) *View { return v.with(v.indexed.with(files...)) })
}

// viewOf is the view of a folder in this snapshot, or nil.
func (s *Snapshot) viewOf(f *folder) *View {
	for _, v := range s.views {
		if v.folder == f {
			return v
		}
	}
	return nil
}

// replaceView puts another view in a folder's place.
func (s draft) replaceView(f *folder, change func(*View) *View) {
	s.views = slices.Clone(s.views)
	for i, v := range s.views {
		if v.folder == f {
			s.views[i] = change(v)
		}
	}
}

// newRules applies a folder's ignore files as they are now. Files that they hide
// are removed from the index at once; files that they show are added when they
// were read. What they show is watched.
func (s *Session) newRules(f *folder) {
	s.publish(func(next draft) {
		next.replaceView(f, func(v *View) *View {
			changed := &View{Root: v.Root, folder: f, rules: ignore.New(f.root, s.opts.Deny...), indexed: v.indexed}
			if v.Ready() {
				changed.indexed = v.indexed.with(append(changed.newlyHidden(), next.openFiles(v)...)...)
			}
			return changed
		})
	})
	s.startIndexing(f)
	if s.watcher != nil {
		s.watcher.Watch(f.root)
	}
}

// newlyHidden lists the indexed files that the rules hide.
func (v *View) newlyHidden() []pendingFile {
	var out []pendingFile
	ix := v.Index()
	for _, id := range ix.Files() {
		at, _ := rel.Of(ix.Path(id))
		if hidden, _ := v.rules.Ignored(at, false); hidden {
			out = append(out, pendingFile{at: at})
		}
	}
	return out
}
