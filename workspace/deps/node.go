package deps

import (
	"cmp"
	"encoding/json"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"tandem/workspace/disk"
)

// A nodeManifest is a package.json.
type nodeManifest struct {
	Name, Version        string
	Types, Typings, Main string
	Exports, Imports     any
	Browser              any
	Dependencies         map[string]string
	DevDependencies      map[string]string
	PeerDependencies     map[string]string
	OptionalDependencies map[string]string
	Workspaces           any
}

// nodeBuiltins are the modules of Node.js itself. The disk describes them only
// where @types/node is installed.
var nodeBuiltins = strings.Fields(`assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events fs
	http http2 https inspector module net os path perf_hooks process punycode querystring readline repl sea sqlite stream string_decoder sys test timers tls
	trace_events tty url util v8 vm wasi worker_threads zlib`)

// scriptEndings are tried after a path that names no file. Declarations come
// first where both exist in one folder.
var scriptEndings = []string{".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte", ".json",
	"/index.ts", "/index.tsx", "/index.d.ts", "/index.js", "/index.jsx", "/index.mjs"}

// ScriptFile finds the file that a path with or without an ending means; exists
// reports whether a file exists. Declarations are preferred to JavaScript.
func ScriptFile(at string, exists func(string) bool) (string, bool) {
	for _, js := range [][2]string{{".js", ".ts"}, {".js", ".tsx"}, {".js", ".d.ts"}, {".jsx", ".tsx"}, {".mjs", ".mts"}, {".mjs", ".d.mts"}, {".cjs", ".cts"}, {".cjs", ".d.cts"}} {
		if base, ok := strings.CutSuffix(at, js[0]); ok && exists(base+js[1]) {
			return base + js[1], true
		}
	}
	if exists(at) && filepath.Ext(at) != "" {
		return at, true
	}
	for _, ending := range scriptEndings {
		if file := at + filepath.FromSlash(ending); exists(file) {
			return file, true
		}
	}
	return "", false
}

// Node finds packages of Node.js, and declarations of TypeScript, in node_modules folders.
type Node struct {
	*reader
	manifests recent[nodeManifest] // by folder
	configs   recent[scriptConfig] // by folder
}

// Module finds what a script imports by a name that is no path.
func (r *Node) Module(fromFile, name string, exists func(string) bool) Place {
	plain := strings.TrimPrefix(name, "node:")
	builtin := plain != name || slices.Contains(nodeBuiltins, strings.Split(plain, "/")[0])
	pkg, sub := splitNodeName(plain)
	dir := filepath.Dir(fromFile)
	if p, ok := r.installed(dir, "@types/node", plain, exists); builtin && ok {
		if base, _, part := strings.Cut(plain, "/"); part && p.Status != Found { // the base's file may declare its parts
			p, _ = r.installed(dir, "@types/node", base, exists)
			p.File = ""
		}
		p.Standard = true
		return p
	}
	if p, ok := r.installed(dir, pkg, sub, exists); ok && !builtin {
		if p.File == "" || !strings.Contains(filepath.Base(p.File), ".d.") {
			typed := "@types/" + strings.ReplaceAll(strings.TrimPrefix(pkg, "@"), "/", "__")
			if t, ok := r.installed(dir, typed, sub, exists); ok && t.Status == Found {
				return t
			}
		}
		return p
	}
	if builtin {
		return Place{Status: Found, Standard: true}
	}
	return r.notInstalled(dir, pkg, name)
}

// PackageOf is the package that a script's import names.
func PackageOf(name string) string {
	pkg, _ := splitNodeName(strings.TrimPrefix(name, "node:"))
	return pkg
}

// splitNodeName splits an import into its package and the path in it.
func splitNodeName(name string) (pkg, sub string) {
	parts := strings.SplitN(name, "/", 3)
	n := 1
	if strings.HasPrefix(name, "@") {
		n = 2
	}
	n = min(n, len(parts))
	return strings.Join(parts[:n], "/"), strings.Join(parts[n:], "/")
}

// installed finds a package in the nearest node_modules that has it.
func (r *Node) installed(dir, pkg, sub string, exists func(string) bool) (Place, bool) {
	for up := range upTo(dir, "") {
		at := filepath.Join(up, "node_modules", filepath.FromSlash(pkg))
		if disk.IsDir(at) {
			m := r.manifest(at)
			p := Place{Status: Found, Dir: at, Module: pkg, Version: m.Version}
			file, ok := m.entry(at, sub, exists)
			if !ok {
				p.Status, p.Dir = Missing, ""
			}
			p.File = file
			return p, true
		}
	}
	return Place{}, false
}

