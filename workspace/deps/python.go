package deps

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A PythonEnv is where the Python of a workspace keeps its modules.
type PythonEnv struct {
	Lib      string   // folder of the standard library
	Sites    []string // folders of installed packages
	Stubs    []string // folders of stubs of the standard library
	Binaries []string // files that hold the modules written in C
	declared map[string]bool
}

// PythonEnv is the environment of a workspace: the active one, one in the
// workspace folder, pyenv's, else the system's. It is nil if there is none.
func (r *Resolver) PythonEnv(root string) *PythonEnv {
	r.mu.Lock()
	r.expire()
	env, ok := r.pythons[root]
	r.mu.Unlock()
	if ok {
		return env
	}
	env = r.findPython(root)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pythons[root] = env
	return env
}

func (r *Resolver) findPython(root string) *PythonEnv {
	for _, prefix := range r.pythonPrefixes(root) {
		if env := r.pythonAt(prefix); env != nil {
			env.declared = pythonRequirements(root)
			return env
		}
	}
	return nil
}

// pythonPrefixes are the folders of environments and installations, the most
// specific first.
func (r *Resolver) pythonPrefixes(root string) []string {
	get := r.options.Getenv
	out := []string{get("VIRTUAL_ENV"), filepath.Join(root, ".venv"), filepath.Join(root, "venv"), filepath.Join(root, "env"), get("CONDA_PREFIX")}
	pyenv := get("PYENV_ROOT")
	if pyenv == "" {
		pyenv = filepath.Join(r.options.Home, ".pyenv")
	}
	for _, version := range []string{get("PYENV_VERSION"), firstWord(filepath.Join(root, ".python-version")), firstWord(filepath.Join(pyenv, "version"))} {
		if version != "" && !strings.ContainsAny(version, `/\`) {
			out = append(out, filepath.Join(pyenv, "versions", version))
		}
	}
	for _, name := range []string{"python3", "python"} {
		if command := r.findCommand(name); command != "" {
			out = append(out, filepath.Dir(filepath.Dir(command)))
		}
	}
	return append(out, "/usr", "/usr/local", "/opt/homebrew")
}

func firstWord(file string) string {
	data, err := os.ReadFile(file)
	if f := strings.Fields(string(data)); err == nil && len(f) > 0 {
		return f[0]
	}
	return ""
}

// pythonAt reads an environment or installation; nil if there is none.
func (r *Resolver) pythonAt(prefix string) *PythonEnv {
	if prefix == "" {
		return nil
	}
	env := &PythonEnv{}
	base := prefix
	if home := pyvenvHome(prefix); home != "" {
		base = filepath.Dir(home)
	}
	env.Lib = pythonLib(base)
	if env.Lib == "" {
		return nil
	}
	version := filepath.Base(env.Lib)
	for _, at := range []string{prefix, base} {
		env.addSite(filepath.Join(at, "lib", version, "site-packages"), filepath.Join(at, "Lib", "site-packages"))
	}
	if base == "/usr" || base == "/usr/local" {
		env.addSite("/usr/lib/python3/dist-packages", filepath.Join("/usr/local/lib", version, "dist-packages"), filepath.Join(r.options.Home, ".local", "lib", version, "site-packages"))
	}
	for _, site := range env.Sites {
		for _, stubs := range []string{"mypy/typeshed/stdlib", "jedi/third_party/typeshed/stdlib/3", "jedi/third_party/typeshed/stdlib"} {
			if at := filepath.Join(site, filepath.FromSlash(stubs)); isFile(filepath.Join(at, "builtins.pyi")) {
				env.Stubs = append(env.Stubs, at)
			}
		}
	}
	env.addBinaries(base, version)
	return env
}

func (e *PythonEnv) addSite(dirs ...string) {
	for _, dir := range dirs {
		if isDir(dir) && !slices.Contains(e.Sites, dir) {
			e.Sites = append(e.Sites, dir)
		}
	}
}

// addBinaries records the interpreter and its extension modules.
func (e *PythonEnv) addBinaries(base, version string) {
	patterns := []string{filepath.Join(base, "bin", version), filepath.Join(base, "lib", "lib"+version+"*.so*"), filepath.Join(base, "lib", "*", "lib"+version+"*.so.1.0"),
		filepath.Join(base, "lib", "lib"+version+"*.dylib"), filepath.Join(base, "python3*.dll"), filepath.Join(e.Lib, "lib-dynload", "*.so"), filepath.Join(base, "DLLs", "*.pyd")}
	for _, pattern := range patterns {
		found, _ := filepath.Glob(pattern)
		for _, file := range found {
			if real, err := filepath.EvalSymlinks(file); err == nil && !slices.Contains(e.Binaries, real) {
				e.Binaries = append(e.Binaries, real)
			}
		}
	}
}

func pyvenvHome(prefix string) string {
	data, err := os.ReadFile(filepath.Join(prefix, "pyvenv.cfg"))
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(data)) {
		if key, value, ok := strings.Cut(line, "="); ok && strings.TrimSpace(key) == "home" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// pythonLib is the newest standard library below a prefix.
func pythonLib(base string) string {
	if isFile(filepath.Join(base, "Lib", "os.py")) {
		return filepath.Join(base, "Lib")
	}
	found, _ := filepath.Glob(filepath.Join(base, "lib", "python3.*", "os.py"))
	best := ""
	for _, file := range found {
		if dir := filepath.Dir(file); len(dir) > len(best) || len(dir) == len(best) && dir > best {
			best = dir
		}
	}
	return best
}

// requirementFiles declare what a Python project needs.
var requirementFiles = []string{"pyproject.toml", "setup.py", "setup.cfg", "Pipfile", "requirements*.txt", "requirements/*.txt", "environment.y*ml", "tox.ini"}

// pythonRequirements are the words of the files in which a project declares its
// dependencies, spelled like module names.
func pythonRequirements(root string) map[string]bool {
	out := map[string]bool{}
	for _, pattern := range requirementFiles {
		found, _ := filepath.Glob(filepath.Join(root, pattern))
		for _, file := range found {
			data, err := os.ReadFile(file)
			if err != nil {
				continue
			}
			for _, w := range strings.FieldsFunc(string(data), func(c rune) bool {
				return !(c == '_' || c == '-' || c == '.' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z')
			}) {
				out[pythonName(w)] = true
			}
		}
	}
	return out
}

func pythonName(distribution string) string {
	return strings.NewReplacer("-", "_", ".", "_").Replace(strings.ToLower(distribution))
}

// PythonModule finds an absolutely named module that a file of the workspace
// imports. own are folders from which the workspace's own modules are imported;
// exists reports whether a file or folder exists.
func (r *Resolver) PythonModule(root, dotted string, own []string, exists func(string) bool) Place {
	env := r.PythonEnv(root)
	parts := strings.Split(dotted, ".")
	top := Place{Status: NotRequired}
	var folder *Place // a folder without __init__: it is found where no place has a module or a package of that name
	packaged := false // top is a module or a package, not just a folder of that name
	try := func(dir string, place Place) (Place, bool) {
		found, ok := moduleIn(dir, parts, exists)
		if ok {
			place.Status, place.File, place.Dir = Found, found.File, found.Dir
			if place.File != "" || place.Dir == "" {
				return place, true
			}
			if folder == nil {
				folder = &place
			}
		}
		if first, ok := moduleIn(dir, parts[:1], exists); ok && !packaged && (first.File != "" || place.Own && top.Status != Missing) {
			top, packaged = place, first.File != ""
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
	for _, dir := range append([]string{env.Lib, filepath.Join(env.Lib, "lib-dynload")}, env.Stubs...) {
		if p, ok := try(dir, Place{Standard: true}); ok {
			return p
		}
	}
	for _, dir := range env.Sites {
		if p, ok := try(dir, Place{Module: parts[0], Version: ""}); ok {
			p.Version = pythonVersion(dir, parts[0])
			return p
		}
	}
	declared := !packaged && env.declared[pythonName(parts[0])]
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
func moduleIn(dir string, parts []string, exists func(string) bool) (Place, bool) {
	at := filepath.Join(append([]string{dir}, parts...)...)
	for _, file := range []string{filepath.Join(at, "__init__.pyi"), filepath.Join(at, "__init__.py")} {
		if exists(file) {
			return Place{File: file, Dir: at}, true
		}
	}
	for _, ext := range []string{".pyi", ".py"} {
		if exists(at + ext) {
			return Place{File: at + ext}, true
		}
	}
	stubs := filepath.Join(append([]string{dir, parts[0] + "-stubs"}, parts[1:]...)...)
	if file := filepath.Join(stubs, "__init__.pyi"); exists(file) {
		return Place{File: file, Dir: stubs}, true
	}
	if found, _ := filepath.Glob(at + ".*"); len(found) > 0 {
		for _, f := range found {
			if strings.HasSuffix(f, ".so") || strings.HasSuffix(f, ".pyd") {
				return Place{Dir: ""}, true // written in C
			}
		}
	}
	if isDir(at) {
		return Place{Dir: at}, true
	}
	return Place{}, false
}

// pythonVersion is the version of an installed distribution, "" if no file on
// disk records it.
func pythonVersion(site, name string) string {
	found, _ := filepath.Glob(filepath.Join(site, name+"-*.dist-info"))
	if len(found) == 0 {
		found, _ = filepath.Glob(filepath.Join(site, strings.ReplaceAll(name, "_", "-")+"-*.*-info"))
	}
	for _, f := range found {
		base := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(f), ".dist-info"), ".egg-info")
		if rest := base[min(len(name)+1, len(base)):]; rest != "" && rest[0] >= '0' && rest[0] <= '9' {
			return rest
		}
	}
	return ""
}
