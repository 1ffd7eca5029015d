package workspace

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"tandem/edits"
	"tandem/workspace/index"
	"tandem/workspace/watch"
)

// A recorder keeps the events of a session.
type recorder struct {
	mu     sync.Mutex
	events []Event
}

func (r *recorder) notify(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
}

func (r *recorder) problems() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []string
	for _, e := range r.events {
		if e.Problem != "" {
			out = append(out, e.Problem)
		}
	}
	return out
}

func waitIdle(t testing.TB, s *Session) *Snapshot {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := s.WaitIdle(ctx); err != nil {
		t.Fatal(err)
	}
	return s.Snapshot()
}

// eventually waits for a state; the deadline only ends a failing test, it measures
// nothing.
func eventually(t testing.TB, what string, reached func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !reached(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("never happened: " + what)
		}
	}
}

func indexes(s *Session, root, rel, name string) bool {
	view := s.Snapshot().View(root)
	id, ok := view.Index().FileID(rel)
	if !ok {
		return false
	}
	for _, d := range view.Index().Defs(id) {
		if d.Name == name {
			return true
		}
	}
	return false
}

func TestWatchSeesTheDisk(t *testing.T) {
	root := newFolder(t, map[string]string{"a.go": "package a\n\nfunc One() {}\n", ".gitignore": "hidden/\n", "hidden/h.go": "package h\n"})
	s := openSession(t, Options{Folders: []string{root}})
	waitIdle(t, s)
	if !indexes(s, root, "a.go", "One") {
		t.Fatal("a.go was not indexed")
	}
	writeFile(t, filepath.Join(root, "a.go"), "package a\n\nfunc Two() {}\n")
	eventually(t, "changed file", func() bool { return indexes(s, root, "a.go", "Two") })

	writeFile(t, filepath.Join(root, "new", "deep", "er", "b.go"), "package b\n\nfunc Three() {}\n")
	eventually(t, "file in new folders", func() bool { return indexes(s, root, "new/deep/er/b.go", "Three") })
	writeFile(t, filepath.Join(root, "new", "deep", "er", "b.go"), "package b\n\nfunc Four() {}\n")
	eventually(t, "change in new folder", func() bool { return indexes(s, root, "new/deep/er/b.go", "Four") })

	if err := os.Rename(filepath.Join(root, "new"), filepath.Join(root, "moved")); err != nil {
		t.Fatal(err)
	}
	eventually(t, "renamed folder", func() bool {
		return indexes(s, root, "moved/deep/er/b.go", "Four") && !indexes(s, root, "new/deep/er/b.go", "Four")
	})
	writeFile(t, filepath.Join(root, ".gitignore"), "hidden/\nmoved/\n")
	eventually(t, "new rule", func() bool {
		ok, _ := s.Snapshot().Allowed("moved/deep/er/b.go")
		return !ok && !indexes(s, root, "moved/deep/er/b.go", "Four")
	})
	eventually(t, "watches follow the rules", func() bool {
		return !s.watches(filepath.Join(root, "moved", "deep")) && !s.watches(filepath.Join(root, "hidden"))
	})
}

// TestContentDecides sends events without a change of content: they make no
// snapshot, so that no client can react and cause the next event.
func TestContentDecides(t *testing.T) {
	root := newFolder(t, map[string]string{"a.go": "package a\n"})
	s := openSession(t, Options{Folders: []string{root}, ClientWatches: true})
	first := waitIdle(t, s).ID()
	path := filepath.Join(root, "a.go")
	for i, content := range []string{"package b\n", "package b\n", "package b\n", "package c\n", "package b\n"} {
		writeFile(t, path, content)
		s.Update(DiskChanged{Paths: []string{path}})
		if got, want := waitIdle(t, s).ID()-first, []uint64{1, 1, 1, 2, 3}[i]; got != want {
			t.Fatalf("after write %d: %d reactions, want %d", i+1, got, want)
		}
	}
}