// notInstalled is the reason why a package is missing: the project does not
// require it, or requires it and it is not installed.
func (r *Node) notInstalled(dir, pkg, name string) Place {
	if strings.HasPrefix(name, "#") || strings.HasPrefix(name, "@/") || strings.HasPrefix(name, "~") || strings.Contains(name, ":") {
		return Place{Status: Unknown}
	}
	top := "" // the highest folder of the project
	for at := above(dir, "package.json"); at != ""; at = above(filepath.Dir(at), "package.json") {
		top = at
		m := r.manifest(at)
		if m.Name == pkg {
			return Place{Status: Unknown}
		}
		if module, version := m.requires(pkg); module != "" {
			return Place{Status: NotInstalled, Module: pkg, Version: version}
		}
		if m.Workspaces != nil || filepath.Dir(at) == at {
			break
		}
	}
	if top == "" || r.aliased(dir, top, name) || name == "bun" || r.maps(dir, top) {
		return Place{Status: Unknown}
	}
	return Place{Status: NotRequired}
}

// Installed reports whether what the package.json files above a file require can be there: a
// folder of packages is, or nothing is required.
func (r *Node) Installed(fromFile string) bool {
	required := false
	for dir := range upTo(filepath.Dir(fromFile), "") {
		if disk.IsDir(filepath.Join(dir, "node_modules")) {
			return true
		}
		for _, list := range r.manifest(dir).lists() {
			required = required || len(list) > 0
		}
	}
	return !required
}

// Tools are the folders of the packages that a project requires for its own development, as
// test runners and types; complete is false where one of them is not installed.
func (r *Node) Tools(fromFile string) (dirs []string, complete bool) {
	complete = true
	for dir := range upTo(filepath.Dir(fromFile), "") {
		for name := range r.manifest(dir).DevDependencies {
			installed := false
			for up := range upTo(dir, "") {
				if at := filepath.Join(up, "node_modules", filepath.FromSlash(name)); disk.IsDir(at) {
					dirs, installed = append(dirs, at), true
					break
				}
			}
			complete = complete && installed
		}
	}
	return dirs, complete
}

// globalMakers are packages whose tools let code use names that it does not import.
var globalMakers = []string{"nuxt", "nuxt3", "@nuxt/kit", "unplugin-auto-import", "wxt", "@sveltejs/kit", "@builder.io/qwik-city"}

// ProvidesGlobals reports whether a project has such a package.
func (r *Node) ProvidesGlobals(fromFile string) bool {
	return slices.ContainsFunc(globalMakers, func(name string) bool {
		for dir := range upTo(filepath.Dir(fromFile), "") {
			if r.Requires(dir, name) {
				return true
			}
		}
		return false
	})
}

// Replaces reports whether bundlers read another file in place of a path without an ending, by
// what the package.json above it says of browsers.
func (r *Node) Replaces(at string) bool {
	top := above(filepath.Dir(at), "package.json")
	table, _ := r.manifest(top).Browser.(map[string]any)
	rel, err := filepath.Rel(top, at)
	if top == "" || err != nil {
		return false
	}
	own := "./" + filepath.ToSlash(rel)
	for name := range table {
		if name == own || strings.HasPrefix(name, own+".") || strings.HasPrefix(name, own+"/index.") {
			return true
		}
	}
	return false
}

// Requires reports whether the package.json of a folder names the package of an import.
func (r *Node) Requires(dir, name string) bool {
	pkg, _ := splitNodeName(name)
	module, _ := r.manifest(dir).requires(pkg)
	return module != ""
}

// maxClosure bounds the packages of Closure.
const maxClosure = 100

// Closure are the folders of the packages that a file may have values of: of those that it
// imports, of what every file may use, as a test runner, and of those that these require.
func (r *Node) Closure(fromFile string, imported []string, exists func(string) bool) (dirs []string) {
	add := func(from, name string) {
		if name == "" || strings.HasPrefix(name, ".") {
			return
		}
		if p, ok := r.installed(filepath.Dir(from), PackageOf(name), "", exists); ok && len(dirs) < maxClosure && p.Dir != "" && !slices.Contains(dirs, p.Dir) {
			dirs = append(dirs, p.Dir)
		}
	}
	for _, name := range imported {
		add(fromFile, name)
	}
	for _, types := range r.namedTypes(filepath.Dir(fromFile)) {
		_, name, _ := strings.Cut(filepath.ToSlash(types), "/node_modules/")
		add(fromFile, name)
	}
	for i := 0; i < len(dirs); i++ {
		m, real := r.manifest(dirs[i]), disk.Real(dirs[i]) // pnpm links to it, with what it requires beside it
		for _, list := range []map[string]string{m.Dependencies, m.PeerDependencies} {
			for name := range list {
				add(filepath.Join(real, "package.json"), name)
			}
		}
	}
	return dirs
}

// requires is the package that a manifest names so that pkg can be imported, with its
// version: pkg itself or its types.
func (m nodeManifest) requires(pkg string) (module, version string) {
	for _, list := range m.lists() {
		for _, module := range []string{pkg, "@types/" + pkg} {
			if version, ok := list[module]; ok {
				return module, version
			}
		}
	}
	return "", ""
}

