package ignore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"tandem/workspace/disk"
	"tandem/workspace/rel"
	"tandem/workspace/repo"
)

// A kind is one family of ignore files. A file is hidden where any family
// hides it; within a family the last matching line of the nearest file decides.
type kind struct {
	name   string // of the file, in every folder
	git    bool   // .gitignore: also git's own lists, and anew in every repository
	strict bool   // .aiexclude: no "!", and an empty file hides everything
}

var allKinds = []kind{
	{name: ".gitignore", git: true},
	{name: ".ignore"}, {name: ".tandemignore"},
	{name: ".aiexclude", strict: true},
	{name: ".cursorignore"}, {name: ".cursorindexingignore"},
	{name: ".codeiumignore"}, {name: ".copilotignore"}, {name: ".geminiignore"},
}

// IsRuleFile reports whether a change of a file changes what a Matcher answers, so that a new
// one is needed.
func IsRuleFile(at rel.Path) bool {
	for _, k := range allKinds {
		if at.Name() == k.name {
			return true
		}
	}
	return at.Name() == ".git" || strings.HasSuffix(at.String(), ".git/info/exclude")
}

// A Matcher matches the paths of one folder. It reads ignore files when a path
// below them is first checked, and its results never change; when such a file
// changes (IsRuleFile), make a new one. It may be used concurrently.
type Matcher struct {
	files   *disk.Reader // of the repository, or the folder
	user    *disk.Reader // git's own lists
	top     string       // the repository's root, or the folder
	prefix  string       // the folder below top, with a trailing slash, or ""
	kinds   []kind
	builtin bool
	root    string // the folder, for deny
	deny    Globs
	lenient bool // installed code: of the built-in rules only those about secrets hold

	installedCode func() *Matcher // the lenient one of the same folder

	mu   sync.RWMutex
	dirs map[string]*dir // by path below top
}

// A dir is the rules for the entries of one directory.
type dir struct {
	hidden bool
	why    string
	lists  []*list // by kind, nearest file first
	fold   bool    // git compares names of this repository without case
}

// New returns the matcher of the folder at root, an absolute path. The folder
// itself is never hidden, because the user opened it. deny holds whatever the
// ignore files say.
func New(root string, deny ...string) *Matcher {
	m := newMatcher(root, allKinds, true)
	m.root, m.deny = root, deny
	m.installedCode = sync.OnceValue(func() *Matcher {
		lenient := newMatcher(root, slices.DeleteFunc(slices.Clone(allKinds), func(k kind) bool { return k.git }), true)
		lenient.lenient, lenient.root, lenient.deny = true, root, deny
		return lenient
	})
	return m
}

func newMatcher(root string, kinds []kind, builtin bool) *Matcher {
	m := &Matcher{files: disk.NewReader(root), user: disk.NewReader(), top: root, kinds: kinds, builtin: builtin, dirs: map[string]*dir{}}
	if in, ok := repo.Around(root); ok {
		if below, ok := rel.Below(in.Top, root); ok && !below.IsRoot() {
			m.top, m.prefix = in.Top, below.String()+"/"
			m.files.Allow(in.Top)
		}
	}
	m.dirs[""] = m.enter("", &dir{lists: make([]*list, len(kinds))}, anything)
	return m
}

// Top is the real path of the repository's top, or of the folder where it is in
// no repository.
func (m *Matcher) Top() string { return disk.Real(m.top) }

// HidesInstalled reports whether a file that a package manager put into the
// folder is hidden: what a person hides from models is, and so is what usually
// holds keys. What hides such files as a matter of course does not count: git's
// rules, and the built-in ones about installed code and caches.
func (m *Matcher) HidesInstalled(at rel.Path) (bool, string) {
	return m.installedCode().Ignored(at, false)
}

// Ignored reports whether a file or a folder is hidden, and by which rule, as text.
func (m *Matcher) Ignored(at rel.Path, isDir bool) (bool, string) {
	if at.IsRoot() {
		return false, ""
	}
	if denied, why := m.deny.Denies(m.root, at); denied {
		return true, why
	}
	path := at.String()
	if m.prefix != "" {
		path = m.prefix + path
	}
	slash := strings.LastIndexByte(path, '/')
	parent := m.dir(path[:max(slash, 0)])
	if parent.hidden {
		return true, parent.why
	}
	return m.judge(parent, path, path[slash+1:], isDir)
}

// judge decides about one entry of a directory that is not hidden.
func (m *Matcher) judge(parent *dir, path, name string, isDir bool) (bool, string) {
	if m.builtin {
		if denied, why := m.denied(path, name, isDir); denied {
			return true, why
		}
	}
	for _, l := range parent.lists {
		if hidden, why := l.hides(path, name, isDir); hidden {
			return true, why
		}
	}
	return false, ""
}

func (m *Matcher) denied(path, name string, isDir bool) (bool, string) {
	if isDir {
		denied, why := DeniedDir(name)
		return denied && (!m.lenient || why == whySecret), why
	}
	if deniedPair(path) {
		return true, whySecret
	}
	denied, why := deniedFile(name)
	return denied && (!m.lenient || why == whySecret), why
}