// TestFolderComesBack: a folder that goes takes what was known of its files along, so that
// the same files are noticed when they come again.
func TestFolderComesBack(t *testing.T) {
	root := newFolder(t, map[string]string{"d/a.go": "package a\n\nfunc One() {}\n"})
	s := openSession(t, Options{Folders: []string{root}, ClientWatches: true})
	waitIdle(t, s)
	path := filepath.Join(root, "d", "a.go")
	for _, name := range []string{"Two", "", "Two", "", "Two"} {
		if name == "" {
			if err := os.RemoveAll(filepath.Dir(path)); err != nil {
				t.Fatal(err)
			}
		} else {
			writeFile(t, path, "package a\n\nfunc "+name+"() {}\n")
		}
		s.Update(DiskChanged{Paths: []string{filepath.Dir(path)}})
		waitIdle(t, s)
		if got := indexes(s, root, "d/a.go", "Two"); got != (name != "") {
			t.Fatalf("%q was written, and Two is indexed: %t", name, got)
		}
	}
}

// TestGoneInBetween: a file that was not there when the index took it is noticed when it comes
// back as it was at an earlier event.
func TestGoneInBetween(t *testing.T) {
	root := newFolder(t, map[string]string{"a.go": "package a\n\nfunc One() {}\n"})
	s := openSession(t, Options{Folders: []string{root}, ClientWatches: true})
	waitIdle(t, s)
	path := filepath.Join(root, "a.go")
	back := func(when string) {
		t.Helper()
		writeFile(t, path, "package a\n\nfunc Two() {}\n")
		s.Update(DiskChanged{Paths: []string{path}})
		if waitIdle(t, s); !indexes(s, root, "a.go", "Two") {
			t.Fatal(when)
		}
	}
	back("a changed file is not noticed")
	s.Update(Opened{URI: URIOf(path), Language: "go", Version: 1, Text: edits.NewText("package a\n")})
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	s.Update(Closed{URI: URIOf(path)})
	if _, indexed := s.Snapshot().View(root).Index().FileID("a.go"); indexed {
		t.Fatal("a file that is gone is indexed")
	}
	back("a file that came back is not noticed")
}