// has reports whether a package whose name has the prefix is the manifest's own or is
// named by it.
func (m nodeManifest) has(prefix string) bool {
	if strings.HasPrefix(m.Name, prefix) {
		return true
	}
	for _, list := range m.lists() {
		for name := range list {
			if strings.HasPrefix(name, prefix) {
				return true
			}
		}
	}
	return false
}

func (m nodeManifest) lists() [4]map[string]string {
	return [...]map[string]string{m.Dependencies, m.DevDependencies, m.PeerDependencies, m.OptionalDependencies}
}

func (r *Node) manifest(dir string) nodeManifest {
	return r.manifests.get(dir, func() (m nodeManifest) {
		r.disk.Allow(dir)
		if data, ok := r.manifestIn(dir, "package.json"); ok {
			_ = json.Unmarshal(data, &m) // a field of another shape is as good as none
		}
		return m
	})
}

// entry is the file of a package that an import of sub reads, declarations
// first; ok is false when the package does not offer it. A package that offers
// code without declarations has no file.
func (m nodeManifest) entry(dir, sub string, exists func(string) bool) (file string, ok bool) {
	join := func(p string) string { return filepath.Join(dir, filepath.FromSlash(p)) }
	if m.Exports != nil {
		target, ok := exported(m.Exports, sub)
		if ok {
			file, _ := ScriptFile(declarationOf(join(target), exists), exists)
			return file, true
		}
		if sub != "package.json" && !disk.IsDir(filepath.Join(dir, "src")) {
			return "", false
		}
	}
	if sub != "" {
		file, ok := ScriptFile(join(sub), exists)
		if !ok && exists(filepath.Join(join(sub), "package.json")) {
			return "", true
		}
		return file, ok
	}
	for _, p := range []string{m.Types, m.Typings, m.Main, "index"} {
		if p == "" {
			continue
		}
		if file, ok := ScriptFile(declarationOf(join(p), exists), exists); ok {
			return file, true
		}
	}
	return "", true
}

// declarationOf is the declaration file next to a JavaScript file, or the path
// unchanged.
func declarationOf(at string, exists func(string) bool) string {
	for _, pair := range [][2]string{{".js", ".d.ts"}, {".mjs", ".d.mts"}, {".cjs", ".d.cts"}} {
		if base, ok := strings.CutSuffix(at, pair[0]); ok && exists(base+pair[1]) {
			return base + pair[1]
		}
	}
	return at
}

// exported follows the exports of a package.json to the target of sub.
func exported(exports any, sub string) (string, bool) {
	key := "."
	if sub != "" {
		key = "./" + sub
	}
	table, isMap := exports.(map[string]any)
	if !isMap || !hasPaths(table) {
		if sub != "" {
			return "", false
		}
		return condition(exports)
	}
	if v, ok := table[key]; ok {
		return condition(v)
	}
	longestFirst := func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) }
	for _, p := range slices.SortedFunc(maps.Keys(table), longestFirst) {
		if fits(p, key) {
			before, after, _ := strings.Cut(p, "*")
			target, ok := condition(table[p])
			return strings.ReplaceAll(target, "*", key[len(before):len(key)-len(after)]), ok
		}
	}
	return "", false
}

func hasPaths(table map[string]any) bool {
	for k := range table {
		if strings.HasPrefix(k, ".") {
			return true
		}
	}
	return false
}

// condition chooses among an export's conditions.
func condition(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return path.Clean(v), true
	case []any:
		for _, w := range v {
			if s, ok := condition(w); ok {
				return s, true
			}
		}
	case map[string]any:
		for _, k := range []string{"types", "import", "node", "default", "require", "module", "browser"} {
			if w, ok := v[k]; ok {
				if s, ok := condition(w); ok {
					return s, true
				}
			}
		}
	}
	return "", false
}

// Library are the declaration files of the language itself that the
// nearest TypeScript has, nil where none is installed.
func (r *Node) Library(fromFile string) []string {
	for dir := range upTo(filepath.Dir(fromFile), "") {
		modules := filepath.Join(dir, "node_modules")
		r.disk.Allow(modules)
		for _, pattern := range []string{"typescript/lib/lib.*.d.ts", "@typescript/*/lib/lib.*.d.ts"} {
			if found := r.disk.Glob(r.life(), modules, pattern); len(found) > 0 {
				return found
			}
		}
	}
	for _, at := range moduleFolders {
		if found := r.disk.Glob(r.life(), at, "typescript/lib/lib.*.d.ts"); len(found) > 0 {
			return found
		}
	}
	return nil
}

// Types are the folders, and files, of ambient declarations that apply to a file: those
// that the project's configuration names, and those that are installed for all.
func (r *Node) Types(fromFile string) []string {
	out := r.namedTypes(filepath.Dir(fromFile))
	for dir := range upTo(filepath.Dir(fromFile), "") {
		modules := filepath.Join(dir, "node_modules")
		r.disk.Allow(modules)
		out = append(out, r.disk.Glob(r.life(), modules, "@types/*")...)
	}
	return out
}

// Binary is the Node.js on PATH, "" if there is none.
func (r *Node) Binary() string { return r.command("node") }
