package deps

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"tandem/workspace/disk"
	"tandem/workspace/terms"
)

// A PythonEnv is where the Python of a workspace keeps its modules.
type PythonEnv struct {
	Prefix   string   // folder of the environment
	Lib      string   // folder of the standard library
	Sites    []string // folders of installed packages
	Stubs    []string // folders of stubs of the standard library
	Binaries []string // files that hold the modules written in C
	declared map[string]bool
	locked   map[string][]string // the versions that the project's lock has, by distribution
}

// Python finds modules of Python: in the environment of a workspace, its standard
// library and its stubs.
type Python struct {
	*reader
	envs recent[*PythonEnv] // by workspace folder
}

// Env is the environment of a workspace: the active one, one in the
// workspace folder, pyenv's, else the system's. It is nil if there is none.
func (r *Python) Env(root string) *PythonEnv {
	return r.envs.get(root, func() *PythonEnv { return r.find(root) })
}

func (r *Python) find(root string) *PythonEnv {
	r.disk.Allow(root)
	for _, prefix := range r.prefixes(root) {
		if env := r.at(prefix); env != nil {
			env.declared, env.locked = r.declarations(root)
			return env
		}
	}
	return nil
}

// A pythonPrefix is the folder of an environment or an installation. One that
// the workspace chose, or that lies in it, is not the user's.
type pythonPrefix struct {
	dir  string
	user bool
}