// TestNamedWhileRead: what an event names while a folder is read is compared with the index that
// comes of it: it may have been read before, and be now as the index before had it.
func TestNamedWhileRead(t *testing.T) {
	root := newFolder(t, map[string]string{"d/a.go": "package a\n\nfunc One() {}\n", "e/b.go": "package b\n\nfunc Stays() {}\n"})
	s := openSession(t, Options{Folders: []string{root}, ClientWatches: true})
	f := waitIdle(t, s).View(root).folder
	dir := filepath.Join(root, "d")
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	built, _, err := index.Build(t.Context(), index.Options{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	f.changed.begin()
	writeFile(t, filepath.Join(dir, "a.go"), "package a\n\nfunc One() {}\n")
	s.Update(DiskChanged{Paths: []string{dir}})
	waitIdle(t, s)
	s.publishIndex(t.Context(), f, &indexed{reading: read, base: built})
	if !indexes(s, root, "d/a.go", "One") || !indexes(s, root, "e/b.go", "Stays") {
		t.Error("a folder that came back while the tree was read is not indexed")
	}
}

// TestFolderInItsPlace: a folder that is moved away and made anew with other files, or a file or a
// link in its place, has what it has now alone.
func TestFolderInItsPlace(t *testing.T) {
	root := newFolder(t, map[string]string{"d/a.go": "package a\n\nfunc One() {}\n", "d/b.go": "package a\n\nfunc Two() {}\n", "d0/c.go": "package c\n\nfunc Beside() {}\n"})
	s := openSession(t, Options{Folders: []string{root}, ClientWatches: true})
	waitIdle(t, s)
	dir := filepath.Join(root, "d")
	for _, c := range []struct {
		name string
		make func()
		want string
	}{
		{"a folder", func() { writeFile(t, filepath.Join(dir, "b.go"), "package a\n\nfunc Two() {}\n") }, "d/b.go d0/c.go"},
		{"a file", func() { writeFile(t, dir, "package a\n") }, "d d0/c.go"},
		{"a link", func() { _ = os.Symlink(filepath.Join("d0", "c.go"), dir) }, "d0/c.go"}, // where there are none, nothing is there
	} {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		c.make()
		s.Update(DiskChanged{Paths: []string{dir}})
		ix := waitIdle(t, s).View(root).Index()
		var got []string
		for _, id := range ix.Files() {
			got = append(got, ix.Path(id))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s in its place: %s are indexed, want %s", c.name, got, c.want)
		}
	}
}

// TestMovedFoldersStayWatched: the system's watch follows a folder that is moved, so that the old
// name's ends before the new one's begins, in whatever order their events are looked at.
func TestMovedFoldersStayWatched(t *testing.T) {
	files := map[string]string{}
	for i := range 16 {
		files[fmt.Sprintf("old%d/sub/a.go", i)] = "package a\n"
	}
	root := newFolder(t, files)
	stub := &inodes{stubNotifier: newStub(1<<20, nil), of: map[string]os.FileInfo{}}
	stub.events = make(chan fsnotify.Event, 64)
	s := watchedBy(t, Options{Folders: []string{root}}, 1000, func() (watch.Notifier, error) { return stub, nil })
	waitIdle(t, s)
	for i := range 16 {
		from, to := filepath.Join(root, fmt.Sprint("old", i)), filepath.Join(root, fmt.Sprint("new", i))
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
		stub.events <- fsnotify.Event{Name: from, Op: fsnotify.Rename}
		stub.events <- fsnotify.Event{Name: to, Op: fsnotify.Create}
	}
	for i := range 16 {
		sub := filepath.Join(root, fmt.Sprint("new", i), "sub")
		eventually(t, "a watch of "+sub, func() bool { return s.watches(sub) })
	}
	waitIdle(t, s)
	for i := range 16 {
		if sub := filepath.Join(root, fmt.Sprint("new", i), "sub"); !stub.sends(sub) {
			t.Errorf("nothing would be noticed in %s", sub)
		}
	}
}

// An inodes notifier has one watch for a directory whatever its name, as systems have.
type inodes struct {
	*stubNotifier
	of map[string]os.FileInfo // by the name under which it was added
}

func (n *inodes) Add(dir string) error {
	info, err := os.Stat(dir)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.of[dir] = info
	return err
}

func (n *inodes) Remove(dir string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	gone := n.of[dir]
	maps.DeleteFunc(n.of, func(_ string, info os.FileInfo) bool { return os.SameFile(info, gone) })
	return nil
}

func (n *inodes) sends(dir string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.of[dir] != nil
}

// TestReread: no event is waited for, and the event that comes later changes nothing more.
func TestReread(t *testing.T) {
	root := newFolder(t, map[string]string{"a.go": "package a\n"})
	s := openSession(t, Options{Folders: []string{root}, ClientWatches: true})
	first := waitIdle(t, s).ID()
	path := filepath.Join(root, "a.go")
	if got := textOf(t, s.Snapshot(), path); got != "package a\n" {
		t.Fatalf("before: %q", got)
	}
	writeFile(t, path, "package b\n")
	s.Reread(context.Background(), URIOf(path))
	if got := textOf(t, s.Snapshot(), path); got != "package b\n" {
		t.Errorf("after: %q", got)
	}
	s.Update(DiskChanged{Paths: []string{path}})
	if n := waitIdle(t, s).ID() - first; n != 1 {
		t.Errorf("%d snapshots, want 1", n)
	}
}

// stubNotifier has few watches, and fails as a system does when there are no more.
type stubNotifier struct {
	mu       sync.Mutex
	left     int
	err      error
	watched  map[string]bool
	events   chan fsnotify.Event
	problems chan error
}

func newStub(watches int, err error) *stubNotifier {
	return &stubNotifier{left: watches, err: err, watched: map[string]bool{}, events: make(chan fsnotify.Event), problems: make(chan error)}
}

func (n *stubNotifier) Add(dir string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.left == 0 {
		return fmt.Errorf("watching %s: %w", dir, n.err)
	}
	n.left--
	n.watched[dir] = true
	return nil
}

func (n *stubNotifier) Remove(dir string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.watched, dir)
	return nil
}

func (n *stubNotifier) count() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.watched)
}

func (n *stubNotifier) Close() error                   { return nil }
func (n *stubNotifier) Changes() <-chan fsnotify.Event { return n.events }
func (n *stubNotifier) Problems() <-chan error         { return n.problems }

// watchedBy opens a session that watches through a notifier of the test's.
func watchedBy(t testing.TB, o Options, limit int, open func() (watch.Notifier, error)) *Session {
	t.Helper()
	o.ClientWatches = true
	s := openSession(t, o)
	waitIdle(t, s) // its work reads the watcher
	s.watcher = watch.New(watched{s}, open, limit)
	for _, v := range s.Snapshot().views {
		s.watcher.Watch(v.Root)
	}
	return s
}