// Entered gives the matcher the content of a directory, so that it need not search
// for ignore files itself. A walk that lists directories anyway calls it for each
// of them before it checks the entries.
func (m *Matcher) Entered(at rel.Path, entries []fs.DirEntry) {
	path := strings.TrimSuffix(m.prefix+at.String(), "/")
	m.mu.RLock()
	d := m.dirs[path]
	m.mu.RUnlock()
	if d == nil {
		m.store(path, m.decide(path, func(name string) bool { return listed(entries, name) }))
	}
}

// listed searches for a name in a directory's sorted entries.
func listed(entries []fs.DirEntry, name string) bool {
	_, found := slices.BinarySearchFunc(entries, name, func(e fs.DirEntry, name string) int {
		return strings.Compare(e.Name(), name)
	})
	return found
}

// dir returns the rules for the directory at a path below top.
func (m *Matcher) dir(path string) *dir {
	m.mu.RLock()
	d := m.dirs[path]
	m.mu.RUnlock()
	if d != nil {
		return d
	}
	return m.store(path, m.decide(path, anything))
}

// anything is the has of a directory that was not listed.
func anything(string) bool { return true }

// store stores the rules for a directory; the first ones stored stay.
func (m *Matcher) store(path string, d *dir) *dir {
	m.mu.Lock()
	defer m.mu.Unlock()
	if first := m.dirs[path]; first != nil {
		return first
	}
	m.dirs[strings.Clone(path)] = d
	return d
}

// decide computes the rules of a directory from its parent's. The folder itself
// and those around it are not hidden. has reports which names the directory may
// contain.
func (m *Matcher) decide(path string, has func(string) bool) *dir {
	slash := strings.LastIndexByte(path, '/')
	parent := m.dir(path[:max(slash, 0)])
	if parent.hidden {
		return parent
	}
	inside := !strings.HasPrefix(m.prefix, path+"/")
	if inside {
		name := path[slash+1:]
		hidden, why := m.judge(parent, path, name, true)
		if !hidden && m.builtin && !m.lenient {
			hidden, why = m.installed(path, name, has)
		}
		if hidden {
			return &dir{hidden: true, why: why}
		}
	}
	return m.enter(path, parent, has)
}

// installed reports whether a directory holds code that a package manager put
// there; its name alone does not show this.
func (m *Matcher) installed(path, name string, has func(string) bool) (bool, string) {
	marks := []string{"pyvenv.cfg"}
	if name == "vendor" {
		marks = append(marks, "modules.txt", "autoload.php", "bundle")
	}
	for _, mark := range marks {
		if has(mark) && present(filepath.Join(m.top, path, mark)) {
			return true, whyThirdPart
		}
	}
	return false, ""
}

// enter reads the ignore files of a directory on top of its parent's rules.
func (m *Matcher) enter(path string, parent *dir, has func(string) bool) *dir {
	abs, base := m.top, 0
	if path != "" {
		abs, base = filepath.Join(m.top, path), len(path)+1
	}
	d := &dir{lists: parent.lists, fold: parent.fold}
	var in repo.Repository
	isRepo := false
	if has(".git") {
		in, isRepo = repo.At(abs)
	}
	if isRepo {
		d.fold = foldsCase(in)
	}
	for i, k := range m.kinds {
		if k.git && (isRepo || path == "") {
			d.set(i, m.gitLists(in, base, d.fold))
		}
		if has(k.name) {
			m.read(d, i, k, path, base)
		}
	}
	return d
}

// read puts one directory's ignore file of a kind before the ones farther away.
// Git follows no link in the place of its own.
func (m *Matcher) read(d *dir, i int, k kind, path string, base int) {
	source := k.name
	if path != "" {
		source = path + "/" + k.name
	}
	file := filepath.Join(m.top, filepath.FromSlash(source))
	if info, err := os.Lstat(file); err != nil || info.IsDir() || k.git && info.Mode()&fs.ModeSymlink != 0 {
		return
	}
	text, err := m.files.ReadFile(context.Background(), file, MaxRules)
	content := string(text)
	l := parseList(content, source, base, d.fold && k.git, k.strict)
	switch {
	case err != nil:
		l.all = unread(source, err)
	case k.strict && strings.TrimSpace(content) == "":
		l.all = source + " is empty, which hides everything beside and below it"
	}
	l.farther = d.lists[i]
	d.set(i, l)
}

// set changes one kind's list; the parent's directories keep theirs.
func (d *dir) set(i int, l *list) {
	d.lists = slices.Clone(d.lists)
	d.lists[i] = l
}

func present(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// MaxRules bounds an ignore file, in bytes. A larger one hides everything beside
// and below it, as one does that cannot be read: what it says is not known.
const MaxRules = 8 << 20

// unread is why an ignore file that cannot be read hides.
func unread(source string, err error) string {
	var failed *fs.PathError
	if errors.As(err, &failed) {
		err = failed.Err
	}
	return fmt.Sprintf("%s cannot be read (%v), which hides everything beside and below it", source, err)
}
