package ignore

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// A kind is one family of ignore files. A file is hidden where any family
// hides it; within a family the nearest file and its last line win.
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

// IsRuleFile reports whether a change of the file at path changes what a
// Matcher answers, so that a new one is needed.
func IsRuleFile(path string) bool {
	slashed := filepath.ToSlash(path)
	name := slashed[strings.LastIndexByte(slashed, '/')+1:]
	for _, k := range allKinds {
		if name == k.name {
			return true
		}
	}
	return name == ".git" || strings.HasSuffix(slashed, ".git/info/exclude")
}

// A Matcher answers for one folder. It reads ignore files when a path below
// them is first asked about, and answers the same ever after; when such a file
// changes (IsRuleFile), make a new one. It may be used concurrently.
type Matcher struct {
	top     string // the repository's root, or the folder
	prefix  string // the folder below top, with a trailing slash, or ""
	kinds   []kind
	builtin bool

	mu   sync.RWMutex
	dirs map[string]*dir // by path below top
}

// A dir is what holds for the entries of one directory.
type dir struct {
	hidden bool
	why    string
	lists  []*list // by kind, nearest file first
	fold   bool    // git compares names of this repository without case
}

// New returns the matcher of the folder at root, an absolute path. The folder
// itself is never hidden: somebody opened it.
func New(root string) *Matcher { return newMatcher(root, allKinds, true) }

func newMatcher(root string, kinds []kind, builtin bool) *Matcher {
	m := &Matcher{top: root, kinds: kinds, builtin: builtin, dirs: map[string]*dir{}}
	if top, ok := repositoryAround(root); ok {
		if rel, err := filepath.Rel(top, root); err == nil && rel != "." {
			m.top, m.prefix = top, filepath.ToSlash(rel)+"/"
		}
	}
	m.dirs[""] = m.enter("", &dir{lists: make([]*list, len(kinds))}, true)
	return m
}

// Ignored reports whether the file or folder at a slash-separated path below
// the root is hidden, and by which rule, in words.
func (m *Matcher) Ignored(rel string, isDir bool) (bool, string) {
	if rel == "" || rel == "." {
		return false, ""
	}
	path := rel
	if m.prefix != "" {
		path = m.prefix + rel
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
		return DeniedDir(name)
	}
	if deniedPair(path) {
		return true, whySecret
	}
	return deniedFile(name)
}

// dir returns what holds in the directory at a path below top.
func (m *Matcher) dir(path string) *dir {
	m.mu.RLock()
	d := m.dirs[path]
	m.mu.RUnlock()
	if d != nil {
		return d
	}
	d = m.decide(path)
	m.mu.Lock()
	defer m.mu.Unlock()
	if first := m.dirs[path]; first != nil {
		return first
	}
	m.dirs[strings.Clone(path)] = d
	return d
}

// decide works out a directory from its parent. The folder itself and those
// around it are not hidden.
func (m *Matcher) decide(path string) *dir {
	slash := strings.LastIndexByte(path, '/')
	parent := m.dir(path[:max(slash, 0)])
	if parent.hidden {
		return parent
	}
	inside := !strings.HasPrefix(m.prefix, path+"/")
	if inside {
		name := path[slash+1:]
		hidden, why := m.judge(parent, path, name, true)
		if !hidden && m.builtin {
			hidden, why = m.installed(path, name)
		}
		if hidden {
			return &dir{hidden: true, why: why}
		}
	}
	return m.enter(path, parent, false)
}

// installed reports whether a directory holds code that a package manager put
// there; its name alone does not tell.
func (m *Matcher) installed(path, name string) (bool, string) {
	abs := filepath.Join(m.top, path)
	if present(filepath.Join(abs, "pyvenv.cfg")) {
		return true, whyThirdPart
	}
	if name != "vendor" {
		return false, ""
	}
	for _, mark := range []string{"modules.txt", "autoload.php", "bundle"} {
		if present(filepath.Join(abs, mark)) {
			return true, whyThirdPart
		}
	}
	return false, ""
}

// enter reads the ignore files of a directory on top of its parent's rules.
func (m *Matcher) enter(path string, parent *dir, top bool) *dir {
	abs := filepath.Join(m.top, path)
	base := 0
	if path != "" {
		base = len(path) + 1
	}
	repo, isRepo := repositoryAt(abs)
	d := &dir{lists: append([]*list(nil), parent.lists...), fold: parent.fold}
	if isRepo {
		d.fold = repo.foldsCase()
	}
	for i, k := range m.kinds {
		if k.git && (isRepo || top) {
			d.lists[i] = gitLists(repo, base, d.fold)
		}
		content, ok := readRules(filepath.Join(abs, k.name), !k.git)
		if !ok {
			continue
		}
		l := parseList(content, path2name(path, k.name), base, d.fold && k.git, k.strict)
		if k.strict && strings.TrimSpace(content) == "" {
			l.all = path2name(path, k.name) + " is empty, which hides everything beside and below it"
		}
		l.farther = d.lists[i]
		d.lists[i] = l
	}
	return d
}

func path2name(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

func present(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// maxRules bounds an ignore file; a larger one is no ignore file.
const maxRules = 8 << 20

// readRules reads an ignore file; links are followed only where follow says so,
// as git does for its own.
func readRules(path string, follow bool) (string, bool) {
	stat := os.Lstat
	if follow {
		stat = os.Stat
	}
	info, err := stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxRules {
		return "", false
	}
	content, err := os.ReadFile(path)
	return string(content), err == nil
}