func TestWatchLimits(t *testing.T) {
	t.Parallel()
	files, folders := map[string]string{}, 500 // five times as many as the limit
	if testing.Short() {
		folders = 150
	}
	for i := range folders {
		files[fmt.Sprintf("d%02d/e%02d/f.go", i%50, i/50)] = "package f\n"
	}
	root := newFolder(t, files)
	last := filepath.Join(root, "d49", fmt.Sprintf("e%02d", folders/50-1), "f.go")
	for _, c := range []struct {
		name  string
		limit int
		stub  *stubNotifier
		open  error
	}{
		{"own limit", 100, newStub(1<<20, nil), nil},
		{"ENOSPC", 1 << 20, newStub(100, syscall.ENOSPC), nil},
		{"EMFILE", 1 << 20, newStub(100, syscall.EMFILE), nil},
		{"no notifier", 1 << 20, newStub(0, nil), syscall.EMFILE},
	} {
		t.Run(c.name, func(t *testing.T) {
			var events recorder
			s := watchedBy(t, Options{Folders: []string{root}, Notify: events.notify}, c.limit, func() (watch.Notifier, error) { return c.stub, c.open })
			waitIdle(t, s)
			if n := c.stub.count(); n > 100 {
				t.Errorf("%d watches, want at most 100", n)
			}
			if problems := events.problems(); len(problems) != 1 || !strings.Contains(problems[0], "noticed with a delay") {
				t.Errorf("problems %q, want one warning", problems)
			}
			name := "F" + strings.ReplaceAll(c.name, " ", "")
			eventually(t, "first scan of the poller", s.watcher.Polling)
			eventually(t, "all folders noticed", func() bool { return s.Snapshot().View(root).Unnoticed() == 0 })
			writeFile(t, last, "package f\n\nfunc "+name+"() {}\n")
			eventually(t, "change in an unwatched folder", func() bool { return indexes(s, root, fmt.Sprintf("d49/e%02d/f.go", folders/50-1), name) })
			if problems := events.problems(); len(problems) != 1 {
				t.Errorf("problems %q, want one warning", problems)
			}
		})
	}
}

// TestOverflow loses events: everything is checked again.
func TestOverflow(t *testing.T) {
	root := newFolder(t, map[string]string{"a.go": "package a\n", "gone.go": "package a\n\nfunc Gone() {}\n", "sub/b.go": "package b\n"})
	stub := newStub(1<<20, nil)
	s := watchedBy(t, Options{Folders: []string{root}, StateDir: t.TempDir()}, 1000, func() (watch.Notifier, error) { return stub, nil })
	waitIdle(t, s)
	writeFile(t, filepath.Join(root, "a.go"), "package a\n\nfunc Lost() {}\n")
	writeFile(t, filepath.Join(root, "new", "c.go"), "package c\n\nfunc Unseen() {}\n")
	if err := os.Remove(filepath.Join(root, "gone.go")); err != nil {
		t.Fatal(err)
	}
	stub.problems <- fsnotify.ErrEventOverflow
	eventually(t, "state equal to disk", func() bool {
		return indexes(s, root, "a.go", "Lost") && indexes(s, root, "new/c.go", "Unseen") && !indexes(s, root, "gone.go", "Gone")
	})
	eventually(t, "new folder watched", func() bool { return s.watches(filepath.Join(root, "new")) })
}

// TestIndexFollowsTheEditor finds an open document's text in the index, and the
// text on disk again after it is closed.
func TestIndexFollowsTheEditor(t *testing.T) {
	root := newFolder(t, map[string]string{"a.go": "package a\n\nfunc Disk() {}\n"})
	s := openSession(t, Options{Folders: []string{root}, ClientWatches: true})
	uri := URIOf(filepath.Join(root, "a.go"))
	s.Update(Opened{URI: uri, Language: "go", Version: 1, Text: edits.NewText("package a\n\nfunc Open() {}\n")})
	waitIdle(t, s)
	if !indexes(s, root, "a.go", "Open") || indexes(s, root, "a.go", "Disk") {
		t.Error("the index does not have the editor's text")
	}
	before := s.Snapshot()
	s.Update(Edited{URI: uri, Version: 2, Text: edits.NewText("package a\n\nfunc Typed() {}\n")})
	if !indexes(s, root, "a.go", "Typed") {
		t.Error("the index does not have what was typed")
	}
	if id, _ := before.View(root).Index().FileID("a.go"); before.View(root).Index().Defs(id)[0].Name != "Open" {
		t.Error("an older snapshot's index changed")
	}
	s.Update(Closed{URI: uri})
	if !indexes(s, root, "a.go", "Disk") {
		t.Error("the index does not have the disk's text again")
	}
}