// prefixes are the environments and installations, the most specific
// first.
func (r *Python) prefixes(root string) []pythonPrefix {
	get := r.options.Getenv
	active, conda := get("VIRTUAL_ENV"), get("CONDA_PREFIX")
	out := []pythonPrefix{{active, !r.inWorkspace(active)}, {filepath.Join(root, ".venv"), false}, {filepath.Join(root, "venv"), false}, {filepath.Join(root, "env"), false}, {conda, !r.inWorkspace(conda)}}
	pyenv := r.options.pyenv()
	for _, version := range []string{get("PYENV_VERSION"), r.firstWord(root, ".python-version"), r.firstWord(pyenv, "version")} {
		if version != "" && !strings.ContainsAny(version, `/\`) && version != ".." {
			out = append(out, pythonPrefix{filepath.Join(pyenv, "versions", version), true})
		}
	}
	for _, name := range []string{"python3", "python"} {
		if command := r.command(name); command != "" {
			out = append(out, pythonPrefix{filepath.Dir(filepath.Dir(command)), true})
		}
	}
	for _, dir := range systemPythons {
		out = append(out, pythonPrefix{dir, true})
	}
	return out
}

func (r *Python) firstWord(dir, name string) string {
	data, ok := r.manifestIn(dir, name)
	if f := strings.Fields(string(data)); ok && len(f) > 0 {
		return f[0]
	}
	return ""
}

// at reads an environment or installation; nil if there is none.
func (r *Python) at(at pythonPrefix) *PythonEnv {
	prefix := at.dir
	if !filepath.IsAbs(prefix) || !disk.IsDir(prefix) {
		return nil
	}
	r.disk.Allow(prefix)
	env := &PythonEnv{Prefix: prefix}
	base := prefix
	home, shares := r.home(prefix)
	if filepath.IsAbs(home) {
		base = filepath.Dir(filepath.Clean(home))
		r.disk.Allow(base) // where it is no Python of the user's, it serves checks
	}
	env.Lib = r.lib(base)
	if env.Lib == "" {
		return nil
	}
	version := filepath.Base(env.Lib)
	for _, at := range []string{prefix, base} {
		if at != prefix && !shares {
			break
		}
		env.addSite(filepath.Join(at, "lib", version, "site-packages"), filepath.Join(at, "Lib", "site-packages"))
	}
	if (base == "/usr" || base == "/usr/local") && (base == prefix || shares) {
		env.addSite("/usr/lib/python3/dist-packages", filepath.Join("/usr/local/lib", version, "dist-packages"), filepath.Join(r.options.Home, ".local", "lib", version, "site-packages"))
	}
	for _, site := range env.Sites {
		for _, stubs := range []string{"mypy/typeshed/stdlib", "jedi/third_party/typeshed/stdlib/3", "jedi/third_party/typeshed/stdlib"} {
			if at := filepath.Join(site, filepath.FromSlash(stubs)); disk.IsFile(filepath.Join(at, "builtins.pyi")) {
				env.Stubs = append(env.Stubs, at)
			}
		}
	}
	r.addBinaries(env, base, version)
	r.own(at, base, env)
	return env
}

// own records that an environment's folders belong to a package manager: those
// of the user's interpreters wherever they are, those of an environment that
// lies in the workspace as far as they are there.
func (r *Python) own(at pythonPrefix, base string, env *PythonEnv) {
	if at.user && base == at.dir || r.user(base) {
		r.owned.Allow(env.Lib)
		for _, site := range env.Sites {
			if _, ok := disk.Below(base, site); ok {
				r.owned.Allow(site)
			}
		}
	}
	for _, site := range env.Sites {
		if at.user {
			r.owned.Allow(site)
		}
		if rel, ok := disk.Below(at.dir, site); ok {
			r.allowInside(filepath.Dir(at.dir), filepath.Join(filepath.Base(at.dir), rel))
		}
	}
}

// user reports whether the user, not a workspace, installed the Python in
// a folder.
func (r *Python) user(base string) bool {
	if slices.Contains(systemPythons, base) {
		return true
	}
	if command := r.command("python3"); command != "" && filepath.Dir(filepath.Dir(command)) == base {
		return true
	}
	return slices.ContainsFunc(r.options.pythonInstalls(), func(dir string) bool {
		_, ok := disk.Below(dir, base)
		return ok
	})
}

func (e *PythonEnv) addSite(dirs ...string) {
	for _, dir := range dirs {
		if disk.IsDir(dir) && !slices.Contains(e.Sites, dir) {
			e.Sites = append(e.Sites, dir)
		}
	}
}

// addBinaries records the interpreter and its extension modules.
func (r *Python) addBinaries(e *PythonEnv, base, version string) {
	patterns := [][2]string{{base, "bin/" + version}, {base, "lib/lib" + version + "*.so*"}, {base, "lib/*/lib" + version + "*.so.1.0"},
		{base, "lib/lib" + version + "*.dylib"}, {base, "python3*.dll"}, {e.Lib, "lib-dynload/*.so"}, {base, "DLLs/*.pyd"}}
	for _, p := range patterns {
		for _, file := range r.disk.Glob(r.life(), p[0], p[1]) {
			if real, err := filepath.EvalSymlinks(file); err == nil && !slices.Contains(e.Binaries, real) {
				e.Binaries = append(e.Binaries, real)
			}
		}
	}
}

// home is the folder of the interpreter that an environment was made of, "" where it is an
// installation itself; shares is whether it sees the packages of that one.
func (r *Python) home(prefix string) (home string, shares bool) {
	data, _ := r.manifestIn(prefix, "pyvenv.cfg") // an installation has none
	shares = true
	for line := range strings.Lines(string(data)) {
		key, value, _ := strings.Cut(line, "=")
		switch value = strings.TrimSpace(value); strings.TrimSpace(key) {
		case "home":
			home = value
		case "include-system-site-packages":
			shares = value == "true"
		}
	}
	return home, shares
}

// lib is the newest standard library below a prefix.
func (r *Python) lib(base string) string {
	if disk.IsFile(filepath.Join(base, "Lib", "os.py")) {
		return filepath.Join(base, "Lib")
	}
	found := r.disk.Glob(r.life(), base, "lib/python3.*/os.py")
	best := ""
	for _, file := range found {
		if dir := filepath.Dir(file); len(dir) > len(best) || len(dir) == len(best) && dir > best {
			best = dir
		}
	}
	return best
}

// Files of a project that say in which versions it is run (what is installed in another version,
// by somebody else, does not tell what there is), those that also declare what it needs, and
// those that only declare it, for the packages of a project of several too.
var (
	lockFiles        = []string{"uv.lock", "poetry.lock", "pdm.lock"}
	requirementFiles = []string{"requirements*.txt", "requirements/*.txt"}
	projectFiles     = []string{"pyproject.toml", "*/pyproject.toml", "*/*/pyproject.toml", "setup.py", "*/setup.py", "setup.cfg", "*/setup.cfg", "Pipfile", "*/requirements*.txt", "environment.y*ml", "tox.ini"}
)

// locked is a distribution with its version, in a lock file of uv, Poetry or PDM, or in a list
// of requirements.
var locked = regexp.MustCompile(`(?m)^name = "([\w.-]+)"\nversion = "([\w.+!-]+)"|^([\w.-]+)==([\w.+!-]+)`)

// declarations are the words with which a project declares its dependencies, spelled like module
// names, and the versions of distributions that it is run with.
func (r *Python) declarations(root string) (words map[string]bool, versions map[string][]string) {
	words, versions = map[string]bool{}, map[string][]string{}
	for i, files := range r.disk.GlobAll(r.life(), root, slices.Concat(lockFiles, requirementFiles, projectFiles)...) {
		for _, file := range files {
			data, _ := r.manifestIn(filepath.Dir(file), filepath.Base(file))
			if i < len(lockFiles)+len(requirementFiles) {
				for _, m := range locked.FindAllStringSubmatch(strings.ReplaceAll(string(data), "\r", ""), -1) {
					name := pythonName(m[1] + m[3])
					versions[name] = append(versions[name], m[2]+m[4])
				}
			}
			if i >= len(lockFiles) {
				for _, w := range strings.FieldsFunc(string(data), func(c rune) bool { return !strings.ContainsRune(terms.ASCII+"_-.", c) }) {
					words[pythonName(w)] = true
				}
			}
		}
	}
	return words, versions
}

// declares reports whether a project may mean what provides a module: mostly the names are
// alike, and one ends or begins as the other, as PyYAML and yaml.
func (e *PythonEnv) declares(top string) bool {
	name := pythonName(top)
	for word := range e.declared {
		if word == name || len(name) > 2 && strings.Contains(word, name) {
			return true
		}
	}
	return false
}

func pythonName(distribution string) string {
	return strings.NewReplacer("-", "_", ".", "_").Replace(strings.ToLower(distribution))
}

// compiledModules are the modules of the standard library that are mostly a part of the
// interpreter: those of sys.stdlib_module_names, in Python 3.10 to 3.13, without a file.
var compiledModules = strings.Fields(`_abc _ast _asyncio _bisect _blake2 _bz2 _codecs _codecs_cn _codecs_hk _codecs_iso2022 _codecs_jp _codecs_kr _codecs_tw _collections _contextvars
	_crypt _csv _ctypes _curses _curses_panel _datetime _dbm _decimal _elementtree _frozen_importlib _frozen_importlib_external _functools _gdbm _hashlib
	_heapq _imp _interpchannels _interpqueues _interpreters _io _json _locale _lsprof _lzma _md5 _msi _multibytecodec _multiprocessing _opcode _operator
	_overlapped _pickle _posixshmem _posixsubprocess _queue _random _scproxy _sha1 _sha2 _sha256 _sha3 _sha512 _signal _socket _sqlite3 _sre _ssl _stat
	_statistics _string _struct _suggestions _symtable _sysconfig _thread _tkinter _tokenize _tracemalloc _typing _uuid _warnings _weakref _winapi _wmi
	_zoneinfo array atexit audioop binascii builtins cmath errno faulthandler fcntl gc grp itertools marshal math mmap msilib msvcrt nis nt ossaudiodev
	posix pwd pyexpat readline resource select spwd sys syslog termios time unicodedata winreg winsound zlib`)

// Module finds an absolutely named module that a file of the workspace
// imports. own are folders from which the workspace's own modules are imported;
// exists reports whether a file or folder exists.
func (r *Python) Module(root, dotted string, own []string, exists func(string) bool) Place {
	env := r.Env(root)
	parts := strings.Split(dotted, ".")
	top := Place{Status: NotRequired}
	var folder *Place // a folder without __init__: it is found where no place has a module or a package of that name
	packaged := false // top is a module or a package, not just a folder of that name
	try := func(dir string, place Place) (Place, bool) {
		found, ok := r.moduleIn(dir, parts, exists)
		if ok {
			place.Status, place.File, place.Dir = Found, found.File, found.Dir
			if place.File != "" || place.Dir == "" {
				return place, true
			}
			if folder == nil {
				folder = &place
			}
		}
		if first, ok := r.moduleIn(dir, parts[:1], exists); ok && !packaged && first.File != "" {
			top, packaged = place, true
			top.Status, top.File, top.Dir = Missing, "", ""
		}
		return Place{}, false
	}
	for _, dir := range own {
		if p, ok := try(dir, Place{Own: true}); ok {
			return p
		}
	}
	if env == nil {
		switch {
		case folder != nil:
			folder.Partial = true
			return *folder
		case !packaged:
			top.Status = Unknown
		}
		return top
	}
	names := ""
	if env.HasStandardNames() && StandardNames(dotted) != nil {
		names = dotted
	}
	for _, dir := range append([]string{env.Lib, filepath.Join(env.Lib, "lib-dynload")}, env.Stubs...) {
		if p, ok := try(dir, Place{Standard: true, Names: names}); ok {
			return p
		}
	}
	if !packaged && slices.Contains(compiledModules, dotted) {
		return Place{Status: Found, Standard: true, Names: names}
	}
	for _, dir := range env.Sites {
		if p, ok := try(dir, Place{Module: parts[0], Version: ""}); ok {
			p.Version = r.version(dir, parts[0])
			if other := env.locked[strings.TrimLeft(pythonName(parts[0]), "_")]; p.Version != "" && len(other) > 0 && !slices.Contains(other, p.Version) {
				return Place{Status: NotInstalled, Module: parts[0], Version: other[0], Instead: p.Version}
			}
			return p
		}
	}
	declared := !packaged && env.declares(parts[0])
	switch {
	case folder != nil:
		folder.Partial = declared
		return *folder
	case declared:
		return Place{Status: NotInstalled, Module: parts[0]}
	}
	return top
}

// moduleIn finds a module below a folder of modules.
func (r *Python) moduleIn(dir string, parts []string, exists func(string) bool) (Place, bool) {
	at := filepath.Join(append([]string{dir}, parts...)...)
	if place, ok := PythonFile(at, exists); ok {
		return place, true
	}
	stubs := filepath.Join(append([]string{dir, parts[0] + "-stubs"}, parts[1:]...)...)
	if file := filepath.Join(stubs, "__init__.pyi"); exists(file) {
		return Place{File: file, Dir: stubs}, true
	}
	for _, f := range r.Variants(at) {
		if strings.HasSuffix(f, ".so") || strings.HasSuffix(f, ".pyd") {
			return Place{Dir: ""}, true // written in C
		}
	}
	if disk.IsDir(at) {
		return Place{Dir: at}, true
	}
	return Place{}, false
}

// PythonFile finds the file of the module at a path without its ending, and the folder where it is a package.
func PythonFile(at string, exists func(string) bool) (Place, bool) {
	for _, ending := range []string{".pyi", ".py"} {
		if file := filepath.Join(at, "__init__"+ending); exists(file) {
			return Place{File: file, Dir: at}, true
		}
	}
	for _, ending := range []string{".pyi", ".py"} {
		if exists(at + ending) {
			return Place{File: at + ending}, true
		}
	}
	return Place{}, false
}

// version is the version of an installed distribution, "" if no file on
// disk records it.
func (r *Python) version(site, name string) string {
	name = strings.TrimLeft(name, "_") // pytest has the package _pytest
	found := r.disk.Glob(r.life(), site, name+"-*.dist-info")
	if len(found) == 0 {
		found = r.disk.Glob(r.life(), site, strings.ReplaceAll(name, "_", "-")+"-*.*-info")
	}
	for _, f := range found {
		base := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(f), ".dist-info"), ".egg-info")
		if rest := base[min(len(name)+1, len(base)):]; rest != "" && rest[0] >= '0' && rest[0] <= '9' {
			return rest
		}
	}
	return ""
}