// TestFoldersComeAndGo adds a folder inside one that hides it, and removes it.
func TestFoldersComeAndGo(t *testing.T) {
	outer := newFolder(t, map[string]string{"a.go": "package a\n", ".gitignore": "inner/\n", "inner/b.go": "package b\n\nfunc In() {}\n"})
	inner := filepath.Join(outer, "inner")
	s := openSession(t, Options{Folders: []string{outer}})
	waitIdle(t, s)
	if err := s.AddFolders(inner, inner, filepath.Join(outer, "missing")); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("adding a missing folder: %v", err)
	}
	waitIdle(t, s)
	if len(s.Snapshot().Views()) != 2 || !indexes(s, inner, "b.go", "In") {
		t.Fatal("the inner folder was not added")
	}
	writeFile(t, filepath.Join(outer, ".gitignore"), "inner/\n*.log\n")
	eventually(t, "new rule", func() bool {
		ok, _ := s.Snapshot().Allowed(filepath.Join(outer, "x.log"))
		return !ok
	})
	waitIdle(t, s)
	if !s.watches(inner) {
		t.Error("the outer folder's rules ended the inner folder's watch")
	}
	s.RemoveFolders(URIOf(inner))
	if len(s.Snapshot().Views()) != 1 || s.watches(inner) || !s.watches(outer) {
		t.Error("the inner folder did not go, or took the outer with it")
	}
	if ok, _ := s.Snapshot().Allowed(filepath.Join(inner, "b.go")); ok {
		t.Error("the outer folder's rules do not hold again")
	}
}

// TestWatchBelowAHiddenRoot: no ignore rule is about the root, whatever its path looks like, so
// what is watched is what is indexed.
func TestWatchBelowAHiddenRoot(t *testing.T) {
	for _, rule := range []string{".*", "/.*", "./sub", "*.o"} {
		root := newFolder(t, map[string]string{"a.go": "package a\n", "sub/b.go": "package sub\n", ".gitignore": rule + "\n"})
		s := openSession(t, Options{Folders: []string{root}})
		waitIdle(t, s)
		_, indexed := s.Snapshot().View(root).Index().FileID("sub/b.go")
		if n := s.Snapshot().View(root).Unnoticed(); n != 0 {
			t.Errorf("%s: in %d folders changes are not noticed", rule, n)
		}
		if own, below := s.watches(root), s.watches(filepath.Join(root, "sub")); !own || !below || !indexed {
			t.Errorf("%s: the root is watched %v, the folder below it %v, which is indexed %v", rule, own, below, indexed)
		}
	}
}

// watches reports whether events arrive for a directory.
func (s *Session) watches(abs string) bool {
	at, _ := watched{s}.Place(abs)
	return s.watcher.Watched(at)
}

// deafNotifier watches nothing and gives no error that means that watches ran out.
type deafNotifier struct{ *stubNotifier }

func (deafNotifier) Add(string) error { return syscall.ENOTSUP }

// TestUnwatchedFoldersArePolled: a file system that cannot be watched is polled, and until then
// the status counts the folders in which nothing is noticed.
func TestUnwatchedFoldersArePolled(t *testing.T) {
	t.Parallel()
	root := newFolder(t, map[string]string{"a.go": "package a\n", "sub/b.go": "package sub\n"})
	s := openSession(t, Options{Folders: []string{root}, ClientWatches: true})
	view := waitIdle(t, s).View(root)
	s.watcher = watch.New(watched{s}, func() (watch.Notifier, error) { return deafNotifier{newStub(0, nil)}, nil }, 100)
	if s.countUnnoticed(view); view.Unnoticed() != 2 {
		t.Errorf("changes are not noticed in %d folders, want 2", view.Unnoticed())
	}
	s.watcher.Watch(root)
	eventually(t, "polling", func() bool { return view.Unnoticed() == 0 })
	writeFile(t, filepath.Join(root, "sub", "b.go"), "package sub\n\nfunc Late() {}\n")
	eventually(t, "change in an unwatched folder", func() bool { return indexes(s, root, "sub/b.go", "Late") })
}

// TestChangesAreGatheredForABuild: what events name is remembered while a folder is read, and not
// for a day on which none is.
func TestChangesAreGatheredForABuild(t *testing.T) {
	root := newFolder(t, map[string]string{"a.go": "package a\n"})
	s := openSession(t, Options{Folders: []string{root}, ClientWatches: true})
	f := waitIdle(t, s).View(root).folder
	for i := range 100 {
		path := filepath.Join(root, fmt.Sprintf("b%d.go", i))
		writeFile(t, path, "package a\n")
		s.Update(DiskChanged{Paths: []string{path}}, Opened{URI: URIOf(path)}, Closed{URI: URIOf(path)})
	}
	waitIdle(t, s)
	if n := len(f.changed.take()); n != 0 {
		t.Errorf("%d names are kept, and no build will take them", n)
	}
}

// TestSavedInAnotherEncoding: a file that is not UTF-8 is the same in the index however it got
// there, so that an event that changes nothing changes nothing, and its text can be read.
func TestSavedInAnotherEncoding(t *testing.T) {
	root := newFolder(t, map[string]string{"a.py": "# caf\xe9\ndef one():\n    pass\n"})
	s := openSession(t, Options{Folders: []string{root}, ClientWatches: true})
	path, first := filepath.Join(root, "a.py"), waitIdle(t, s).ID()
	s.Update(DiskChanged{Paths: []string{path}})
	if n := waitIdle(t, s).ID() - first; n != 0 {
		t.Errorf("%d snapshots of an event without a change", n)
	}
	writeFile(t, path, "# caf\xe9\ndef two():\n    pass\n")
	s.Update(DiskChanged{Paths: []string{path}})
	ix := waitIdle(t, s).View(root).Index()
	id, _ := ix.FileID("a.py")
	if text, err := ix.Text(id); err != nil || !strings.Contains(text, "def two") {
		t.Errorf("the text of the file is %q: %v", text, err)
	}
}

// TestRulesComeWithAFolder: a folder that is moved away and made anew has the rules that it has now.
func TestRulesComeWithAFolder(t *testing.T) {
	root := newFolder(t, map[string]string{"d/.gitignore": "a.go\n", "d/a.go": "package a\n", "d/b.go": "package a\n"})
	s := openSession(t, Options{Folders: []string{root}, ClientWatches: true})
	waitIdle(t, s)
	dir := filepath.Join(root, "d")
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, ".gitignore"), "b.go\n")
	writeFile(t, filepath.Join(dir, "a.go"), "package a\n\nfunc One() {}\n")
	writeFile(t, filepath.Join(dir, "b.go"), "package a\n")
	s.Update(DiskChanged{Paths: []string{dir}})
	waitIdle(t, s)
	if _, hidden := s.Snapshot().View(root).Index().FileID("d/b.go"); hidden || !indexes(s, root, "d/a.go", "One") {
		t.Error("the rules of the folder that was there before hold")
	}
}

// TestChangesAreReadOnce: a file that an event names is read once, and once more where the folder
// is read meanwhile.
func TestChangesAreReadOnce(t *testing.T) {
	const size = 3 << 20
	count := func() (bytes int) {
		data, err := os.ReadFile("/proc/self/io")
		if err != nil {
			t.Skip("the system does not count what is read")
		}
		_, _ = fmt.Sscanf(string(data), "rchar: %d", &bytes)
		return bytes
	}
	root := newFolder(t, map[string]string{"a.py": "x = 1\n"})
	s := openSession(t, Options{Folders: []string{root}, ClientWatches: true})
	f, path := waitIdle(t, s).View(root).folder, filepath.Join(root, "a.py")
	built, _, err := index.Build(t.Context(), index.Options{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	f.changed.begin()
	writeFile(t, path, strings.Repeat("x = 1\n", size/6))
	before := count()
	s.Update(DiskChanged{Paths: []string{root, path}})
	waitIdle(t, s).View(root).Index()
	if n := count() - before; n < size || n > size*3/2 {
		t.Errorf("an event: %d bytes are read of %d", n, size)
	}
	before = count()
	s.publishIndex(t.Context(), f, &indexed{reading: read, base: built})
	waitIdle(t, s).View(root).Index()
	if n := count() - before; n < size || n > size*3/2 {
		t.Errorf("an index in which it is older: %d bytes are read of %d", n, size)
	}
}
